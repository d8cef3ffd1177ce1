//! When a picture is drawn again.

use super::*;
use crate::render::{CameraParams, Headless};

#[test]
fn what_is_said_of_a_picture_at_rest_is_asked_for_once_more() {
    let Some(headless) = Headless::or_skip() else {
        return;
    };
    let mut picture = ViewportRenderer::new(headless.gl()).expect("a renderer");
    if picture.effort.is_software() {
        // So many that the first picture does not show all.
        picture.effort.expect(60_000, 1.0);
        let camera = Camera::new(
            &CameraParams::default(),
            [Vec3::splat(-0.1), Vec3::splat(0.1)],
        );
        let (look, light) = (LookParams::default(), LightParams::default());
        let wish = FrameRequest {
            camera: &camera,
            look: &look,
            followers: &FollowerParams::default(),
            light: &light,
            environment: None,
            size: [40, 30],
            quality: Quality::Live,
            paused: true,
            tint: None,
            transparent: false,
        };
        let moving = picture.draw(&wish).expect("a frame");
        let said = picture.simplified().expect("words");
        assert_eq!(said, "CPU preview: 20 % of hair drawn");
        assert!(moving.is_some_and(|moment| moment <= Instant::now()));
        let mut again = picture.draw(&wish).expect("a frame");
        // Nothing but the end of the rest is waited for, if that is not over: a busy
        // processor has drawn as long.
        if picture.simplified().as_deref() != Some("CPU preview") {
            let later = again.expect("a moment");
            std::thread::sleep(later.saturating_duration_since(Instant::now()));
            again = picture.draw(&wish).expect("a frame");
        }
        assert_eq!(picture.simplified().as_deref(), Some("CPU preview"));
        assert!(again.is_some_and(|moment| moment <= Instant::now()));
        assert_eq!(picture.draw(&wish).expect("a frame"), None);
    }
    drop(picture);
    drop(headless);
}

#[test]
fn a_picture_in_motion_is_drawn_again_at_rest_however_plain_the_look() {
    let Some(headless) = Headless::or_skip() else {
        return;
    };
    let mut picture = ViewportRenderer::new(headless.gl()).expect("a renderer");
    let camera = Camera::new(
        &CameraParams::default(),
        [Vec3::splat(-0.1), Vec3::splat(0.1)],
    );
    let look = LookParams {
        samples: 1,
        rounding: 0.5,
        ..LookParams::default()
    };
    let (followers, light) = (FollowerParams::default(), LightParams::default());
    let wish = |quality, paused| FrameRequest {
        camera: &camera,
        look: &look,
        followers: &followers,
        light: &light,
        environment: None,
        size: [40, 30],
        quality,
        paused,
        tint: None,
        transparent: false,
    };
    let later = picture.draw(&wish(Quality::Live, true)).expect("a frame");
    if let Some(later) = later {
        std::thread::sleep(later.saturating_duration_since(Instant::now()));
        let again = picture.draw(&wish(Quality::Live, true)).expect("a frame");
        let care = picture.drawn.as_ref().map(|drawn| &drawn.care);
        assert!(again.is_none() && care.is_some_and(|care| care.exact && !care.swift));
    }
    // For a file a card draws it again, too; for the window that does.
    for quality in [Quality::Full, Quality::Live] {
        let again = picture.draw(&wish(quality, false)).expect("a frame");
        let care = picture.drawn.as_ref().map(|drawn| &drawn.care);
        assert!(again.is_none() && care.is_some_and(|care| care.exact && !care.swift));
    }
    drop(picture);
    drop(headless);
}
