use super::*;
use glam::Vec3;

const SIZE: [u32; 2] = [200, 90];

/// To a picture in which a metre takes a pixel, seen along -z from far away.
fn flat() -> Mat4 {
    let [w, h] = SIZE.map(|side| side as f32);
    let scale = Vec3::new(2.0 / w, 2.0 / h, -0.2);
    Mat4::from_translation(Vec3::NEG_ONE) * Mat4::from_scale(scale)
}

/// Draws segments between these places `[px]` of one width `[px]`, white and black in
/// turn, before something that stands at `depth`. Answers four numbers a pixel.
fn drawn(places: &[Vec3], width: f32, depth: f32) -> Vec<[u8; 4]> {
    let points: Vec<[f32; 4]> = places.iter().map(|p| [p.x, p.y, p.z, 0.0]).collect();
    // Where a piece begins at the end of the one before, they meet at half the turn.
    let way = |piece: usize| (places[2 * piece + 1] - places[2 * piece]).normalize_or_zero();
    let direction = |i: usize| {
        let mut way_here = way(i / 2);
        if i.is_multiple_of(2) && i > 0 && places[i - 1] == places[i] {
            way_here += way(i / 2 - 1);
        }
        if i % 2 == 1 && places.get(i + 1) == Some(&places[i]) {
            way_here += way(i / 2 + 1);
        }
        way_here.y.atan2(way_here.x)
    };
    let colours: Vec<[f32; 4]> = (0..places.len())
        .map(|i| {
            let light = if i % 4 < 2 { 1.0 } else { 0.0 };
            [light, light, light, direction(i)]
        })
        .collect();
    let segments: Vec<[u32; 2]> = (0..places.len() as u32 / 2)
        .map(|i| [2 * i + 1, 2 * i])
        .collect();
    let strokes = Strokes {
        points: &points,
        colours: &colours,
        segments: &segments,
        view_projection: flat(),
        size: SIZE,
    };
    let mut raster = StrokeRaster::default();
    let mut picture = vec![[0; 4]; (SIZE[0] * SIZE[1]) as usize];
    let Some(area) = raster.place(&strokes, |_| width) else {
        return picture;
    };
    let depths = vec![depth; (area.size[0] * area.size[1]) as usize];
    let mut pixels: Vec<[u8; 4]> = Vec::new();
    raster.draw(&strokes, area, &depths, &mut pixels);
    for (row, pixels) in pixels.chunks(area.size[0] as usize).enumerate() {
        let from = (row + area.corner[1] as usize) * SIZE[0] as usize;
        let from = from + area.corner[0] as usize;
        picture[from..from + pixels.len()].copy_from_slice(pixels);
    }
    picture
}

fn cover(picture: &[[u8; 4]]) -> f64 {
    picture.iter().map(|p| f64::from(p[3]) / 255.0).sum()
}

#[test]
fn a_stroke_covers_its_length_times_its_width() {
    for (from, to) in [
        ([20.3, 40.7], [150.9, 43.1]),
        ([20.3, 10.7], [90.9, 80.1]),
        ([100.2, 10.4], [91.0, 78.5]),
        ([150.0, 80.0], [61.3, 21.9]),
    ] {
        let ends = [from, to].map(|[x, y]| Vec3::new(x, y, -5.0));
        let length = f64::from(ends[0].distance(ends[1]));
        for width in [0.4, 1.0, 2.5, 6.0, 17.0] {
            let area = cover(&drawn(&ends, width, 1.0));
            let wanted = length * f64::from(width);
            // A round-off of each pixel, and an end that is cut along the pixels.
            assert!(
                (area / wanted - 1.0).abs() < 0.03,
                "{from:?} to {to:?}, {width} px: {area} for {wanted}"
            );
        }
    }
}

#[test]
fn pieces_of_a_strand_join_without_a_gap_or_an_overlap() {
    let bend = |i: f32| Vec3::new(20.0 + 1.7 * i, 40.0 + 0.2 * i, -5.0);
    let pieces: Vec<Vec3> = (0..80u8)
        .flat_map(|i| [bend(i.into()), bend(f32::from(i) + 1.0)])
        .collect();
    for width in [0.8, 6.0, 20.0] {
        let whole = cover(&drawn(&[bend(0.0), bend(80.0)], width, 1.0));
        let pieces = cover(&drawn(&pieces, width, 1.0));
        assert!(
            (pieces / whole - 1.0).abs() < 0.01,
            "{width} px: {pieces} for {whole}"
        );
    }
}

#[test]
fn wide_pieces_of_a_bent_strand_leave_no_notch() {
    // A right angle.
    let corner = Vec3::new(100.0, 40.0, -5.0);
    let ends = [Vec3::X, Vec3::Y].map(|way| corner + 30.0 * way);
    let picture = drawn(&[ends[0], corner, corner, ends[1]], 12.0, 1.0);
    let at = |x: usize, y: usize| picture[y * SIZE[0] as usize + x][3];
    for outside in [[96, 36], [95, 40], [100, 35], [105, 45]] {
        assert_eq!(at(outside[0], outside[1]), 255, "{outside:?}");
    }
    for beyond in [[93, 33], [92, 45], [107, 47]] {
        assert_eq!(at(beyond[0], beyond[1]), 0, "{beyond:?}");
    }
}

#[test]
fn what_stands_in_front_hides_strokes_and_the_last_lies_on_top() {
    let across = |z: f32| {
        [
            Vec3::new(10.0, 45.5, z),
            Vec3::new(190.0, 45.5, z),
            Vec3::new(100.5, 5.0, z),
            Vec3::new(100.5, 85.0, z),
        ]
    };
    // Five of ten metres away: in the middle of the depths.
    assert!(cover(&drawn(&across(-5.0), 4.0, 0.49)) == 0.0);
    let picture = drawn(&across(-5.0), 4.0, 0.51);
    let at = |x: usize, y: usize| picture[y * SIZE[0] as usize + x];
    assert_eq!(at(60, 45), [255; 4], "the first is white");
    assert_eq!(
        at(100, 45),
        [0, 0, 0, 255],
        "the second lies over it in black"
    );
    assert_eq!(at(60, 60), [0; 4], "and beside them nothing is");
}

#[test]
fn what_is_outside_of_the_picture_or_not_a_number_does_no_harm() {
    let far = 1e9;
    let ends = [
        Vec3::new(-far, 20.0, -5.0),
        Vec3::new(far, 70.0, -5.0),
        Vec3::new(50.0, -far, -5.0),
        Vec3::new(50.0, far, -5.0),
        Vec3::new(f32::NAN, 1.0, -5.0),
        Vec3::new(1.0, 1.0, -5.0),
        Vec3::new(300.0, 300.0, -5.0),
        Vec3::new(400.0, 300.0, -5.0),
        Vec3::new(70.0, 30.0, -5.0),
        Vec3::new(70.0, 30.0, -5.0),
    ];
    let picture = drawn(&ends, 2.0, 1.0);
    assert!(cover(&picture) > 0.0);
    let alone = drawn(&ends[6..8], 2.0, 1.0);
    assert!(cover(&alone) == 0.0);
}

#[test]
fn threads_do_not_change_the_picture() {
    let places: Vec<Vec3> = (0..30_000u64)
        .map(|i| {
            let at = |salt| 0.5 + 0.5 * crate::math::random::signed(salt, i);
            Vec3::new(200.0 * at(1), 90.0 * at(2), -10.0 * at(3))
        })
        .collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| drawn(&places, 1.3, 0.6))
    };
    assert!(with(1) == with(3));
}
