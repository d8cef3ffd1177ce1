//! The corner of the picture in which the program tells what it does: the upper right one,
//! where neither tools nor timeline are, and seldom hair.

use egui::{Align2, Area, Context, Id, Order, Rect, Ui, pos2};

/// From the edge of the picture. `[points]`
const EDGE: f32 = 10.0;

/// Between two boxes. `[points]`
const GAP: f32 = 6.0;

/// A box takes so much of the picture's width, within these bounds. `[points]`
const SHARE: f32 = 0.45;
const WIDTHS: [f32; 2] = [230.0, 330.0];

/// In a narrower place no box can be read. `[points]`
const NARROWEST: f32 = 150.0;

/// Width of what stands along the left edge. `[points]`
const TOOLS: f32 = 56.0;

/// Where the next box goes; the boxes stand below each other.
#[derive(Clone, Copy, Debug)]
pub struct MessageCorner {
    viewport: Rect,
    width: f32,
    top: f32,
}

impl MessageCorner {
    /// That of a picture in `viewport`, in whose upper left corner lies `settings`: where both
    /// have no room side by side, the boxes begin below that. None where there is no room.
    pub fn of(viewport: Rect, settings: Option<Rect>) -> Option<Self> {
        let room = viewport.width() - TOOLS - 2.0 * EDGE;
        if room < NARROWEST || viewport.height() < NARROWEST {
            return None;
        }
        let width = (SHARE * viewport.width()).clamp(WIDTHS[0], WIDTHS[1]);
        let width = width.min(room);
        let left = viewport.right() - EDGE - width;
        let below = settings.filter(|settings| settings.right() + GAP > left);
        let top = below.map_or(viewport.top() + EDGE, |settings| settings.bottom() + GAP);
        Some(Self {
            viewport,
            width,
            top,
        })
    }

    /// Width of a box with its frame. `[points]`
    pub fn width(&self) -> f32 {
        self.width
    }

    /// What is left of the picture's height. `[points]`
    pub fn room(&self) -> f32 {
        self.viewport.bottom() - self.top
    }

    /// Draws a box of its own name, and goes on below it. Windows and dialogs lie above it.
    pub fn put<R>(&mut self, ctx: &Context, id: Id, draw: impl FnOnce(&mut Ui) -> R) -> R {
        let shown = Area::new(id)
            .order(Order::Middle)
            .pivot(Align2::RIGHT_TOP)
            .fixed_pos(pos2(self.viewport.right() - EDGE, self.top))
            .constrain_to(self.viewport)
            .show(ctx, draw);
        self.top += shown.response.rect.height() + GAP;
        shown.inner
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;

    #[test]
    fn the_corner_keeps_clear_of_a_tool_s_settings() {
        let settings = Rect::from_min_size(pos2(56.0, 10.0), vec2(320.0, 120.0));
        let corner = |width, height| {
            let viewport = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height));
            MessageCorner::of(viewport, Some(settings))
        };
        let wide = corner(916.0, 600.0).expect("room");
        assert_eq!((wide.top, wide.width), (EDGE, WIDTHS[1]));
        let narrow = corner(516.0, 454.0).expect("room");
        assert!(narrow.top > settings.bottom(), "{narrow:?}");
        assert!(516.0 - EDGE - narrow.width > TOOLS);
        assert!(corner(200.0, 600.0).is_none() && corner(600.0, 100.0).is_none());
    }
}
