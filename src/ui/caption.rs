//! The names of the sides, painted over a picture: in the window by its own
//! painter, elsewhere by one that needs no window.

use super::theme;
use crate::project::sides;
use anyhow::anyhow;
use egui::{
    Align2, Color32, Context, FontId, Pos2, RawInput, Rect, TexturesDelta, ViewportId, pos2,
    text::{LayoutJob, TextFormat, TextWrapping},
    vec2,
};
use egui_glow::Painter;
use std::sync::Arc;

/// The colours of the sides, in their order.
const COLOURS: [Color32; 6] = [
    Color32::from_rgb(226, 150, 86),
    Color32::from_rgb(112, 176, 228),
    Color32::from_rgb(140, 194, 108),
    Color32::from_rgb(200, 146, 212),
    Color32::from_rgb(222, 200, 104),
    Color32::from_rgb(104, 202, 192),
];

/// Height of a picture whose captions have their ordinary size. `[px]`
const ORDINARY: f32 = 720.0;

/// Pixels a point of what is painted over a picture of that height. `[px]`
pub fn scale(height: u32) -> f32 {
    (height as f32 / ORDINARY).max(1.0)
}

/// The colour that stands for a side in captions, tabs and plots.
pub fn colour(side: usize) -> Color32 {
    COLOURS[side % COLOURS.len()]
}

/// What stands under one side of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Caption {
    /// The side's part of the picture. `[points]`
    pub rect: Rect,
    /// Which side: chooses the colour.
    pub side: usize,
    /// A letter before the name.
    pub letter: Option<char>,
    /// The method's name.
    pub name: String,
}

impl Caption {
    /// Paints it into the lower left corner of its part: light on a dark pill,
    /// legible over anything, cut off where there is no room.
    pub fn paint(&self, painter: &egui::Painter) {
        let height = letters(&self.rect);
        let inset = (self.rect.width() / 40.0).clamp(2.0, 10.0);
        let pad = vec2(0.6 * height, 0.36 * height);
        let mark = match self.letter {
            Some(_) => 1.25 * height,
            None => 0.62 * height,
        };
        let gap = 0.5 * height;
        let room = self.rect.width() - 2.0 * (inset + pad.x) - mark - gap;
        if room < height {
            return;
        }
        let format = TextFormat::simple(FontId::proportional(height), Color32::from_gray(244));
        let mut job = LayoutJob::single_section(self.name.clone(), format);
        job.wrap = TextWrapping::truncate_at_width(room);
        let words = painter.layout_job(job);
        let size = vec2(
            2.0 * pad.x + mark + gap + words.size().x,
            2.0 * pad.y + words.size().y.max(mark),
        );
        let corner = pos2(self.rect.left() + inset, self.rect.bottom() - inset);
        let pill = Rect::from_min_max(
            pos2(corner.x, corner.y - size.y),
            pos2(corner.x + size.x, corner.y),
        );
        painter.rect_filled(pill, 0.35 * pill.height(), Color32::from_black_alpha(168));
        let centre = pos2(pill.left() + pad.x + 0.5 * mark, pill.center().y);
        match self.letter {
            Some(letter) => chip(painter, centre, mark, self.side, letter),
            None => {
                painter.circle_filled(centre, 0.5 * mark, colour(self.side));
            }
        }
        let place = pos2(
            pill.left() + pad.x + mark + gap,
            pill.center().y - 0.5 * words.size().y,
        );
        painter.galley(place, words, Color32::WHITE);
    }
}

/// Height of letters in a part of a picture: small pictures get small ones.
/// `[points]`
fn letters(rect: &Rect) -> f32 {
    (rect.width() / 15.0).clamp(8.0, 14.0)
}

/// Lines above one another in the lower left corner of `rect` `[points]`, the last
/// one lowest, each with a colour of its own.
pub fn stacked(lines: &[String], rect: Rect) -> Vec<Caption> {
    let pace = 2.2 * letters(&rect);
    let caption = |(side, name): (usize, &String)| {
        let below = (lines.len() - 1 - side) as f32;
        let bottom = rect.bottom() - below * pace;
        Caption {
            rect: Rect::from_min_max(rect.min, pos2(rect.right(), bottom)),
            side,
            letter: None,
            name: name.clone(),
        }
    };
    lines.iter().enumerate().map(caption).collect()
}

/// What stands under sides of these methods, each in its part of the picture
/// `[points]`; nothing under a single one. With a letter each, or only where two
/// methods are the same.
pub fn captions(ids: &[&str], letters: bool, rects: impl Iterator<Item = Rect>) -> Vec<Caption> {
    if ids.len() < 2 {
        return Vec::new();
    }
    let names = sides::names(ids, letters).into_iter().zip(rects);
    let caption = |(side, ((letter, name), rect)): (usize, ((Option<char>, &str), Rect))| Caption {
        rect,
        side,
        letter,
        name: name.into(),
    };
    names.enumerate().map(caption).collect()
}

/// A side's letter on its colour.
pub fn chip(painter: &egui::Painter, centre: Pos2, height: f32, side: usize, letter: char) {
    let square = Rect::from_center_size(centre, vec2(height, height));
    painter.rect_filled(square, 0.24 * height, colour(side));
    painter.text(
        centre,
        Align2::CENTER_CENTER,
        letter,
        FontId::proportional(0.82 * height),
        theme::SUNKEN,
    );
}

/// Paints captions into whatever framebuffer is bound.
///
/// The context it was made from must be current at every call, and when it is
/// dropped.
pub struct Captions {
    context: Context,
    painter: Painter,
    textures: TexturesDelta,
}

impl Captions {
    /// Fits out a context that is current on this thread.
    ///
    /// # Errors
    /// When the driver refuses what text is painted with.
    pub fn new(gl: Arc<glow::Context>) -> anyhow::Result<Self> {
        let painter = Painter::new(gl, "", None, false)
            .map_err(|error| anyhow!("the captions cannot be painted: {error}"))?;
        let context = Context::default();
        theme::apply(&context);
        Ok(Self {
            context,
            painter,
            textures: TexturesDelta::default(),
        })
    }

    /// Lets `over` paint over a picture of that size `[px]`, with so many pixels a
    /// point.
    pub fn paint(
        &mut self,
        [width, height]: [u32; 2],
        scale: f32,
        over: &mut dyn FnMut(&egui::Painter),
    ) {
        let size = vec2(width as f32, height as f32) / scale;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            max_texture_side: Some(self.painter.max_texture_side()),
            ..RawInput::default()
        };
        let viewport = input.viewports.entry(ViewportId::ROOT).or_default();
        viewport.native_pixels_per_point = Some(scale);
        let output = self.context.run_ui(input, |ui| {
            over(ui.painter());
        });
        self.textures.append(output.textures_delta);
        let shapes = self.context.tessellate(output.shapes, scale);
        self.painter
            .paint_and_update_textures([width, height], scale, &shapes, &mut self.textures);
    }
}

impl Drop for Captions {
    fn drop(&mut self) {
        self.painter.destroy();
    }
}
