//! Real robots.txt files from archives beside the checkout; each archive is unpacked once.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::OnceLock;

use super::shared;

/// The bodies of the files, by the last part of their names.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

pub(crate) const TOP_SITES_OF_2019: &str = "corpus/top-sites-robots.tar.xz";
pub(crate) const SITES_OF_2024: &str = "corpus/sites-2024-robots.tar.xz";

pub(crate) fn top_sites_of_2019() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| unpacked(TOP_SITES_OF_2019))
}

pub(crate) fn sites_of_2024() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| unpacked(SITES_OF_2024))
}

fn unpacked(archive: &str) -> Files {
    let file = std::fs::File::open(shared(archive)).unwrap();
    let mut archive = tar::Archive::new(lzma_rust2::XzReader::new(file, true));
    let mut files = Files::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        if entry.header().entry_type().is_file() {
            let path = entry.path().unwrap().into_owned();
            let mut body = Vec::new();
            entry.read_to_end(&mut body).unwrap();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            files.insert(name, body);
        }
    }
    files
}
