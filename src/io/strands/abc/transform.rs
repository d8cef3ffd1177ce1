//! Transforms of objects.

use super::schema::fault;
use crate::io::strands::Fault;
use glam::{DMat4, DVec3};
use lovelock_alembic::{Object, Property};

/// Where what is below the transform `object` stands, under a parent that stands there.
pub fn place(object: &Object, parent: DMat4) -> Result<DMat4, Fault> {
    let Some(xform) = object.property(".xform").map_err(fault)? else {
        return Ok(parent);
    };
    let first = |name: &str| -> Result<Option<Property>, Fault> {
        let found = xform.property(name).map_err(fault)?;
        Ok(found.filter(|found| found.samples() > 0))
    };
    let inherits = match first(".inherits")? {
        Some(found) => found.sample(0).and_then(|s| s.whole()).map_err(fault)?,
        None => Vec::new(),
    };
    let parent = match inherits.first() {
        Some(0) => DMat4::IDENTITY,
        _ => parent,
    };
    let (Some(ops), Some(values)) = (first(".ops")?, first(".vals")?) else {
        return Ok(parent);
    };
    let ops = ops.sample(0).and_then(|s| s.whole()).map_err(fault)?;
    let values = values.sample(0).and_then(|s| s.doubles()).map_err(fault)?;
    Ok(parent * product(&ops, &values)?)
}

/// Operations one after the other: the first is the outermost.
fn product(ops: &[i64], mut values: &[f64]) -> Result<DMat4, Fault> {
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
                let text = format!("cannot follow a transform of kind {kind}; freeze transforms");
                return Err(Fault::whole(text));
            }
        };
        let Some((own, rest)) = values.split_at_checked(count) else {
            return Err(Fault::whole(
                "a transform has fewer numbers than it needs; export the file again".into(),
            ));
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
