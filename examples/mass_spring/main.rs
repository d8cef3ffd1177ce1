//! Lovelock with a method of one's own: everything that `lovelock` does, with
//! `mass` as a seventh method. `cargo run --release --example mass_spring`
//! opens the window with it.

mod method;

fn main() -> std::process::ExitCode {
    if let Err(error) = lovelock::sim::solver::register(method::METHOD) {
        eprintln!("{error}");
        return std::process::ExitCode::FAILURE;
    }
    lovelock::cli::main()
}
