//! Mouse drags in the picture: orbit and pan, and the head turned and moved.

use egui::CursorIcon;
use winit::event::MouseButton;

/// What a drag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drag {
    Orbit,
    Pan,
    TurnHead,
    MoveHead,
}

/// A movement of the camera or of the head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// Around the point looked at. `[points]`
    Orbit([f32; 2]),
    /// Sideways, in a picture of that height. `[points]`
    Pan([f32; 2], f32),
    /// The head about its neck. `[points]`
    Head([f32; 2]),
    /// The head sideways, in a picture of that height. `[points]`
    MoveHead([f32; 2], f32),
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
            (MouseButton::Right, false) => Drag::TurnHead,
            (MouseButton::Right, true) => Drag::MoveHead,
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

    /// Whether this button turns the picture.
    pub fn orbits(&self, button: MouseButton) -> bool {
        self.drag == Some((button, Drag::Orbit))
    }

    /// Whether something is dragged.
    pub fn drags(&self) -> bool {
        self.drag.is_some()
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
            Drag::TurnHead => Turn::Head(by),
            Drag::MoveHead => Turn::MoveHead(by, height),
        })
    }

    /// The cursor that shows what is going on.
    pub fn cursor(&self) -> Option<CursorIcon> {
        self.drag.map(|(_, drag)| match drag {
            Drag::Orbit | Drag::TurnHead => CursorIcon::Grabbing,
            Drag::Pan | Drag::MoveHead => CursorIcon::Move,
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
        assert_eq!(
            gesture.moved([25.0, 8.0], 100.0),
            Some(Turn::Head([5.0, 0.0]))
        );
        assert!(!gesture.release(MouseButton::Right));
        gesture.begin(MouseButton::Right, true);
        assert_eq!(
            gesture.moved([25.0, 9.0], 100.0),
            Some(Turn::MoveHead([0.0, 1.0], 100.0))
        );
    }
}
