//! The step of Kirchhoff rods.

use super::{
    constants::Rod,
    energy,
    lanes::RodGroup,
    params::{ID, Integrator},
    rest,
    state::{History, RodState},
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
            BlockFigures, BlockStep, Effort, StepInput, StrandForces,
            block_step::ease_in,
            dispatch::{Kernel, compiled},
            material::RestKey,
        },
        state::{Block, Row},
        strand_contact::params::{ContactRound, StrandContactParams},
        trace::Observer,
    },
};

/// A strand none of whose edges turned by more in the last substep is not predicted to go on,
/// but solved for from where it is: one pass leaves no more than the square of the turn. Hair
/// that is held where it would topple rests so; predicted to go on, some strands of the
/// fringe crept by a fiftieth of their length. `[rad]`
const CALM: f64 = 1e-4;

/// A prediction that turns an edge by more is held against staying. Asked of every
/// prediction, hair at rest was solved for twice in most substeps; asked of those alone that
/// a pass does not correct, rods ended off the elastica and off the capstan. `[rad]`
const BOLD: f64 = 1e-3;

impl Rod {
    /// Makes the block's memory fit the material, the groom and the integrator.
    pub(super) fn prepare<B: Lane>(
        &self,
        block: &mut Block<B>,
        memory: &mut RodState<B>,
        input: &StepInput,
    ) {
        let recipe = self.hair.rest_key(block);
        let round = |recipe: &RestKey| recipe.material.is_round();
        let before = memory.made_for.as_ref().map(round);
        if memory.made_for != Some(recipe) {
            rest::prepare(block, memory, recipe);
        }
        // The axes of an ellipse lie otherwise than the frames of a round hair.
        let turned = before.is_some_and(|before| before != round(&recipe));
        if block.moved_by != ID || turned {
            rest::take_over(
                block,
                memory,
                &input.poses[0],
                self.hair.material.is_round(),
            );
            block.take_over(ID);
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
            // Differences over substeps of another length mean nothing. Made up from
            // the velocity alone they would lose a third of what forces do in the
            // first substep.
            memory.begins = true;
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
        group: &mut RodGroup<T>,
        input: &StepInput,
        substep: usize,
        note: &mut N,
    ) -> Effort {
        let (zero, one, half) = (T::zero(), T::splat(1.0), T::splat(0.5));
        let s = Substep::new(self, group, input, substep, block.pinned == 0);
        gather_attachments(block, group, &s, &input.poses[substep + 1]);
        let prediction = group.predict(&s);
        let calm = one - prediction.turns_more(CALM);
        if calm.any() {
            group.stay(calm);
        }
        if let (Some(solve), Some(contacts)) = (input.strand_contact, &block.strand_contacts)
            && solve.round != ContactRound::Free
        {
            group.take_edges(contacts, solve.planes, &block.counts);
        }
        // The last lanes may be no strands, but copies of one.
        let lanes = T::LANES.min(block.strands - group.first);
        let count = |mask: T| (0..lanes).filter(|lane| mask.get(*lane) > 0.5).count() as u64;
        let mut live = one;
        let mut effort = Effort {
            substeps: lanes as u64,
            ..Effort::default()
        };
        let most = self.limits.passes + self.limits.extra;
        for pass in 0..most {
            if let Some(skin) = input.skin {
                group.update_planes(block, &s, skin, live, pass == 0);
            }
            let mut start = group.eliminate(&s);
            if pass == 0 {
                // Guard: a bold prediction is kept only where it lowers the potential. What
                // other strands add is not asked: they have moved, too.
                let bold = prediction.turns_more(BOLD);
                let staying = prediction.staying;
                let slack = staying.abs() * T::splat(1e-5) + T::splat(2e-7);
                let own = start - group.edges.energy;
                let worse = (staying + slack).less(own, bold, zero);
                if worse.any() {
                    group.stay(worse);
                    if let Some(skin) = input.skin {
                        group.update_planes(block, &s, skin, worse, true);
                    }
                    start = group.eliminate(&s);
                }
            }
            let mut found = group.apply(&s, live, pass < self.limits.passes);
            // Guard: a correction must not raise the potential.
            let (mut kept, tolerance) = (one, start.abs() * T::splat(1e-4) + T::splat(2e-7));
            let mut rising = live;
            for _ in 0..self.limits.halvings {
                let rises = (start + tolerance).less(found.energy, rising, zero);
                if !rises.any() {
                    break;
                }
                let scale = kept * (one - rises * half);
                let back = group.scale_back(&s, scale, kept, live);
                // Only where something changed: a strand's numbers must not
                // depend on its neighbours.
                found.energy = rises.choose(back.energy, found.energy);
                found.elastic = rises.choose(back.elastic, found.elastic);
                found.wrong = found.wrong.max(rises * back.wrong);
                (kept, rising) = (scale, rises);
            }
            group.elastic = live.choose(found.elastic, group.elastic);
            if pass + 1 >= self.limits.passes {
                live = found.wrong;
                if !live.any() {
                    break;
                }
                if pass + 1 < most {
                    effort.extra += count(live);
                }
            }
        }
        if note.listens() {
            tell(group, &s, note);
        }
        if s.free && block.strand_contacts.is_none() {
            group.keep_momentum();
        }
        let failed = group.finish(&s);
        if !input.is_trial() {
            if let Some(skin) = input.skin {
                group.depenetrate(block, &s, skin);
            }
            block.resets += count(failed);
        }
        effort
    }
}

/// Tells what the forces on each vertex did to it within the substep.
fn tell<T: Lane>(group: &RodGroup<T>, s: &Substep<T>, note: &mut impl Observer<T>) {
    for (i, node) in group.nodes[..group.rows].iter().enumerate() {
        // No mass behind a strand's tip.
        let heavy = (node.mass * s.mass_over_h2).max(T::splat(1e-12));
        let moved = |force: V3<T>| force.scale(T::splat(1.0) / heavy);
        note.note(0, i, moved(V3::zero() - node.memory.net));
        if group.near[i] {
            note.note(
                1,
                i,
                moved(
                    group.touches[i]
                        .normal
                        .scale(node.memory.contact.normal_force),
                ),
            );
            note.note(2, i, moved(node.memory.contact.friction));
        }
    }
}

/// Whether this is the first solve of a step, or of a substep of touching strands.
fn is_first_solve(input: &StepInput) -> bool {
    let round = input.strand_contact.map(|solve| solve.round);
    round.is_none_or(|round| round == ContactRound::Free)
}

/// Works out how vertices are accelerated in this step, as [`StepInput::accelerate`] does; in
/// the later solves of a step of touching strands that is what it was in the first. `[m/s²]`
fn accelerate<B: Lane>(block: &mut Block<B>, acceleration: &mut Vec<V3<B>>, input: &StepInput) {
    let first = input.done == 0 && is_first_solve(input);
    match &mut block.strand_contacts {
        Some(contacts) if !first => {
            acceleration.clone_from(&contacts.acceleration);
        }
        _ => {
            input.accelerate(block, acceleration);
            let step = 1.0 / f64::from(input.params.step.rate);
            block.accelerate_by_gains(acceleration, step);
            if let Some(contacts) = &mut block.strand_contacts {
                contacts.acceleration.clone_from(acceleration);
            }
        }
    }
}

/// Springs of the grips on the group's strands when the head is at `pose`.
fn gather_attachments<B: Lane, T: Lane>(
    block: &Block<B>,
    group: &mut RodGroup<T>,
    s: &Substep<T>,
    pose: &Pose,
) {
    group.attachments.clear();
    for grip in &block.attachments {
        let Some(lane) = grip.lane.checked_sub(group.first) else {
            continue;
        };
        if lane >= T::LANES || grip.row >= group.rows {
            continue;
        }
        let root = glam::DVec3::from(group.root.get(lane));
        let mut target = grip.at(pose).as_dvec3() - root;
        let k = match grip.kind {
            AttachmentKind::Pin => {
                1e4 * group.nodes[grip.row].mass.get(lane) * s.mass_over_h2.get(lane)
            }
            AttachmentKind::Hand => {
                let mass: f64 = group.nodes[..group.rows]
                    .iter()
                    .map(|n| n.mass.get(lane))
                    .sum();
                let here = glam::DVec3::from(group.nodes[grip.row].x.get(lane));
                target = here + (target - here).clamp_length_max(HAND_REACH);
                hand_stiffness(mass)
            }
        };
        let mut stiffness = T::zero();
        stiffness.set(lane, k);
        let mut goal = V3::zero();
        goal.set(lane, target.to_array());
        group.attachments.push((grip.row, goal, stiffness));
    }
}

compiled!(Rod);

impl Kernel for Rod {
    const CORRECTIONS: &'static [&'static str] = &["Inner forces", "Contact", "Friction"];

    fn moves<B: Lane>(&self, block: &Block<B>) -> bool {
        block.rows > 1
    }

    #[inline(always)]
    fn step_block<B: Lane, T: Lane, N: Observer<T>>(&self, step: &mut BlockStep<B>, note: &mut N) {
        let seconds = step.seconds();
        let (block, scratch, input) = (&mut *step.block, &mut *step.scratch, step.input);
        let mut memory = block.memories.take::<RodState<B>>();
        self.prepare(block, &mut memory, input);
        accelerate(block, &mut scratch.acceleration, input);
        // In one step, hair bent by a method that knows no material would fling itself off. What
        // other strands give comes in with the rest.
        let acting = match is_first_solve(input) {
            true => block.ease(seconds),
            false => block.acting_share(),
        };
        ease_in(&mut scratch.acceleration, acting);
        let mut group: RodGroup<T> = std::mem::take(scratch.keep());
        group.acting = acting;
        let contact = input.skin.is_some();
        for proximity in &mut block.proximity {
            proximity.near &= contact;
        }
        let mut near = vec![false; block.rows];
        let trial = input.is_trial();
        for first in (0..block.strands).step_by(T::LANES) {
            group.load(block, &memory, &scratch.acceleration, first, contact);
            for substep in 0..input.substeps {
                group.begins = memory.begins && substep == 0;
                note.begin(first, group.rows);
                let effort = self.substep(block, &mut group, input, substep, note);
                memory.effort.add(effort);
            }
            if let Some(contacts) = &mut block.strand_contacts {
                group.record_displacements(contacts);
            }
            if trial {
                continue;
            }
            group.store(block, &mut memory, contact);
            for (all, here) in near.iter_mut().zip(&group.near) {
                *all |= here;
            }
        }
        if trial {
            *scratch.keep() = group;
            block.memories.put(memory);
            return;
        }
        memory.begins = false;
        for (proximity, near) in block.proximity.iter_mut().zip(near) {
            proximity.near = near;
        }
        *scratch.keep() = group;
        block.memories.put(memory);
        block.settle(input.share(input.substeps));
        let frame = input.frame::<B>(input.substeps);
        block.root = if input.still {
            block.root_rest
        } else {
            frame.point(block.root_rest)
        };
    }

    fn figures(&self, block: &Block<Row>, pose: &Pose) -> BlockFigures {
        let Some(memory) = block.memories.get::<RodState<Row>>() else {
            return BlockFigures::default();
        };
        let energy = || energy::elastic(block, memory, &self.hair.material, pose.rotation);
        BlockFigures::of(block, ID, memory.effort, || BlockFigures {
            // What acts is what stores it.
            elastic: (block.values(energy()).iter())
                .map(|energy| block.acting_share() * energy)
                .collect(),
            hold: Some(Box::new(memory.spread.clone())),
            ..BlockFigures::default()
        })
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
                .map(|i| memory.vertices[i].contact.normal_force.get(lane))
                .collect(),
        })
    }

    fn strand_contact(&self) -> Option<StrandContactParams> {
        self.strand_contact
    }

    fn spreads_gains(&self) -> bool {
        true
    }

    fn groom_hold(&self, block: &Block<Row>, lane: usize) -> Option<Vec<f64>> {
        let memory = block.memories.get::<RodState<Row>>()?;
        (block.moved_by == ID).then(|| memory.hold.of_strand(block, lane))
    }
}
