//! Shaders, compiled and linked; compiled anew when their files change.
#![expect(
    unsafe_code,
    reason = "every call of glow is unsafe; see the module above"
)]

use super::{Gl, reload::Watch, units::SAMPLERS};
use crate::render::RenderError;
use glow::HasContext as _;
use std::{
    cell::{Cell, RefCell},
    path::Path,
    time::Instant,
};

/// Whether shaders are compiled anew when their files change, for whoever
/// writes them.
const RELOADS: bool = cfg!(any(debug_assertions, test));
/// Where the files lie.
const SHADERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");

/// A linked pair of shaders.
pub(in crate::render) struct Program {
    gl: Gl,
    raw: Cell<glow::Program>,
    /// What it was made of, where that may change.
    recipe: Option<RefCell<Recipe>>,
}

/// What a program is made of.
struct Recipe {
    name: String,
    /// What goes before all stages, then the text of each.
    texts: Vec<String>,
    /// Name and kind of each stage.
    stages: Vec<(String, u32)>,
    outputs: Vec<String>,
    watch: Watch,
}

impl Program {
    /// Compiles and links. `shared` goes before both stages; each sampler reads the
    /// texture unit of its name; a uniform block `Frame` is bound to 0.
    ///
    /// # Errors
    /// The driver's own log, with the stage it speaks of.
    pub fn new(
        gl: &Gl,
        name: &str,
        shared: &str,
        [vertex, fragment]: [&str; 2],
    ) -> Result<Self, RenderError> {
        let stages = [
            ("vert", glow::VERTEX_SHADER, vertex),
            ("frag", glow::FRAGMENT_SHADER, fragment),
        ];
        Self::link(gl, name, shared, &stages, &[])
    }

    /// The same for a vertex shader alone, whose `outputs` are kept instead of
    /// drawn: see [`VertexArray::capture`].
    ///
    /// # Errors
    /// The driver's own log.
    pub fn capturing(
        gl: &Gl,
        name: &str,
        shared: &str,
        vertex: &str,
        outputs: &[&str],
    ) -> Result<Self, RenderError> {
        let stages = [("vert", glow::VERTEX_SHADER, vertex)];
        Self::link(gl, name, shared, &stages, outputs)
    }

    fn link(
        gl: &Gl,
        name: &str,
        shared: &str,
        stages: &[(&str, u32, &str)],
        outputs: &[&str],
    ) -> Result<Self, RenderError> {
        let fail = |stage: &str, log: String| RenderError::Shader {
            shader: format!("{name}.{stage}"),
            log: log.trim().replace('\n', "; "),
        };
        // SAFETY: the context is current; shader and program names are made
        // here and used only with calls meant for them.
        unsafe {
            let raw = gl.0.create_program().map_err(|log| fail("program", log))?;
            // Owned from here on, so that an early return frees it.
            let mut program = Self {
                gl: gl.clone(),
                raw: Cell::new(raw),
                recipe: None,
            };
            let gl = &*gl.0;
            for &(stage, kind, text) in stages {
                let shader = gl.create_shader(kind).map_err(|log| fail(stage, log))?;
                gl.shader_source(
                    shader,
                    &format!("#version 330 core\n{shared}\n#line 1 1\n{text}"),
                );
                gl.compile_shader(shader);
                let compiled = gl.get_shader_compile_status(shader);
                let log = gl.get_shader_info_log(shader);
                gl.attach_shader(raw, shader);
                // Freed together with the program it is attached to.
                gl.delete_shader(shader);
                if !compiled {
                    return Err(fail(stage, log));
                }
            }
            if !outputs.is_empty() {
                gl.transform_feedback_varyings(raw, outputs, glow::INTERLEAVED_ATTRIBS);
            }
            gl.link_program(raw);
            if !gl.get_program_link_status(raw) {
                return Err(fail("program", gl.get_program_info_log(raw)));
            }
            if let Some(block) = gl.get_uniform_block_index(raw, "Frame") {
                gl.uniform_block_binding(raw, block, 0);
            }
            gl.hold_program(raw);
            for (sampler, unit) in SAMPLERS {
                if let Some(place) = gl.get_uniform_location(raw, sampler) {
                    gl.uniform_1_i32(Some(&place), unit as i32);
                }
            }
            if RELOADS {
                let mut texts = vec![shared.to_string()];
                texts.extend(stages.iter().map(|stage| stage.2.to_string()));
                program.recipe = Some(RefCell::new(Recipe {
                    name: name.into(),
                    watch: Watch::new(Path::new(SHADERS), &texts, Instant::now()),
                    texts,
                    stages: stages.iter().map(|s| (s.0.into(), s.1)).collect(),
                    outputs: outputs.iter().map(|o| (*o).into()).collect(),
                }));
            }
            Ok(program)
        }
    }

    /// Compiles anew what has changed; keeps the last good one.
    fn renew(&self, recipe: &mut Recipe) {
        if !recipe.watch.refresh(&mut recipe.texts, Instant::now()) {
            return;
        }
        let (shared, texts) = match recipe.texts.split_first() {
            Some((shared, texts)) => (shared, texts),
            None => return,
        };
        let stages = recipe.stages.iter().zip(texts);
        let stages: Vec<_> = stages
            .map(|((s, kind), t)| (s.as_str(), *kind, t.as_str()))
            .collect();
        let outputs: Vec<_> = recipe.outputs.iter().map(String::as_str).collect();
        let fresh = Self::link(&self.gl, &recipe.name, shared, &stages, &outputs);
        let Ok(mut faults) = self.gl.2.lock() else {
            return;
        };
        match fresh {
            Ok(fresh) => {
                // The old one goes with the value that was made for the new one.
                self.raw.swap(&fresh.raw);
                faults.remove(&recipe.name);
            }
            Err(error) => {
                log::warn!("{error}");
                faults.insert(recipe.name.clone(), error.to_string());
            }
        }
    }

    /// Makes it the program of the next draws.
    pub fn bind(&self) {
        if let Some(recipe) = &self.recipe {
            self.renew(&mut recipe.borrow_mut());
        }
        self.gl.0.bind_program(self.raw.get());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A program in use would live on until another takes its place; another may get
        // its name.
        self.gl.0.forget();
        // SAFETY: made in `new`, deleted once.
        unsafe {
            self.gl.0.use_program(None);
            self.gl.0.delete_program(self.raw.get());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Headless;

    #[test]
    fn a_changed_shader_is_taken_up_and_a_wrong_one_is_not() {
        let headless = match Headless::new() {
            Ok(headless) => headless,
            Err(error) if std::env::var("REQUIRE_GL").is_ok_and(|v| v == "1") => panic!("{error}"),
            Err(error) => return println!("skipped: {error}"),
        };
        let gl = Gl::new(headless.gl());
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |text: &str, age: u64| {
            let path = folder.path().join("a.frag");
            std::fs::write(&path, text).expect("written");
            let time = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
            let file = std::fs::File::options().write(true).open(path);
            file.and_then(|file| file.set_modified(time))
                .expect("a time");
        };
        let vertex = "void main() { gl_Position = vec4(0.0); }";
        let good = "out vec4 colour; void main() { colour = vec4(1.0); }";
        write(good, 90);
        let program = Program::new(&gl, "test", "", [vertex, good]).expect("compiles");
        let first = program.raw.get();
        let long_ago = Instant::now() - std::time::Duration::from_secs(9);
        let recipe = || program.recipe.as_ref().expect("kept").borrow_mut();
        let texts = recipe().texts.clone();
        recipe().watch = Watch::new(folder.path(), &texts, long_ago);
        write("out vec4 colour; void main() { colour = nonsense; }", 60);
        program.bind();
        assert_eq!(program.raw.get(), first, "the last good one stays");
        let faults = gl.faults();
        assert!(
            faults.len() == 1 && faults[0].contains("test.frag"),
            "{faults:?}"
        );
        recipe().watch.looked = long_ago;
        write("out vec4 colour; void main() { colour = vec4(0.5); }", 30);
        program.bind();
        assert!(program.raw.get() != first && gl.faults().is_empty());
        assert_eq!(gl.error(), None);
    }
}
