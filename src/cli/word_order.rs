//! Options before a command, which the parser takes for those of a window.

use super::args::Cli;
use clap::{Arg, Command, CommandFactory as _};
use std::env;

/// What to say where a command stands behind options: the same line in the right order;
/// none where no command does.
pub fn command_first() -> Option<String> {
    let words = env::args_os().skip(1);
    let words: Vec<String> = words.map(|w| w.to_string_lossy().into_owned()).collect();
    let at = behind_options(&Cli::command(), &words)?;
    let others = words[..at].iter().chain(&words[at + 1..]);
    let line: Vec<String> = others.map(|word| quoted(word)).collect();
    let (command, line) = (&words[at], line.join(" "));
    Some(format!(
        "write the command first: lovelock {command} {line}"
    ))
}

/// Where the first word that is neither an option nor the value of one is a command, and
/// not the first of all: its place.
fn behind_options(cli: &Command, words: &[String]) -> Option<usize> {
    let below = cli.get_subcommands().flat_map(Command::get_arguments);
    let known: Vec<&Arg> = cli.get_arguments().chain(below).collect();
    let mut words = words.iter().enumerate();
    while let Some((at, word)) = words.next() {
        let Some(long) = word.strip_prefix("--") else {
            if word.starts_with('-') {
                continue;
            }
            let is_command = cli.get_subcommands().any(|c| c.get_name() == word);
            return (at > 0 && is_command).then_some(at);
        };
        let mut same = known.iter().filter(|arg| arg.get_long() == Some(long));
        if same.any(|arg| arg.get_action().takes_values()) {
            words.next();
        }
    }
    None
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=.,/:+@%#~".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_found_behind_options_and_their_values() {
        let place = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(String::from).collect();
            behind_options(&Cli::command(), &words)
        };
        assert_eq!(place("--style coily render --frames 1"), Some(2));
        assert_eq!(place("--frames 1 render"), Some(2));
        assert_eq!(place("--set=wind.on=true --fit simulate"), Some(2));
        for other in [
            "render --frames 1",
            "--head render",
            "--style coily scene.toml render",
            "--style coily",
            "",
        ] {
            assert_eq!(place(other), None, "{other}");
        }
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_part_them() {
        assert_eq!(quoted("--set"), "--set");
        assert_eq!(quoted("my hair.toml"), "'my hair.toml'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
