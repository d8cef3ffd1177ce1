//! Material libraries of Wavefront OBJ: what a head needs of them.

/// A picture that a library names.
#[derive(Clone, Debug, PartialEq)]
pub struct MapName {
    pub file: String,
    /// Factor of a relief: `-bm`.
    pub factor: f32,
    /// Whether the statement is one for normals and not for heights.
    pub normals: bool,
}

/// What a library says of one material's pictures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    pub colour: Option<MapName>,
    pub relief: Option<MapName>,
}

/// A material of a library.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LibraryMaterial {
    pub name: String,
    /// Its diffuse colour, where it is complete.
    pub diffuse: Option<[f32; 3]>,
    /// How opaque it is, 0..=1: `d`.
    pub opacity: Option<f32>,
    /// The same the other way round: `Tr`.
    pub transparency: Option<f32>,
    pub wanted: Wanted,
}

/// The materials of a library in their order.
pub fn read(text: &str) -> Vec<LibraryMaterial> {
    let mut all: Vec<LibraryMaterial> = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Old Macintosh files end their lines with a lone carriage return.
    for line in text.split(['\n', '\r']).map(str::trim) {
        let (word, rest) = line
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((line, ""));
        let word = word.to_ascii_lowercase();
        if word == "newmtl" {
            if !rest.trim().is_empty() {
                all.push(LibraryMaterial {
                    name: rest.trim().into(),
                    ..LibraryMaterial::default()
                });
            }
            continue;
        }
        let Some(material) = all.last_mut() else {
            continue;
        };
        let wanted = &mut material.wanted;
        match word.as_str() {
            "kd" => material.diffuse = colour(rest).or(material.diffuse),
            "d" => material.opacity = share(rest).or(material.opacity),
            "tr" => material.transparency = share(rest).or(material.transparency),
            "map_kd" => wanted.colour = named(rest, false).or(wanted.colour.take()),
            // Normals say more than heights.
            "norm" | "map_norm" | "map_kn" | "map_normal" => {
                wanted.relief = named(rest, true).or(wanted.relief.take());
            }
            "bump" | "map_bump" if !wanted.relief.as_ref().is_some_and(|r| r.normals) => {
                wanted.relief = named(rest, false).or(wanted.relief.take());
            }
            _ => {}
        }
    }
    all
}

impl LibraryMaterial {
    /// How much light goes through it, 0..=1. Programs do not agree on what `Tr` is: it
    /// counts where there is no `d`.
    pub fn clear(&self) -> f32 {
        let told = self.opacity.map(|opacity| 1.0 - opacity);
        told.or(self.transparency).unwrap_or(0.0)
    }
}

/// The last word, a number: before it there may be an option.
fn share(rest: &str) -> Option<f32> {
    let number = rest.split_ascii_whitespace().last()?.parse::<f32>().ok()?;
    number.is_finite().then_some(number.clamp(0.0, 1.0))
}

/// Three finite numbers.
fn colour(rest: &str) -> Option<[f32; 3]> {
    let words = rest.split_ascii_whitespace();
    let numbers = words.map_while(|word| word.parse::<f32>().ok());
    let all: Vec<f32> = numbers.take(3).collect();
    let all: [f32; 3] = all.try_into().ok()?;
    all.iter().all(|c| c.is_finite()).then_some(all)
}

/// Options first, then the file's name, which may have spaces in it.
fn named(rest: &str, normals: bool) -> Option<MapName> {
    let (mut rest, mut factor) = (rest.trim(), 1.0);
    let word = |text: &str| -> (String, usize) {
        let end = text
            .find(|c: char| c.is_ascii_whitespace())
            .unwrap_or(text.len());
        (text[..end].to_string(), end)
    };
    while rest.starts_with('-') {
        let (option, end) = word(rest);
        // Words that follow each option; the first ones may be fewer numbers.
        let (least, most) = match option.to_ascii_lowercase().as_str() {
            "-s" | "-o" | "-t" => (1, 3),
            "-mm" => (2, 2),
            "-bm" | "-boost" | "-texres" | "-blendu" | "-blendv" | "-cc" | "-clamp"
            | "-imfchan" | "-type" => (1, 1),
            // A name that begins so.
            _ => break,
        };
        let mut after = rest[end..].trim_start();
        for number in 0..most {
            let (value, end) = word(after);
            let is_number = value.parse::<f32>().is_ok();
            if number >= least && !is_number {
                break;
            }
            if option.eq_ignore_ascii_case("-bm") {
                factor = value.parse().unwrap_or(1.0);
            }
            after = after[end..].trim_start();
        }
        rest = after;
    }
    let file = rest.trim_matches('"').to_string();
    (!file.is_empty()).then_some(MapName {
        file,
        factor,
        normals,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_named_with_and_without_options() {
        let text = "map_Kd lost.png\nnewmtl a\nKd 1 1 1\nmap_Kd -s 2 2 -o 0.5 0 0 my skin.png\n\
                    map_Bump -bm 0.3 bump.png\nnorm n.png\nbump late.png\n\
                    newmtl b\r\nmap_bump -bm 2 dir\\b.png\r\nnewmtl c\nmap_Kn -clamp on k.jpg\n\
                    newmtl d\nmap_Kd\nmap_Kd -odd name.png";
        let all: Vec<Wanted> = read(text).into_iter().map(|m| m.wanted).collect();
        let file = |named: &Option<MapName>| named.as_ref().map(|n| n.file.clone());
        assert_eq!(all.len(), 4);
        assert_eq!(file(&all[0].colour).as_deref(), Some("my skin.png"));
        assert_eq!(file(&all[0].relief).as_deref(), Some("n.png"));
        assert_eq!(file(&all[1].relief).as_deref(), Some("dir\\b.png"));
        assert_eq!(all[1].relief.as_ref().map(|r| r.factor), Some(2.0));
        assert_eq!(file(&all[2].relief).as_deref(), Some("k.jpg"));
        assert!(all[2].relief.as_ref().is_some_and(|r| r.normals));
        assert_eq!(file(&all[3].colour).as_deref(), Some("-odd name.png"));
        assert_eq!(all[1].colour, None);
    }

    #[test]
    fn names_colours_and_pictures_are_read_however_lines_are_written() {
        let plain = "newmtl skin tone\nKd 0.5 0.25 1\nmap_Kd a.png\nnewmtl b\nKd 1 1\nKd x 0 0";
        let wanted = read(plain);
        assert_eq!((wanted.len(), &wanted[0].name[..]), (2, "skin tone"));
        assert_eq!(wanted[0].diffuse, Some([0.5, 0.25, 1.0]));
        assert_eq!((&wanted[1].name[..], wanted[1].diffuse), ("b", None));
        for text in [
            format!("\u{feff}{plain}"),
            plain.replace('\n', "\r"),
            plain.replace('\n', "\r\n"),
            plain.replace("newmtl", "NewMtl").replace("Kd", "kd"),
        ] {
            assert_eq!(read(&text), wanted, "{text:?}");
        }
    }

    #[test]
    fn what_is_clear_is_told_by_d_or_else_by_tr() {
        let text = "newmtl a\nTr 1\nd 1\nnewmtl b\nTr 0.9\nnewmtl c\nd -halo 0.25\n\
                    newmtl d\nd x\nTr NaN\nnewmtl e\nd 7";
        let clear: Vec<f32> = read(text).iter().map(LibraryMaterial::clear).collect();
        assert_eq!(clear, [0.0, 0.9, 0.75, 0.0, 0.0]);
    }
}
