//! Prints the tree of a USD file: `cargo run -p lovelock-usd --example usd_tree FILE`.

use lovelock_usd::{Data, Layer, Prim};

fn shown<T: std::fmt::Debug>(all: &[T]) -> String {
    let more = if all.len() > 6 { " ..." } else { "" };
    format!("{} {:?}{more}", all.len(), &all[..all.len().min(6)])
}

fn print(prim: &Prim, depth: usize) {
    let indent = "  ".repeat(depth);
    println!(
        "{indent}{:?} {} \"{}\"",
        prim.specifier, prim.kind, prim.name
    );
    for property in &prim.properties {
        let value = match property.value() {
            Ok(Some(value)) => match value.data {
                Data::I32(all) => shown(&all),
                Data::I64(all) => shown(&all),
                Data::F32(all) => shown(&all),
                Data::F64(all) => shown(&all),
                Data::Text(all) => shown(&all),
            },
            Ok(None) => format!("-> {:?}", property.targets()),
            Err(error) => error.to_string(),
        };
        let moves = if property.moves() { " (moves)" } else { "" };
        println!(
            "{indent}  {} {} [{}]{moves}: {value}",
            property.kind, property.name, property.interpolation
        );
    }
    for child in &prim.children {
        print(child, depth + 1);
    }
}

fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).expect("a file");
        match Layer::open(&bytes) {
            Ok(layer) => {
                println!(
                    "{path}: up {:?}, unit {:?}",
                    layer.up_axis, layer.metres_per_unit
                );
                layer.prims.iter().for_each(|prim| print(prim, 1));
            }
            Err(error) => println!("{path}: {error} ({:?})", error.place),
        }
    }
}
