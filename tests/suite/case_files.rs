//! The reader of the case files in testdata/.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

/// The files of a folder of testdata/, in the order of their names.
pub(crate) fn case_files<F: DeserializeOwned>(folder: &str) -> impl Iterator<Item = (PathBuf, F)> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The core is at the top, and the other crates are in folders of it.
    let mut places = package.ancestors().map(|above| above.join("testdata"));
    let testdata = places.find(|place| place.is_dir()).unwrap();
    let folder = testdata.join(folder);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        let file =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, file)
    })
}
