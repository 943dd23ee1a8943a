//! The walk through a folder, in a fixed order.

use std::path::Path;

use walkdir::WalkDir;

/// Walks through a folder in the same order each time. It follows links; their loops are errors.
pub(super) fn walk(path: &Path) -> WalkDir {
    WalkDir::new(path).follow_links(true).sort_by_file_name()
}
