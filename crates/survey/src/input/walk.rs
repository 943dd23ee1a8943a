//! The walk through a folder, in a fixed order.

use std::path::Path;

use walkdir::WalkDir;

/// Walks through a folder in the same order each time. It follows links; their loops are errors.
pub(super) fn walk(path: &Path) -> WalkDir {
    // The entries of a folder differ in their names alone. To find the names in the paths takes
    // most of the time of a walk.
    WalkDir::new(path)
        .follow_links(true)
        .sort_by(|one, other| one.path().as_os_str().cmp(other.path().as_os_str()))
}
