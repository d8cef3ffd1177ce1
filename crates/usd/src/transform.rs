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
    let angle = || numbers.first().map(|a| a.to_radians());
    Some(match kind {
        // USD's points are rows before the matrix.
        "transform" => DMat4::from_cols_array(numbers.try_into().ok()?),
        "translate" => DMat4::from_translation(three()?),
        "scale" => DMat4::from_scale(three()?),
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
