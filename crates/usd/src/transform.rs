//! Operations that place what USD holds: `xformOp`.

use glam::{DMat4, DQuat, DVec3, EulerRot};

/// The matrix of an operation for columns; none where it is not known.
pub fn operation(name: &str, numbers: &[f64]) -> Option<DMat4> {
    let kind = name.split(':').nth(1)?;
    let three = || {
        Some(DVec3::new(
            *numbers.first()?,
            *numbers.get(1)?,
            *numbers.get(2)?,
        ))
    };
    let one = || numbers.first().copied();
    let angle = || one().map(f64::to_radians);
    Some(match kind {
        // USD's points are rows before the matrix.
        "transform" => DMat4::from_cols_array(numbers.try_into().ok()?),
        "translate" => DMat4::from_translation(three()?),
        "translateX" => DMat4::from_translation(DVec3::X * one()?),
        "translateY" => DMat4::from_translation(DVec3::Y * one()?),
        "translateZ" => DMat4::from_translation(DVec3::Z * one()?),
        "scale" => DMat4::from_scale(three()?),
        "scaleX" => DMat4::from_scale(DVec3::ONE.with_x(one()?)),
        "scaleY" => DMat4::from_scale(DVec3::ONE.with_y(one()?)),
        "scaleZ" => DMat4::from_scale(DVec3::ONE.with_z(one()?)),
        "rotateX" => DMat4::from_rotation_x(angle()?),
        "rotateY" => DMat4::from_rotation_y(angle()?),
        "rotateZ" => DMat4::from_rotation_z(angle()?),
        "orient" => {
            let [w, x, y, z] = numbers.try_into().ok()?;
            let turn = DQuat::from_xyzw(x, y, z, w);
            (turn.length_squared() > 0.0).then(|| DMat4::from_quat(turn.normalize()))?
        }
        _ => {
            let [x, y, z] = three()?.to_array().map(f64::to_radians);
            // rotateXYZ turns about x first.
            let (order, [a, b, c]) = match kind {
                "rotateXYZ" => (EulerRot::ZYX, [z, y, x]),
                "rotateXZY" => (EulerRot::YZX, [y, z, x]),
                "rotateYXZ" => (EulerRot::ZXY, [z, x, y]),
                "rotateYZX" => (EulerRot::XZY, [x, z, y]),
                "rotateZXY" => (EulerRot::YXZ, [y, x, z]),
                "rotateZYX" => (EulerRot::XYZ, [x, y, z]),
                _ => return None,
            };
            DMat4::from_euler(order, a, b, c)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_of_one_axis_leave_the_others_as_they_are() {
        for (name, wanted) in [
            ("xformOp:translateX", [6.0, 2.0, 3.0]),
            ("xformOp:translateY:pivot", [1.0, 7.0, 3.0]),
            ("xformOp:translateZ", [1.0, 2.0, 8.0]),
            ("xformOp:scaleX", [5.0, 2.0, 3.0]),
            ("xformOp:scaleY", [1.0, 10.0, 3.0]),
            ("xformOp:scaleZ", [1.0, 2.0, 15.0]),
        ] {
            let matrix = operation(name, &[5.0]).expect(name);
            let found = matrix.transform_point3(DVec3::new(1.0, 2.0, 3.0));
            assert_eq!(found.to_array(), wanted, "{name}");
        }
    }
}
