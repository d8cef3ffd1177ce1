//! Prints what is in an Alembic archive: `cargo run -p lovelock-alembic --example alembic_tree FILE`.

use lovelock_alembic::{Archive, Error, Kind, Object, Property};

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("name an archive");
        std::process::exit(2);
    };
    let told = std::fs::read(&path)
        .map_err(|error| error.to_string())
        .and_then(|bytes| show(&bytes).map_err(|error| error.to_string()));
    if let Err(error) = told {
        eprintln!("{path}: {error}");
        std::process::exit(1);
    }
}

fn show(bytes: &[u8]) -> Result<(), Error> {
    let archive = Archive::open(bytes)?;
    println!("{}", archive.metadata()?);
    object(&archive.top()?, 0)
}

fn object(here: &Object, depth: usize) -> Result<(), Error> {
    println!("{:depth$}{} [{}]", "", here.name, here.metadata);
    for each in here.properties()? {
        property(&each, depth + 2)?;
    }
    for child in here.children()? {
        object(&child, depth + 2)?;
    }
    Ok(())
}

fn property(here: &Property, depth: usize) -> Result<(), Error> {
    println!("{:depth$}.{} [{}]", "", here.name(), here.metadata());
    if here.kind() == Kind::Compound {
        for each in here.properties()? {
            property(&each, depth + 2)?;
        }
        return Ok(());
    }
    let times = here.times().map(|times| [times.at(0), times.at(1)]);
    let (kind, pod, each) = (here.kind(), here.pod(), here.extent());
    println!(
        "{:depth$}  {kind:?} of {pod:?} x {each}, {} samples at {times:?}",
        "",
        here.samples()
    );
    let first = match here.samples() {
        0 => return Ok(()),
        _ => here.sample(0)?,
    };
    let shown = |text: String| text.chars().take(90).collect::<String>();
    let values = match (first.whole(), first.doubles(), first.texts()) {
        (Ok(all), ..) => format!("{all:?}"),
        (_, Ok(all), _) => format!("{all:?}"),
        (.., Ok(all)) => format!("{all:?}"),
        _ => String::new(),
    };
    println!("{:depth$}  {}", "", shown(values));
    Ok(())
}
