//! A contact sheet: many pictures in rows and columns of one.

use super::output::cannot_write;
use crate::io;
use anyhow::{Context as _, ensure};
use image::{ImageFormat, Rgb, RgbImage, imageops};
use std::{io::Cursor, path::Path};

/// Space between pictures and around them. `[px]`
const GAP: u32 = 6;

/// What is between them.
const GROUND: Rgb<u8> = Rgb([24, 24, 26]);

/// The longest side of a sheet. `[px]`
pub const LONGEST: u32 = 32_768;

/// So many pictures of one list alone stand in one row.
const IN_A_ROW: u32 = 6;

/// Columns and rows of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Pictures beside one another.
    pub columns: u32,
    /// Rows of them; the last one may not be full.
    pub rows: u32,
}

impl Grid {
    /// For values of so many counts, the last of which changes fastest: its values
    /// lie in a row. One list alone has one row of pictures of that width, in `[px]`, where
    /// that is not too long, and else rows alike.
    pub fn of(counts: &[usize], width: u32) -> Self {
        let all = counts.iter().product::<usize>().max(1) as u32;
        let columns = match counts {
            [] => 1,
            [_] => {
                let square = (1..=all).find(|n| n * n >= all).unwrap_or(1);
                let fitting = (LONGEST - GAP) / width.saturating_add(GAP);
                let most = square.max(IN_A_ROW).min(fitting).max(1);
                all.div_ceil(all.div_ceil(most))
            }
            [.., last] => *last as u32,
        };
        Self {
            columns,
            rows: all.div_ceil(columns),
        }
    }

    /// Width and height of a sheet of pictures of `size`; none where that is more
    /// than a sheet may have. `[px]`
    pub fn size(self, size: [u32; 2]) -> Option<[u32; 2]> {
        let side = |count: u32, side: u32| {
            let all = side
                .checked_add(GAP)?
                .checked_mul(count)?
                .checked_add(GAP)?;
            (all <= LONGEST).then_some(all)
        };
        Some([side(self.columns, size[0])?, side(self.rows, size[1])?])
    }
}

/// Joins the pictures at `paths`, each of `size` `[px]`, row by row into one at `out`.
pub fn join<P: AsRef<Path>>(
    paths: &[P],
    size: [u32; 2],
    grid: Grid,
    out: &Path,
) -> anyhow::Result<()> {
    let [width, height] = grid
        .size(size)
        .context("the sheet is too large; ask for a smaller --size")?;
    let mut sheet = RgbImage::from_pixel(width, height, GROUND);
    for (index, path) in paths.iter().enumerate() {
        let path = path.as_ref();
        let shown = path.display();
        let picture = image::open(path)
            .with_context(|| format!("cannot read {shown}; draw it again"))?
            .to_rgb8();
        let found = picture.dimensions();
        ensure!(
            found == (size[0], size[1]),
            "{shown} has {}x{} pixels, not {}x{}; draw it again",
            found.0,
            found.1,
            size[0],
            size[1]
        );
        let (column, row) = (index as u32 % grid.columns, index as u32 / grid.columns);
        let x = GAP + column * (size[0] + GAP);
        let y = GAP + row * (size[1] + GAP);
        imageops::replace(&mut sheet, &picture, x.into(), y.into());
    }
    let mut bytes = Vec::new();
    sheet.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)?;
    io::write_atomic(out, &bytes).map_err(|error| cannot_write(out, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_has_the_last_list_in_its_rows() {
        let grid = |columns, rows| Grid { columns, rows };
        assert_eq!(Grid::of(&[2, 3], 480), grid(3, 2));
        assert_eq!(Grid::of(&[2, 2, 3], 480), grid(3, 4));
        for (count, columns, rows) in [
            (1, 1, 1),
            (3, 3, 1),
            (4, 4, 1),
            (6, 6, 1),
            (7, 4, 2),
            (12, 6, 2),
            (100, 10, 10),
        ] {
            let found = Grid::of(&[count], 480);
            assert_eq!(found, grid(columns, rows), "{count} values");
        }
        // Six of these would be too many pixels.
        assert_eq!(Grid::of(&[6], 8192), grid(3, 2));
        assert_eq!(Grid::of(&[2], 16_384), grid(1, 2));
        assert_eq!(grid(3, 2).size([100, 50]), Some([324, 118]));
        assert_eq!(grid(3, 2).size([20_000, 50]), None);
        assert_eq!(grid(u32::MAX, 2).size([100, 50]), None);
    }

    #[test]
    fn each_picture_lies_in_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let paths: Vec<_> = (0..3u8)
            .map(|i| {
                let path = folder.path().join(format!("{i}.png"));
                let picture = RgbImage::from_pixel(8, 4, Rgb([100 + i, 0, 0]));
                picture.save(&path).expect("saved");
                path
            })
            .collect();
        let out = folder.path().join("sheet.png");
        let grid = Grid {
            columns: 2,
            rows: 2,
        };
        join(&paths, [8, 4], grid, &out).expect("joined");
        let sheet = image::open(&out).expect("a picture").to_rgb8();
        assert_eq!(sheet.dimensions(), (34, 26));
        for (place, red) in [
            ((6, 6), 100),
            ((20, 6), 101),
            ((6, 16), 102),
            ((20, 16), 24),
        ] {
            assert_eq!(sheet.get_pixel(place.0, place.1)[0], red, "{place:?}");
        }
        let wrong = join(&paths, [8, 5], grid, &out).expect_err("refused");
        assert!(wrong.to_string().contains("has 8x4 pixels"), "{wrong}");
    }
}
