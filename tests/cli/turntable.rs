//! `lovelock render --turntable`: the camera goes round, and the hair does not flicker.

use crate::render::{difference, pictures, pictures_of};
use image::RgbImage;

#[test]
fn a_turntable_goes_round_once_while_the_hair_moves_on() {
    let Some(turned) = pictures(&["--frames", "4", "--turntable"]) else {
        return;
    };
    let half = ["--frames", "1", "--warmup", "0.083333333333", "--samples"];
    let behind = ["--set", "camera.yaw=208"];
    let of = |samples| pictures(&[&half[..], &[samples], &behind].concat()).expect("one");
    // Frames of a turntable are averages of four, where nothing else is asked for.
    assert!(difference(&turned[2], &of("4")[0]) < 0.002);
    assert!(difference(&turned[2], &of("1")[0]) > 0.004);
    let ahead = pictures(&[&half[..], &["4"]].concat()).expect("one");
    assert!(difference(&turned[2], &ahead[0]) > 0.03);
}

/// Mean change from frame to frame of the error against pictures of many samples, where
/// any of the two is off, as a share of full scale. An edge that moves because the camera
/// does is in both kinds of picture, so that what is left is flicker.
fn flicker(frames: &[RgbImage], true_ones: &[RgbImage]) -> f64 {
    assert!(frames.len() == 2 && true_ones.len() == 2);
    let error = |k: usize| {
        let all = frames[k].as_raw().iter().zip(true_ones[k].as_raw());
        all.map(|(a, b)| f64::from(*a) - f64::from(*b))
    };
    let (mut sum, mut count) = (0.0, 0.0);
    for (a, b) in error(0).zip(error(1)) {
        sum += (a - b).abs();
        count += f64::from(u8::from(a != 0.0 || b != 0.0));
    }
    sum / count / 255.0
}

#[test]
fn still_hair_does_not_flicker_where_frames_are_averaged() {
    // Two frames of a turntable of twelve seconds.
    let frames = |samples: &str| -> Option<Vec<RgbImage>> {
        let at = |yaw: &str| {
            let hair = ["--set", "roots.strands=400", "--set", "groom.vertices=48"];
            let still = ["--motion", "none", "--frames", "1", "--set", yaw];
            let drawn = ["--all-strands", "--samples", samples];
            let mut taken = pictures_of("160x160", &[&hair[..], &still, &drawn].concat())?;
            taken.pop()
        };
        Some(vec![at("camera.yaw=30")?, at("camera.yaw=31.25")?])
    };
    let Some(true_ones) = frames("100") else {
        return;
    };
    let [one, four, sixteen] =
        ["1", "4", "16"].map(|samples| flicker(&frames(samples).expect("frames"), &true_ones));
    println!("flicker: {one} of one sample, {four} of four, {sixteen} of sixteen");
    assert!(four < 0.01 && sixteen < 0.8 * four, "{four} {sixteen}");
    // What is measured is there to be seen in a single sample.
    assert!(one > 0.01 && one > 1.5 * four, "{one} {four}");
}
