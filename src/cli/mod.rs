//! The command line: the one place where errors are printed and exit codes
//! are chosen.

mod bench;
mod cache_recorder;
mod drawing;
mod export;
mod headless_renderer;
mod info;
mod overrides;
mod progress;
mod render;
mod response;
mod shake;
mod simulate;
mod validate;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use lovelock::{
    io::cache::is_cache,
    project::{examples, playback, scene_file::SceneFile},
    ui::window,
};
use overrides::SceneArgs;
use std::{
    backtrace::{Backtrace, BacktraceStatus},
    io::{self, Write as _},
    panic,
    process::ExitCode,
    time::Instant,
};

/// What may follow the program's name.
#[derive(Debug, Parser)]
#[command(
    name = "lovelock",
    version,
    about = "Curly hair that moves on a head, and that you change while it moves.\n\n\
        Without a command a window opens: drag to orbit, W for wind, C to record, F1 for all keys.",
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    scene: SceneArgs,
    /// Name the scenes that come with the program, and what each shows
    #[arg(long)]
    list_scenes: bool,
}

const EXAMPLES: &str = "\
Examples:
  lovelock                                        the window, with the built-in head
  lovelock --scene ringlets                       a scene that comes with it
  lovelock --style coily --strands 5000           other hair
  lovelock --head bust.obj --set wind.on=true     your own head, in the wind
  lovelock render --seconds 4 --out renders       96 pictures, without a window
  lovelock render --frames 1 --compare pbd,rod    methods side by side
  lovelock simulate --seconds 10 --stats run.csv  numbers for each frame
  lovelock simulate --seconds 10 --cache a.cache  every frame, to be drawn later
  lovelock render --cache a.cache --frames 0..99  a part of it, on any machine
  lovelock a.cache                                play it in the window
  lovelock validate                               each method against rod theory
  lovelock shake                                  each method through violent ordeals
  lovelock response                               how far hair answers to each key
  lovelock info bust.obj                          what is in a file

Exit codes: 0 done; 1 the work failed; 2 wrong usage.
Messages of the log: LOVELOCK_LOG=info lovelock ...";

#[derive(Debug, Subcommand)]
enum Command {
    /// Simulate and draw numbered pictures, without a window
    Render(render::RenderArgs),
    /// Simulate without pictures, and tell or write the numbers
    Simulate(simulate::SimulateArgs),
    /// Measure how fast the strands move
    Bench(bench::BenchArgs),
    /// Measure how true each method is to rod theory
    Validate(validate::ValidateArgs),
    /// Run the stress test: violent motion, scored for each method
    Shake(shake::ShakeArgs),
    /// Measure what wind, gravity, stiffness and a moving head do to the hair one sees
    Response(response::ResponseArgs),
    /// Tell what is in a head, groom or scene file
    Info(info::InfoArgs),
}

/// A wrong command line that the parser could not see; ends with exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

/// Standard output was closed by whoever read it (`lovelock ... | head`).
#[derive(Debug, thiserror::Error)]
#[error("nobody reads the output any more")]
struct OutputClosed;

/// Prints to standard output; a reader that went away is no failure and no panic.
macro_rules! say {
    ($($text:tt)*) => { $crate::cli::print_line(format_args!($($text)*)) };
}
use say;

fn print_line(text: std::fmt::Arguments<'_>) -> anyhow::Result<()> {
    writeln!(io::stdout().lock(), "{text}").map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => OutputClosed.into(),
        _ => anyhow::anyhow!(
            "cannot write to standard output: {}",
            lovelock::io::reason(&error)
        ),
    })
}

/// Parses the command line, does what it says, prints what went wrong.
pub fn main() -> ExitCode {
    let begun = Instant::now();
    panic::set_hook(Box::new(|what| {
        let place = what
            .location()
            .map(|at| format!(" at {}:{}", at.file(), at.line()))
            .unwrap_or_default();
        let message = what.payload_as_str().unwrap_or("no message");
        complain(&format!(
            "a mistake in the program itself{place}: {message}; please report it"
        ));
        // With RUST_BACKTRACE set, where it came from.
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            complain(&format!("the way there:\n{trace}"));
        }
    }));
    start_log();
    lovelock::mesh::cache::open();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and version come as "errors" too; clap prints each where it belongs.
        Err(message) => {
            let _ = message.print();
            return ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2));
        }
    };
    match panic::catch_unwind(|| run(cli, begun)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) if error.is::<OutputClosed>() => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            complain(&sentence(&error));
            ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
        }
        Err(_) => ExitCode::from(1),
    }
}

fn run(cli: Cli, begun: Instant) -> anyhow::Result<()> {
    if cli.list_scenes {
        return list_scenes();
    }
    match cli.command {
        None => {
            let cache = cli.scene.file.clone().filter(|file| is_cache(file));
            let scene = match &cache {
                Some(path) => playback::open(path)?.1,
                None => cli.scene.read()?,
            };
            let document = match (&cache, &cli.scene.file) {
                (None, Some(file)) => SceneFile::of_file(file.clone(), &scene),
                _ => SceneFile::of_name(cli.scene.example.as_deref(), &scene),
            };
            let threads = cli.scene.overrides.threads.map(usize::from);
            window::run(
                scene,
                window::WindowOptions {
                    threads,
                    cache,
                    begun,
                    document: Some(document),
                    ..window::WindowOptions::default()
                },
            )
        }
        Some(Command::Render(args)) => render::run(&args),
        Some(Command::Simulate(args)) => simulate::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Validate(args)) => validate::run(&args),
        Some(Command::Shake(args)) => shake::run(&args),
        Some(Command::Response(args)) => response::run(&args),
        Some(Command::Info(args)) => info::run(&args),
    }
}

/// Prints the scenes that come with the program, one a line.
fn list_scenes() -> anyhow::Result<()> {
    for example in examples::EXAMPLES {
        say!("{:<22} {}", example.name, example.about())?;
    }
    Ok(())
}

/// A span of simulated time on the command line. `[s]`
fn seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|seconds| (0.0..=86_400.0).contains(seconds))
        .ok_or_else(|| "give seconds, from 0 to 86400".into())
}

/// Lets everything parallel run on so many threads, or on all cores.
fn use_threads(threads: Option<u16>) -> anyhow::Result<()> {
    let Some(threads) = threads else {
        return Ok(());
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.into())
        .build_global()
        .with_context(|| format!("cannot start {threads} threads; ask for fewer with --threads"))
}

/// Both name what the log shows; the second wins.
const LOG_VARIABLES: [&str; 2] = ["RUST_LOG", "LOVELOCK_LOG"];

fn log_is_asked_for() -> bool {
    LOG_VARIABLES.iter().any(|v| std::env::var_os(v).is_some())
}

/// Warnings, and whatever `LOVELOCK_LOG` or `RUST_LOG` asks for, on standard error.
fn start_log() {
    let mut log = env_logger::Builder::new();
    log.filter_level(log::LevelFilter::Warn);
    for variable in LOG_VARIABLES {
        if let Ok(filters) = std::env::var(variable) {
            log.parse_filters(&filters);
        }
    }
    log.format(|out, record| {
        let level = record.level().as_str().to_lowercase();
        writeln!(out, "lovelock: {level}: {}", record.args())
    });
    // Nobody else starts a log in this program.
    let _ = log.try_init();
}

fn complain(text: &str) {
    // There is nowhere left to complain that complaining failed.
    let _ = writeln!(io::stderr().lock(), "lovelock: {text}");
}

/// An error and its causes as one line; a cause whose text already stands in
/// the message is not told twice.
fn sentence(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if text.contains(&cause) {
            continue;
        }
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&cause);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;
    use std::path::Path;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_example_is_a_command_line() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let docs = std::fs::read_dir(root.join("docs")).expect("docs can be listed");
        let docs = docs.map(|entry| entry.expect("an entry of docs").path());
        let pages = docs.filter(|path| path.extension().is_some_and(|e| e == "md"));
        let pages = [root.join("README.md"), root.join("CONTRIBUTING.md")]
            .into_iter()
            .chain(pages);
        let text = |path| std::fs::read_to_string(path).expect("a page");
        let pages: Vec<String> = pages.map(text).collect();
        let pages = pages.iter().flat_map(|page| page.lines());
        let mut count = 0;
        for line in EXAMPLES.lines().chain(pages) {
            let line = line.split(" #").next().unwrap_or_default().trim();
            let line = line.strip_prefix("cargo run --release -- ").unwrap_or(line);
            // In the help, two spaces part an example from its explanation.
            let line = line.split("  ").next().unwrap_or_default();
            if !line.starts_with("lovelock ") && line != "lovelock" {
                continue;
            }
            let parsed = Cli::try_parse_from(line.split_whitespace());
            let scene = match parsed.map(|cli| cli.command.map_or(Some(cli.scene), |_| None)) {
                Ok(scene) => scene,
                Err(error) => panic!("{line}: {error}"),
            };
            // A cache is there only once it was simulated, a scene of the
            // reader's own only once it was saved.
            let to_come = |scene: &SceneArgs| {
                let theirs = ["a.cache", "run.cache", "my-scene.toml"];
                let named = scene.file.as_ref();
                named.is_some_and(|file| theirs.iter().any(|name| file.ends_with(name)))
            };
            if let Some(scene) = scene.filter(|scene| !to_come(scene)) {
                scene
                    .read()
                    .unwrap_or_else(|error| panic!("{line}: {error}"));
            }
            count += 1;
        }
        assert!(count >= 40, "only {count} examples were found");
    }

    #[test]
    fn an_error_is_one_sentence() {
        let inner = anyhow::anyhow!("b.obj:3: not\n a number");
        let error = inner
            .context("b.obj:3: not\n a number, write one")
            .context("cannot read the head");
        assert_eq!(
            sentence(&error),
            "cannot read the head: b.obj:3: not a number, write one"
        );
    }
}
