//! What is bound and set in the context, so that nothing is bound or set twice in a
//! frame. Between frames the panel's painter binds programs, buffers and textures of its
//! own: what sets the content of buffers and textures binds them every time, except the
//! uniform block and the occlusion volume, which the painter leaves alone.
#![expect(
    unsafe_code,
    reason = "every call of glow is unsafe; see the module above"
)]

use super::{
    state::{Blend, State},
    traffic::Functions,
    units,
};
use glow::HasContext as _;
use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

thread_local! {
    /// Which [`Functions`] drew last on this thread, where its context is current.
    static LAST: Cell<u64> = const { Cell::new(0) };
}
/// How many there were.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A number that no other [`Functions`] have.
pub(super) fn number() -> u64 {
    COUNT.fetch_add(1, Relaxed) + 1
}

/// Notes that none of the [`Functions`] drew last on this thread.
pub(super) fn another_drew() {
    LAST.set(0);
}

/// What is known to be bound and set; `None` where others may have changed it.
#[derive(Default)]
pub(super) struct Known {
    /// The fixed-function state.
    pub state: KnownState,
    /// Whether what is drawn is thrown away.
    discards: Option<bool>,
    /// The active texture unit.
    active: Option<u32>,
    /// The texture of each unit.
    textures: [Option<glow::Texture>; units::COUNT],
    /// The program of the next draws.
    program: Option<glow::Program>,
    /// The vertex array.
    array: Option<glow::VertexArray>,
    /// The uniform block `Frame`.
    uniforms: Option<glow::Buffer>,
    /// What is drawn into, and the part of it. `[px]`
    draws_to: Option<glow::Framebuffer>,
    viewport: Option<[u32; 4]>,
    /// What pixels are copied from.
    reads_from: Option<glow::Framebuffer>,
    /// Whether textures take memory row after row without gaps.
    unpacks_rows: bool,
    /// Width of lines. `[px]`
    line_width: Option<f32>,
}

/// What is known of a [`State`].
#[derive(Default)]
pub(super) struct KnownState {
    /// Whether what is outside of a rectangle is cut off.
    pub cuts: Option<bool>,
    pub depth_test: Option<bool>,
    pub depth_write: Option<bool>,
    pub depth_bias: Option<f32>,
    pub one_sided: Option<bool>,
    pub blend: Option<Blend>,
}

impl Known {
    /// Forgets what the panel's painter (`egui_glow`) changes. It brings textures to the
    /// unit that is active, draws with the first one, and leaves depth writing, depth
    /// bias, uniform blocks and the other units alone. It ends with nothing cut off,
    /// culled, masked or converted, as here.
    fn forget_painted(&mut self) {
        self.state.depth_test = None;
        self.state.blend = None;
        self.state.one_sided = Some(false);
        // Where nobody knows which unit was active, it may have been any.
        match self.active.take() {
            Some(active) => self.textures[active as usize % units::COUNT] = None,
            None => self.textures = Default::default(),
        }
        self.textures[0] = None;
        self.program = None;
        self.array = None;
        self.draws_to = None;
        self.viewport = None;
        self.reads_from = None;
    }

    /// Takes `state` as set and returns what was known before.
    pub fn replace_state(&mut self, state: State) -> KnownState {
        let now = KnownState {
            cuts: Some(false),
            depth_test: Some(state.depth_test),
            depth_write: Some(state.depth_write),
            depth_bias: Some(state.depth_bias),
            one_sided: Some(state.one_sided),
            blend: Some(state.blend),
        };
        std::mem::replace(&mut self.state, now)
    }
}

impl Functions {
    /// Forgets what others than these functions may have changed since the last frame:
    /// the panel's painter, or another renderer in the same context.
    pub fn others_drew(&self) {
        let alone = LAST.replace(self.number()) == self.number();
        self.change(|known| match alone {
            true => known.forget_painted(),
            false => *known = Known::default(),
        });
    }

    /// Forgets everything: what was deleted may leave its name to something else.
    pub fn forget(&self) {
        self.change(|known| *known = Known::default());
    }

    /// Whether `now` is not what `known` has; it has it then.
    fn differs<T: Copy + PartialEq>(
        &self,
        now: T,
        known: impl FnOnce(&mut Known) -> &mut Option<T>,
    ) -> bool {
        self.change(|all| known(all).replace(now) != Some(now))
    }

    /// Makes a texture unit the active one.
    pub fn activate(&self, unit: u32) {
        if self.differs(unit, |known| &mut known.active) {
            // SAFETY: there are so many units, see `units`.
            unsafe { self.active_texture(glow::TEXTURE0 + unit) }
        }
    }

    /// Binds a texture of that kind to a unit; the unit is active only if that was to do.
    pub fn bind_unit(&self, unit: u32, kind: u32, texture: glow::Texture) {
        let slot = unit as usize % units::COUNT;
        if self.differs(texture, |known| &mut known.textures[slot]) {
            self.activate(unit);
            // SAFETY: the texture is of this context and kind.
            unsafe { self.bind_texture(kind, Some(texture)) }
        }
    }

    /// Makes it the program of the next draws.
    pub fn bind_program(&self, program: glow::Program) {
        if self.differs(program, |known| &mut known.program) {
            // SAFETY: the program is linked and of this context.
            unsafe { self.use_program(Some(program)) }
        }
    }

    /// Uses a program whose uniforms are set.
    pub fn hold_program(&self, program: glow::Program) {
        self.change(|known| known.program = Some(program));
        // SAFETY: the program is linked and of this context.
        unsafe { self.use_program(Some(program)) }
    }

    /// What is drawn or cleared from now on is thrown away, for those who capture it, or
    /// is not.
    pub fn discard(&self, on: bool) {
        if self.differs(on, |known| &mut known.discards) {
            // SAFETY: it is a capability.
            unsafe {
                match on {
                    true => self.enable(glow::RASTERIZER_DISCARD),
                    false => self.disable(glow::RASTERIZER_DISCARD),
                }
            }
        }
    }

    /// The next draws read no attributes.
    pub fn bind_empty_array(&self) {
        if let Some(empty) = self.empty {
            self.bind_array(empty);
        }
    }

    /// Makes it the vertex array of the next draws.
    pub fn bind_array(&self, array: glow::VertexArray) {
        if self.differs(array, |known| &mut known.array) {
            // SAFETY: the array is of this context.
            unsafe { self.bind_vertex_array(Some(array)) }
        }
    }

    /// Binds a texture of that kind to the first unit, where its content is set.
    pub fn hold_texture(&self, kind: u32, texture: glow::Texture) {
        // The painter, too, leaves the first unit as the active one.
        self.activate(0);
        self.change(|known| known.textures[0] = Some(texture));
        // SAFETY: the texture is of this context and kind.
        unsafe { self.bind_texture(kind, Some(texture)) }
    }

    /// Binds a buffer where its content is set. `ARRAY_BUFFER` is no part of a vertex
    /// array's state, so nothing that is bound elsewhere changes.
    pub fn hold_buffer(&self, buffer: glow::Buffer) {
        // SAFETY: the buffer is of this context.
        unsafe { self.bind_buffer(glow::ARRAY_BUFFER, Some(buffer)) }
    }

    /// Binds a vertex array whose attributes are set, or none after that.
    pub fn hold_array(&self, array: Option<glow::VertexArray>) {
        self.change(|known| known.array = array);
        // SAFETY: the array is of this context.
        unsafe { self.bind_vertex_array(array) }
    }

    /// Makes it the uniform block `Frame` of every program.
    pub fn bind_frame(&self, buffer: glow::Buffer) {
        if self.differs(buffer, |known| &mut known.uniforms) {
            // SAFETY: the buffer is of this context.
            unsafe { self.bind_buffer_base(glow::UNIFORM_BUFFER, 0, Some(buffer)) }
        }
    }

    /// Draws go to that part of a framebuffer: its left and lower side, width and height.
    pub fn draw_to(&self, framebuffer: glow::Framebuffer, part: [u32; 4]) {
        self.bind_drawn(framebuffer);
        if self.differs(part, |known| &mut known.viewport) {
            let [x, y, w, h] = part.map(|side| side as i32);
            // SAFETY: no number is negative.
            unsafe { self.viewport(x, y, w, h) }
        }
    }

    /// Copies go to that framebuffer, and draws to the part of it that is set.
    pub fn bind_drawn(&self, framebuffer: glow::Framebuffer) {
        if self.differs(framebuffer, |known| &mut known.draws_to) {
            // SAFETY: the framebuffer is of this context.
            unsafe { self.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(framebuffer)) }
        }
    }

    /// Pixels are copied from that framebuffer.
    pub fn bind_read(&self, framebuffer: glow::Framebuffer) {
        if self.differs(framebuffer, |known| &mut known.reads_from) {
            // SAFETY: the framebuffer is of this context.
            unsafe { self.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(framebuffer)) }
        }
    }

    /// Draws and copies go to the window's own framebuffer, and pixels come from there.
    /// What is drawn is seen, and what binds a texture without asking changes the first
    /// unit.
    pub fn bind_window(&self) {
        self.discard(false);
        self.activate(0);
        self.change(|known| (known.draws_to, known.reads_from) = (None, None));
        // SAFETY: every context has that framebuffer.
        unsafe { self.bind_framebuffer(glow::FRAMEBUFFER, None) }
    }

    /// Lets the driver read memory row after row without gaps.
    pub fn unpack_rows(&self) {
        let before = self.change(|known| std::mem::replace(&mut known.unpacks_rows, true));
        // SAFETY: all values are allowed ones.
        unsafe {
            if !before {
                // Texels of four bytes or more lie alike whatever the painter sets.
                self.pixel_store_i32(glow::UNPACK_ALIGNMENT, 4);
                self.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
                for name in [
                    glow::UNPACK_ROW_LENGTH,
                    glow::UNPACK_SKIP_ROWS,
                    glow::UNPACK_SKIP_PIXELS,
                ] {
                    self.pixel_store_i32(name, 0);
                }
            }
        }
    }

    /// Sets the width of lines, which the driver must take. `[px]`
    pub fn set_line_width(&self, width: f32) {
        if self.differs(width, |known| &mut known.line_width) {
            // SAFETY: the caller sees to it that the width is one that the driver takes.
            unsafe { self.line_width(width) }
        }
    }

    /// Notes that depth is or is not written from now on, and sets it.
    pub fn write_depth(&self, on: bool) {
        if self.differs(on, |known| &mut known.state.depth_write) {
            // SAFETY: any value is allowed.
            unsafe { self.depth_mask(on) }
        }
    }

    /// Nothing is cut off from now on.
    pub fn draw_all(&self) {
        if self.differs(false, |known| &mut known.state.cuts) {
            // SAFETY: it is a capability.
            unsafe { self.disable(glow::SCISSOR_TEST) }
        }
    }
}

impl Drop for Functions {
    fn drop(&mut self) {
        if let Some(empty) = self.empty {
            // SAFETY: made in `Gl::new`, deleted once.
            unsafe { self.delete_vertex_array(empty) }
        }
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

    /// Does to the context what the panel's painter does.
    fn paint(gl: &glow::Context, buffer: glow::Buffer, texture: glow::Texture) {
        // SAFETY: the context is current; both are of it.
        unsafe {
            // A new texture of its own comes to whatever unit is active.
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
            gl.enable(glow::SCISSOR_TEST);
            gl.scissor(1, 1, 3, 3);
            gl.disable(glow::CULL_FACE);
            gl.disable(glow::DEPTH_TEST);
            gl.color_mask(true, true, true, true);
            gl.enable(glow::BLEND);
            gl.blend_func(glow::ZERO, glow::DST_COLOR);
            gl.use_program(None);
            gl.disable(glow::SCISSOR_TEST);
            gl.bind_vertex_array(None);
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            gl.viewport(0, 0, 2, 2);
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        }
    }

    #[test]
    fn a_frame_is_the_same_whoever_drew_before() {
        let Some(headless) = Headless::or_skip() else {
            return;
        };
        let gl = headless.gl();
        let head = load(&HeadParams::default()).expect("the built-in head");
        let camera = Camera::new(&CameraParams::default(), head.mesh.bounds());
        let points = |moved: f32| -> Vec<Vec3> {
            let at = |i: usize| 0.02 * Vec3::new((i / 20) as f32 * 0.5 - 4.0, 6.0, i as f32 % 20.0);
            (0..400).map(|i| at(i) + moved * Vec3::Y).collect()
        };
        let renderer = || {
            let mut renderer = Renderer::new(headless.gl()).expect("every shader compiles");
            renderer.set_head(&head.mesh);
            renderer.set_groom(&Groom {
                points: points(0.0),
                starts: (0..=20).map(|strand| 20 * strand).collect(),
                masses: vec![1.0; 20],
                ..Groom::default()
            });
            renderer
        };
        let frame = |renderer: &mut Renderer, moved: f32, swift: bool| {
            renderer.upload_positions(&points(moved));
            let view = View {
                camera: &camera,
                look: &LookParams {
                    samples: if swift { 1 } else { 4 },
                    ..LookParams::default()
                },
                followers: &FollowerParams::default(),
                light: &LightParams::default(),
                environment: None,
                pose: Pose::IDENTITY,
                size: [96, 64],
                exact: false,
                swift,
            };
            renderer.frame(&view).expect("a frame");
            renderer.read_rgb().2
        };
        // SAFETY: the context is current; both are deleted below.
        let (buffer, texture) = unsafe {
            let buffer = gl.create_buffer().expect("a buffer");
            (buffer, gl.create_texture().expect("a texture"))
        };
        let others = || paint(&gl, buffer, texture);
        for swift in [false, true] {
            let mut alone = renderer();
            let wanted = [0.0, 0.05, 0.1].map(|moved| frame(&mut alone, moved, swift));
            assert!(wanted[0] != wanted[2], "hair that moves is seen");
            drop(alone);
            let mut beside_others = renderer();
            for (moved, wanted) in [0.0, 0.05, 0.1].into_iter().zip(&wanted) {
                others();
                let seen = frame(&mut beside_others, moved, swift);
                assert!(seen == *wanted, "{moved} {swift}");
            }
            let (mut one, mut two) = (renderer(), renderer());
            for (moved, wanted) in [0.0, 0.05, 0.1].into_iter().zip(&wanted) {
                for renderer in [&mut one, &mut two] {
                    others();
                    assert!(frame(renderer, moved, swift) == *wanted, "{moved} {swift}");
                }
            }
            assert_eq!(one.gl_error(), None);
        }
        // SAFETY: made above, deleted once.
        unsafe {
            gl.delete_buffer(buffer);
            gl.delete_texture(texture);
        }
    }
}
