//! The kinds of inputs, recognised by the end of their names.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// The kind of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// A robots.txt, or a folder of them without its archives, which are inputs of their own.
    Files,
    Tar,
    TarGz,
    TarXz,
    TarZst,
    Warc,
    /// A WARC archive on standard input.
    StandardInput,
}

impl Kind {
    /// Finds the kind by the end of the name.
    pub(super) fn from_name(path: &Path) -> Kind {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_ascii_lowercase();
        ENDINGS
            .iter()
            .find(|(ending, _)| name.ends_with(ending))
            .map_or(Kind::Files, |(_, kind)| *kind)
    }
}

const ENDINGS: [(&str, Kind); 10] = [
    (".tar", Kind::Tar),
    (".tar.gz", Kind::TarGz),
    (".tgz", Kind::TarGz),
    (".tar.xz", Kind::TarXz),
    (".txz", Kind::TarXz),
    (".tar.zst", Kind::TarZst),
    (".tzst", Kind::TarZst),
    (".warc", Kind::Warc),
    (".warc.gz", Kind::Warc),
    (".warc.zst", Kind::Warc),
];
