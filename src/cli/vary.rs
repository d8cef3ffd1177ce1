//! `lovelock sweep --vary`: parameters, the values that they take, and whether a picture
//! shows them.

use super::{farm, targets::place, usage::Usage};
use crate::{
    io::{
        picture_scene::scene_text,
        reason,
        scene::{file_named, from_anywhere},
    },
    param::{self, Tunable, Value},
    project::{effect::value, scene::Scene},
};
use anyhow::{Context as _, bail};
use std::{
    fs::{self, File},
    io::BufReader,
    path::Path,
};

/// A parameter and the values that it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    /// The parameter, `section.key`.
    pub key: String,
    /// What it takes, as it was written.
    pub values: Vec<String>,
}

/// `wind.strength=2,6`; commas within brackets belong to a value.
pub fn parse(text: &str) -> Result<Vary, String> {
    let wrong = || "write it as KEY=A,B, like wind.strength=2,6,10".to_string();
    let (key, list) = text.split_once('=').ok_or_else(wrong)?;
    let mut values = vec![String::new()];
    let mut depth = 0i32;
    for letter in list.chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        match (letter, values.last_mut()) {
            (',', _) if depth <= 0 => values.push(String::new()),
            (_, Some(last)) => last.push(letter),
            _ => {}
        }
    }
    let values: Vec<String> = values.iter().map(|value| value.trim().into()).collect();
    let key = key.trim().to_string();
    match key.is_empty() || values.iter().any(String::is_empty) {
        true => Err(wrong()),
        false => Ok(Vary { key, values }),
    }
}

/// The values of all combinations, the last parameter's changing fastest.
pub fn combinations(varied: &[Vary]) -> Vec<Vec<&str>> {
    let mut all = vec![Vec::new()];
    for vary in varied {
        let mut longer = Vec::with_capacity(all.len() * vary.values.len());
        for row in &all {
            for value in &vary.values {
                let mut row: Vec<&str> = row.clone();
                row.push(value);
                longer.push(row);
            }
        }
        all = longer;
    }
    all
}

impl Vary {
    /// The parameter's section and declaration; none where there is no such parameter.
    fn tunable(&self) -> Option<(&'static str, Tunable)> {
        let scene = Scene::default();
        let (section, index) = scene.place(&self.key)?;
        let section = scene.sections()[section];
        let tunable = section.tunables().into_iter().nth(index)?;
        Some((section.section(), tunable))
    }

    /// The unit of its values; empty for none.
    fn unit(&self) -> &'static str {
        self.tunable().map_or("", |(_, tunable)| tunable.unit)
    }

    /// A column of its values is called so: "material.young [GPa]".
    pub fn heading(&self) -> String {
        match self.unit() {
            "" => self.key.clone(),
            unit => format!("{} [{unit}]", self.key),
        }
    }

    /// One of its values in a column: a number stands in the parameter's unit, whatever unit
    /// it was written in, and without it.
    pub fn plain(&self, written: &str) -> String {
        let read = self
            .tunable()
            .and_then(|(section, tunable)| param::parse(section, &tunable, written).ok());
        let list = |numbers: &[f32]| {
            let numbers: Vec<String> = numbers.iter().map(f32::to_string).collect();
            format!("[{}]", numbers.join(", "))
        };
        match read {
            // As precise as it is used: 29 cm are 0.29 m.
            Some(Value::Float(number)) => (number as f32).to_string(),
            Some(Value::Int(number)) => number.to_string(),
            Some(Value::Bool(on)) => on.to_string(),
            Some(Value::Vector(numbers)) => list(&numbers),
            Some(Value::Ramp(ramp)) => list(&ramp.0),
            Some(Value::Choice(_) | Value::Text(_)) | None => written.into(),
        }
    }

    /// One of its values in a picture: "material.young = 1 GPa".
    pub fn label(&self, written: &str) -> String {
        let (key, value) = (&self.key, self.plain(written));
        match self.unit() {
            "" => format!("{key} = {value}"),
            unit => format!("{key} = {value} {unit}"),
        }
    }

    /// The same as it is written for machines that work in another folder.
    ///
    /// # Errors
    /// When a file's name, with all its folders, would be taken for more than one.
    pub fn with_absolute_files(&self) -> Result<String, Usage> {
        let values = self.values.iter();
        let values: Vec<String> = values
            .map(|value| from_anywhere(&self.key, value))
            .collect();
        let text = format!("{}={}", self.key, values.join(","));
        farm::check_plain(&text)?;
        match parse(&text) {
            Ok(read) if read.values == values => Ok(text),
            _ => Err(Usage(format!(
                "{text} holds a comma or a bracket in the name of a folder, and commas part the \
                 values; put the files into another folder"
            ))),
        }
    }

    /// Refuses what is of a comparison.
    fn check_side(&self) -> Result<(), Usage> {
        match self.key.starts_with("b.") || self.key.starts_with("compare.") {
            true => Err(Usage(format!(
                "{} is of a comparison, and the pictures of a sweep show the first side alone; vary \
                 a parameter of that",
                self.key
            ))),
            false => Ok(()),
        }
    }

    /// Says which file is not there that `value` names.
    ///
    /// # Errors
    /// When there is none.
    pub fn check_file(&self, value: &str) -> anyhow::Result<()> {
        let Some(file) = file_named(&self.key, value) else {
            return Ok(());
        };
        match fs::metadata(&file) {
            Ok(found) if found.is_file() => Ok(()),
            Ok(_) => bail!("{} = {value}: it is no file; name one", self.key),
            Err(error) => bail!("{} = {value}: {}; check the name", self.key, reason(&error)),
        }
    }
}

/// Refuses what cannot be varied at all.
///
/// # Errors
/// When a parameter is of a comparison, or is there twice.
pub fn check(varied: &[Vary]) -> Result<(), Usage> {
    for (index, vary) in varied.iter().enumerate() {
        vary.check_side()?;
        if varied[..index].iter().any(|other| other.key == vary.key) {
            return Err(Usage(format!(
                "--vary {} is there twice; give all its values at once, separated by commas",
                vary.key
            )));
        }
    }
    Ok(())
}

/// Sees whether the picture at `path`, by the scene in it, shows what `wanted` has of the
/// varied parameters.
///
/// # Errors
/// When it does not, or cannot be read, or has no scene.
pub fn check_picture(path: &Path, varied: &[Vary], wanted: &Scene) -> anyhow::Result<()> {
    let shown = path.display();
    let unread = || format!("cannot read {shown}; draw it again");
    let file = File::open(path).with_context(unread)?;
    let text = scene_text(BufReader::new(file)).with_context(unread)?;
    let Some(text) = text else {
        bail!(
            "{shown} holds no scene that says what it shows; draw it again, with capture.scene on"
        );
    };
    let mut scene = Scene::default();
    scene.read_text(path, &text).with_context(unread)?;
    for Vary { key, .. } in varied {
        let [found, wanted] = [&scene, wanted].map(|scene| value(scene, key));
        if let (Some(found), Some(wanted)) = (&found, &wanted)
            && !are_alike(key, found, wanted)
        {
            bail!("{shown} shows another {key} than this sweep has; draw it again");
        }
    }
    Ok(())
}

/// Whether two values of `key` are one but for the rounding of a file. Files are the same
/// by any of their names.
fn are_alike(key: &str, a: &Value, b: &Value) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-5 * a.abs().max(b.abs()).max(1e-6);
    let all_near = |a: &[f32], b: &[f32]| {
        let mut pairs = a.iter().zip(b);
        a.len() == b.len() && pairs.all(|(a, b)| near(f64::from(*a), f64::from(*b)))
    };
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => near(*a, *b),
        (Value::Vector(a), Value::Vector(b)) => all_near(a, b),
        (Value::Ramp(a), Value::Ramp(b)) => all_near(&a.0, &b.0),
        (Value::Text(a), Value::Text(b)) => {
            let file = |value: &str| file_named(key, value).map(|file| place(&file));
            a == b || file(a).is_some_and(|a| Some(a) == file(b))
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_parted_at_commas_outside_brackets() {
        let found = parse("wind.direction=[1, 0, 0], [0,0,1]").expect("two vectors");
        assert_eq!(found.values, ["[1, 0, 0]", "[0,0,1]"]);
        let found = parse("sim.solver=pbd,rod").expect("two words");
        assert_eq!((found.key.as_str(), found.values.len()), ("sim.solver", 2));
        for wrong in ["", "=1", "a", "a=", "a=1,,2"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_are_told_in_the_unit_of_their_parameter() {
        let vary = |text: &str| parse(text).expect("good");
        for (text, heading, value, label) in [
            (
                "material.young=500MPa",
                "material.young [GPa]",
                "0.5",
                "material.young = 0.5 GPa",
            ),
            (
                "groom.length=29 cm",
                "groom.length [m]",
                "0.29",
                "groom.length = 0.29 m",
            ),
            (
                "wind.strength=6.0",
                "wind.strength [m/s]",
                "6",
                "wind.strength = 6 m/s",
            ),
            ("wind.on=yes", "wind.on", "true", "wind.on = true"),
            ("sim.solver=rod", "sim.solver", "rod", "sim.solver = rod"),
            (
                "wind.direction=[1,0,0]",
                "wind.direction",
                "[1, 0, 0]",
                "wind.direction = [1, 0, 0]",
            ),
            ("no.such=1 m", "no.such", "1 m", "no.such = 1 m"),
        ] {
            let vary = vary(text);
            let written = &vary.values[0];
            assert_eq!(vary.heading(), heading);
            assert_eq!(vary.plain(written), value);
            assert_eq!(vary.label(written), label);
        }
    }

    #[test]
    fn files_are_named_for_every_folder_and_what_is_no_file_stays() {
        let written = |text: &str| parse(text).expect("good").with_absolute_files();
        let here = std::env::current_dir().expect("a folder");
        let here = here.display();
        assert_eq!(
            written("import.file=a.usda,b/c.usda").expect("written"),
            format!("import.file={here}/a.usda,{here}/b/c.usda")
        );
        for same in [
            "wind.strength=2,6",
            "wind.direction=[1, 0, 0],[0, 0, 1]",
            "roots.density_map=/maps/a.png,/maps/b.png",
            "light.environment=sunset,/skies/a.hdr",
        ] {
            assert_eq!(written(same).expect("written"), same);
        }
        let parted = Vary {
            key: "head.file".into(),
            values: vec!["/a,b/head.obj".into()],
        };
        let error = parted.with_absolute_files().expect_err("two values").0;
        assert!(error.contains("another folder"), "{error}");
    }

    #[test]
    fn what_is_of_the_second_side_is_not_varied() {
        let check = |text: &str| parse(text).expect("good").check_side();
        assert!(check("b.pbd.iterations=1,2").is_err());
        assert!(check("compare.on=true,false").is_err());
        assert!(check("pbd.iterations=1,2").is_ok());
    }

    #[test]
    fn a_parameter_is_varied_once() {
        let check = |of: [&str; 2]| super::check(&of.map(|text| parse(text).expect("good")));
        assert!(check(["wind.strength=1,2", "fan.strength=1,2"]).is_ok());
        let error = check(["wind.strength=1,2", "wind.strength=3"]).expect_err("twice");
        assert!(error.0.contains("--vary wind.strength is there twice"));
    }

    #[test]
    fn values_are_alike_but_for_rounding() {
        let alike = |a: [f32; 3], b: [f32; 3]| {
            are_alike("wind.direction", &Value::Vector(a), &Value::Vector(b))
        };
        assert!(alike([0.6, 0.8, 0.0], [0.600_000_1, 0.799_999_9, 0.0]));
        assert!(!alike([0.6, 0.8, 0.0], [0.61, 0.79, 0.0]));
        let file = |a: &str, b: &str| {
            are_alike("head.file", &Value::Text(a.into()), &Value::Text(b.into()))
        };
        assert!(file("a.obj", "./b/../a.obj") && !file("a.obj", "b.obj"));
    }

    #[test]
    fn the_last_parameter_changes_fastest() {
        let varied = [parse("a=1,2"), parse("b=x,y")].map(|found| found.expect("good"));
        let wanted = [["1", "x"], ["1", "y"], ["2", "x"], ["2", "y"]];
        assert_eq!(combinations(&varied), wanted);
    }
}
