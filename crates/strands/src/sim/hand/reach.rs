//! How far a strand reaches: what is held farther out than that is brought
//! within reach, and a strand that is held is not drawn longer than it is.

use crate::{
    math::Pose,
    sim::{
        attachment::{self, Attachment, AttachmentKind},
        solver,
        state::{Block, Row, StrandState},
    },
};
use glam::DVec3;

/// A strand is not drawn straighter than this share of its length: the rest is
/// left to its curve, so that no method has to stretch it.
const TAUT: f64 = 0.995;

/// Where two balls meet is looked for so many times.
const TRIES: usize = 6;

/// A strand in the hand is left to its method while no segment is longer than
/// at rest by this share.
const SPARE: f64 = 0.01;

/// Rounds from grip to root and back.
const ROUNDS: usize = 12;

/// A vertex of one strand that something holds.
#[derive(Clone, Copy)]
struct Anchor {
    row: usize,
    /// From the strand's root, in the world's directions. `[m]`
    place: DVec3,
}

/// A strand that is held, as it was when a step began.
pub(in crate::sim) struct Held {
    block: usize,
    lane: usize,
    root: DVec3,
    /// From the root. `[m]`
    places: Vec<DVec3>,
    /// In the world. `[m/s]`
    speeds: Vec<DVec3>,
}

impl StrandState {
    /// The strands that are held, before a step.
    pub(in crate::sim) fn held(&self) -> Vec<Held> {
        let mut held: Vec<Held> = Vec::new();
        for (number, block) in self.blocks.iter().enumerate() {
            let mut lanes: Vec<usize> = block.attachments.iter().map(|grip| grip.lane).collect();
            lanes.sort_unstable();
            lanes.dedup();
            held.extend(lanes.into_iter().map(|lane| Held {
                block: number,
                lane,
                root: DVec3::from(block.root.get(lane)),
                places: block.line(lane),
                speeds: block.speeds(lane),
            }));
        }
        held
    }

    /// Takes strands along with the hand that holds them, and brings those that a
    /// step of so many `seconds` has drawn out back to their length.
    pub(in crate::sim) fn tauten(&mut self, held: &[Held], seconds: f64) {
        for strand in held {
            if let Some(block) = self.blocks.get_mut(strand.block) {
                block.tauten(strand, seconds);
            }
        }
    }
}

impl Block<Row> {
    /// The vertices of the strand in `lane`, from its root. `[m]`
    fn line(&self, lane: usize) -> Vec<DVec3> {
        let rows = self.position[..self.counts[lane]].iter();
        rows.map(|row| DVec3::from(row.get(lane))).collect()
    }

    /// How fast they are. `[m/s]`
    fn speeds(&self, lane: usize) -> Vec<DVec3> {
        let rows = self.velocity[..self.counts[lane]].iter();
        rows.map(|row| DVec3::from(row.get(lane))).collect()
    }

    /// Its length at rest up to each vertex. `[m]`
    fn ways(&self, lane: usize) -> Vec<f64> {
        let vec = |row: usize| DVec3::from(self.rest[row].get(lane));
        let mut ways = vec![0.0; self.counts[lane]];
        for row in 1..ways.len() {
            ways[row] = ways[row - 1] + vec(row).distance(vec(row - 1));
        }
        ways
    }

    /// Brings the targets of all grips within what their strands can reach when
    /// the head is at `goal`: from the root, from pins farther down, and from
    /// what is held before them. Pins give way to the head and to pins alone.
    pub(super) fn shorten_grips(&mut self, goal: &Pose) {
        let mut attachments = std::mem::take(&mut self.attachments);
        attachments.sort_by_key(|grip| (grip.lane, grip.row));
        for strand in attachments.chunk_by_mut(|a, b| a.lane == b.lane) {
            self.shorten_strand(strand, goal);
        }
        self.attachments = attachments;
    }

    fn shorten_strand(&self, attachments: &mut [Attachment], goal: &Pose) {
        let Some(lane) = attachments.first().map(|grip| grip.lane) else {
            return;
        };
        let root = match &self.root_motion {
            Some(root_motion) => root_motion.root_at(1.0).get(lane),
            None => self.root_rest.get(lane),
        };
        let root = goal.point(DVec3::from(root).as_vec3());
        let turn = self.rest_rotation(goal.rotation, lane).as_dquat();
        // The last vertex that rides on the head.
        let last_pinned = self.pinned.checked_sub(1).map(|row| Anchor {
            row,
            place: turn * DVec3::from(self.rest[row].get(lane)),
        });
        let ways = self.ways(lane);
        for kind in [AttachmentKind::Pin, AttachmentKind::Hand] {
            let mut before = last_pinned;
            for index in 0..attachments.len() {
                let grip = attachments[index];
                let known = |grip: &Attachment| Anchor {
                    row: grip.row,
                    place: (grip.target - root).as_dvec3(),
                };
                // What rides on the head is held by it alone.
                if grip.row < self.pinned {
                    continue;
                }
                if grip.kind != kind {
                    // A pin was brought within reach before.
                    if kind == AttachmentKind::Hand {
                        before = Some(known(&grip));
                    }
                    continue;
                }
                let mut later = attachments[index + 1..].iter();
                let after = later
                    .find(|other| kind == AttachmentKind::Hand && other.kind == AttachmentKind::Pin)
                    .map(known);
                let mut here = known(&grip);
                for _ in 0..TRIES {
                    here = within(within(here, after, &ways), before, &ways);
                }
                attachments[index].move_to(root + here.place.as_vec3(), goal);
                before = Some(here);
            }
        }
    }

    /// Takes the strand that was `held` so before a step of so many `seconds` along
    /// with the hand, and brings it back to its length: between what is held by rounds there and back
    /// (Aristidou, Lasenby 2011, "FABRIK"), behind it along its own line.
    fn tauten(&mut self, held: &Held, seconds: f64) {
        let lane = held.lane;
        let (old, ways) = (self.line(lane), self.ways(lane));
        let long = |row: usize| ways[row] - ways[row - 1];
        let stretched = |line: &[DVec3], row: usize| {
            line[row].distance(line[row - 1]) > (1.0 + SPARE) * long(row)
        };
        let first = self.pinned.max(1);
        let mut line = old.clone();
        let mut attachments = self.attachments.clone();
        attachments.retain(|grip| grip.lane == lane && grip.row >= first && grip.row < line.len());
        attachments.sort_by_key(|grip| grip.row);
        let root = DVec3::from(self.root.get(lane));
        let root_moved = root - held.root;
        for grip in attachments
            .iter()
            .filter(|grip| grip.kind == AttachmentKind::Hand)
        {
            if !solver::method(self.moved_by).is_some_and(|method| method.led) {
                break;
            }
            let target = grip.target.as_dvec3() - root;
            let start = (held.places[grip.row] - root_moved).to_array();
            let speed = held.speeds[grip.row].to_array();
            let drawn = attachment::drawn(1.0, target.to_array(), start, speed, seconds);
            let there = DVec3::from(drawn);
            if there.distance(target) < line[grip.row].distance(target) {
                let way = there - line[grip.row];
                let pins = |other: &&Attachment| other.kind == AttachmentKind::Pin;
                let mut pins = attachments.iter().filter(pins).map(|pin| pin.row);
                let before = pins.clone().filter(|row| *row < grip.row).max();
                let after = pins.find(|row| *row > grip.row);
                let span = [before.unwrap_or(first - 1), grip.row];
                carry(&mut line, &ways, span, after, way);
            }
        }
        if line == old && !(first..old.len()).any(|row| stretched(&old, row)) {
            return;
        }
        let mut before = Anchor {
            row: first - 1,
            place: line[first - 1],
        };
        for (index, grip) in attachments.iter().enumerate() {
            if grip.row <= before.row {
                continue;
            }
            let after = attachments[index + 1..]
                .iter()
                .find(|other| other.kind == AttachmentKind::Pin && other.row > grip.row);
            let after = after.map(|pin| Anchor {
                row: pin.row,
                place: line[pin.row],
            });
            let mut here = Anchor {
                row: grip.row,
                place: line[grip.row],
            };
            for _ in 0..TRIES {
                here = within(within(here, after, &ways), Some(before), &ways);
            }
            line[here.row] = here.place;
            let span = before.row..=here.row;
            if span.clone().skip(1).any(|row| stretched(&line, row)) {
                draw_out(&mut line[span.clone()], &ways[span]);
            }
            before = here;
        }
        for row in before.row + 1..line.len() {
            if stretched(&line, row) {
                let way = (line[row] - line[row - 1]).normalize_or(DVec3::NEG_Y);
                line[row] = line[row - 1] + way * long(row);
            }
        }
        for row in first..line.len() {
            let moved = line[row].distance(old[row]);
            // Also true of what is not a number.
            if !(moved > 0.0 && line[row].is_finite()) {
                continue;
            }
            self.position[row].set(lane, line[row].to_array());
            let speed = (line[row] + root_moved - held.places[row]) / seconds;
            self.velocity[row].set(lane, speed.to_array());
            let proximity = &mut self.proximity[row];
            proximity.travel += moved;
            proximity.last = proximity.last.max(moved);
        }
    }
}

/// Carries a line along when its vertex at the end of the span `[from, to]` goes
/// a `way`: from the begin of the span on more and more, and what hangs on it as
/// far as that; less and less towards the vertex `after`, where one is held there.
fn carry(
    line: &mut [DVec3],
    ways: &[f64],
    [from, to]: [usize; 2],
    after: Option<usize>,
    way: DVec3,
) {
    let part = |i: usize, from: usize, to: usize| {
        let whole = (ways[to] - ways[from]).abs().max(f64::MIN_POSITIVE);
        ((ways[i] - ways[from]).abs() / whole).min(1.0)
    };
    let end = after.unwrap_or(line.len());
    for (i, place) in line.iter_mut().enumerate().take(end).skip(from + 1) {
        let share = match after {
            _ if i <= to => part(i, from, to),
            Some(after) => part(i, after, to),
            None => 1.0,
        };
        *place += way * share;
    }
}

/// The place nearest to `what` that is within reach of `from`.
fn within(what: Anchor, from: Option<Anchor>, ways: &[f64]) -> Anchor {
    let Some(from) = from else { return what };
    let reach = TAUT * (ways[what.row] - ways[from.row]).abs();
    Anchor {
        place: from.place + (what.place - from.place).clamp_length_max(reach),
        ..what
    }
}

/// Gives the segments of a line whose ends stay their lengths; `ways` are those
/// up to each vertex. `[m]`
fn draw_out(line: &mut [DVec3], ways: &[f64]) {
    let Some(last) = line.len().checked_sub(1).filter(|last| *last > 0) else {
        return;
    };
    let long = |row: usize| ways[row] - ways[row - 1];
    let (begin, end) = (line[0], line[last]);
    for _ in 0..ROUNDS {
        line[last] = end;
        for i in (1..last).rev() {
            let way = (line[i] - line[i + 1]).normalize_or(DVec3::Y);
            line[i] = line[i + 1] + way * long(i + 1);
        }
        for i in 1..=last {
            let way = (line[i] - line[i - 1]).normalize_or(DVec3::NEG_Y);
            line[i] = line[i - 1] + way * long(i);
        }
    }
    line[last] = end;
    // What is left: as much towards the straight line as no segment is longer.
    let whole = (ways[last] - ways[0]).max(f64::MIN_POSITIVE);
    let straight = |i: usize| begin + (end - begin) * ((ways[i] - ways[0]) / whole);
    let share = (1..=last)
        .map(|i| {
            let edge = line[i] - line[i - 1];
            shortening(edge, straight(i) - straight(i - 1), long(i))
        })
        .fold(0.0, f64::max);
    for (i, place) in line.iter_mut().enumerate().take(last).skip(1) {
        *place = place.lerp(straight(i), share);
    }
}

/// How far a segment must go on its way to another that is short enough until
/// it is no `longest` itself, as a share.
fn shortening(from: DVec3, to: DVec3, longest: f64) -> f64 {
    let spare = (1.0 + 0.5 * SPARE) * longest;
    let rest = from.length_squared() - spare * spare;
    if rest <= 0.0 {
        return 0.0;
    }
    let way = to - from;
    let (square, half) = (way.length_squared(), way.dot(from));
    let root = (half * half - square * rest).max(0.0).sqrt();
    if square <= 0.0 {
        return 1.0;
    }
    ((-half - root) / square).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::sin_cos;

    #[test]
    fn a_line_between_two_ends_gets_its_lengths() {
        // A spiral whose end was torn away.
        let curl: Vec<DVec3> = (0..30)
            .map(|i| {
                let (sin, cos) = sin_cos(0.7 * f64::from(i));
                DVec3::new(0.01 * cos, -0.004 * f64::from(i), 0.01 * sin)
            })
            .collect();
        let mut ways = vec![0.0];
        for pair in curl.windows(2) {
            ways.push(ways[ways.len() - 1] + pair[0].distance(pair[1]));
        }
        for share in [0.3, 0.8, TAUT] {
            let mut line = curl.clone();
            let end = line[0] + DVec3::new(0.6, 0.8, 0.0) * share * ways[29];
            line[29] = end;
            draw_out(&mut line, &ways);
            assert_eq!((line[0], line[29]), (curl[0], end));
            for i in 1..30 {
                let long = line[i].distance(line[i - 1]) / (ways[i] - ways[i - 1]);
                assert!(long < 1.0 + SPARE, "{share}, segment {i}: {long}");
            }
        }
    }

    #[test]
    fn a_line_goes_along_with_one_of_its_vertices() {
        let line: Vec<DVec3> = (0..9).map(|i| DVec3::NEG_Y * f64::from(i)).collect();
        let ways: Vec<f64> = (0..9).map(f64::from).collect();
        let carried = |after| {
            let mut moved = line.clone();
            carry(&mut moved, &ways, [1, 5], after, DVec3::X);
            moved.iter().map(|p| p.x).collect::<Vec<_>>()
        };
        let along = [0.0, 0.0, 0.25, 0.5, 0.75, 1.0, 1.0, 1.0, 1.0];
        assert_eq!(carried(None), along);
        let held = [0.0, 0.0, 0.25, 0.5, 0.75, 1.0, 0.5, 0.0, 0.0];
        assert_eq!(carried(Some(7)), held);
    }

    #[test]
    fn a_segment_goes_no_farther_than_it_must() {
        let (from, to) = (DVec3::X * 3.0, DVec3::X * 0.9);
        let share = shortening(from, to, 1.0);
        let long = from.lerp(to, share).length();
        assert!((long - 1.0 - 0.5 * SPARE).abs() < 1e-9, "{long}");
        assert_eq!(shortening(to, from, 1.0), 0.0);
        assert_eq!(shortening(from, from, 1.0), 1.0);
    }
}
