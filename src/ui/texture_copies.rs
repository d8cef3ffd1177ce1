//! Copies of the panel's textures: letters and little pictures. egui hands over each
//! change of them once; on a new OpenGL context all of them are needed again.

use egui::{
    Color32, ColorImage, TextureId, TexturesDelta,
    epaint::{ImageData, ImageDelta, textures::TextureOptions},
};
use std::{collections::HashMap, sync::Arc};

/// The textures as they are now.
#[derive(Default)]
pub struct TextureCopies {
    images: HashMap<TextureId, (Arc<ColorImage>, TextureOptions)>,
}

impl TextureCopies {
    /// Follows a change.
    pub fn follow(&mut self, delta: &TexturesDelta) {
        for (id, changes) in &delta.set {
            for ImageDelta {
                image: ImageData::Color(image),
                options,
                pos,
            } in changes
            {
                match (pos, self.images.get_mut(id)) {
                    (None, _) => _ = self.images.insert(*id, (image.clone(), *options)),
                    (Some(at), Some((whole, _))) => lay_over(Arc::make_mut(whole), image, *at),
                    // A part of nothing is nothing.
                    (Some(_), None) => {}
                }
            }
        }
        for id in &delta.free {
            self.images.remove(id);
        }
    }

    /// All textures, each whole.
    pub fn all(&self) -> impl Iterator<Item = (TextureId, ImageDelta)> {
        let images = self.images.iter();
        images.map(|(id, (image, options))| (*id, ImageDelta::full(image.clone(), *options)))
    }
}

/// Copies `part` into `whole`, its upper left corner to `at`; what lies outside is cut off.
fn lay_over(whole: &mut ColorImage, part: &ColorImage, [left, top]: [usize; 2]) {
    let width = whole.size[0];
    let length = part.size[0].min(width.saturating_sub(left));
    if length == 0 {
        return;
    }
    let rows = whole.pixels.chunks_exact_mut(width).skip(top);
    let parts: std::slice::ChunksExact<'_, Color32> = part.pixels.chunks_exact(part.size[0]);
    for (row, part) in rows.zip(parts) {
        row[left..left + length].copy_from_slice(&part[..length]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_what_the_changes_have_made() {
        let (grey, red) = (Color32::GRAY, Color32::RED);
        let whole = ImageDelta::full(ColorImage::filled([4, 3], grey), TextureOptions::LINEAR);
        let part = |at| {
            let image = ColorImage::filled([2, 2], red);
            ImageDelta::partial(at, image, TextureOptions::LINEAR)
        };
        let [one, other] = [1, 2].map(TextureId::Managed);
        let mut copies = TextureCopies::default();
        let mut delta = TexturesDelta::default();
        delta.push(one, whole.clone());
        delta.push(one, part([1, 0]));
        delta.push(other, whole);
        copies.follow(&delta);
        let mut delta = TexturesDelta::default();
        delta.push(one, part([3, 2]));
        delta.free(other);
        copies.follow(&delta);

        let all: Vec<_> = copies.all().collect();
        assert_eq!(all.len(), 1);
        let (id, delta) = &all[0];
        let ImageData::Color(image) = &delta.image;
        assert_eq!((*id, delta.pos, image.size), (one, None, [4, 3]));
        let reds: Vec<usize> = (0..12).filter(|i| image.pixels[*i] == red).collect();
        assert_eq!(reds, [1, 2, 5, 6, 11]);
    }
}
