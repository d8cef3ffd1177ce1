//! `lovelock bench`: rows for scripts that say what they should.

use crate::program::{complaint, table_and_rows};

#[test]
fn the_quick_bench_has_every_kind_of_row() {
    let (table, rows) = table_and_rows(&["bench", "--quick", "--threads", "1,2"]);
    let number = |row: &serde_json::Value, key: &str| {
        row[key]
            .as_f64()
            .unwrap_or_else(|| panic!("{key} of {row}"))
    };
    for row in &rows {
        let name = row["name"].as_str().expect("a name");
        assert!(table.contains(name), "{name} is not in the table");
        for key in ["ns_per_vertex_substep", "real_time_factor", "ns_per_core"] {
            assert!(number(row, key) > 0.0, "{key} of {row}");
        }
        let stretch = number(row, "max_stretch");
        let most = match row["solver"].as_str() {
            Some("rod") => 1e-5,
            Some("ftl" | "der") => 1e-3,
            // Their stretch limits.
            Some("pbd") => 0.0081,
            Some("shape") => 0.0101,
            Some("spring") => 0.0501,
            // A textbook stretches as it likes.
            _ => 100.0,
        };
        assert!((0.0..most).contains(&stretch), "stretch of {row}");
        if row["threads"] == 2 {
            assert!(number(row, "scaling") > 0.1, "{row}");
        } else {
            assert!(row["scaling"].is_null(), "{row}");
        }
    }
    let find = |strands: u64, vertices: u64, name: &str, threads: u64| {
        let found = rows.iter().find(|row| {
            row["solver"] == "rod"
                && (row["strands"] == strands && row["vertices"] == vertices)
                && (row["name"] == name && row["threads"] == threads)
        });
        found.unwrap_or_else(|| panic!("no {name} of {strands} x {vertices}, {threads} threads"))
    };
    for (strands, vertices, substeps) in [(500, 100, 4), (2_000, 64, 2)] {
        for name in [
            "contact off",
            "contact, settled",
            "contact, settled, hair lying on the head",
            "contact, head shaken",
        ] {
            for threads in [1, 2] {
                if threads == 2 && name == "contact, head shaken" {
                    continue;
                }
                let row = find(strands, vertices, name, threads);
                assert_eq!(row["substeps"], substeps, "{row}");
                // A busy machine may slow one of two rows down, not tenfold.
                assert!(number(row, "ratio_to_textbook") > 0.5, "{row}");
                assert!(number(row, "ratio_to_scalar") > 0.2, "{row}");
            }
        }
        let touching = |name| number(find(strands, vertices, name, 1), "touching");
        assert_eq!(touching("contact off"), 0.0);
        assert!(touching("contact, settled, hair lying on the head") > 0.01);
        let extra = number(
            find(strands, vertices, "contact, head shaken", 1),
            "extra_passes",
        );
        assert!(extra > 0.0, "a shaken head asks for more passes");
    }
    for method in ["pbd", "ftl", "shape", "spring", "der", "rod"] {
        let of_it = |row: &&serde_json::Value| row["solver"] == method && row["threads"] == 1;
        let lanes = |row: &serde_json::Value| row["ratio_to_scalar"].as_f64();
        let best = rows.iter().filter(of_it).filter_map(lanes);
        let best = best.fold(0.0, f64::max);
        assert!(best > 1.0, "{method}: {best} times its scalar form");
    }
    let baseline = find(2_000, 64, "contact off, baseline", 1);
    assert_eq!(baseline["instructions"], "baseline");
}

#[test]
fn another_build_is_measured_in_turn() {
    let this = env!("CARGO_BIN_EXE_lovelock");
    let cheap = ["bench", "--quick", "--solver", "ftl,ftl", "--threads", "1"];
    let compare = [&cheap[..], &["--rounds", "2", "--compare", this]].concat();
    let (table, rows) = table_and_rows(&compare);
    assert!(rows.len() > 3, "{table}");
    for row in &rows {
        assert!(table.contains(row["name"].as_str().expect("a name")));
        let number = |key: &str| row["ratio"][key].as_f64().expect("a number");
        assert!(number("least") > 0.0 && number("least") <= number("median"));
        assert!(number("median") <= number("most"), "{row}");
        assert_eq!(row["this"].as_array().map(Vec::len), Some(2));
    }
    // What is no build of the program.
    for (other, wanted) in [
        ("/nowhere/lovelock", "cannot run /nowhere/lovelock"),
        ("true", "wrote no rows"),
        ("false", "bench` failed"),
    ] {
        let arguments = [&cheap[..], &["--rounds", "1", "--compare", other]].concat();
        let line = complaint(1, &arguments);
        assert!(line.contains(wanted), "{line}");
    }
}
