//! What a step costs, beside a textbook implementation in the same run.
//!
//! Machines are shared and noisy: compare ratios within one run, and trust the
//! smallest of several times.

mod clock;
mod hair_volume;
mod methods;
mod textbook;

use crate::sim::{
    SimParams, Simulation,
    solver::{Solver, chosen, instructions::Instructions},
};
use crate::{
    groom::{Groom, GroomParams, grow},
    mesh::{Body, HeadParams, MeshError, RootParams, Sequence, load, scatter},
    param::{Params as _, Value},
};
use clock::{Plan, Times};
use std::sync::Arc;

/// One measurement.
#[derive(Clone, Debug)]
pub struct BenchRow {
    /// The rows of one group belong together, as a table's heading says.
    pub group: String,
    /// What was measured.
    pub name: String,
    /// Method; `textbook` for the array-of-structs comparison.
    pub solver: String,
    /// What the processor computed with: `baseline`, `avx2`, `avx512`; `scalar`
    /// for one strand at a time.
    pub instructions: &'static str,
    /// Number of strands.
    pub strands: usize,
    /// Vertices of each strand.
    pub vertices: usize,
    /// Substeps a step.
    pub substeps: u32,
    /// Iterations a substep.
    pub iterations: u32,
    /// Threads used.
    pub threads: usize,
    /// Wall-clock time for each vertex and substep: best of several steps, or,
    /// where the head is shaken, of several whole shakes. `[ns]`
    pub ns_per_vertex_substep: f64,
    /// How many times as fast as the textbook at this size, wall clock.
    pub ratio_to_textbook: f64,
    /// How many times as fast as the same kernel one strand wide, for each
    /// core; none where that was not measured.
    pub ratio_to_scalar: Option<f64>,
    /// How many times as fast as the same on one thread; none where that was
    /// not measured.
    pub scaling: Option<f64>,
    /// Simulated time over wall-clock time at the step rate, median step.
    pub real_time_factor: f64,
    /// Largest relative lengthening of any segment at the end.
    pub max_stretch: f64,
    /// Share of strands and substeps that took another pass than all take; none
    /// for methods that know no such thing.
    pub extra_passes: Option<f64>,
    /// Share of the vertices that press on the skin at the end; none for
    /// methods that do not tell.
    pub touching: Option<f64>,
    /// Peak memory of the process while this row ran; 0 where the system does
    /// not tell. `[bytes]`
    pub peak_bytes: u64,
    /// What of that is not head and program, for each vertex; none after larger
    /// hair, whose memory may still count, and where the system does not tell.
    /// `[bytes]`
    pub bytes_per_vertex: Option<f64>,
}

impl BenchRow {
    /// Wall-clock time times threads, for each vertex and substep. `[ns]`
    pub fn ns_per_core(&self) -> f64 {
        self.ns_per_vertex_substep * self.threads as f64
    }
}

/// What the bench tells while it runs.
#[derive(Clone, Copy, Debug)]
pub enum BenchProgress<'a> {
    /// This comes next.
    Doing(&'a str),
    /// This was measured.
    Measured(&'a BenchRow),
}

/// Runs the whole bench; `report` sees each row as it is measured.
///
/// # Errors
/// When the built-in head cannot be read.
pub fn run(
    quick: bool,
    threads: &[usize],
    report: &mut dyn FnMut(BenchProgress),
) -> Result<Vec<BenchRow>, MeshError> {
    report(BenchProgress::Doing("reading the head"));
    let head = load(&HeadParams::default())?;
    let body = Arc::new(Body::new(head.mesh, 0.004));
    let mut bench = Bench {
        quick,
        threads,
        body,
        before: clock::memory("VmRSS:"),
        largest: 0,
        rows: Vec::new(),
        report,
    };
    for size in methods::sizes(quick) {
        methods::rows(&mut bench, size)?;
        if size.strands * size.vertices == HAIR_VOLUME[0] * HAIR_VOLUME[1] {
            hair_volume::rows(&mut bench, HAIR_VOLUME[0], HAIR_VOLUME[1])?;
        }
    }
    if !quick {
        hair_volume::rows(&mut bench, 100_000, 32)?;
    }
    methods::deep_rows(&mut bench)?;
    Ok(bench.rows)
}

/// Strands and vertices of the hair whose strands are measured among one another,
/// quick or not.
const HAIR_VOLUME: [usize; 2] = [5_000, 32];

/// What all parts of the bench share.
struct Bench<'a> {
    quick: bool,
    threads: &'a [usize],
    body: Arc<Body>,
    /// Memory of the process with a head and no hair. `[bytes]`
    before: u64,
    /// Vertices of the largest hair so far.
    largest: usize,
    rows: Vec<BenchRow>,
    report: &'a mut dyn FnMut(BenchProgress),
}

impl Bench<'_> {
    /// The default hairstyle with so many strands of so many vertices.
    fn grow(&mut self, strands: usize, vertices: usize) -> Result<Arc<Groom>, MeshError> {
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
    fn plan(&self) -> Plan {
        Plan {
            budget: if self.quick { 0.12 } else { 1.0 },
            together: 1,
        }
    }

    fn doing(&mut self, what: &str) {
        (self.report)(BenchProgress::Doing(what));
    }

    fn push(&mut self, mut row: BenchRow) {
        if row.threads > 1 {
            let alone = self.rows.iter().rev().find(|other| {
                (&other.solver, other.threads) == (&row.solver, 1)
                    && (&other.group, &other.name) == (&row.group, &row.name)
            });
            row.scaling =
                alone.map(|other| other.ns_per_vertex_substep / row.ns_per_vertex_substep);
        }
        (self.report)(BenchProgress::Measured(&row));
        self.rows.push(row);
    }

    /// The textbook at the size of `groom`; answers its time. `[ns]`
    fn textbook(&mut self, group: &str, groom: &Groom, params: &SimParams) -> f64 {
        const NAME: &str = "textbook: one struct a particle";
        self.doing(NAME);
        clock::reset_peak();
        let mut textbook = textbook::Textbook::new(groom);
        let (substeps, h) = (
            params.step.substeps,
            1.0 / (params.step.rate * params.step.substeps) as f32,
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
    fn row(
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
            substeps: params.step.substeps,
            iterations: iterations(params),
            threads: 1,
            ns_per_vertex_substep: times.ns(points, params.step.substeps),
            ratio_to_textbook: 0.0,
            ratio_to_scalar: None,
            scaling: None,
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

/// The heading of a size.
fn heading(strands: usize, vertices: usize) -> String {
    format!("{strands} strands of {vertices} vertices")
}

/// Runs `work` on so many threads; where no pool can be made, on the caller's.
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
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
fn timed(
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
