//! What to do when the picture cannot be drawn: draw it plainly, and say so.
//! Only when not even that works is there nothing to show.

use crate::render::LookParams;
use anyhow::anyhow;

/// Whether the picture is drawn plainly for now.
#[derive(Debug, Default)]
pub struct Fallback {
    /// What could not be drawn, and in which size. `[px]`
    refused: Option<(LookParams, [u32; 2])>,
}

impl Fallback {
    /// Draws hair and set of that look by `draw`, which is told whether to do so
    /// plainly; answers with what to tell when it had to begin with that. Another
    /// look or size is tried in full again. `[px]`
    ///
    /// # Errors
    /// When it cannot be drawn plainly either.
    pub fn draw(
        &mut self,
        look: &LookParams,
        size: [u32; 2],
        mut draw: impl FnMut(bool) -> anyhow::Result<()>,
    ) -> anyhow::Result<Option<String>> {
        let known = self.refused.as_ref();
        if known.is_some_and(|(refused, of)| refused == look && *of == size) {
            draw(true)?;
            return Ok(None);
        }
        self.refused = None;
        let Err(error) = draw(false) else {
            return Ok(None);
        };
        self.refused = Some((look.clone(), size));
        if let Err(plain) = draw(true) {
            return Err(match plain.to_string() == error.to_string() {
                true => error,
                false => anyhow!("{error}; nor can plain lines be drawn: {plain}"),
            });
        }
        Ok(Some(format!(
            "The picture cannot be drawn as set: {error}. Strands are plain lines until the look \
             or the size of the window is another one"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn what_fails_is_drawn_plainly_until_something_else_is_wanted() {
        let (mut fallback, mut tried) = (Fallback::default(), Vec::new());
        let look = LookParams::default();
        let mut draw = |fallback: &mut Fallback, look: &LookParams, size, works: bool| {
            let told = fallback.draw(look, size, |plain| {
                tried.push(plain);
                match plain || works {
                    true => Ok(()),
                    false => bail!("out of memory"),
                }
            });
            (told.expect("plain lines"), std::mem::take(&mut tried))
        };
        let (told, tried) = draw(&mut fallback, &look, [8, 8], true);
        assert_eq!((told, tried), (None, vec![false]));
        let (told, tried) = draw(&mut fallback, &look, [8, 8], false);
        assert!(told.expect("a message").contains("out of memory"));
        assert_eq!(tried, [false, true], "in the same frame");
        // It is told once, and not tried in vain with every frame.
        let (told, tried) = draw(&mut fallback, &look, [8, 8], false);
        assert_eq!((told, tried), (None, vec![true]));
        let (told, tried) = draw(&mut fallback, &look, [4, 4], true);
        assert_eq!((told, tried), (None, vec![false]), "a smaller window");
        draw(&mut fallback, &look, [8, 8], false);
        let fewer = LookParams {
            samples: 1,
            ..look.clone()
        };
        let (told, tried) = draw(&mut fallback, &fewer, [8, 8], true);
        assert_eq!((told, tried), (None, vec![false]), "another look");
    }

    #[test]
    fn without_any_picture_both_reasons_are_told() {
        let mut number = 0;
        let failed = Fallback::default().draw(&LookParams::default(), [8, 8], |_| {
            number += 1;
            bail!("reason {number}")
        });
        let text = format!("{:#}", failed.expect_err("nothing can be drawn"));
        assert!(
            text.contains("reason 1") && text.contains("reason 2"),
            "{text}"
        );
    }
}
