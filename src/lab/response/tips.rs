//! The tips of all strands, seen from the head, and what their ways have in
//! common.

use crate::{lab::strays::Neighbours, math::Pose, sim::Simulation};
use glam::{DVec3, Vec3};

/// Where all tips are in the head's space, in the groom's order. `[m]`
pub fn places(simulation: &Simulation, all: &mut Vec<Vec3>) -> Vec<DVec3> {
    simulation.write_positions(all);
    let back = inverse(simulation.pose());
    let groom = simulation.groom();
    let tip = |strand: usize| {
        let last = groom.range(strand).end - 1;
        back(all[last])
    };
    (0..groom.strands()).map(tip).collect()
}

/// From the world to the space of a head at `pose`.
fn inverse(pose: Pose) -> impl Fn(Vec3) -> DVec3 {
    let turn = pose.rotation.as_dquat().conjugate();
    move |p| turn * (p.as_dvec3() - pose.translation.as_dvec3())
}

/// How far each tip went. `[m]`
pub fn ways(from: &[DVec3], to: &[DVec3]) -> Vec<f64> {
    from.iter().zip(to).map(|(a, b)| a.distance(*b)).collect()
}

/// The value that a `share` of the numbers does not exceed; 0 of none.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1) as f64;
    sorted
        .get((share * last).round() as usize)
        .copied()
        .unwrap_or(0.0)
}

/// The mean; 0 of none.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Share of the tips that went from `from` to `to` otherwise than their neighbours did.
pub fn lone(near: &Neighbours, from: &[DVec3], to: &[DVec3]) -> f64 {
    let motions: Vec<DVec3> = from.iter().zip(to).map(|(from, to)| *to - *from).collect();
    near.strays(&motions) as f64 / motions.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groom::Groom;

    #[test]
    fn quantiles_lie_between_the_ends() {
        let values = [3.0, 1.0, 2.0, 5.0, 4.0];
        assert_eq!(quantile(&values, 0.0), 1.0);
        assert_eq!(quantile(&values, 0.5), 3.0);
        assert_eq!(quantile(&values, 1.0), 5.0);
        assert_eq!((quantile(&[], 0.5), mean(&[])), (0.0, 0.0));
        assert_eq!(mean(&values), 3.0);
    }

    #[test]
    fn a_strand_is_alone_where_its_neighbours_go_another_way() {
        let strands = 20;
        let groom = Groom {
            points: (0..strands)
                .flat_map(|i| [Vec3::X * i as f32, Vec3::X * i as f32 + Vec3::Y])
                .collect(),
            starts: (0..=strands).map(|i| 2 * i).collect(),
            masses: vec![1.0; strands as usize],
            ..Groom::default()
        };
        let near = Neighbours::new(&groom);
        let from = vec![DVec3::ZERO; strands as usize];
        let mut to = vec![DVec3::Z; strands as usize];
        assert_eq!(lone(&near, &from, &to), 0.0);
        to[7] = DVec3::Z * 1.06;
        assert_eq!(lone(&near, &from, &to), 1.0 / f64::from(strands));
        to[7] = DVec3::Z * 1.04;
        assert_eq!(lone(&near, &from, &to), 0.0);
    }
}
