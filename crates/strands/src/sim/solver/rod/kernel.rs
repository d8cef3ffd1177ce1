//! The step of Kirchhoff rods.

use super::{
    constants::Rod,
    energy,
    lanes::LaneGroup,
    params::{ID, Integrator},
    rest,
    state::{History, RestKey, RodState},
    substep::Substep,
};
use crate::{
    math::{
        Pose,
        lanes::{Lane, V3},
    },
    sim::{
        attachment::{AttachmentKind, HAND_REACH, hand_stiffness},
        contact,
        memory::MethodMemory,
        solver::{
            BlockFigures, Effort, Scratch, StepInput, StrandForces,
            dispatch::{Kernel, compiled},
        },
        state::{Block, Row},
        trace::Observer,
    },
};

impl Rod {
    /// Advances one block by one whole step, `T::LANES` strands at a time.
    #[inline(always)]
    fn take<B: Lane, T: Lane>(
        &self,
        block: &mut Block<B>,
        push: &mut Vec<V3<B>>,
        bundle: &mut LaneGroup<T>,
        input: &StepInput,
        note: &mut impl Observer<T>,
    ) {
        if block.rows < 2 {
            block.reset(&input.poses[input.substeps]);
            return;
        }
        let mut memory = block.memories.take::<RodState<B>>();
        self.prepare(block, &mut memory, input);
        input.accelerate(block, push);
        for proximity in &mut block.proximity {
            proximity.near &= input.skin.is_some();
        }
        let mut near = vec![false; block.rows];
        for first in (0..B::LANES).step_by(T::LANES) {
            if first >= block.strands {
                break;
            }
            let contact = input.skin.is_some();
            bundle.load(block, &memory, first, contact);
            bundle.feel(push);
            for substep in 0..input.substeps {
                note.begin(first, bundle.rows);
                let effort = self.substep(block, bundle, input, substep, note);
                memory.effort.add(effort);
            }
            bundle.store(block, &mut memory, contact);
            for (all, here) in near.iter_mut().zip(&bundle.near) {
                *all |= here;
            }
        }
        for (proximity, near) in block.proximity.iter_mut().zip(near) {
            proximity.near = near;
        }
        block.memories.put(memory);
        block.settle(input.share(input.substeps));
        let frame = input.frame::<B>(input.substeps);
        block.root = if input.still {
            block.root_rest
        } else {
            frame.point(block.root_rest)
        };
    }

    /// Makes the block's memory fit the material, the groom and the integrator.
    pub(super) fn prepare<B: Lane>(
        &self,
        block: &mut Block<B>,
        memory: &mut RodState<B>,
        input: &StepInput,
    ) {
        let recipe = RestKey {
            material: self.modelled,
            sag_free: self.sag_free,
            hold_cap: self.hold_cap,
            held: block.pinned > 0,
        };
        if memory.made_for != Some(recipe) {
            rest::prepare(block, memory, recipe);
        }
        if block.moved_by != ID {
            rest::take_over(block, memory, &input.poses[0], self.material.is_round());
            block.moved_by = ID;
        }
        let skin = input
            .skin
            .map(|skin| (skin.identity(), input.margin.to_bits()));
        if memory.skin != skin {
            memory.skin = skin;
            memory.invalidate_contact();
            block.plane_offset.fill(B::splat(contact::NO_PLANE));
        }
        let h = B::splat(input.h);
        if self.integrator == Integrator::Euler {
            memory.history.clear();
        } else if memory.history.is_empty() || memory.substep != input.h {
            // Differences over substeps of another length mean nothing.
            let history = |velocity: &V3<B>| History {
                moved: velocity.scale(h),
                velocity: *velocity,
            };
            memory.history = block.velocity.iter().map(history).collect();
        }
        memory.substep = input.h;
    }

    #[inline(always)]
    fn substep<B: Lane, T: Lane, N: Observer<T>>(
        &self,
        block: &mut Block<B>,
        bundle: &mut LaneGroup<T>,
        input: &StepInput,
        substep: usize,
        note: &mut N,
    ) -> Effort {
        let (zero, one, half) = (T::zero(), T::splat(1.0), T::splat(0.5));
        let s = Substep::new(self, bundle, input, substep, block.pinned == 0);
        gather_attachments(block, bundle, &s);
        let staying = bundle.predict(&s);
        let mut live = one;
        let mut effort = Effort {
            substeps: T::LANES as u64,
            ..Effort::default()
        };
        let most = self.limits.passes + self.limits.extra;
        for pass in 0..most {
            if let Some(skin) = input.skin {
                bundle.look(block, &s, skin, live);
            }
            let mut start = bundle.eliminate(&s);
            if pass == 0 {
                // Guard: the predictor stays only where it lowers the potential.
                let slack = staying.abs() * T::splat(1e-5) + T::splat(2e-7);
                let worse = (staying + slack).less(start, one, zero);
                if half.any_less(worse) {
                    bundle.stay(worse);
                    if let Some(skin) = input.skin {
                        bundle.look(block, &s, skin, worse);
                    }
                    start = bundle.eliminate(&s);
                }
            }
            let mut found = bundle.apply(&s, live, pass < self.limits.passes);
            // Guard: a correction must not raise the potential.
            let (mut kept, tolerance) = (one, start.abs() * T::splat(1e-4) + T::splat(2e-7));
            let mut rising = live;
            for _ in 0..self.limits.halvings {
                let rises = (start + tolerance).less(found.energy, rising, zero);
                if !half.any_less(rises) {
                    break;
                }
                effort.halved += count(rises);
                let scale = kept * (one - rises * half);
                let (energy, elastic) = bundle.scale_back(&s, scale, kept, live);
                // Only where something changed: a strand's numbers must not
                // depend on its neighbours.
                found.energy = half.less(rises, energy, found.energy);
                found.elastic = half.less(rises, elastic, found.elastic);
                (kept, rising) = (scale, rises);
            }
            bundle.elastic = half.less(live, found.elastic, bundle.elastic);
            if pass + 1 >= self.limits.passes {
                live = found.wrong;
                if !half.any_less(live) {
                    break;
                }
                if pass + 1 < most {
                    effort.extra += count(live);
                }
            }
        }
        if N::LISTENS {
            tell(bundle, &s, note);
        }
        let failed = bundle.finish(&s);
        block.resets += count(failed);
        effort
    }
}

/// Tells what the forces on each vertex did to it within the substep.
fn tell<T: Lane>(bundle: &LaneGroup<T>, s: &Substep<T>, note: &mut impl Observer<T>) {
    for (i, node) in bundle.nodes[..bundle.rows].iter().enumerate() {
        // No mass behind a strand's tip.
        let heavy = (node.mass * s.mass_over_h2).max(T::splat(1e-12));
        let moved = |force: V3<T>| force.scale(T::splat(1.0) / heavy);
        note.note(0, i, moved(V3::zero() - node.memory.net));
        if bundle.near[i] {
            note.note(
                1,
                i,
                moved(bundle.touches[i].normal.scale(node.memory.push)),
            );
            note.note(2, i, moved(node.memory.friction));
        }
    }
}

/// How many lanes hold a one.
fn count<T: Lane>(mask: T) -> u64 {
    (0..T::LANES).filter(|lane| mask.get(*lane) > 0.5).count() as u64
}

/// Springs of the grips on the bundle's strands.
fn gather_attachments<B: Lane, T: Lane>(
    block: &Block<B>,
    bundle: &mut LaneGroup<T>,
    s: &Substep<T>,
) {
    bundle.attachments.clear();
    for grip in &block.attachments {
        let Some(lane) = grip.lane.checked_sub(bundle.first) else {
            continue;
        };
        if lane >= T::LANES || grip.row >= bundle.rows {
            continue;
        }
        let root = glam::DVec3::from(bundle.root.get(lane));
        let mut target = grip.target.as_dvec3() - root;
        let k = match grip.hold {
            AttachmentKind::Pin => {
                1e4 * bundle.nodes[grip.row].mass.get(lane) * s.mass_over_h2.get(lane)
            }
            AttachmentKind::Hand => {
                let mass: f64 = bundle.nodes[..bundle.rows]
                    .iter()
                    .map(|n| n.mass.get(lane))
                    .sum();
                let here = glam::DVec3::from(bundle.nodes[grip.row].x.get(lane));
                target = here + (target - here).clamp_length_max(HAND_REACH);
                hand_stiffness(mass)
            }
        };
        let mut stiffness = T::zero();
        stiffness.set(lane, k);
        let mut goal = V3::zero();
        goal.set(lane, target.to_array());
        bundle.attachments.push((grip.row, goal, stiffness));
    }
}

compiled!(Rod);

impl Kernel for Rod {
    const CORRECTIONS: &'static [&'static str] = &["Inner forces", "Contact", "Friction"];

    #[inline(always)]
    fn advance<B: Lane, T: Lane, N: Observer<T>>(
        &self,
        block: &mut Block<B>,
        scratch: &mut Scratch<B>,
        input: &StepInput,
        note: &mut N,
    ) {
        let mut bundle: LaneGroup<T> = std::mem::take(scratch.keep());
        let mut push = std::mem::take(&mut scratch.push);
        self.take(block, &mut push, &mut bundle, input, note);
        scratch.push = push;
        *scratch.keep() = bundle;
    }

    fn figures(&self, block: &Block<Row>, pose: &Pose) -> BlockFigures {
        let Some(memory) = block.memories.get::<RodState<Row>>() else {
            return BlockFigures::default();
        };
        if block.moved_by != ID {
            return BlockFigures {
                effort: memory.effort,
                ..BlockFigures::default()
            };
        }
        let energy = energy::elastic(block, memory, &self.material, pose.rotation);
        BlockFigures {
            elastic: (0..block.strands).map(|lane| energy.get(lane)).collect(),
            hold: Some(Box::new(memory.spread.clone())),
            effort: memory.effort,
            ..BlockFigures::default()
        }
    }

    fn forces(&self, block: &Block<Row>, lane: usize) -> Option<StrandForces> {
        let memory = block.memories.get::<RodState<Row>>()?;
        if block.moved_by != ID {
            return None;
        }
        let count = block.counts[lane];
        Some(StrandForces {
            tension: (0..count - 1)
                .map(|edge| memory.force(edge, lane).length())
                .collect(),
            contact: (0..count)
                .map(|i| memory.vertices[i].push.get(lane))
                .collect(),
        })
    }
}
