//! What all parts of the bench share: the head, the rows so far, and ways to
//! measure.

use super::{
    BenchProgress, BenchRow,
    clock::{self, Plan, Times},
    textbook,
};
use crate::{
    groom::{Groom, GroomParams, grow},
    mesh::{CollisionMesh, MeshError, RootParams, Sequence, scatter},
    param::{Params as _, Value},
    sim::{
        SimParams, Simulation,
        solver::{Instructions, Solver, chosen},
    },
};
use std::sync::Arc;

/// What all parts of the bench share.
pub(super) struct Bench<'a> {
    pub quick: bool,
    pub threads: &'a [usize],
    pub body: Arc<CollisionMesh>,
    /// Memory of the process with a head and no hair. `[bytes]`
    pub before: u64,
    /// Vertices of the largest hair so far.
    pub largest: usize,
    pub rows: Vec<BenchRow>,
    pub report: &'a mut dyn FnMut(BenchProgress),
}

impl Bench<'_> {
    /// The default hairstyle with so many strands of so many vertices.
    pub fn grow(&mut self, strands: usize, vertices: usize) -> Result<Arc<Groom>, MeshError> {
        let doing = format!("growing {strands} strands of {vertices} vertices");
        (self.report)(BenchProgress::Doing(&doing));
        clock::reset_peak();
        let roots = RootParams {
            strands: strands as u32,
            sequence: Sequence::Halton,
            ..RootParams::default()
        };
        let roots = scatter::roots(&self.body.mesh, &roots)?;
        let groom = GroomParams {
            vertices: vertices as u32,
            ..GroomParams::default()
        };
        let groom = grow::grow(&roots, &groom, 1, &self.body);
        self.largest = self.largest.max(groom.points.len());
        Ok(Arc::new(groom))
    }

    /// How long to measure.
    pub fn plan(&self) -> Plan {
        Plan {
            budget: if self.quick { 0.06 } else { 1.0 },
            together: 1,
        }
    }

    pub fn doing(&mut self, what: &str) {
        (self.report)(BenchProgress::Doing(what));
    }

    pub fn push(&mut self, mut row: BenchRow) {
        if row.threads > 1 {
            row.scaling = scaling(&self.rows, &row);
        }
        (self.report)(BenchProgress::Measured(&row));
        self.rows.push(row);
    }

    /// The textbook at the size of `groom`; answers its time. `[ns]`
    pub fn textbook(&mut self, group: &str, groom: &Groom, params: &SimParams) -> f64 {
        const NAME: &str = "textbook: one struct a particle";
        self.doing(NAME);
        clock::reset_peak();
        let mut textbook = textbook::Textbook::new(groom);
        let (substeps, h) = (
            params.step.substeps(),
            1.0 / (params.step.rate * params.step.substeps()) as f32,
        );
        let times = clock::best_of(&self.plan(), || {
            for _ in 0..substeps {
                textbook.substep(h, params);
            }
        });
        let ns = times.ns(groom.points.len(), substeps);
        let row = BenchRow {
            solver: "textbook".into(),
            instructions: "scalar",
            max_stretch: textbook.max_stretch(),
            ..self.row(group, NAME, groom, params, &times)
        };
        self.push(BenchRow {
            ratio_to_textbook: 1.0,
            ..row
        });
        ns
    }

    /// A row with what can be known of any method.
    pub fn row(
        &self,
        group: &str,
        name: &str,
        groom: &Groom,
        params: &SimParams,
        times: &Times,
    ) -> BenchRow {
        let peak = clock::memory("VmHWM:");
        let points = groom.points.len();
        BenchRow {
            group: group.into(),
            name: name.into(),
            solver: params.step.solver.clone(),
            instructions: Instructions::widest().name(),
            strands: groom.strands(),
            vertices: points / groom.strands().max(1),
            substeps: params.step.substeps(),
            iterations: iterations(params),
            inner_steps: None,
            threads: 1,
            ns_per_vertex_substep: times.ns(points, params.step.substeps()),
            ratio_to_textbook: 0.0,
            ratio_to_scalar: None,
            scaling: None,
            spread: times.median / times.best.max(1e-12),
            real_time_factor: 1.0 / (f64::from(params.step.rate) * times.median),
            max_stretch: 0.0,
            extra_passes: None,
            touching: None,
            peak_bytes: peak,
            bytes_per_vertex: (peak > self.before && points >= self.largest)
                .then(|| (peak - self.before) as f64 / points.max(1) as f64),
        }
    }
}

/// How many times as fast as the same on one thread; none where that is not among `rows`.
fn scaling(rows: &[BenchRow], row: &BenchRow) -> Option<f64> {
    let alone = rows.iter().rev().find(|other| {
        (&other.solver, other.threads) == (&row.solver, 1)
            && (&other.group, &other.name) == (&row.group, &row.name)
    })?;
    Some(alone.ns_per_vertex_substep / row.ns_per_vertex_substep)
}

/// The heading of a size.
pub(super) fn heading(strands: usize, vertices: usize) -> String {
    format!("{strands} strands of {vertices} vertices")
}

/// Runs `work` on so many threads; where no pool can be made, on the caller's.
pub(super) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

/// Iterations or passes of the method at work in a substep; 1 where it has none.
fn iterations(params: &SimParams) -> u32 {
    let section = (chosen(params).params)();
    let section = params.methods.named(section.section()).unwrap_or(&*section);
    let tunables = section.tunables();
    let index = tunables
        .iter()
        .position(|t| ["iterations", "passes"].contains(&t.key));
    match index.map(|index| section.get(index)) {
        Some(Value::Int(count)) => count as u32,
        _ => 1,
    }
}

/// Steps `simulation` on so many threads; answers what a step took.
pub(super) fn timed(
    simulation: &mut Simulation,
    params: &SimParams,
    solver: Option<&dyn Solver>,
    threads: usize,
    plan: &Plan,
) -> Times {
    on_threads(threads, || {
        clock::best_of(plan, || match solver {
            Some(solver) => simulation.step_with(params, solver, None),
            None => simulation.step(params),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_found_again_though_its_inner_steps_are_others() {
        let row = |threads: usize, inner: f64, ns: f64| BenchRow {
            group: "500 strands".into(),
            name: "Newton".into(),
            solver: "der".into(),
            instructions: "avx2",
            strands: 500,
            vertices: 32,
            substeps: 1,
            iterations: inner.round() as u32,
            inner_steps: Some(inner),
            threads,
            ns_per_vertex_substep: ns,
            ratio_to_textbook: 1.0,
            ratio_to_scalar: None,
            scaling: None,
            spread: 1.0,
            real_time_factor: 1.0,
            max_stretch: 0.0,
            extra_passes: None,
            touching: None,
            peak_bytes: 0,
            bytes_per_vertex: None,
        };
        let (one, two) = (row(1, 37.4, 250.0), row(2, 38.6, 125.0));
        assert_ne!(one.title(), two.title());
        assert_eq!(one.title(), "Newton, 37 inner steps");
        assert_eq!(scaling(std::slice::from_ref(&one), &two), Some(2.0));
        assert_eq!(scaling(&[two], &one), None);
    }
}
