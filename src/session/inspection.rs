//! What the simulation's thread tells of the one strand that is looked at.

use crate::sim::{SimParams, Simulation, solver, state::LANES, trace::Correction};

/// One strand of one side, vertex by vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inspection {
    /// Its number in the groom.
    pub strand: usize,
    /// Speed of each vertex. `[m/s]`
    pub speed: Vec<f32>,
    /// Distance of each vertex from the skin, negative inside. `[m]`
    pub skin: Vec<f32>,
    /// How many times stiffer than its material the joint at each vertex is made so
    /// that the hairstyle holds; empty where the method makes none so.
    pub hold: Vec<f32>,
    /// What each constraint of the method did in the last substep.
    pub corrections: Vec<Correction>,
}

impl Inspection {
    /// Looks at strand `strand`, which moves with `params`; none where there is no
    /// such strand.
    pub fn of(simulation: &Simulation, params: &SimParams, strand: usize) -> Option<Self> {
        let (block, lane) = (
            simulation.state().blocks.get(strand / LANES)?,
            strand % LANES,
        );
        if lane >= block.strands {
            return None;
        }
        let (count, pose) = (block.counts[lane], simulation.pose());
        let speed = |i: usize| {
            let v = block.velocity[i].get(lane);
            v.iter().map(|c| c * c).sum::<f64>().sqrt() as f32
        };
        let skin = |i: usize| {
            let place = pose.inverse_point(block.point(i, lane).as_vec3());
            simulation.distance(place)
        };
        let params = &*simulation.params_now(params);
        let hold = solver::chosen(params)
            .solver(params)
            .groom_hold(block, lane);
        let hold = hold.unwrap_or_default().into_iter();
        let trace = simulation.trace().filter(|trace| trace.strand == strand);
        Some(Self {
            strand,
            speed: (0..count).map(speed).collect(),
            skin: (0..count).map(skin).collect(),
            hold: hold.map(|hold| hold as f32).collect(),
            corrections: trace.map_or_else(Vec::new, |trace| trace.corrections.clone()),
        })
    }
}
