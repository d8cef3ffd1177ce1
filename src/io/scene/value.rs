//! A value in a scene file.

use crate::param::{self, ParamError, Tunable, Value};
use toml::de::DeValue;

/// A TOML value as the tunable's kind of value; the range is checked later.
pub(super) fn value_of(
    section: &str,
    tunable: &Tunable,
    value: &DeValue<'_>,
) -> Result<Value, ParamError> {
    let refuse = |got: String| ParamError::Kind {
        key: format!("{section}.{}", tunable.key),
        wanted: param::wanted(tunable),
        got,
    };
    let number = |value: &DeValue<'_>| match value {
        DeValue::Integer(v) => i64::from_str_radix(v.as_str(), v.radix())
            .ok()
            .map(|v| v as f64),
        DeValue::Float(v) => v.as_str().parse::<f64>().ok(),
        _ => None,
    };
    match value {
        DeValue::String(v) => Ok(Value::Text(v.to_string())),
        DeValue::Boolean(v) => Ok(Value::Bool(*v)),
        DeValue::Integer(v) => i64::from_str_radix(v.as_str(), v.radix())
            .map(Value::Int)
            .map_err(|_| refuse(v.to_string())),
        DeValue::Float(v) => v
            .as_str()
            .parse()
            .map(Value::Float)
            .map_err(|_| refuse(v.to_string())),
        DeValue::Array(items) => {
            let numbers: Option<Vec<f32>> = items
                .iter()
                .map(|item| number(item.get_ref()).map(|v| v as f32))
                .collect();
            match numbers.and_then(|numbers| Value::list(&numbers)) {
                Some(list) => Ok(list),
                None => Err(refuse(format!("a list of {} values", items.len()))),
            }
        }
        DeValue::Datetime(v) => Err(refuse(v.to_string())),
        DeValue::Table(_) => Err(refuse("a table".into())),
    }
}
