//! Runs the program: what the command line says, and what went wrong.

use super::{
    args::{self, Cli},
    logging::start_log,
    output::{OutputClosed, say},
    overrides::SceneArgs,
    usage::{UnknownName, Usage},
    word_order,
};
use crate::{
    io::cache::is_cache,
    param,
    project::{examples, playback, scene::Scene, scene_file::SceneFile},
    ui::window,
};
use clap::{CommandFactory as _, FromArgMatches as _};
use std::{
    backtrace::{Backtrace, BacktraceStatus},
    io::{self, Write as _},
    panic,
    path::Path,
    process::ExitCode,
    time::Instant,
};

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
    crate::mesh::cache::open();
    let mut command = args::command();
    let parsed = command.try_get_matches_from_mut(std::env::args_os());
    let parsed = parsed.and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches);
        cli.map_err(|error| error.format(&mut command))
    });
    let cli = match parsed {
        Ok(cli) => cli,
        // Help and version come as "errors" too; clap prints each where it belongs.
        Err(message) => {
            if message.use_stderr()
                && let Some(text) = word_order::command_first()
            {
                complain(&text);
            } else {
                let _ = message.print();
            }
            return ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2));
        }
    };
    match panic::catch_unwind(|| run(cli, begun)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) if error.is::<OutputClosed>() => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            let error = with_nearest_command(error);
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
            let cache = cli.scene.file.clone();
            let cache = cache.filter(|file| playback::is_recorded(file));
            let scene = match &cache {
                Some(path) if is_cache(path) => scene_of_cache(path, &cli.scene)?,
                // The window opens the groom in this scene.
                Some(_) => cli.scene.lay_over(Scene::default())?,
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
                    lose_context_after: cli.lose_context_after,
                    ..window::WindowOptions::default()
                },
            )
        }
        Some(command) => command.run(),
    }
}

/// The scene in a cache that the window plays, which takes no options of another one.
fn scene_of_cache(path: &Path, args: &SceneArgs) -> anyhow::Result<Scene> {
    let (_, scene) = playback::open(path, &Scene::default())?;
    let mut asked = args.lay_over(scene.clone())?;
    playback::keep_to_frames(&mut asked);
    if asked != scene {
        let path = path.display();
        return Err(Usage(format!(
            "the window plays {path} with the scene in it; change that in the panel, or draw \
             it with other options: lovelock render --cache {path}"
        ))
        .into());
    }
    Ok(scene)
}

/// Prints the scenes that come with the program, one a line.
fn list_scenes() -> anyhow::Result<()> {
    for example in examples::EXAMPLES {
        say!("{:<22} {}", example.name, example.about())?;
    }
    Ok(())
}

/// A misspelt command is named with the one that may have been meant, and one behind
/// options with the right order.
fn with_nearest_command(error: anyhow::Error) -> anyhow::Error {
    let Some(UnknownName(name)) = error.downcast_ref() else {
        return error;
    };
    if let Some(text) = word_order::command_first() {
        return Usage(text).into();
    }
    let commands = Cli::command();
    let commands = commands.get_subcommands();
    let commands = commands.map(|command| command.get_name().to_string());
    // One that follows another command is not misspelt.
    let commands = commands.filter(|command| command != name);
    let guess = param::guess(name, commands);
    Usage(format!("{}{guess}", UnknownName(name.clone()))).into()
}

fn complain(text: &str) {
    // There is nowhere left to complain that complaining failed.
    let _ = writeln!(io::stderr().lock(), "lovelock: {text}");
}

/// An error and its causes as one line; a cause whose text already stands in
/// the message is not told twice.
pub fn sentence(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        // The system's own words carry a number that a message has left out.
        let (words, _) = match cause.ends_with(')') {
            true => cause.rsplit_once(" (os error").unwrap_or((&cause, "")),
            false => (&cause[..], ""),
        };
        if text.to_lowercase().contains(&words.to_lowercase()) {
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
        let missing = std::io::Error::from_raw_os_error(2);
        let words = missing.to_string().to_lowercase();
        let (words, _) = words.split_once(" (os").expect("a number");
        let told = format!("cannot read b.obj: {words}; check the path");
        let error = anyhow::Error::new(missing).context(told.clone());
        assert_eq!(sentence(&error), told);
    }
}
