//! The `lovelock` program.

fn main() -> std::process::ExitCode {
    lovelock::cli::main()
}
