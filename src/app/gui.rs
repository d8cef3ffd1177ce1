//! egui in the window: events in, shapes out.
//!
//! egui's own glue asks the window for its size in every frame, and that
//! panics when another program has destroyed the window; here the size is the
//! one that the last event told.

use super::theme;
use anyhow::anyhow;
use egui::{Context, Pos2, Rect, TexturesDelta, ViewportId, epaint::ClippedShape, vec2};
use egui_glow::{
    EventResponse, Painter,
    egui_winit::{self, State},
};
use std::{sync::Arc, time::Instant};
use winit::{event::WindowEvent, event_loop::ActiveEventLoop, window::Window};

/// Panel, messages and dialogs of one window.
pub struct Gui {
    context: Context,
    state: State,
    painter: Painter,
    begun: Instant,
    shapes: Vec<ClippedShape>,
    textures: TexturesDelta,
}

impl Gui {
    /// Fits out a window.
    ///
    /// # Errors
    /// When the driver refuses what the panel is painted with.
    pub fn new(event_loop: &ActiveEventLoop, gl: Arc<glow::Context>) -> anyhow::Result<Self> {
        let painter = Painter::new(gl, "", None, true)
            .map_err(|error| anyhow!("the panel cannot be painted: {error}"))?;
        let context = Context::default();
        theme::apply(&context);
        let state = State::new(
            context.clone(),
            ViewportId::ROOT,
            event_loop,
            None,
            event_loop.system_theme(),
            Some(painter.max_texture_side()),
        );
        Ok(Self {
            context,
            state,
            painter,
            begun: Instant::now(),
            shapes: Vec::new(),
            textures: TexturesDelta::default(),
        })
    }

    /// What is remembered from frame to frame.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Looks at an event before anybody else does.
    pub fn on_event(&mut self, window: &Window, event: &WindowEvent) -> EventResponse {
        self.state.on_window_event(window, event)
    }

    /// Lays out one frame in a window of that size. `[px]`
    pub fn run(
        &mut self,
        window: &Window,
        [width, height]: [u32; 2],
        draw: impl FnMut(&mut egui::Ui),
    ) {
        let scale = egui_winit::pixels_per_point(&self.context, window);
        let size = vec2(width as f32, height as f32) / scale;
        let input = self.state.egui_input_mut();
        input.time = Some(self.begun.elapsed().as_secs_f64());
        input.screen_rect = Some(Rect::from_min_size(Pos2::ZERO, size));
        input.viewport_id = ViewportId::ROOT;
        let viewport = input.viewports.entry(ViewportId::ROOT).or_default();
        viewport.native_pixels_per_point = Some(window.scale_factor() as f32);
        let output = self.context.run_ui(input.take(), draw);
        self.state
            .handle_platform_output(window, output.platform_output);
        self.shapes = output.shapes;
        self.textures.append(output.textures_delta);
    }

    /// Paints what was laid out over what is there. `[px]`
    pub fn paint(&mut self, size: [u32; 2]) {
        let scale = self.context.pixels_per_point();
        let shapes = std::mem::take(&mut self.shapes);
        let shapes = self.context.tessellate(shapes, scale);
        self.painter
            .paint_and_update_textures(size, scale, &shapes, &mut self.textures);
    }

    /// Gives back what it has of the graphics card.
    pub fn close(mut self) {
        self.painter.destroy();
    }
}
