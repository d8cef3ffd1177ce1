//! Light is kept: what an environment sends is what its lights and its ambient send.

use super::*;
use glam::DVec3;
use std::f64::consts::PI;

/// Radiance of a picture, integrated over directions: of all of it, and of the part that
/// falls on a surface with that normal.
fn integrated(picture: &Panorama, scale: f64, normal: DVec3) -> [f64; 2] {
    let (mut all, mut falls) = (0.0, 0.0);
    let directions = picture.directions();
    for y in 0..picture.height() {
        for x in 0..picture.width() {
            let texel = Vec3::from(picture.texels()[y * picture.width() + x]).as_dvec3();
            let light = scale * texel.dot(BRIGHTNESS) * picture.solid_angle(y);
            let towards = Vec3::from(directions.at(x, y)).as_dvec3();
            all += light;
            falls += light * towards.dot(normal).max(0.0);
        }
    }
    [all, falls]
}

fn brightness(colour: Vec3) -> f64 {
    colour.as_dvec3().dot(BRIGHTNESS)
}

/// Light of all directions together, in lights and ambient.
fn sum(environment: &Environment) -> f64 {
    let lights: f64 = environment
        .lights
        .iter()
        .map(|light| brightness(light.colour))
        .sum();
    lights + environment.ambient.sum().dot(BRIGHTNESS)
}

/// A sky with a sun of that radius `[°]`, which sends `share` of all light.
fn with_sun(towards: Vec3, radius: f32, share: f32) -> Panorama {
    let cosine = radius.to_radians().cos();
    let solid = 2.0 * std::f32::consts::PI * (1.0 - cosine);
    let sky = 4.0 * std::f32::consts::PI;
    let sun = share / (1.0 - share) * sky / solid;
    Panorama::of(1024, |d| {
        let on = Vec3::from(d).dot(towards) > cosine;
        [1.0 + f32::from(on) * sun; 3]
    })
}

#[test]
fn an_even_environment_is_ambient_alone() {
    let white = Panorama::of(256, |_| [0.25; 3]);
    let environment = Environment::new(&white);
    assert!(environment.lights.iter().all(|l| l.colour == Vec3::ZERO));
    for normal in [Vec3::X, Vec3::NEG_Y, Vec3::new(0.6, 0.0, -0.8)] {
        // A furnace: a white surface is as bright as the room.
        let seen = environment.on_white(normal);
        assert!((seen - Vec3::splat(MEAN as f32)).length() < 2e-4, "{seen}");
    }
}

#[test]
fn a_sun_becomes_the_key_light() {
    for (towards, radius) in [
        (Vec3::new(0.3, 0.8, 0.52), 1.0),
        (Vec3::new(-0.9, 0.1, -0.2), 3.0),
        (Vec3::new(0.0, 0.999, 0.01), 2.0),
    ] {
        let towards = towards.normalize();
        let environment = Environment::new(&with_sun(towards, radius, 0.6));
        let [key, others @ ..] = environment.lights;
        let off = key.towards.angle_between(towards).to_degrees();
        assert!(off < 0.5, "{towards}: {off} degrees off");
        // The sun's share of the light of the mean environment.
        let wanted = 0.6 * MEAN * 4.0 * PI;
        let energy = brightness(key.colour) / wanted;
        assert!((energy - 1.0).abs() < 0.03, "{towards}: {energy}");
        let rest = others.iter().map(|light| light.colour).sum::<Vec3>();
        assert!(rest.length() < 0.02 * key.colour.length(), "{rest}");
        // Without the sun the sky is even.
        let [up, down] = [Vec3::Y, Vec3::NEG_Y].map(|n| brightness(environment.ambient.at(n)));
        assert!((up / down - 1.0).abs() < 0.03, "{up} {down}");
    }
}

#[test]
fn lights_and_ambient_send_what_the_picture_does() {
    let pictures = BuiltIn::ALL.map(|built_in| (built_in.id, built_in.picture()));
    let sun = with_sun(Vec3::new(0.5, 0.5, 0.70710677), 1.0, 0.5);
    for (name, picture) in pictures.into_iter().chain([("sun", sun)]) {
        let environment = Environment::new(&picture);
        let [all, _] = integrated(&picture, 1.0, DVec3::Y);
        let scale = MEAN * 4.0 * PI / all;
        let sent = sum(&environment) / (scale * all);
        assert!((sent - 1.0).abs() < 0.02, "{name} sends {sent}");
        let mut brightest = 0f64;
        let mut off = 0f64;
        for index in 0..50 {
            // A spiral over the sphere (Vogel 1979).
            let y = 1.0 - (2 * index + 1) as f64 / 50.0;
            let (sin, cos) = (index as f64 * 2.399_963).sin_cos();
            let r = (1.0 - y * y).sqrt();
            let normal = DVec3::new(r * cos, y, r * sin);
            let [_, falls] = integrated(&picture, scale, normal);
            let seen = PI * brightness(environment.on_white(normal.as_vec3()));
            brightest = brightest.max(falls);
            off = off.max((seen - falls).abs());
        }
        println!("{name}: irradiance off by {off:.3} of {brightest:.3}");
        assert!(off < 0.08 * brightest, "{name}: {off} of {brightest}");
    }
}

#[test]
fn those_of_the_program_are_as_bright_as_the_studio_and_differ() {
    // White skin before the face: the studio sends 4.5.
    for (name, wanted, lights) in [
        ("softboxes", 1.5..6.0, 3..=4),
        ("overcast", 1.0..4.0, 0..=1),
        ("sunset", 1.0..6.0, 1..=4),
    ] {
        let picture = BuiltIn::named(name).expect("it is there").picture();
        let environment = Environment::new(&picture);
        let seen = brightness(environment.on_white(Vec3::new(-0.5, 0.3, 0.81).normalize()));
        let lit = environment.lights.iter().filter(|l| l.colour != Vec3::ZERO);
        let lit = lit.count();
        println!("{name}: {seen}, {:?}", environment.lights);
        assert!(wanted.contains(&seen), "{name}: {seen}");
        assert!(lights.contains(&lit), "{name}: {lit} lights");
    }
}

#[test]
fn light_of_any_strength_stays_finite() {
    let spot = |strength: f32, ground: f32| {
        let within = |d: [f32; 3]| d[1] > 0.99997;
        Panorama::of(1024, |d| [if within(d) { strength } else { ground }; 3])
    };
    // The brightest and the faintest that a file may have, and no light at all.
    for (strength, ground) in [
        (1e15, 1e15),
        (1e15, 0.0),
        (1e15, 1e-15),
        (1e-15, 0.0),
        (0.0, 0.0),
    ] {
        let light = LightParams {
            environment_seen: true,
            environment_blur: 0.0,
            ..LightParams::default()
        };
        let environment = Environment::new(&spot(strength, ground)).seen_as(&light);
        let seen = environment.on_white(Vec3::Y);
        assert!(seen.is_finite() && seen.min_element() >= 0.0, "{seen}");
        let lights = environment.lights.iter();
        let mut whole = lights.map(|l| l.towards.is_normalized() && l.colour.is_finite());
        assert!(whole.all(|whole| whole), "{:?}", environment.lights);
        let picture = environment.backdrop(2048).expect("it is seen");
        let mut texels = picture.texels().as_flattened().iter();
        assert!(texels.all(|v| (0.0..=60_000.0).contains(v)));
        assert_eq!(seen == Vec3::ZERO, strength == 0.0);
    }
}

#[test]
fn what_is_seen_is_blurred_once_and_its_light_stays() {
    let sharp = Environment::new(&with_sun(Vec3::Y, 2.0, 0.5));
    let mut light = LightParams::default();
    assert!(sharp.is_seen_as(&light) && sharp.backdrop(2048).is_none());
    light.environment_seen = true;
    assert!(!sharp.is_seen_as(&light));
    let seen = sharp.clone().seen_as(&light);
    assert!(seen.is_seen_as(&light) && seen.blur() == Some(light.environment_blur));
    assert_eq!(seen.lights, sharp.lights);
    let again = seen.clone().seen_as(&light);
    let pictures = [&seen, &again].map(|seen| seen.backdrop.as_ref().map(|b| &b.picture));
    assert!(matches!(pictures, [Some(a), Some(b)] if Arc::ptr_eq(a, b)));
    light.environment_blur = 0.7;
    assert!(!seen.is_seen_as(&light));
    // A driver's largest texture may be smaller.
    assert_eq!(seen.backdrop(64).expect("it is seen").width(), 64);
}
