//! The stress test: a fixed set of cases, and how each method does in them.
//!
//! Every case starts with hair at rest, does something violent for a while,
//! stops, and watches how the hair comes to rest. The same head, the same curls
//! and the same settings of the window for all methods. Depth is measured by
//! the head's true triangles and the bodies' true solids, not by the grid that
//! a method may have met; from the case's begin until half a second after its
//! end at the end of every substep, later of every step.

mod cases;
mod score;

pub use cases::{STRESS_CASES, StressCase, stress_case};
pub use score::{DEEP, StrandMeter, StrandReading};

use crate::{
    groom::{Groom, GroomParams, grow},
    math::Pose,
    mesh::{CollisionMesh, HeadParams, MeshError, RootParams, Sequence, load, scatter},
    sim::{SimParams, Simulation, collider::Collider, solver::Method},
};
use cases::CaseStep;
use glam::Vec3;
use rayon::prelude::*;
use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// Strands of the groom.
pub const STRANDS: u32 = 128;

/// Vertices of each.
pub const VERTICES: u32 = 28;

/// So long after its end a case still looks at every substep. `[s]`
const CLOSELY: f64 = 0.5;

/// When the energy left is measured, after the end. `[s]`
pub const AFTER: f64 = 2.0;

/// How long hair is watched after the end. `[s]`
pub const WATCHED: f64 = 4.0;

/// Hair rests when its root mean square speed is below this. `[m/s]`
pub const RESTING: f64 = 0.02;

/// A method may stretch a segment by this share: the 5 % at which springs are clamped, and
/// a hundredth of it that single precision and the last correction leave.
pub const MOST_STRETCH: f64 = 0.0505;

/// What one method made of one case.
#[derive(Clone, Debug, PartialEq)]
pub struct StressRow {
    /// The method's id.
    pub solver: &'static str,
    /// The case's id.
    pub case: &'static str,
    /// Largest lengthening of any segment at any instant (0.01 = 1 %).
    pub max_stretch: f64,
    /// Largest shortening of any segment at any instant, which is not judged: a method
    /// that gives way along its strands shows it.
    pub max_shortening: f64,
    /// Deepest vertex at any instant: below the skin, or below its own rest
    /// place where that lies deeper. `[m]`
    pub max_penetration: f64,
    /// When that was, from the case's begin. `[s]`
    pub deepest_at: f64,
    /// Which strand and which vertex of it.
    pub deepest: [usize; 2],
    /// Vertices deeper than [`DEEP`], counted at every instant anew.
    pub deep: u64,
    /// Vertices times instants that were looked at.
    pub looked_at: u64,
    /// From the end of the case until hair rests for good; none where it does
    /// not within [`WATCHED`]. `[s]`
    pub settle: Option<f64>,
    /// Kinetic energy [`AFTER`] the end. `[J]`
    pub energy: f64,
    /// The same for each kilogram of hair. `[J/kg]`
    pub energy_per_kg: f64,
    /// Root mean square speed of all vertices when the case ends, and when it
    /// has been watched to the end. `[m/s]`
    pub speed: [f64; 2],
    /// Vertices and strands that were not finite, at any instant.
    pub nonfinite: u64,
}

impl StressRow {
    /// Whether nothing went wrong: nothing was ever non-finite, deeper than
    /// [`DEEP`] or stretched beyond [`MOST_STRETCH`], and the hair came to rest
    /// or is on its way to it: at a quarter of the speed at most.
    pub fn pass(&self) -> bool {
        let calms = self.settle.is_some() || self.speed[1] <= 0.25 * self.speed[0];
        self.nonfinite == 0
            && self.max_penetration <= DEEP
            && self.max_stretch <= MOST_STRETCH
            && calms
    }
}

/// Head and hair of all cases.
pub struct StressFixture {
    body: Arc<CollisionMesh>,
    groom: Arc<Groom>,
    /// The same with roots below the skin.
    sunk: Vec<(f32, Arc<Groom>)>,
}

impl StressFixture {
    /// Reads the head and grows the hair.
    ///
    /// # Errors
    /// When the built-in head cannot be read.
    pub fn new() -> Result<Self, MeshError> {
        let head = load(&HeadParams::default())?;
        let roots = RootParams {
            strands: STRANDS,
            // A worst case hangs on single hairs: figures only compare with
            // earlier ones on the same.
            sequence: Sequence::Halton,
            ..RootParams::default()
        };
        let style = GroomParams {
            vertices: VERTICES,
            ..GroomParams::default()
        };
        let planted = scatter::roots(&head.mesh, &roots)?;
        let cell = SimParams::default().collision.cell;
        let body = Arc::new(CollisionMesh::new(head.mesh, cell));
        let grown = |depth: f32| {
            let mut planted = planted.clone();
            for root in &mut planted {
                root.position -= root.normal * depth;
            }
            Arc::new(grow::grow(&planted, &style, roots.seed, &body))
        };
        let mut sunk: Vec<(f32, Arc<Groom>)> = Vec::new();
        for case in STRESS_CASES.iter().filter(|case| case.sunk > 0.0) {
            if sunk.iter().all(|(depth, _)| *depth != case.sunk) {
                sunk.push((case.sunk, grown(case.sunk)));
            }
        }
        let groom = grown(0.0);
        Ok(Self { body, groom, sunk })
    }

    /// The hair of `case`.
    pub fn groom(&self, case: &StressCase) -> &Arc<Groom> {
        let sunk = self.sunk.iter().find(|(depth, _)| *depth == case.sunk);
        sunk.map_or(&self.groom, |(_, groom)| groom)
    }

    /// The head.
    pub fn body(&self) -> &Arc<CollisionMesh> {
        &self.body
    }

    /// Puts `method` through `case`, on the rayon pool it is called in; the
    /// numbers do not depend on its size. None when `cancel` was set meanwhile.
    pub fn run(
        &self,
        method: &'static Method,
        case: &'static StressCase,
        cancel: &AtomicBool,
    ) -> Option<StressRow> {
        let mut run = StressRun::new(self, method, case);
        while run.step() {
            if cancel.load(Ordering::Relaxed) {
                return None;
            }
        }
        Some(run.row())
    }
}

/// A case under way.
pub struct StressRun<'a> {
    method: &'static Method,
    case: &'static StressCase,
    simulation: Simulation,
    params: SimParams,
    meter: StrandMeter<'a>,
    found: StrandReading,
    deepest_at: f64,
    /// Mean square speed weighted by mass, step after step from the end on. `[m²/s²]`
    calming: Vec<f64>,
    places: [Vec<Vec3>; 2],
    done: u32,
}

impl<'a> StressRun<'a> {
    /// Hair of `fixture` at rest, before `case` begins.
    pub fn new(
        fixture: &'a StressFixture,
        method: &'static Method,
        case: &'static StressCase,
    ) -> Self {
        let mut params = cases::params(method.id);
        (case.set)(&mut params);
        let groom = fixture.groom(case);
        Self {
            method,
            case,
            simulation: Simulation::new(groom.clone(), fixture.body.clone(), &params),
            params,
            meter: StrandMeter::new(groom, &fixture.body),
            found: StrandReading::default(),
            deepest_at: 0.0,
            calming: Vec::new(),
            places: [Vec::new(), Vec::new()],
            done: 0,
        }
    }

    /// The hair as it is now.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Goes on by one step; false when the case is over.
    pub fn step(&mut self) -> bool {
        let rate = f64::from(self.params.step.rate);
        let seconds = 1.0 / rate;
        let steps = |time: f64| (time * rate).round() as u32;
        let end = steps(self.case.lasts);
        if self.done >= end + steps(WATCHED) {
            return false;
        }
        let time = f64::from(self.done) * seconds;
        let before = self.params.colliders.clone();
        if self.done < end {
            let mut act = CaseStep {
                time,
                step: seconds,
                params: &mut self.params,
                simulation: &mut self.simulation,
            };
            (self.case.act)(&mut act);
        } else if self.done == end {
            cases::calm(&mut self.params);
        }
        let substeps = f64::from(self.params.step.substeps());
        let (params, meter) = (&self.params, &self.meter);
        let mut looks = Vec::new();
        if self.done < end + steps(CLOSELY) {
            self.simulation
                .step_seen(params, &mut |substep, state, pose| {
                    let share = substep as f64 / substeps;
                    let bodies = between(&before, &params.colliders, share);
                    looks.push((share, meter.look(state, pose, &bodies)));
                });
        } else {
            self.simulation.step(params);
        }
        let pose: Pose = self.simulation.pose();
        looks.push((
            1.0,
            meter.look(self.simulation.state(), &pose, &params.colliders),
        ));
        for (share, look) in looks {
            if look.depth > self.found.depth {
                self.deepest_at = time + share * seconds;
            }
            self.found = self.found.and(look);
        }
        self.done += 1;
        if self.done >= end {
            self.places.swap(0, 1);
            let [before, now] = &mut self.places;
            self.simulation.write_positions(now);
            if self.done > end {
                let energy = self.meter.energy(before, now, seconds);
                self.calming.push(2.0 * energy / self.meter.mass());
            }
        }
        true
    }

    /// What was found so far.
    pub fn row(&self) -> StressRow {
        let rate = f64::from(self.params.step.rate);
        let moves = self
            .calming
            .iter()
            .rposition(|square| square.is_nan() || square.sqrt() >= RESTING);
        let settled = moves.map_or(0, |last| last + 1);
        let after = ((AFTER * rate) as usize).min(self.calming.len());
        let square = after.checked_sub(1).map_or(0.0, |i| self.calming[i]);
        StressRow {
            solver: self.method.id,
            case: self.case.id,
            max_stretch: self.found.stretch,
            max_shortening: self.found.shortening,
            max_penetration: self.found.depth,
            deepest_at: self.deepest_at,
            deepest: self.found.deepest,
            deep: self.found.deep,
            looked_at: self.found.vertices,
            settle: (settled < self.calming.len()).then(|| settled as f64 / rate),
            energy: 0.5 * square * self.meter.mass(),
            energy_per_kg: 0.5 * square,
            speed: [self.calming.first(), self.calming.last()]
                .map(|square| square.map_or(0.0, |square| square.sqrt())),
            nonfinite: self.found.nonfinite + self.found.resets,
        }
    }
}

/// Bodies on their way from one step's places to the next.
fn between(before: &[Collider], now: &[Collider], share: f64) -> Vec<Collider> {
    let mut bodies = now.to_vec();
    for (body, old) in bodies.iter_mut().zip(before) {
        let (from, to) = (old.place().centre, body.place().centre);
        body.move_to(from.lerp(to, share).as_vec3());
    }
    bodies
}

/// Puts every one of `methods` through every one of `cases`, side by side on
/// the rayon pool this is called in. `progress` is told from any thread how
/// many of how many runs are done. None when `cancel` was set meanwhile.
///
/// # Errors
/// When the built-in head cannot be read.
pub fn run(
    methods: &[&'static Method],
    cases: &[&'static StressCase],
    cancel: &AtomicBool,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Option<Vec<StressRow>>, MeshError> {
    let fixture = StressFixture::new()?;
    let runs: Vec<(&'static Method, &'static StressCase)> = methods
        .iter()
        .flat_map(|method| cases.iter().map(move |case| (*method, *case)))
        .collect();
    let done = AtomicUsize::new(0);
    progress(0, runs.len());
    let row = |(method, case): &(&'static Method, &'static StressCase)| {
        let row = fixture.run(method, case, cancel);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, runs.len());
        row
    };
    // One by one: a run is long, and its strands fill the pool by themselves.
    Ok(runs.par_iter().with_max_len(1).map(row).collect())
}
