//! Which way hair goes from its root: away from the parting on both sides, and
//! out from its end, as hair grows out of a whorl. So no two streams meet at the
//! back of the head.

use crate::mesh::Root;
use glam::Vec3;

/// Hair that is rooted so near a parting falls to either side. `[m]`
const EITHER: f32 = 0.004;
/// The same where a fringe falls over the place of the parting: there hair crosses, and
/// leaves no furrow through which one sees. `[m]`
const CROSSES: f32 = 0.018;

/// The middle parting ends so far behind the middle of the roots, as a share of
/// their reach.
const END: f32 = 0.3;

/// Where hair parts.
#[derive(Clone, Debug)]
pub enum PartLine {
    /// In the middle, from the face to the whorl.
    Middle {
        /// Where it runs, to the head's left. `[m]`
        x: f32,
        /// Where it ends at the back. `[m]`
        end: f32,
        /// Whether hair crosses there in place of parting.
        crosses: bool,
    },
    /// Along a line on the skin, of two points at least. `[m]`
    Line(Vec<Vec3>),
}

/// Which way hair goes from a root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// Away from the parting, along the skin; unit length.
    pub away: Vec3,
    /// The side of the parting: 1 to the head's left of it, -1 to its right, and
    /// 0 beyond its ends.
    pub side: f32,
}

impl PartLine {
    /// The one in the middle of roots around `centre`, which reach as far as
    /// `radius`; no line but a place where hair crosses if there is a `fringe`. `[m]`
    pub fn middle(centre: Vec3, radius: f32, fringe: bool) -> Self {
        Self::Middle {
            x: centre.x,
            end: centre.z - END * radius,
            crosses: fringe,
        }
    }

    /// Which way hair goes from `root`; `coin` is between -1 and 1 by chance, and
    /// decides on the parting itself.
    pub fn flow(&self, root: &Root, coin: f32) -> Flow {
        match self {
            Self::Middle { x, end, crosses } => {
                let aside = root.position.x - x;
                let side = match crosses {
                    // The rarer the farther.
                    true => (aside + coin * CROSSES).signum(),
                    false => side(aside, coin),
                };
                let behind = root.position.z - end;
                if behind >= 0.0 {
                    return Flow {
                        away: Vec3::new(side, 0.0, 0.0),
                        side,
                    };
                }
                Flow {
                    away: Vec3::new(aside, 0.0, behind).normalize_or(Vec3::NEG_Z),
                    side: 0.0,
                }
            }
            Self::Line(line) => beside(line, root, coin),
        }
    }
}

/// To which side of a parting hair falls that is rooted so far `aside`. `[m]`
fn side(aside: f32, coin: f32) -> f32 {
    match aside.abs() > EITHER {
        true => aside.signum(),
        false => coin.signum(),
    }
}

/// The flow from the nearest point of a line.
fn beside(line: &[Vec3], root: &Root, coin: f32) -> Flow {
    let place = root.position;
    let mut best = (f32::INFINITY, Vec3::ZERO, Vec3::Z, true);
    let last = line.len().saturating_sub(2);
    for (i, pair) in line.windows(2).enumerate() {
        let along = pair[1] - pair[0];
        let t = (place - pair[0]).dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
        let beyond = i == 0 && t < 0.0 || i == last && t > 1.0;
        let point = pair[0] + along * t.clamp(0.0, 1.0);
        let square = point.distance_squared(place);
        if square < best.0 {
            best = (square, point, along, beyond);
        }
    }
    let (_, point, along, beyond) = best;
    let on_skin = |v: Vec3| v - root.normal * v.dot(root.normal);
    let off = on_skin(place - point);
    // Across the line, to its left as the head has it where it runs to the back.
    let along = on_skin(along).normalize_or(Vec3::NEG_Z);
    let across = along.cross(root.normal);
    let across = if across.x < 0.0 { -across } else { across };
    let aside = off.dot(across);
    if beyond && off.length() > EITHER {
        return Flow {
            away: off.normalize_or(across),
            side: 0.0,
        };
    }
    let side = side(aside, coin);
    // Straight across near the line, where its own bends would show.
    Flow {
        away: (across * side).normalize_or(Vec3::X * side),
        side,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(x: f32, z: f32) -> Root {
        Root {
            triangle: 0,
            uv: [0.0; 2],
            position: Vec3::new(x, 0.1, z),
            normal: Vec3::Y,
            number: 0,
            length: 1.0,
            curl: 1.0,
            stiffness: 1.0,
            colour: None,
        }
    }

    #[test]
    fn hair_flows_away_from_both_sides_of_a_line() {
        let line = vec![
            Vec3::new(0.03, 0.1, 0.08),
            Vec3::new(0.035, 0.1, 0.0),
            Vec3::new(0.03, 0.1, -0.04),
        ];
        // However it was drawn.
        let back: Vec<Vec3> = line.iter().rev().copied().collect();
        for part in [PartLine::Line(line), PartLine::Line(back)] {
            for z in [0.06, 0.01, -0.03] {
                let [left, right] = [0.06, 0.0].map(|x| part.flow(&root(x, z), 1.0));
                assert_eq!([left.side, right.side], [1.0, -1.0]);
                assert!(
                    left.away.x > 0.9 && right.away.x < -0.9,
                    "{left:?} {right:?}"
                );
                // On the line by chance.
                let on = |coin| part.flow(&root(0.0335, z), coin).side;
                assert_eq!([on(1.0), on(-1.0)], [1.0, -1.0]);
            }
            // Beyond its end it goes on outwards, with no seam behind it.
            let behind = part.flow(&root(0.031, -0.08), -1.0);
            assert_eq!(behind.side, 0.0);
            assert!(behind.away.z < -0.95, "{behind:?}");
        }
    }

    #[test]
    fn over_a_fringe_hair_crosses_near_the_middle_and_parts_elsewhere() {
        let sides = |fringe: bool, x: f32| {
            let part = PartLine::middle(Vec3::ZERO, 0.1, fringe);
            [-0.9, -0.3, 0.3, 0.9].map(|coin| part.flow(&root(x, 0.02), coin).side)
        };
        assert_eq!(sides(false, 0.006), [1.0; 4]);
        assert_eq!(sides(true, 0.006), [-1.0, 1.0, 1.0, 1.0]);
        assert_eq!(sides(true, -0.006), [-1.0, -1.0, -1.0, 1.0]);
        assert_eq!(sides(true, 0.02), [1.0; 4]);
    }

    #[test]
    fn behind_the_middle_parting_hair_goes_straight_back() {
        let part = PartLine::middle(Vec3::ZERO, 0.1, false);
        for z in [0.08, 0.0, -0.02] {
            assert_eq!(part.flow(&root(0.02, z), -1.0).away, Vec3::X);
            assert_eq!(part.flow(&root(-0.02, z), 1.0).away, Vec3::NEG_X);
        }
        // Neighbours at the back go the same way.
        let [left, right] = [0.005, -0.005].map(|x| part.flow(&root(x, -0.09), 1.0));
        assert!(left.away.dot(right.away) > 0.95, "{left:?} {right:?}");
        assert!(left.away.z < -0.95);
    }
}
