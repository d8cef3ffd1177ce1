//! The command line: what may follow the program's name.

use super::{
    bench, convert, farm, info, overrides::SceneArgs, render, response, shake, simulate, sweep,
    validate,
};
use clap::{Arg, Command, CommandFactory as _, Parser, Subcommand};

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
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<CliCommand>,
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Name the scenes that come with the program, and what each shows
    #[arg(long)]
    pub list_scenes: bool,
    /// The window's OpenGL context counts as lost after so many frames, again and again:
    /// shows that the window recovers
    #[arg(long, value_name = "FRAMES", hide = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub lose_context_after: Option<u32>,
}

/// The parser of the command line. What begins with a minus and is a number is a value
/// everywhere, never an option: so it is refused by a sentence about that number.
pub fn command() -> Command {
    let values = |arg: Arg| {
        let is_value = arg.get_action().takes_values() && !arg.is_positional();
        arg.allow_negative_numbers(is_value)
    };
    Cli::command()
        .mut_args(values)
        .mut_subcommands(|sub| sub.mut_args(values))
}

const EXAMPLES: &str = "\
Examples:
  lovelock                                        the window, with the built-in head
  lovelock --scene ringlets                       a scene that comes with it
  lovelock --style coily --strands 5000           other hair
  lovelock --head bust.obj --set wind.on=true     your own head, in the wind
  lovelock render --seconds 4 --out renders       96 pictures, without a window
  lovelock render --frames 1 --compare pbd,rod    methods side by side
  lovelock simulate --seconds 10 --stats run.csv  numbers for each step
  lovelock simulate --seconds 10 --cache a.cache  every frame, to be drawn later
  lovelock render --cache a.cache --frames 0..99  a part of it, on any machine
  lovelock a.cache                                play it in the window
  lovelock hair.abc                               play a groom that moves
  lovelock convert hair.abc hair.usdc             all of its poses in another format
  lovelock convert a.cache hair.abc               the hair of a cache, for another program
  lovelock farm --scene bob --frames 240          a job for a render farm
  lovelock sweep --vary sim.softness=0.2,0.8      a sheet of pictures to choose from
  lovelock validate                               each method against rod theory
  lovelock shake                                  each method through stress cases
  lovelock response                               how far hair answers to each key
  lovelock info bust.obj                          what is in a file

Exit codes: 0 done; 1 the work failed; 2 wrong usage.
Messages of the log: LOVELOCK_LOG=info lovelock ...";

/// Makes a subcommand of each row: its name, and the file that has its arguments and
/// the function that runs it.
macro_rules! subcommands {
    ($($(#[$about:meta])* $name:ident => $file:ident::$args:ident,)*) => {
        /// What the program is asked for in place of a window.
        #[derive(Debug, Subcommand)]
        pub enum CliCommand {
            $($(#[$about])* $name($file::$args),)*
        }

        impl CliCommand {
            /// Does it.
            pub fn run(&self) -> anyhow::Result<()> {
                match self {
                    $(Self::$name(args) => $file::run(args),)*
                }
            }
        }
    };
}

subcommands! {
    /// Simulate and draw numbered pictures, without a window
    Render => render::RenderArgs,
    /// Simulate without pictures, and print or write the numbers
    Simulate => simulate::SimulateArgs,
    /// Write a job for a render farm: simulate once, draw in chunks, join
    Farm => farm::FarmArgs,
    /// Draw and measure each combination of some values, with a sheet and a table of them all
    Sweep => sweep::SweepArgs,
    /// Measure how fast the strands move
    Bench => bench::BenchArgs,
    /// Compare each method with rod theory
    Validate => validate::ValidateArgs,
    /// Run the stress test: violent motion, scored for each method
    Shake => shake::ShakeArgs,
    /// Measure what wind, gravity, stiffness and a moving head do to the hair one sees
    Response => response::ResponseArgs,
    /// Write a groom or the hair of a cache in another format, with all poses; or a groom as a cache
    Convert => convert::ConvertArgs,
    /// Report what is in a head, groom, scene or cache file
    Info => info::InfoArgs,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
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
            // A cache is there only once it was simulated, a picture once it was
            // taken, a scene of the reader's own only once it was saved.
            let to_come = |scene: &SceneArgs| {
                let theirs = [
                    "a.cache",
                    "run.cache",
                    "my-scene.toml",
                    "hair.abc",
                    "render0000.png",
                ];
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
}
