//! Real files, if they exist beside the checkout. They belong to other people, so the repository
//! has none of them.

use std::fs;
use std::io::Read as _;
use std::path::PathBuf;

use lzma_rust2::XzReader;
use polite_robots::RobotsTxt;
use tar::Archive;

use super::{Expected, Input};

/// The files of top sites that have at least one rule with a path.
pub fn top_sites() -> Option<Vec<Input>> {
    let archive = fs::read(find("top-sites-robots.tar.xz")?).unwrap();
    let mut archive = Archive::new(XzReader::new(archive.as_slice(), true));
    let mut files = Vec::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = {
            let path = entry.path().unwrap();
            path.file_name().unwrap().to_string_lossy().into_owned()
        };
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        let has_rules = RobotsTxt::parse(&bytes)
            .groups()
            .any(|group| group.rules().any(|rule| !rule.value().is_empty()));
        if has_rules {
            files.push(Input::new(name, bytes, Expected::Unrecorded));
        }
    }
    Some(files)
}

/// The input of the best known benchmark of robots.txt parsers.
pub fn twitter() -> Option<Input> {
    let bytes = fs::read(find("twitter.robots.txt")?).unwrap();
    Some(Input::new("twitter", bytes, Expected::Disallowed(22)))
}

fn find(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/corpus")
        .join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("{name} is not here; a generated input stands for it, or its row is left out");
    None
}
