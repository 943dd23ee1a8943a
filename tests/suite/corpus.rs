//! Real files, where they are at hand: beside the checkout, not in it.

use std::collections::BTreeMap;
use std::io::Read;

use super::oracle::shared;

pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Files of top sites of 2019.
pub(crate) fn top_sites() -> Option<Files> {
    unpacked("corpus/top-sites-robots.tar.xz")
}

pub(crate) fn sites_of_2024() -> Option<Files> {
    unpacked("corpus/sites-2024-robots.tar.xz")
}

/// By the last part of their names.
fn unpacked(archive: &str) -> Option<Files> {
    let file = std::fs::File::open(shared(archive)?).unwrap();
    let mut archive = tar::Archive::new(lzma_rust2::XzReader::new(file, true));
    let mut files = Files::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        if entry.header().entry_type().is_file() {
            let path = entry.path().unwrap().into_owned();
            let mut body = Vec::new();
            entry.read_to_end(&mut body).unwrap();
            files.insert(
                path.file_name().unwrap().to_string_lossy().into_owned(),
                body,
            );
        }
    }
    Some(files)
}
