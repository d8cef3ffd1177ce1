//! Where the features of the built-in head's face are.

use glam::Vec3;

/// A strip of short hair on one side of the face.
pub(super) struct HairStrip {
    /// Points on its middle line, from the nose outwards, before the skin. `[m]`
    pub points: Vec<Vec3>,
    /// A size at each of them. `[m]`
    pub sizes: Vec<f32>,
}

/// A spot where the skin has a colour of its own.
pub(super) struct Flush {
    /// Its middle, on the skin. `[m]`
    pub middle: Vec3,
    /// Half its width, height and depth. `[m]`
    pub reach: Vec3,
    /// What the skin's colour is multiplied by in the middle, linear RGB.
    pub colour: [f32; 3],
}

/// The features of a face that looks along +z, its eyes closed.
pub(super) struct FacePlan {
    /// The brows on both sides; sizes are half the height of the strip.
    pub brows: [HairStrip; 2],
    /// Where the upper lids' lashes grow; sizes are their lengths.
    pub upper_lashes: [HairStrip; 2],
    /// The same of the lower lids.
    pub lower_lashes: [HairStrip; 2],
    /// Border of the upper lip, the line between the lips, border of the lower one: from
    /// one corner of the mouth to the other. `[m]`
    pub lips: [Vec<Vec3>; 3],
    /// Where blood shows through the skin, or little of it.
    pub flushes: Vec<Flush>,
}

/// As assets/make_head.py has the head: half of the face, x and y in millimetres, and a
/// size there.
const BROW: [[f32; 3]; 7] = [
    [10.5, 17.0, 3.2],
    [15.5, 19.0, 3.8],
    [22.0, 21.2, 3.7],
    [30.0, 23.4, 3.1],
    [38.0, 24.2, 2.5],
    [46.0, 21.8, 1.8],
    [53.5, 16.2, 0.9],
];
const UPPER_LASHES: [[f32; 3]; 7] = [
    [16.8, 0.1, 4.5],
    [20.0, -0.6, 6.5],
    [25.0, -1.9, 8.0],
    [31.0, -2.6, 8.8],
    [37.0, -1.8, 9.2],
    [42.0, 0.1, 8.8],
    [46.0, 2.3, 7.0],
];
const LOWER_LASHES: [[f32; 3]; 6] = [
    [20.0, -1.2, 2.6],
    [25.0, -2.5, 3.6],
    [31.0, -3.2, 4.4],
    [37.0, -2.4, 4.9],
    [42.0, -0.5, 4.9],
    [45.0, 1.3, 4.0],
];
const UPPER_LIP: [[f32; 2]; 6] = [
    [0.0, -60.8],
    [4.2, -59.4],
    [10.0, -61.6],
    [17.0, -65.2],
    [22.0, -68.0],
    [25.2, -69.6],
];
const MOUTH: [[f32; 2]; 7] = [
    [0.0, -70.2],
    [4.0, -69.6],
    [10.0, -69.0],
    [17.0, -70.0],
    [20.0, -70.3],
    [22.0, -70.3],
    [25.2, -69.7],
];
const LOWER_LIP: [[f32; 2]; 6] = [
    [0.0, -80.2],
    [7.0, -79.6],
    [13.5, -77.2],
    [18.0, -74.4],
    [22.0, -71.9],
    [25.2, -69.8],
];

/// Spots on both sides: middle and reach in millimetres, colour.
const FLUSHES: [([f32; 3], [f32; 3], [f32; 3]); 7] = [
    // Cheeks.
    ([41.0, -31.0, 66.0], [30.0, 22.0, 44.0], [1.02, 0.88, 0.89]),
    // Wings and tip of the nose.
    ([7.0, -42.0, 98.0], [12.0, 11.0, 20.0], [1.02, 0.88, 0.90]),
    // Lids.
    ([31.0, 3.5, 78.0], [19.0, 9.0, 16.0], [0.95, 0.83, 0.86]),
    // Under the eyes.
    ([29.0, -11.0, 76.0], [18.0, 7.0, 16.0], [0.98, 0.93, 0.96]),
    // Ears.
    ([78.0, -3.0, -18.0], [16.0, 36.0, 34.0], [1.04, 0.80, 0.80]),
    // Chin.
    ([0.0, -98.0, 84.0], [16.0, 10.0, 20.0], [1.02, 0.90, 0.91]),
    // Skin under the brows.
    ([31.0, 21.0, 82.0], [25.0, 6.0, 30.0], [0.93, 0.91, 0.90]),
];

/// Before every part of the head. `[mm]`
const BEFORE: f32 = 150.0;

impl FacePlan {
    /// That of the head that comes with the program.
    pub fn built_in() -> Self {
        let line = |rows: &[[f32; 3]], side: f32| HairStrip {
            points: (rows.iter())
                .map(|[x, y, _]| 1e-3 * Vec3::new(side * x, *y, BEFORE))
                .collect(),
            sizes: rows.iter().map(|row| 1e-3 * row[2]).collect(),
        };
        let both = |rows: &[[f32; 3]]| [1.0, -1.0].map(|side| line(rows, side));
        let border = |rows: &[[f32; 2]]| {
            let half = |side: f32| {
                rows.iter()
                    .map(move |[x, y]| 1e-3 * Vec3::new(side * x, *y, BEFORE))
            };
            half(-1.0).rev().chain(half(1.0).skip(1)).collect()
        };
        let sides = FLUSHES.iter().flat_map(|(middle, reach, colour)| {
            let sides: &[f32] = match middle[0] > 0.0 {
                true => &[1.0, -1.0],
                false => &[1.0],
            };
            sides.iter().map(|side| Flush {
                middle: 1e-3 * Vec3::new(side * middle[0], middle[1], middle[2]),
                reach: 1e-3 * Vec3::from(*reach),
                colour: *colour,
            })
        });
        Self {
            brows: both(&BROW),
            upper_lashes: both(&UPPER_LASHES),
            lower_lashes: both(&LOWER_LASHES),
            lips: [border(&UPPER_LIP), border(&MOUTH), border(&LOWER_LIP)],
            flushes: sides.collect(),
        }
    }
}
