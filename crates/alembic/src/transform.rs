//! Transforms of objects.

use crate::{Error, Object, Property, Times};
use glam::{DMat4, DVec3};

impl Object<'_> {
    /// How many poses its own transform has; zero where it has none.
    ///
    /// # Errors
    /// When its properties are damaged.
    pub fn poses(&self) -> Result<usize, Error> {
        let Some(xform) = self.property(".xform")? else {
            return Ok(0);
        };
        Ok(xform
            .property(".vals")?
            .map_or(0, |values| values.samples()))
    }

    /// When its own transform has these poses; none where it has none.
    ///
    /// # Errors
    /// When its properties are damaged.
    pub fn times(&self) -> Result<Option<Times>, Error> {
        let Some(xform) = self.property(".xform")? else {
            return Ok(None);
        };
        let values = xform.property(".vals")?;
        Ok(values.and_then(|values| values.times().cloned()))
    }

    /// Where what is below the transform stands in its pose `index`, or the last before,
    /// under a parent that stands there.
    ///
    /// # Errors
    /// When the transform is damaged.
    pub fn place(&self, parent: DMat4, index: usize) -> Result<DMat4, Error> {
        self.place_by(parent, &|found| index.min(found.samples() - 1))
    }

    /// The same at a time: by each property's last sample at it or before.
    ///
    /// # Errors
    /// Those of [`place`](Self::place).
    pub fn place_at(&self, parent: DMat4, time: f64) -> Result<DMat4, Error> {
        self.place_by(parent, &|found| found.index_at(time))
    }

    /// The same by the sample of each property that is its turn, which has one at least.
    fn place_by(&self, parent: DMat4, near: &dyn Fn(&Property) -> usize) -> Result<DMat4, Error> {
        let Some(xform) = self.property(".xform")? else {
            return Ok(parent);
        };
        let of = |name: &str| -> Result<Option<Property>, Error> {
            let found = xform.property(name)?;
            Ok(found.filter(|found| found.samples() > 0))
        };
        let inherits = match of(".inherits")? {
            Some(found) => found.sample(near(&found)).and_then(|s| s.whole())?,
            None => Vec::new(),
        };
        let parent = match inherits.first() {
            Some(0) => DMat4::IDENTITY,
            _ => parent,
        };
        let (Some(ops), Some(values)) = (of(".ops")?, of(".vals")?) else {
            return Ok(parent);
        };
        let ops = ops.sample(near(&ops)).and_then(|s| s.whole())?;
        let values = values.sample(near(&values)).and_then(|s| s.doubles())?;
        Ok(parent * product(&ops, &values)?)
    }
}

/// Operations one after the other: the first is the outermost.
fn product(ops: &[i64], mut values: &[f64]) -> Result<DMat4, Error> {
    let mut all = DMat4::IDENTITY;
    for op in ops {
        // The low bits say what the operation was called.
        let kind = op >> 4;
        let count = match kind {
            0 | 1 => 3,
            2 => 4,
            3 => 16,
            4..=6 => 1,
            _ => {
                return Err(Error::new(
                    0,
                    format!("a transform is of the unknown kind {kind}"),
                ));
            }
        };
        let Some((own, rest)) = values.split_at_checked(count) else {
            return Err(Error::new(0, "a transform has fewer numbers than it needs"));
        };
        values = rest;
        let angle = own[count - 1].to_radians();
        all *= match kind {
            0 => DMat4::from_scale(DVec3::new(own[0], own[1], own[2])),
            1 => DMat4::from_translation(DVec3::new(own[0], own[1], own[2])),
            2 => {
                let axis = DVec3::new(own[0], own[1], own[2]).normalize_or(DVec3::X);
                DMat4::from_axis_angle(axis, angle)
            }
            3 => {
                let mut all = [0.0; 16];
                all.copy_from_slice(own);
                // Rows of a matrix for row vectors are columns of one for columns.
                DMat4::from_cols_array(&all)
            }
            4 => DMat4::from_rotation_x(angle),
            5 => DMat4::from_rotation_y(angle),
            _ => DMat4::from_rotation_z(angle),
        };
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_operation_is_the_outermost() {
        // Moved by x after it was turned about z after it was made twice as large.
        let ops = [1 << 4, 6 << 4 | 2, 0];
        let all = product(&ops, &[1.0, 0.0, 0.0, 90.0, 2.0, 2.0, 2.0]).expect("follows");
        let p = all.transform_point3(DVec3::X);
        assert!(p.distance(DVec3::new(1.0, 2.0, 0.0)) < 1e-12, "{p}");
        assert!(product(&[3 << 4], &[0.0; 15]).is_err());
        assert!(product(&[9 << 4], &[0.0; 16]).is_err());
    }
}
