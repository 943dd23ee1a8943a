//! The walk through a folder, in a fixed order.

use std::path::Path;

use walkdir::WalkDir;

/// Walks through a folder in the same order each time. It follows links; their loops are errors.
pub(super) fn walk(path: &Path) -> WalkDir {
    // The paths of the entries of a folder differ only in the file name. A comparison by file name
    // would find the name in each path, which takes most of the time of a walk.
    WalkDir::new(path)
        .follow_links(true)
        .sort_by(|one, other| one.path().as_os_str().cmp(other.path().as_os_str()))
}
