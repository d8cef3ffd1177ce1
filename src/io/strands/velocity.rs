//! How fast points go, from where they are in the frames before and after.

use super::Strands;
use glam::Vec3;

/// Gives frames on, each with how fast its points go: the difference between the frame
/// behind it and the one before it, by the time between these; at both ends to the only
/// neighbour. A frame can be given on when the next one has come.
pub struct Velocities {
    /// Frames in a second. `[1/s]`
    rate: f64,
    /// The points, and those of the head, before the frame that waits.
    before: Option<[Vec<Vec3>; 2]>,
    waits: Option<Strands>,
}

impl Velocities {
    /// Of frames of which so many are in a second. `[1/s]`
    pub fn new(rate: f64) -> Self {
        Self {
            rate,
            before: None,
            waits: None,
        }
    }

    /// Takes the next frame; the one before it, with velocities.
    pub fn add(&mut self, frame: Strands) -> Option<Strands> {
        let out = self.take(Some(&frame));
        self.waits = Some(frame);
        out
    }

    /// The last frame.
    pub fn last(&mut self) -> Option<Strands> {
        self.take(None)
    }

    fn take(&mut self, next: Option<&Strands>) -> Option<Strands> {
        let mut frame = self.waits.take()?;
        let head = |frame: &Strands| {
            let head = frame.head.as_ref();
            head.map_or_else(Vec::new, |head| head.points.clone())
        };
        let here = [frame.points.clone(), head(&frame)];
        let behind = next.map(|next| [next.points.clone(), head(next)]);
        let steps = usize::from(self.before.is_some()) + usize::from(behind.is_some());
        let per_second = self.rate / steps.max(1) as f64;
        let [points, head] = [0, 1].map(|part| {
            let from = self.before.as_ref().unwrap_or(&here)[part].iter();
            let to = behind.as_ref().unwrap_or(&here)[part].iter();
            let velocity = |(a, b): (&Vec3, &Vec3)| {
                let way = b.as_dvec3() - a.as_dvec3();
                (way * per_second).as_vec3()
            };
            from.zip(to).map(velocity).collect::<Vec<_>>()
        });
        frame.velocities = points;
        if let Some(own) = &mut frame.head {
            own.velocities = head;
        }
        self.before = Some(here);
        Some(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::strands::WornHead;

    #[test]
    fn points_go_as_fast_as_their_neighbours_in_time_say() {
        let frame = |x: f32| Strands {
            points: vec![Vec3::X * x],
            starts: vec![0, 1],
            head: Some(WornHead {
                points: vec![Vec3::Y * x],
                ..WornHead::default()
            }),
            ..Strands::default()
        };
        let mut velocities = Velocities::new(10.0);
        let mut out: Vec<Strands> = Vec::new();
        for x in [0.0, 1.0, 4.0] {
            out.extend(velocities.add(frame(x)));
        }
        assert_eq!(out.len(), 2, "the last one waits");
        out.extend(velocities.last());
        assert!(velocities.last().is_none());
        for (frame, (x, speed)) in out.iter().zip([(0.0, 10.0), (1.0, 20.0), (4.0, 30.0)]) {
            assert_eq!(frame.points, [Vec3::X * x], "in their order");
            assert_eq!(frame.velocities, [Vec3::X * speed]);
            let head = frame.head.as_ref().expect("a head");
            assert_eq!(head.velocities, [Vec3::Y * speed]);
        }
        // One alone goes nowhere.
        let mut single = Velocities::new(10.0);
        assert!(single.add(frame(1.0)).is_none());
        assert_eq!(single.last().expect("it").velocities, [Vec3::ZERO]);
    }
}
