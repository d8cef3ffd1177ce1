//! Shaders, compiled and linked; compiled anew when their files change.
#![expect(
    unsafe_code,
    reason = "every call of glow is unsafe; see the module above"
)]

use super::{Gl, reload::Watch, units::SAMPLERS};
use crate::render::RenderError;
use glow::HasContext as _;
use std::{
    cell::{Cell, OnceCell, RefCell},
    path::Path,
    time::Instant,
};

/// Whether shaders are compiled anew when their files change, for whoever
/// writes them.
const RELOADS: bool = cfg!(any(debug_assertions, test));
/// Where the files lie.
const SHADERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");

/// Lets a shader take its light from an environment. Compiled apart: a branch in the
/// shader of three-point light would change the last bits of that.
const ENVIRONMENT: &str = "ENVIRONMENT";
/// How shaders ask for the light from all around.
const ASKED: &str = "surroundings(";

/// A linked pair of shaders.
pub(in crate::render) struct Program {
    gl: Gl,
    raw: Cell<glow::Program>,
    /// The same in the light of an environment, where that makes a difference.
    lit: Option<Lit>,
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

/// A program for the light of an environment, compiled when it is first used.
struct Lit {
    recipe: Sources,
    /// None within where the driver refused it, which was told.
    program: OnceCell<Option<Box<Program>>>,
}

/// What a program is compiled from.
struct Sources {
    name: String,
    shared: String,
    stages: Vec<(&'static str, u32, String)>,
    outputs: Vec<String>,
}

impl Lit {
    /// That of a program with these sources, where they ask for the light.
    fn of(
        name: &str,
        shared: &str,
        stages: &[(&'static str, u32, &str)],
        outputs: &[&str],
    ) -> Option<Self> {
        // Where that light is made, which all shaders have before them, is one of these.
        let texts = stages.iter().map(|stage| stage.2).chain([shared]);
        let asked: usize = texts.map(|text| text.matches(ASKED).count()).sum();
        (asked > 1).then(|| Self {
            recipe: Sources {
                name: format!("{name} (environment)"),
                shared: format!("#define {ENVIRONMENT}\n{shared}"),
                stages: stages.iter().map(|s| (s.0, s.1, s.2.into())).collect(),
                outputs: outputs.iter().map(|o| (*o).into()).collect(),
            },
            program: OnceCell::new(),
        })
    }

    fn program(&self, gl: &Gl) -> Option<&Program> {
        let compile = || {
            let recipe = &self.recipe;
            let stages: Vec<_> = (recipe.stages.iter())
                .map(|(stage, kind, text)| (*stage, *kind, text.as_str()))
                .collect();
            let outputs: Vec<_> = recipe.outputs.iter().map(String::as_str).collect();
            let linked = Program::link(gl, &recipe.name, &recipe.shared, &stages, &outputs);
            let told = linked.inspect_err(|error| log::error!("{error}"));
            told.ok().map(Box::new)
        };
        self.program.get_or_init(compile).as_deref()
    }
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
        Self::made(gl, name, shared, &stages, &[])
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
        Self::made(gl, name, shared, &stages, outputs)
    }

    fn made(
        gl: &Gl,
        name: &str,
        shared: &str,
        stages: &[(&'static str, u32, &str)],
        outputs: &[&str],
    ) -> Result<Self, RenderError> {
        let mut program = Self::link(gl, name, shared, stages, outputs)?;
        program.lit = Lit::of(name, shared, stages, outputs);
        Ok(program)
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
                lit: None,
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

    /// Makes it the program of the next draws, in the light that the context has.
    pub fn bind(&self) {
        let lit = self.lit.as_ref().filter(|_| self.gl.is_lit_around());
        let lit = lit.and_then(|lit| lit.program(&self.gl));
        lit.unwrap_or(self).bind_itself();
    }

    fn bind_itself(&self) {
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
