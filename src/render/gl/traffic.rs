//! OpenGL as it is called: counts calls, draws and bytes.

use super::known::{self, Known};
use std::{
    ops::Deref,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

/// What was asked of OpenGL in some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GlTraffic {
    /// Calls of any kind.
    pub calls: u64,
    /// Calls that draw or copy pixels.
    pub draws: u64,
    /// Bytes of buffers and textures sent to the driver.
    pub bytes_up: u64,
    /// Bytes read back.
    pub bytes_down: u64,
}

impl GlTraffic {
    /// The larger of each.
    #[must_use]
    pub fn most(&self, other: &Self) -> Self {
        Self {
            calls: self.calls.max(other.calls),
            draws: self.draws.max(other.draws),
            bytes_up: self.bytes_up.max(other.bytes_up),
            bytes_down: self.bytes_down.max(other.bytes_down),
        }
    }
}

/// The functions of OpenGL. Each use of them is counted, as each goes through
/// [`Deref`].
pub(in crate::render) struct Functions {
    context: Arc<glow::Context>,
    calls: AtomicU64,
    draws: AtomicU64,
    bytes_up: AtomicU64,
    bytes_down: AtomicU64,
    /// What is known to be bound and set.
    known: Mutex<Known>,
    /// A vertex array that reads nothing, for shaders that need no attributes.
    pub(super) empty: Option<glow::VertexArray>,
    /// What tells these from the functions of other renderers.
    number: u64,
}

impl Functions {
    /// `empty` is a vertex array that reads nothing; it is deleted with the last user.
    pub fn new(context: Arc<glow::Context>, empty: Option<glow::VertexArray>) -> Self {
        Self {
            context,
            empty,
            calls: AtomicU64::new(0),
            draws: AtomicU64::new(0),
            bytes_up: AtomicU64::new(0),
            bytes_down: AtomicU64::new(0),
            known: Mutex::default(),
            number: known::number(),
        }
    }

    /// What tells these from the functions of other renderers.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// A call that draws is about to follow.
    pub fn draws(&self) {
        self.draws.fetch_add(1, Relaxed);
    }

    /// So many bytes are about to be sent.
    pub fn sends(&self, bytes: usize) {
        self.bytes_up.fetch_add(bytes as u64, Relaxed);
    }

    /// So many bytes are about to be read back.
    pub fn reads(&self, bytes: usize) {
        self.bytes_down.fetch_add(bytes as u64, Relaxed);
    }

    /// What was asked for since the last call.
    pub fn take_traffic(&self) -> GlTraffic {
        GlTraffic {
            calls: self.calls.swap(0, Relaxed),
            draws: self.draws.swap(0, Relaxed),
            bytes_up: self.bytes_up.swap(0, Relaxed),
            bytes_down: self.bytes_down.swap(0, Relaxed),
        }
    }

    /// Changes what is known, and answers what `change` does.
    pub(super) fn change<A>(&self, change: impl FnOnce(&mut Known) -> A) -> A {
        let mut known = match self.known.lock() {
            Ok(known) => known,
            // Who panicked while it knew something may have been half way.
            Err(poisoned) => {
                let mut known = poisoned.into_inner();
                *known = Known::default();
                known
            }
        };
        change(&mut known)
    }
}

impl Deref for Functions {
    type Target = glow::Context;

    fn deref(&self) -> &glow::Context {
        self.calls.fetch_add(1, Relaxed);
        &self.context
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        groom::{FollowerParams, Groom},
        math::Pose,
        mesh::{HeadParams, load::load},
        render::{Camera, CameraParams, Headless, LightParams, LookParams, Renderer, View},
    };
    use glam::Vec3;

    #[test]
    fn a_frame_in_motion_reads_nothing_back_and_sends_what_moved() {
        let Some(headless) = Headless::or_skip() else {
            return;
        };
        let mut renderer = Renderer::new(headless.gl()).expect("every shader compiles");
        // As on graphics hardware.
        renderer.draw_as_software(false);
        let head = load(&HeadParams::default()).expect("the built-in head");
        renderer.set_head(&head.mesh);
        let points: Vec<Vec3> = (0..4000).map(|i| 1e-4 * Vec3::ONE * i as f32).collect();
        renderer.set_groom(&Groom {
            points: points.clone(),
            starts: (0..=200).map(|strand| 20 * strand).collect(),
            masses: vec![1.0; 200],
            ..Groom::default()
        });
        let camera = Camera::new(&CameraParams::default(), head.mesh.bounds());
        let look = LookParams {
            samples: 1,
            ..LookParams::default()
        };
        // `away` is where the head is along the line of sight. `[m]`
        let frame_at = |renderer: &mut Renderer, exact: bool, away: f32| {
            renderer.upload_positions(&points);
            let view = View {
                camera: &camera,
                look: &look,
                followers: &FollowerParams::default(),
                light: &LightParams::default(),
                environment: None,
                pose: Pose {
                    translation: Vec3::Z * away,
                    ..Pose::IDENTITY
                },
                size: [64, 48],
                exact,
                swift: !exact,
            };
            renderer.frame(&view).expect("a frame");
            renderer.take_traffic()
        };
        let frame = |renderer: &mut Renderer, exact: bool| frame_at(renderer, exact, 0.0);
        // Positions take turns; after this each has its memory.
        (0..4).for_each(|_| {
            frame(&mut renderer, false);
        });
        let moving: Vec<GlTraffic> = (0..6).map(|_| frame(&mut renderer, false)).collect();
        let least = size_of_val(&points[..]) as u64;
        for traffic in &moving {
            assert_eq!(traffic.bytes_down, 0, "{traffic:?}");
            assert!(traffic.bytes_up >= least, "{traffic:?}");
            assert!(traffic.calls > 4 * traffic.draws, "{traffic:?}");
            assert!(traffic.calls <= 60 && traffic.draws <= 10, "{traffic:?}");
        }
        // Most frames keep the light in the hair: they send positions, the order of the
        // strands, and what shaders know of the frame.
        let up = || moving.iter().map(|traffic| traffic.bytes_up);
        let [few, most] = [up().min(), up().max()].map(Option::unwrap_or_default);
        assert!(few < 3 * least && most > few + 200_000, "{few} {most}");
        // Where every segment is ordered, the points are read.
        assert!(frame(&mut renderer, true).bytes_down > 0);
        // What the processor draws over it reads first: depths and, in every third frame,
        // the colours of its points.
        renderer.draw_as_software(true);
        frame(&mut renderer, false);
        let colours = 16 * points.len() as u64;
        // It is the same where the head sways, and strands seem wider and thinner.
        for away in [[0.0; 3], [0.001, 0.002, 0.003]] {
            let down = away.map(|away| frame_at(&mut renderer, false, away).bytes_down);
            let [least, most] = [down.iter().min(), down.iter().max()].map(Option::unwrap);
            let few = down.iter().filter(|bytes| **bytes < colours).count();
            assert!(few == 2 && *most >= least + colours, "{down:?}");
        }
    }
}
