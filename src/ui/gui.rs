//! egui in the window: events in, shapes out.
//!
//! egui's own glue asks the window for its size in every frame, and that
//! panics when another program has destroyed the window; here the size is the
//! one that the last event told.

use super::{texture_copies::TextureCopies, theme};
use anyhow::anyhow;
use egui::{Context, Event, Pos2, Rect, TexturesDelta, ViewportId, epaint::ClippedShape, vec2};
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
    /// Events that wait for the next frame.
    later: Vec<Event>,
    /// How many events frames have taken in, since the start.
    taken: u64,
    shapes: Vec<ClippedShape>,
    textures: TexturesDelta,
    copies: TextureCopies,
}

impl Gui {
    /// Fits out a window.
    ///
    /// # Errors
    /// When the driver refuses what the panel is painted with.
    pub fn new(event_loop: &ActiveEventLoop, gl: Arc<glow::Context>) -> anyhow::Result<Self> {
        let painter = painter(gl)?;
        let context = Context::default();
        theme::apply(&context);
        // A press and a release over the same button are a click however long
        // it takes: where the processor draws, a frame can take a second.
        context.options_mut(|options| options.input_options.max_click_duration = f64::INFINITY);
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
            later: Vec::new(),
            taken: 0,
            shapes: Vec::new(),
            textures: TexturesDelta::default(),
            copies: TextureCopies::default(),
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

    /// How many events frames have taken in, since the start.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// The same with those that wait for a frame.
    pub fn arrived(&self) -> u64 {
        let waiting = self.later.len() + self.state.egui_input().events.len();
        self.taken + waiting as u64
    }

    /// Whether what the mouse did waits for a frame, or goes on there: a button that went
    /// down or up, a widget that is dragged.
    pub fn waits_for_mouse(&self) -> bool {
        let waiting = self.later.iter().chain(&self.state.egui_input().events);
        let button = |event: &Event| matches!(event, Event::PointerButton { .. });
        waiting.into_iter().any(button) || self.context.egui_is_using_pointer()
    }

    /// Whether a button that went down or up before the last one waits for a frame.
    pub fn waits_for_button(&self) -> bool {
        let waiting = self.later.iter().chain(&self.state.egui_input().events);
        let button = |event: &&Event| matches!(event, Event::PointerButton { .. });
        waiting.filter(button).count() > 1
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
        let mut input = input.take();
        self.later.append(&mut input.events);
        input.events = first_part(&mut self.later);
        self.taken += input.events.len() as u64;
        if !self.later.is_empty() {
            self.context.request_repaint();
        }
        let output = self.context.run_ui(input, draw);
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
        self.copies.follow(&self.textures);
        self.painter
            .paint_and_update_textures(size, scale, &shapes, &mut self.textures);
    }

    /// Gives back what it has of the graphics card, whose context is about to go.
    /// Before anything is painted again, [`paint_on`](Self::paint_on) another one.
    pub fn leave(&mut self) {
        self.painter.destroy();
    }

    /// Paints on another context from now on, with all that was painted with so far.
    ///
    /// # Errors
    /// When the driver refuses what the panel is painted with.
    pub fn paint_on(&mut self, gl: Arc<glow::Context>) -> anyhow::Result<()> {
        self.painter = painter(gl)?;
        for (id, texture) in self.copies.all() {
            self.painter.set_texture(id, &texture);
        }
        Ok(())
    }
}

fn painter(gl: Arc<glow::Context>) -> anyhow::Result<Painter> {
    // Without noise in its colours, which are flat: a driver that draws in software takes
    // half as long again for a panel with it.
    Painter::new(gl, "", None, false)
        .map_err(|error| anyhow!("the panel cannot be painted: {error}"))
}

/// Takes out of `events` those of one frame: up to a mouse button that goes down
/// or up, where the mouse does more after that. egui asks where the mouse is at a
/// frame's end. Where frames are slow, a slider that was let go would follow the
/// mouse on its way elsewhere, and a press would hit what lies under that way.
fn first_part(events: &mut Vec<Event>) -> Vec<Event> {
    let button = |event: &Event| matches!(event, Event::PointerButton { .. });
    let mouse = |event: &Event| button(event) || matches!(event, Event::PointerMoved(_));
    let end = events.iter().position(button).map(|at| at + 1);
    let end = end.filter(|end| events[*end..].iter().any(mouse));
    let rest = events.split_off(end.unwrap_or(events.len()));
    std::mem::replace(events, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::widgets::rails::{button, moved};

    #[test]
    fn a_button_is_the_last_thing_that_the_mouse_does_in_a_frame() {
        let at = |x: f32| Pos2::new(x, 20.0);
        let all = vec![
            moved(at(1.0)),
            moved(at(2.0)),
            button(at(2.0), true),
            moved(at(3.0)),
            moved(at(9.0)),
            button(at(9.0), false),
            Event::Text("a".into()),
            moved(at(500.0)),
        ];
        let mut left = all.clone();
        let frames = [3, 3, 2].map(|_| first_part(&mut left));
        assert_eq!(frames.each_ref().map(Vec::len), [3, 3, 2]);
        assert!(left.is_empty() && first_part(&mut left).is_empty());
        assert_eq!(frames.concat(), all);
        // Where nothing follows, nothing waits.
        let mut left = vec![moved(at(1.0)), button(at(1.0), true), Event::Copy];
        assert_eq!((first_part(&mut left).len(), left.len()), (3, 0));
    }
}
