//! Mouse drags in the picture: orbit and pan.

use crate::render::Camera;
use egui::CursorIcon;
use winit::event::MouseButton;

/// What a drag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drag {
    Orbit,
    Pan,
}

/// A movement of the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// Around the point looked at. `[points]`
    Orbit([f32; 2]),
    /// Sideways, in a picture of that height. `[points]`
    Pan([f32; 2], f32),
}

impl Turn {
    /// Moves the camera.
    pub fn apply(self, camera: &mut Camera) {
        match self {
            Self::Orbit([x, y]) => camera.orbit(x, y),
            Self::Pan([x, y], height) => camera.pan(x, y, height),
        }
    }
}

/// A hand that clicks moves the mouse no farther. `[points]`
const STEADY: f32 = 4.0;

/// The drag in progress, if any, and where the cursor is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gesture {
    drag: Option<(MouseButton, Drag)>,
    at: [f32; 2],
    /// How far the drag has come in all. `[points]`
    way: f32,
}

impl Gesture {
    /// Where the cursor is. `[points]`
    pub fn at(&self) -> [f32; 2] {
        self.at
    }

    /// A button went down in the picture.
    pub fn begin(&mut self, button: MouseButton, shift: bool) {
        let drag = match (button, shift) {
            (MouseButton::Left, false) => Drag::Orbit,
            (MouseButton::Left, true) | (MouseButton::Middle, _) => Drag::Pan,
            _ => return,
        };
        if self.drag.is_none() {
            (self.drag, self.way) = (Some((button, drag)), 0.0);
        }
    }

    /// A button went up; true when that was a click and no drag.
    pub fn release(&mut self, button: MouseButton) -> bool {
        let ended = self.drag.take_if(|(held, _)| *held == button);
        ended == Some((MouseButton::Left, Drag::Orbit)) && self.way < STEADY
    }

    /// The window lost the mouse.
    pub fn end(&mut self) {
        self.drag = None;
    }

    /// The cursor moved to `at` in a picture of that height. `[points]`
    pub fn moved(&mut self, at: [f32; 2], height: f32) -> Option<Turn> {
        let by = [at[0] - self.at[0], at[1] - self.at[1]];
        self.at = at;
        let (_, drag) = self.drag?;
        self.way += by[0].hypot(by[1]);
        Some(match drag {
            Drag::Orbit => Turn::Orbit(by),
            Drag::Pan => Turn::Pan(by, height),
        })
    }

    /// The cursor that shows what is going on.
    pub fn cursor(&self) -> Option<CursorIcon> {
        self.drag.map(|(_, drag)| match drag {
            Drag::Orbit => CursorIcon::Grabbing,
            Drag::Pan => CursorIcon::Move,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_is_a_press_that_hardly_moves() {
        let mut gesture = Gesture::default();
        gesture.moved([50.0, 50.0], 100.0);
        gesture.begin(MouseButton::Left, false);
        gesture.moved([51.0, 51.0], 100.0);
        assert!(gesture.release(MouseButton::Left));
        assert!(
            !gesture.release(MouseButton::Left),
            "it was released before"
        );
        gesture.begin(MouseButton::Left, false);
        gesture.moved([58.0, 51.0], 100.0);
        gesture.moved([51.0, 51.0], 100.0);
        assert!(!gesture.release(MouseButton::Left), "to and fro is a drag");
        gesture.begin(MouseButton::Middle, false);
        assert!(
            !gesture.release(MouseButton::Middle),
            "that button picks nothing"
        );
    }

    #[test]
    fn a_drag_lasts_from_press_to_release_of_its_button() {
        let mut gesture = Gesture::default();
        assert_eq!(gesture.moved([10.0, 10.0], 100.0), None);
        gesture.begin(MouseButton::Left, false);
        assert_eq!(
            gesture.moved([13.0, 8.0], 100.0),
            Some(Turn::Orbit([3.0, -2.0]))
        );
        // Another button neither takes over nor ends it.
        gesture.begin(MouseButton::Middle, false);
        gesture.release(MouseButton::Middle);
        assert_eq!(
            gesture.moved([14.0, 8.0], 100.0),
            Some(Turn::Orbit([1.0, 0.0]))
        );
        gesture.release(MouseButton::Left);
        assert_eq!(gesture.moved([20.0, 8.0], 100.0), None);
        for (button, shift) in [(MouseButton::Middle, false), (MouseButton::Left, true)] {
            gesture.begin(button, shift);
            let turn = gesture.moved([21.0, 8.0], 100.0);
            assert!(matches!(turn, Some(Turn::Pan(_, 100.0))), "{turn:?}");
            gesture.end();
            gesture.moved([20.0, 8.0], 100.0);
        }
        gesture.begin(MouseButton::Right, false);
        assert_eq!(gesture.moved([25.0, 8.0], 100.0), None);
    }
}
