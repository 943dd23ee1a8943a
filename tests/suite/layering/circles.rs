//! No files of a package import each other in a circle, and no folders do. The lists named `ORDER`
//! hold more than that, but not every package has one.

use std::collections::BTreeSet;

use super::checker::{imports, read_folder};
use super::crates::{ARROWS, root};

#[test]
fn no_files_and_no_folders_import_each_other_in_a_circle() {
    let manifests = ARROWS.iter().map(|(manifest, _)| *manifest);
    let mut read = 0;
    for manifest in manifests.chain(["fuzz/src/bin/worst/Cargo.toml"]) {
        let package = root().join(manifest.trim_end_matches("Cargo.toml"));
        let src = Some(package.join("src")).filter(|src| src.exists());
        let mut files = Vec::new();
        read_folder(&src.unwrap_or(package), "", &mut files);
        let arrows = arrows(&files);
        read += arrows.len();
        let circles = circles(&arrows);
        assert!(circles.is_empty(), "{manifest}: {circles:#?}");
    }
    // A reader that reads nothing would find nothing.
    assert!(read > 2000, "only {read} imports are read");
}

#[test]
fn a_circle_is_found_in_each_form() {
    let found = |files: &[(&str, &str)]| {
        let file = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
        circles(&arrows(&files.iter().map(file).collect::<Vec<_>>()))
    };
    let low = ("low.rs", "pub struct Low;");
    let is_cut = found(&[
        low,
        ("one.rs", "use crate::low::Low;"),
        ("two.rs", "use crate::{low::Low, one::One};"),
        (
            "three.rs",
            "use super::two::Two; fn f(_: crate::one::One) {}",
        ),
        ("tests.rs", "use crate::*; use crate::one::One;"),
        ("lib.rs", "mod low; mod one; mod two; mod three;"),
    ]);
    assert!(is_cut.is_empty(), "{is_cut:?}");
    let files = found(&[
        low,
        ("one.rs", "use crate::{low::Low, three::Three};"),
        ("two.rs", "use crate::one::One;"),
        ("three.rs", "fn f(_: crate::two::Two) {}"),
        ("high.rs", "use crate::one::One;"),
    ]);
    let expected = ["one → three", "three → two", "two → one"];
    assert_eq!(files, expected.map(String::from).into());
    let folders = found(&[
        ("a/one.rs", "use crate::b::two::Two;"),
        ("b/two.rs", "use crate::low::Low;"),
        ("b/three.rs", "use crate::a::four::Four;"),
        ("a/four.rs", ""),
        low,
    ]);
    assert_eq!(folders, ["a → b", "b → a"].map(String::from).into());
    let parent = found(&[
        ("a/mod.rs", "use self::one::One;"),
        ("a/one.rs", "use super::f;"),
    ]);
    assert_eq!(parent, ["a → a/one", "a/one → a"].map(String::from).into());
    // The root imports all that it declares.
    let root = found(&[("lib.rs", "mod low;"), ("low.rs", "use crate::Robot;")]);
    assert_eq!(root, ["lib → low", "low → lib"].map(String::from).into());
    // A file of another package does not count.
    let shared = "#[path = \"../other.rs\"] mod shared; mod low;";
    let shared = found(&[("lib.rs", shared), ("low.rs", "use crate::shared;")]);
    assert!(shared.is_empty(), "{shared:?}");
}

/// Pairs each file with each file that it imports, by their paths without `.rs` and `/mod.rs`.
fn arrows(files: &[(String, String)]) -> BTreeSet<(String, String)> {
    let module = |path: &str| {
        path.trim_end_matches(".rs")
            .trim_end_matches("/mod")
            .to_owned()
    };
    let modules: BTreeSet<String> = files.iter().map(|(path, _)| module(path)).collect();
    let is_root = |module: &str| matches!(module, "lib" | "main");
    let root = files.iter().find(|(path, _)| is_root(&module(path)));
    let (root, declarations) =
        root.map_or(("lib".to_owned(), ""), |(path, text)| (module(path), text));
    let file_of = |import: &str| {
        let mut file = import;
        while !modules.contains(file) {
            let Some((folder, _)) = file.rsplit_once('/') else {
                let declaration = format!("mod {file};");
                return (!declarations.contains(&declaration)).then(|| root.clone());
            };
            file = folder;
        }
        Some(file.to_owned())
    };
    let mut arrows = BTreeSet::new();
    for (path, text) in files {
        let from = module(path);
        if is_root(&from) {
            arrows.extend(modules.iter().map(|to| (from.clone(), to.clone())));
        } else if !from.ends_with("tests") {
            // Nothing imports a file of tests, which may import what stands above its folder.
            let imported = imports(&from, text);
            let imported = imported.iter().filter_map(|import| file_of(import));
            arrows.extend(imported.map(|to| (from.clone(), to)));
        }
    }
    arrows.retain(|(from, to)| from != to);
    arrows
}

/// The arrows that are in a circle, or lead from one circle to another. At each depth they join the
/// folders and the files beside them.
fn circles(arrows: &BTreeSet<(String, String)>) -> BTreeSet<String> {
    let depth_of = |file: &str| file.split('/').count();
    let deepest = arrows.iter().map(|(from, _)| depth_of(from)).max();
    let mut found = BTreeSet::new();
    for depth in 1..=deepest.unwrap_or_default() {
        let cut = |file: &String| file.split('/').take(depth).collect::<Vec<_>>().join("/");
        let mut left: BTreeSet<_> = arrows
            .iter()
            .map(|(from, to)| (cut(from), cut(to)))
            .collect();
        left.retain(|(from, to)| from != to);
        loop {
            let sources: BTreeSet<_> = left.iter().map(|(from, _)| from.clone()).collect();
            let targets: BTreeSet<_> = left.iter().map(|(_, to)| to.clone()).collect();
            let before = left.len();
            left.retain(|(from, to)| targets.contains(from) && sources.contains(to));
            if left.len() == before {
                break;
            }
        }
        found.extend(left.iter().map(|(from, to)| format!("{from} → {to}")));
    }
    found
}
