//! Eyes for what is on the screen.

use std::path::Path;

/// What is on the screen.
#[derive(Clone, PartialEq)]
pub struct Shot {
    pub width: usize,
    pub height: usize,
    /// Red, green, blue.
    pub pixels: Vec<[u8; 3]>,
}

impl Shot {
    pub fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.pixels[y * self.width + x]
    }

    /// The part from (x, y) of that size.
    pub fn crop(&self, [x, y]: [usize; 2], [width, height]: [usize; 2]) -> Self {
        let rows = (y..y + height).flat_map(|row| {
            let start = row * self.width + x;
            self.pixels[start..start + width].iter().copied()
        });
        Self {
            width,
            height,
            pixels: rows.collect(),
        }
    }

    /// Writes the shot where a person can look at it after a failure.
    pub fn keep(&self, name: &str) {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
        let (width, height) = (self.width as u32, self.height as u32);
        let bytes = self.pixels.as_flattened();
        image::save_buffer(&path, bytes, width, height, image::ColorType::Rgb8)
            .unwrap_or_else(|error| eprintln!("{}: {error}", path.display()));
    }

    /// Whether there is skin in the picture; the backdrop is grey.
    pub fn shows_head(&self) -> bool {
        let skin = |p: &&[u8; 3]| p[0] > 140 && p[0] > p[2].saturating_add(8);
        let count = self.pixels.iter().filter(skin).count();
        count > self.pixels.len() / 40
    }

    /// Share of pixels that are clearly different.
    pub fn difference(&self, other: &Self) -> f64 {
        let clearly = |(a, b): &(&[u8; 3], &[u8; 3])| {
            a.iter().zip(b.iter()).any(|(a, b)| a.abs_diff(*b) > 24)
        };
        let different = self.pixels.iter().zip(&other.pixels).filter(clearly);
        different.count() as f64 / self.pixels.len() as f64
    }
}
