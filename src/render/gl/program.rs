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
    in_environment: Option<EnvironmentVariant>,
    /// What it was made of, where that may change.
    reload: Option<RefCell<Reload>>,
}

/// What a program is compiled from.
#[derive(Clone)]
struct Sources {
    name: String,
    /// What goes before all stages, then the text of each.
    texts: Vec<String>,
    /// Name and kind of each stage.
    stages: Vec<(&'static str, u32)>,
    /// What is kept of the vertices, in place of a picture.
    outputs: Vec<String>,
}

/// Sources, and the files that they come from.
struct Reload {
    sources: Sources,
    watch: Watch,
}

/// A program for the light of an environment, compiled when it is first used.
struct EnvironmentVariant {
    sources: Sources,
    /// None within where the driver refused it, which was told.
    program: OnceCell<Option<Box<Program>>>,
}

impl Sources {
    /// The same for the light of an environment; none where they do not ask for that.
    fn in_environment(&self) -> Option<Self> {
        // Where that light is made, which all shaders have before them, is one of these.
        let asked: usize = (self.texts.iter())
            .map(|text| text.matches(ASKED).count())
            .sum();
        let mut sources = self.clone();
        sources.name = format!("{} (environment)", self.name);
        sources.texts[0] = format!("#define {ENVIRONMENT}\n{}", self.texts[0]);
        (asked > 1).then_some(sources)
    }
}

impl EnvironmentVariant {
    fn program(&self, gl: &Gl) -> Option<&Program> {
        let compile = || match Program::link(gl, self.sources.clone()) {
            Ok(program) => Some(Box::new(program)),
            Err(error) => {
                let told = format!("{error}; three-point light's own shader draws in its place");
                log::error!("{told}");
                gl.note_fault(&self.sources.name, told);
                None
            }
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
        Self::made(
            gl,
            Sources {
                name: name.into(),
                texts: [shared, vertex, fragment].map(Into::into).into(),
                stages: vec![
                    ("vert", glow::VERTEX_SHADER),
                    ("frag", glow::FRAGMENT_SHADER),
                ],
                outputs: Vec::new(),
            },
        )
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
        Self::made(
            gl,
            Sources {
                name: name.into(),
                texts: [shared, vertex].map(Into::into).into(),
                stages: vec![("vert", glow::VERTEX_SHADER)],
                outputs: outputs.iter().map(|output| (*output).into()).collect(),
            },
        )
    }

    fn made(gl: &Gl, sources: Sources) -> Result<Self, RenderError> {
        let variant = sources.in_environment().map(|sources| EnvironmentVariant {
            sources,
            program: OnceCell::new(),
        });
        let mut program = Self::link(gl, sources)?;
        program.in_environment = variant;
        Ok(program)
    }

    fn link(gl: &Gl, sources: Sources) -> Result<Self, RenderError> {
        let name = &sources.name;
        let fail = |stage: &str, log: String| RenderError::Shader {
            shader: format!("{name}.{stage}"),
            log: log.trim().replace('\n', "; "),
        };
        let (shared, texts) = match sources.texts.split_first() {
            Some((shared, texts)) => (shared.as_str(), texts),
            None => ("", &[][..]),
        };
        // SAFETY: the context is current; shader and program names are made
        // here and used only with calls meant for them.
        unsafe {
            let raw = gl.0.create_program().map_err(|log| fail("program", log))?;
            // Owned from here on, so that an early return frees it.
            let mut program = Self {
                gl: gl.clone(),
                raw: Cell::new(raw),
                in_environment: None,
                reload: None,
            };
            let gl = &*gl.0;
            for (&(stage, kind), text) in sources.stages.iter().zip(texts) {
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
            if !sources.outputs.is_empty() {
                let outputs: Vec<&str> = sources.outputs.iter().map(String::as_str).collect();
                gl.transform_feedback_varyings(raw, &outputs, glow::INTERLEAVED_ATTRIBS);
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
                let watch = Watch::new(Path::new(SHADERS), &sources.texts, Instant::now());
                program.reload = Some(RefCell::new(Reload { sources, watch }));
            }
            Ok(program)
        }
    }

    /// Compiles anew what has changed; keeps the last good one.
    fn renew(&self, Reload { sources, watch }: &mut Reload) {
        if !watch.refresh(&mut sources.texts, Instant::now()) {
            return;
        }
        match Self::link(&self.gl, sources.clone()) {
            Ok(fresh) => {
                // The old one goes with the value that was made for the new one.
                self.raw.swap(&fresh.raw);
                self.gl.forget_fault(&sources.name);
            }
            Err(error) => {
                log::warn!("{error}");
                self.gl.note_fault(&sources.name, error.to_string());
            }
        }
    }

    /// Makes it the program of the next draws, in the light that the context has.
    pub fn bind(&self) {
        let variant = self.in_environment.as_ref();
        let variant = variant.filter(|_| self.gl.has_environment());
        let program = variant.and_then(|variant| variant.program(&self.gl));
        program.unwrap_or(self).bind_itself();
    }

    fn bind_itself(&self) {
        if let Some(reload) = &self.reload {
            self.renew(&mut reload.borrow_mut());
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
        let Some(headless) = Headless::or_skip() else {
            return;
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
        let reload = || program.reload.as_ref().expect("kept").borrow_mut();
        let texts = reload().sources.texts.clone();
        reload().watch = Watch::new(folder.path(), &texts, long_ago);
        write("out vec4 colour; void main() { colour = nonsense; }", 60);
        program.bind();
        assert_eq!(program.raw.get(), first, "the last good one stays");
        let faults = gl.faults();
        assert!(
            faults.len() == 1 && faults[0].contains("test.frag"),
            "{faults:?}"
        );
        reload().watch.looked = long_ago;
        write("out vec4 colour; void main() { colour = vec4(0.5); }", 30);
        program.bind();
        assert!(program.raw.get() != first && gl.faults().is_empty());
        assert_eq!(gl.error(), None);
    }

    #[test]
    fn a_variant_that_the_driver_refuses_is_told_once_and_the_other_draws() {
        let Some(headless) = Headless::or_skip() else {
            return;
        };
        let gl = Gl::new(headless.gl());
        let shared = "vec3 surroundings(vec3 n) { return n; }";
        let vertex = "void main() { gl_Position = vec4(0.0); }";
        let fragment = "out vec4 colour;\n#ifdef ENVIRONMENT\nnonsense\n#endif\n\
                        void main() { colour = vec4(surroundings(vec3(1.0)), 1.0); }";
        let program = Program::new(&gl, "test", shared, [vertex, fragment]).expect("compiles");
        program.bind();
        assert!(gl.faults().is_empty(), "three-point light is not refused");
        gl.set_environment(true);
        program.bind();
        program.bind();
        let faults = gl.faults();
        assert!(
            faults.len() == 1 && faults[0].contains("test (environment).frag"),
            "{faults:?}"
        );
        assert!(faults[0].ends_with("draws in its place"), "{faults:?}");
        assert_eq!(gl.error(), None);
    }
}
