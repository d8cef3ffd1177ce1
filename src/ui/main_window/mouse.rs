//! What the mouse does in the picture.

use super::MainWindow;
use crate::ui::{app_state::AppState, tool::Tool};
use winit::{
    event::{ElementState, MouseButton, MouseScrollDelta},
    keyboard::ModifiersState,
};

/// A touchpad's way that counts as a notch of a wheel. `[points]`
const NOTCH: f64 = 60.0;

/// Buttons that go down and up while one frame is drawn, at most.
const MOST_CLICKS: u32 = 16;

/// Notches of a wheel that a pinch to double the size counts as.
const PINCH: f64 = 8.0;

impl MainWindow {
    /// A button went down or up.
    pub fn mouse_button(
        &mut self,
        program: &mut AppState,
        state: ElementState,
        button: MouseButton,
    ) {
        if state == ElementState::Pressed {
            self.take_clicks(program);
        }
        let free = self.pointer_on_picture();
        if free {
            // What is done in the picture waits for no frame.
            self.finish_keys(program);
        }
        match state {
            ElementState::Pressed => {
                // What is done in the panel leaves the camera on its way.
                if free {
                    program.halt();
                    self.press_in_picture(program, button);
                }
            }
            ElementState::Released => self.release_button(program, button, free),
        }
    }

    /// Lets the panel take in the clicks before this press: a brush that was chosen while a slow
    /// frame was drawn must brush, not orbit.
    fn take_clicks(&mut self, program: &mut AppState) {
        let mut left = MOST_CLICKS;
        while left > 0 && self.gui.waits_for_button() {
            self.panel(program);
            left -= 1;
        }
    }

    /// Takes what is under the cursor in hand: a handle, hair, or else the camera.
    fn press_in_picture(&mut self, program: &mut AppState, button: MouseButton) {
        let left = button == MouseButton::Left;
        if left && self.grab(program) {
            return;
        }
        let turns = ModifiersState::SHIFT | ModifiersState::ALT;
        if left
            && !self.modifiers.intersects(turns)
            && let Some((side, sight)) = self.sight(program)
            && program.grab(side, &sight)
        {
            self.pacing.want();
            return;
        }
        self.gesture.begin(button, self.modifiers.shift_key());
    }

    /// Lets go of what that button held; a click picks the strand under the cursor.
    fn release_button(&mut self, program: &mut AppState, button: MouseButton, free: bool) {
        let left = button == MouseButton::Left;
        if self.gesture.orbits(button) {
            program.throw();
            self.pacing.want();
        }
        if left && program.ui.hand.works() {
            program.let_go(self.modifiers.shift_key());
            self.pacing.want();
        } else if left && self.let_go() {
            program.release();
        } else if self.gesture.release(button) && free {
            self.pick(program);
            self.pacing.want();
        }
    }

    /// The cursor moved to that place in the window. `[px]`
    pub fn mouse_moved(&mut self, program: &mut AppState, place: [f64; 2]) {
        let points = self.points(place);
        let height = self.pan_height(program);
        if program.ui.hand.tool != Tool::Look {
            // The circle of the brush goes with the cursor.
            self.pacing.want();
        }
        if let Some(turn) = self.gesture.moved(points, height) {
            program.turn(turn);
            self.pacing.want();
        }
        if let Some(command) = self.pulled(program) {
            program.perform(command);
            self.pacing.want();
        }
        if program.ui.hand.works()
            && let Some((_, sight)) = self.sight(program)
        {
            program.drag(&sight);
        }
    }

    /// The wheel was turned.
    pub fn wheel(&mut self, program: &mut AppState, delta: MouseScrollDelta) {
        self.zoom(program, notches(delta, self.scale()));
    }

    /// Two fingers opened by that share, or closed.
    pub fn pinch(&mut self, program: &mut AppState, share: f64) {
        self.zoom(program, (PINCH * share) as f32);
    }

    fn zoom(&mut self, program: &mut AppState, notches: f32) {
        if self.pointer_on_picture() {
            program.zoom(notches);
            self.pacing.want();
        }
    }

    /// The mouse belongs to another window now.
    pub fn lose_mouse(&mut self, program: &mut AppState) {
        self.gesture.end();
        self.let_go();
        program.let_go(false);
    }
}

/// Notches of a wheel that was turned, or of a touchpad's way in a window of so many
/// pixels a point.
fn notches(delta: MouseScrollDelta, scale: f32) -> f32 {
    match delta {
        MouseScrollDelta::LineDelta(_, y) => y,
        MouseScrollDelta::PixelDelta(by) => (by.y / NOTCH) as f32 / scale,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use winit::dpi::PhysicalPosition;

    #[test]
    fn a_touchpad_zooms_alike_on_every_display() {
        let way = |pixels| MouseScrollDelta::PixelDelta(PhysicalPosition::new(0.0, pixels));
        assert_eq!(notches(way(60.0), 1.0), notches(way(120.0), 2.0));
        let wheel = MouseScrollDelta::LineDelta(0.0, 1.0);
        assert_eq!(notches(wheel, 2.0), notches(way(60.0), 1.0));
    }
}
