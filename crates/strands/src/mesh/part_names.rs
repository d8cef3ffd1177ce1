//! What the names of groups and materials say of a head's smaller parts: which are clear
//! layers over the eyes, which are lashes, and which are eyeballs.
//!
//! Names are read word by word, in any case: `M_EyeOcclusion`, `eye_occlusion` and
//! `EYEOCCLUSION_L` are the same, and `EyeBrow` is no eye.

use super::Mesh;

/// Layers that real-time renderers draw clear, or as a shade: over the eyes, along the
/// lids, in the mouth. Words that follow one another are joined before they are compared.
const LAYERS: [&str; 21] = [
    "eyeblend",
    "eyeedge",
    "eyefluid",
    "eyemoisture",
    "eyeocclusion",
    "eyereflection",
    "eyeshell",
    "eyeshells",
    "eyewet",
    "eyewetness",
    "lacrimalfluid",
    "lachrymalfluid",
    "meniscus",
    "saliva",
    "tearfilm",
    "tearfluid",
    "tearline",
    "tearlines",
    "tearmeniscus",
    "wetline",
    "wetness",
];

/// The same, where a name says nothing else: a tear duct is flesh.
const LAYERS_ALONE: [&str; 2] = ["tear", "tears"];

/// Lashes, which are strips that a picture makes see-through, where a name says nothing
/// else: a lash line is skin.
const LASHES: [&str; 4] = ["eyelash", "eyelashes", "lash", "lashes"];

/// What lies over iris and white of an eye that has these apart.
const CORNEAS: [&str; 2] = ["cornea", "corneas"];

/// Eyeballs and what is seen of them.
const EYES: [&str; 12] = [
    "eyeball",
    "eyeballs",
    "eyewhite",
    "eyewhites",
    "iris",
    "irises",
    "pupil",
    "pupils",
    "sclera",
    "scleras",
    "sclerae",
    "whiteofeye",
];

/// The same, where a name says nothing else: an eye socket is skin.
const EYES_ALONE: [&str; 2] = ["eye", "eyes"];

/// Words that say nothing of what a part is, like single letters.
const NEUTRAL: [&str; 28] = [
    "baked", "base", "cc", "default", "geo", "geometry", "group", "grp", "high", "hi", "left",
    "lf", "lod", "low", "lower", "mat", "material", "mesh", "mi", "model", "obj", "object", "poly",
    "right", "rt", "shape", "std", "upper",
];

/// What a part is by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    /// A clear layer.
    Layer,
    /// Lashes.
    Lashes,
    /// A cornea.
    Cornea,
    /// An eyeball, or its white, iris or pupil.
    Eye,
    /// Anything else.
    Other,
}

impl PartKind {
    /// What a part of that name is.
    pub fn named(name: &str) -> Self {
        let words = words(name);
        let says = |list: &[&str]| says(&words, list);
        let alone = |list: &[&str]| is_only(&words, list);
        if says(&LAYERS) || alone(&LAYERS_ALONE) {
            Self::Layer
        } else if alone(&LASHES) {
            Self::Lashes
        } else if says(&CORNEAS) {
            Self::Cornea
        } else if says(&EYES) || alone(&EYES_ALONE) {
            Self::Eye
        } else {
            Self::Other
        }
    }
}

/// What the group and the material of each triangle are by their names.
pub(super) fn part_kinds(mesh: &Mesh) -> Vec<[PartKind; 2]> {
    let mut kinds = vec![[PartKind::Other; 2]; mesh.triangles.len()];
    for group in &mesh.groups {
        let kind = PartKind::named(&group.name);
        let of_group = kinds.get_mut(group.triangles.clone()).unwrap_or_default();
        of_group.iter_mut().for_each(|kinds| kinds[0] = kind);
    }
    let named = mesh.materials.iter().map(|m| PartKind::named(&m.name));
    let named: Vec<PartKind> = named.collect();
    for (kinds, material) in kinds.iter_mut().zip(&mesh.triangle_material) {
        if let Some(kind) = named.get(*material as usize) {
            kinds[1] = *kind;
        }
    }
    kinds
}

impl Mesh {
    /// Which triangles are of eyeballs, as the names of groups and materials say.
    pub fn eye_triangles(&self) -> Vec<bool> {
        let is_eye = |kind: &PartKind| matches!(kind, PartKind::Eye | PartKind::Cornea);
        let kinds = part_kinds(self);
        kinds.iter().map(|of| of.iter().any(is_eye)).collect()
    }
}

/// The words of a name in small letters: parted by what is no letter, and where capitals
/// begin a word.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (i, c) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| letters[i]);
        let after = letters.get(i + 1);
        // "eyeLeft", and "LEye", but not "EYE".
        let begins = c.is_uppercase()
            && (before.is_some_and(char::is_lowercase)
                || before.is_some_and(char::is_uppercase)
                    && after.is_some_and(|c| c.is_lowercase()));
        if begins || !c.is_alphabetic() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether words that follow one another make one of `list`.
fn says(words: &[String], list: &[&str]) -> bool {
    (0..words.len()).any(|from| {
        let mut joined = String::new();
        words[from..].iter().take(3).any(|word| {
            joined += word;
            list.contains(&joined.as_str())
        })
    })
}

/// Whether the words that say anything are, joined, one of `list`.
fn is_only(words: &[String], list: &[&str]) -> bool {
    let silent = |word: &&str| word.chars().count() == 1 || NEUTRAL.contains(word);
    let telling = words.iter().map(String::as_str).filter(|w| !silent(w));
    list.contains(&telling.collect::<String>().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_common_heads_say_what_parts_are() {
        let kinds = [
            // ICT FaceKit.
            ("M_EyeOcclusion", PartKind::Layer),
            ("M_LacrimalFluid", PartKind::Layer),
            ("M_EyeBlend", PartKind::Layer),
            ("M_EyeLashes", PartKind::Lashes),
            ("M_ScleraLeft", PartKind::Eye),
            ("M_IrisRight", PartKind::Eye),
            ("M_Face", PartKind::Other),
            ("M_GumsTongue", PartKind::Other),
            // MetaHuman.
            ("eyeshell_lod0_mesh", PartKind::Layer),
            ("eyeEdge_lod0_mesh", PartKind::Layer),
            ("eyelashes_lod0_mesh", PartKind::Lashes),
            ("eyeLeft_lod0_mesh", PartKind::Eye),
            ("MI_EyeL_Baked", PartKind::Eye),
            ("cartilage_lod0_mesh", PartKind::Other),
            // Character Creator, Daz, VRoid and others.
            ("Std_Eye_Occlusion_R", PartKind::Layer),
            ("Std_Tearline_L", PartKind::Layer),
            ("Std_Cornea_L", PartKind::Cornea),
            ("CC_Base_Eye", PartKind::Eye),
            ("TEARLINE", PartKind::Layer),
            ("Tear", PartKind::Layer),
            ("EyeWhite_00_EYE", PartKind::Eye),
            ("LEye", PartKind::Eye),
            ("left Eye", PartKind::Eye),
            ("eyes.001", PartKind::Eye),
            // What only begins so.
            ("tear_duct", PartKind::Other),
            ("EyeBrow", PartKind::Other),
            ("eyelid", PartKind::Other),
            ("eye_socket", PartKind::Other),
            ("eyeliner", PartKind::Other),
            ("Irish", PartKind::Other),
            ("lashed", PartKind::Other),
            ("lash_line", PartKind::Other),
            ("EyelashesUpper", PartKind::Lashes),
            ("scalp", PartKind::Other),
            ("", PartKind::Other),
        ];
        for (name, kind) in kinds {
            assert_eq!(PartKind::named(name), kind, "{name}");
        }
    }
}
