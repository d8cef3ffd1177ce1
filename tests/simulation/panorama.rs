//! Environments from files: read to the number, or refused in a sentence.

use crate::damage;
use exr::prelude::{
    Encoding, Image, ImageAttributes, Layer, LayerAttributes, SpecificChannels, WritableImage as _,
};
use image::{Rgb, codecs::hdr::HdrEncoder};
use lovelock::{io::panorama::Panorama, math::random::hash};
use std::{io::Cursor, path::Path, time::Instant};

/// A small picture with a gradient and a bright texel.
fn light(x: usize, y: usize) -> [f32; 3] {
    let sun = if (x, y) == (5, 2) { 4096.0 } else { 0.0 };
    [0.25 * (x as f32 + 1.0) + sun, 0.5 + y as f32, 1.5]
}

fn radiance(width: usize, height: usize, light: impl Fn(usize, usize) -> [f32; 3]) -> Vec<u8> {
    let texel = |i: usize| Rgb(light(i % width, i / width));
    let texels: Vec<_> = (0..width * height).map(texel).collect();
    let mut bytes = Vec::new();
    let encoder = HdrEncoder::new(&mut bytes);
    encoder.encode(&texels, width, height).expect("written");
    bytes
}

fn open_exr(
    [width, height]: [usize; 2],
    encoding: Encoding,
    light: impl Fn(usize, usize) -> [f32; 3] + Sync,
) -> Vec<u8> {
    let channels = SpecificChannels::rgb(|place: exr::math::Vec2<usize>| {
        let [red, green, blue] = light(place.0, place.1);
        (red, green, blue)
    });
    let layer = Layer::new(
        (width, height),
        LayerAttributes::named("light"),
        encoding,
        channels,
    );
    let image = Image::new(ImageAttributes::with_size((width, height)), layer);
    let mut bytes = Cursor::new(Vec::new());
    let written = image.write().non_parallel().to_buffered(&mut bytes);
    written.expect("written");
    bytes.into_inner()
}

/// The same picture in every way that it can be written.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let size = [16, 8];
    vec![
        ("hdr", radiance(16, 8, light)),
        ("none", open_exr(size, Encoding::UNCOMPRESSED, light)),
        ("rle", open_exr(size, Encoding::FAST_LOSSLESS, light)),
        ("zip", open_exr(size, Encoding::SMALL_LOSSLESS, light)),
        ("piz", open_exr(size, Encoding::SMALL_FAST_LOSSLESS, light)),
    ]
}

fn refused(bytes: &[u8]) -> String {
    Panorama::decode(bytes).expect_err("it is refused")
}

#[test]
fn every_format_has_the_same_light() {
    if let Ok(folder) = std::env::var("WRITE_CORPUS") {
        for (name, bytes) in files() {
            let ending = if name == "hdr" { "hdr" } else { "exr" };
            let path = Path::new(&folder).join(format!("{name}.{ending}"));
            std::fs::write(path, bytes).expect("written");
        }
    }
    for (name, bytes) in files() {
        let panorama = Panorama::decode(&bytes).expect(name);
        assert_eq!((panorama.width(), panorama.height()), (16, 8), "{name}");
        for (index, texel) in panorama.texels().iter().enumerate() {
            let wanted = light(index % 16, index / 16);
            // Radiance has one exponent for all three, and eight bits each.
            let most = match name {
                "hdr" => wanted.into_iter().fold(0.0, f32::max) / 128.0,
                _ => 0.0,
            };
            for (found, wanted) in texel.iter().zip(wanted) {
                assert!((found - wanted).abs() <= most, "{name}: {found} {wanted}");
            }
        }
    }
}

#[test]
fn directions_go_round_to_the_right_and_solid_angles_fill_the_sphere() {
    let panorama = Panorama::of(64, |_| [1.0; 3]);
    let directions = panorama.directions();
    let at = |x: usize, y: usize| directions.at(x, y);
    let near = |found: [f32; 3], wanted: [f32; 3]| {
        let off: f32 = (0..3).map(|i| (found[i] - wanted[i]).abs()).sum();
        assert!(off < 0.12, "{found:?} {wanted:?}");
    };
    // As OpenEXR has it: the middle is +z, a quarter from the left +x, the top +y.
    near(at(32, 16), [0.0, 0.0, 1.0]);
    near(at(16, 16), [1.0, 0.0, 0.0]);
    near(at(0, 16), [0.0, 0.0, -1.0]);
    near(at(7, 0), [0.0, 1.0, 0.0]);
    let all: f64 = (0..32).map(|y| 64.0 * panorama.solid_angle(y)).sum();
    assert!((all / (4.0 * std::f64::consts::PI) - 1.0).abs() < 1e-9);
}

#[test]
fn light_that_is_none_is_made_whole() {
    let odd = [f32::NAN, -3.0, f32::INFINITY, f32::NEG_INFINITY, 1e38];
    let bytes = open_exr([16, 8], Encoding::UNCOMPRESSED, |x, _| {
        [*odd.get(x).unwrap_or(&1.0); 3]
    });
    let panorama = Panorama::decode(&bytes).expect("it is read");
    let read: Vec<f32> = panorama.texels()[..6].iter().map(|t| t[0]).collect();
    assert_eq!(read, [0.0, 0.0, 65504.0, 0.0, 1e15, 1.0]);
}

#[test]
fn what_is_no_environment_is_refused_in_a_sentence() {
    let square = refused(&radiance(16, 16, light));
    assert!(
        square.contains("16 x 16 texels") && square.contains("twice as wide as high"),
        "{square}"
    );
    let black = refused(&radiance(16, 8, |_, _| [0.0; 3]));
    assert!(black.contains("black all over"), "{black}");
    let tiny = refused(&radiance(4, 2, light));
    assert!(tiny.contains("needs 8 x 4 at least"), "{tiny}");
    // A picture of 2^31 texels a side, of which nothing is there.
    let huge = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2147483647 +X 4294967294\n";
    let huge = refused(huge);
    assert!(huge.contains("too large"), "{huge}");
    let xyze = b"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 4 +X 8\n";
    let xyze = refused(xyze);
    assert!(xyze.contains("it is not RGBE"), "{xyze}");
    for text in [&b""[..], b"P6 1 1 255", b"#", b"\x76\x2f\x31"] {
        let said = refused(text);
        assert!(said.contains("neither a Radiance picture"), "{said}");
    }
    let whole = radiance(16, 8, light);
    let cut = refused(&whole[..whole.len() / 2]);
    assert!(cut.starts_with("it is damaged: "), "{cut}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sky.hdr");
    let error = Panorama::read(&path)
        .expect_err("there is none")
        .to_string();
    assert!(error.starts_with(&path.display().to_string()), "{error}");
    assert!(error.contains("no such file"), "{error}");
    let error = Panorama::read(folder.path()).expect_err("a folder");
    assert!(error.to_string().contains("it is a folder"), "{error}");
}

#[test]
fn damaged_files_are_refused_or_read_whole() {
    let (begun, files) = (Instant::now(), files());
    let mut round = 0u64;
    let (mut read, mut lost) = (0, 0);
    while begun.elapsed() < damage::time() {
        for (_, whole) in &files {
            let mut bytes = whole.clone();
            round += 1;
            let draw = |which: u64| hash(round, which) as usize;
            for change in 0..1 + draw(0) % 4 {
                let at = draw(1 + 2 * change as u64) % bytes.len();
                bytes[at] = draw(2 + 2 * change as u64) as u8;
            }
            if draw(12).is_multiple_of(4) {
                bytes.truncate(draw(13) % whole.len());
            }
            match Panorama::decode(&bytes) {
                Ok(panorama) => {
                    read += 1;
                    let mut light = panorama.texels().as_flattened().iter();
                    assert!(light.all(|v| v.is_finite() && *v >= 0.0));
                }
                Err(why) => {
                    lost += 1;
                    assert!(!why.is_empty() && !why.contains('\n'), "{why}");
                }
            }
        }
    }
    println!("{read} were read, {lost} refused");
    assert!(read > 0 && lost > 0);
}
