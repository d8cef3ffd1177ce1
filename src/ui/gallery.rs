//! The pictures of the scenes that come with the program, to choose one by.
//!
//! All pictures are one image, row by row in the order of [`EXAMPLES`]; a scene
//! whose picture was not taken yet shows its name alone.

use super::{command::Command, theme};
use crate::project::examples::{EXAMPLES, Example};
use egui::{
    Align, Align2, Color32, ColorImage, Context, CursorIcon, FontId, Id, Layout, Rect, Response,
    RichText, ScrollArea, Sense, Stroke, StrokeKind, TextureHandle, TextureOptions, Ui, pos2,
    style::ScrollStyle, vec2,
};

/// Width and height of each picture in the image. `[px]`
const TILE: [usize; 2] = [160, 100];

/// Pictures in a row of the image.
const COLUMNS: usize = 5;

/// What `assets/thumbnails.sh` makes.
const IMAGE: &[u8] = include_bytes!("../../assets/scenes/thumbnails.jpg");

/// Height of the line with the name. `[points]`
const NAME: f32 = 16.0;

/// Width of a picture where all are shown. `[points]`
const ALL: f32 = 104.0;

/// Least height that is left for the list of files below. `[points]`
const LEAST: f32 = 40.0;

/// Between two of them. `[points]`
pub const GAP: f32 = 6.0;

fn decode() -> Option<image::RgbImage> {
    image::load_from_memory(IMAGE)
        .inspect_err(|error| log::error!("the pictures of the scenes: {error}"))
        .ok()
        .map(image::DynamicImage::into_rgb8)
}

/// How many scenes have a picture.
#[cfg(test)]
fn pictures() -> usize {
    // What is left over of the last row is black.
    let Some(image) = decode() else { return 0 };
    let [width, height] = TILE.map(|side| side as u32);
    let rows = image.height() / height;
    let tiles = (0..rows).flat_map(|row| (0..COLUMNS as u32).map(move |column| (column, row)));
    tiles
        .filter(|(column, row)| {
            let (x, y) = (column * width + width / 2, row * height + height / 8);
            x < image.width() && image.get_pixel(x, y).0.iter().any(|c| *c > 12)
        })
        .count()
}

/// The image on the graphics card; made when it is first shown.
fn texture(ctx: &Context) -> Option<TextureHandle> {
    let id = Id::unique("pictures of the scenes");
    if let Some(known) = ctx.data(|data| data.get_temp::<Option<TextureHandle>>(id)) {
        return known;
    }
    let made = decode().map(|image| {
        let size = [image.width() as usize, image.height() as usize];
        let image = ColorImage::from_rgb(size, image.as_raw());
        ctx.load_texture("examples", image, TextureOptions::LINEAR)
    });
    ctx.data_mut(|data| data.insert_temp(id, made.clone()));
    made
}

/// Where in the image the picture of that row of the table is.
fn place(row: usize, image: [usize; 2]) -> Option<Rect> {
    let [x, y] = [row % COLUMNS * TILE[0], row / COLUMNS * TILE[1]];
    if x + TILE[0] > image[0] || y + TILE[1] > image[1] {
        return None;
    }
    let share = |x: usize, y: usize| pos2(x as f32 / image[0] as f32, y as f32 / image[1] as f32);
    Some(Rect::from_min_max(
        share(x, y),
        share(x + TILE[0], y + TILE[1]),
    ))
}

/// One scene as a button: its picture and its name; `width` is that of the
/// picture. `[points]`
pub fn button(ui: &mut Ui, example: &'static Example, width: f32) -> Response {
    let height = width * TILE[1] as f32 / TILE[0] as f32;
    let (rect, response) = ui.allocate_exact_size(vec2(width, height + NAME), Sense::click());
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    let picture = rect.with_max_y(rect.min.y + height);
    let painter = ui.painter();
    painter.rect_filled(picture, 4, theme::SUNKEN);
    let row = EXAMPLES.iter().position(|other| other.name == example.name);
    if let (Some(row), Some(texture)) = (row, texture(ui.ctx()))
        && let Some(part) = place(row, texture.size())
    {
        painter.image(texture.id(), picture, part, Color32::WHITE);
    }
    let lit = response.hovered() || response.has_focus();
    let (edge, words) = match lit {
        true => (theme::ACCENT, theme::TEXT),
        false => (theme::FIELD, theme::WEAK),
    };
    painter.rect_stroke(picture, 4, Stroke::new(1.0, edge), StrokeKind::Inside);
    painter.text(
        pos2(rect.center().x, rect.bottom()),
        Align2::CENTER_BOTTOM,
        example.title(),
        FontId::proportional(11.0),
        words,
    );
    response.on_hover_text(example.about())
}

/// What a click on a scene does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// All of it takes the place of the scene at hand.
    Scene,
    /// Its hair grows on the head at hand.
    Hair,
}

impl Taken {
    fn of(self, example: &Example) -> Command {
        match self {
            Self::Scene => Command::Example(example.name),
            Self::Hair => Command::HairOf(example.name),
        }
    }
}

/// Whether a click takes all of a scene or its hair alone, as it was ticked last.
pub fn taken(ui: &mut Ui) -> Taken {
    let id = Id::unique("the hair alone");
    let mut alone = ui.data(|data| data.get_temp(id)).unwrap_or(false);
    let help = "Take the hairstyle alone: your head, its motion, the method, colours, lights and \
                camera stay as they are";
    if ui
        .checkbox(&mut alone, "Hair only")
        .on_hover_text(help)
        .changed()
    {
        ui.data_mut(|data| data.insert_temp(id, alone));
    }
    match alone {
        true => Taken::Hair,
        false => Taken::Scene,
    }
}

/// These scenes, as many in a line as there is room for; takes what is `taken` of the one
/// that is clicked.
pub fn show<'a>(
    ui: &mut Ui,
    examples: impl Iterator<Item = &'static Example> + 'a,
    width: f32,
    taken: Taken,
) -> Option<Command> {
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(GAP, GAP);
        for example in examples {
            if button(ui, example, width).clicked() {
                chosen = Some(taken.of(example));
            }
        }
    });
    chosen
}

/// The same in a single line, which the mouse wheel moves where it is longer than
/// there is room.
pub fn row<'a>(
    ui: &mut Ui,
    examples: impl Iterator<Item = &'static Example> + 'a,
    width: f32,
) -> Option<Command> {
    let mut opened = None;
    ui.style_mut().always_scroll_the_only_direction = true;
    ScrollArea::horizontal().show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            for example in examples {
                if button(ui, example, width).clicked() {
                    opened = Some(Command::Example(example.name));
                }
            }
        });
    });
    opened
}

/// Height of all scenes out of so much, and what is left. `[points]`
///
/// Two rows at most, and a part of the next, which says that there are more; none where
/// there is no room for one and what is below.
pub fn part_of(height: f32) -> (f32, f32) {
    let row = ALL * TILE[1] as f32 / TILE[0] as f32 + NAME + GAP;
    let rows = ((height - LEAST) / row - 0.45).floor().min(2.0);
    let own = if rows < 1.0 { 0.0 } else { (rows + 0.45) * row };
    (own, height - own)
}

/// All scenes in so much height, hairstyles first; takes the one that is clicked, or its
/// hair.
pub fn all(ui: &mut Ui, height: f32) -> Option<Command> {
    if height <= 0.0 {
        return None;
    }
    let label = |ui: &mut Ui, text: &str| {
        ui.label(RichText::new(text).small().color(theme::WEAK));
    };
    let taken = ui.horizontal(|ui| {
        label(ui, "Scenes that come with Lovelock");
        ui.with_layout(Layout::right_to_left(Align::Center), taken)
            .inner
    });
    let taken = taken.inner;
    let scenes = |ui: &mut Ui| {
        let style = show(ui, styles(), ALL, taken);
        label(
            ui,
            "Studies: alike but for length, curl and hair against hair",
        );
        style.or(show(ui, studies(), ALL, taken))
    };
    let opened = ui.scope(|ui| {
        // A bar that is seen says that there are more.
        ui.spacing_mut().scroll = ScrollStyle::thin();
        let area = ScrollArea::vertical()
            .id_salt("examples")
            .max_height(height)
            .auto_shrink([false, true]);
        area.show(ui, scenes).inner
    });
    ui.add_space(6.0);
    label(ui, "A file");
    opened.inner
}

/// Hairstyles, and not the studies.
pub fn styles() -> impl Iterator<Item = &'static Example> {
    EXAMPLES.iter().filter(|example| !example.study)
}

/// The studies.
pub fn studies() -> impl Iterator<Item = &'static Example> {
    EXAMPLES.iter().filter(|example| example.study)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_has_a_picture() {
        assert_eq!(
            pictures(),
            EXAMPLES.len(),
            "run assets/thumbnails.sh for the pictures of all scenes"
        );
    }

    #[test]
    fn low_windows_show_fewer_rows_of_scenes_and_leave_room_below() {
        let row = 87.0;
        assert_eq!(part_of(100.0), (0.0, 100.0));
        assert_eq!(part_of(180.0), (1.45 * row, 180.0 - 1.45 * row));
        for height in [0, 150, 200, 300, 400, 900] {
            let (own, rest) = part_of(height as f32);
            assert!(own <= 2.45 * row && (own + rest - height as f32).abs() < 1e-3);
            assert!(own == 0.0 || rest >= LEAST, "{height}");
        }
    }

    #[test]
    fn every_picture_lies_in_the_image_and_no_two_at_the_same_place() {
        let image = [COLUMNS * TILE[0], 3 * TILE[1]];
        let places: Vec<Rect> = (0..3 * COLUMNS)
            .filter_map(|row| place(row, image))
            .collect();
        assert_eq!(places.len(), 3 * COLUMNS);
        for (row, one) in places.iter().enumerate() {
            let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            assert!(all.contains_rect(*one));
            let others = places[row + 1..].iter();
            assert!(
                others
                    .into_iter()
                    .all(|other| { one.intersect(*other).area() < 1e-6 })
            );
        }
        assert_eq!(place(3 * COLUMNS, image), None, "not taken yet");
    }
}
