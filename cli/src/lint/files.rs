//! The files to lint: a folder stands for each robots.txt in it and below, and a pattern for the
//! files that match.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::input::Input;
use crate::terminal::printable;

/// The files of the arguments, each once, in the order of the arguments and then of the file names;
/// and the arguments that stand for no file.
pub(super) fn expanded(arguments: Vec<Input>) -> (Vec<Input>, Vec<(Input, FilesError)>) {
    let mut files = Vec::new();
    let mut errors = Vec::new();
    for argument in arguments {
        let found = match &argument {
            Input::File(path) if path.is_dir() => in_folder(path),
            Input::File(path) if is_pattern(path) && !path.exists() => matching(path),
            _ => {
                files.push(argument);
                continue;
            }
        };
        match found {
            Ok(found) => files.extend(found.into_iter().map(Input::File)),
            Err(error) => errors.push((argument, error)),
        }
    }
    let mut seen = HashSet::new();
    // Standard input twice is an error, which is reported elsewhere.
    files.retain(|file| *file == Input::StandardInput || seen.insert(file.clone()));
    (files, errors)
}

/// A folder or a pattern that stands for no file.
#[derive(Debug, thiserror::Error)]
pub(super) enum FilesError {
    #[error(
        "`{}` holds no file with the name robots.txt; for other names give a pattern, such as `{}/*`",
        printable(&path.to_string_lossy()),
        printable(&path.to_string_lossy())
    )]
    NoRobotsTxt { path: PathBuf },
    #[error("no file matches `{}`", printable(&path.to_string_lossy()))]
    NoMatch { path: PathBuf },
    #[error("cannot read the folder `{}`: {source}", printable(&path.to_string_lossy()))]
    Unreadable { path: PathBuf, source: io::Error },
}

/// Every `robots.txt` and `NAME.robots.txt`.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, FilesError> {
    let mut files = below(folder)?;
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_ascii_lowercase();
        name == "robots.txt" || name.ends_with(".robots.txt")
    });
    match files.is_empty() {
        true => Err(FilesError::NoRobotsTxt {
            path: folder.to_owned(),
        }),
        false => Ok(files),
    }
}

/// The files that match a pattern: `*` and `?` within a name, `**` for any number of folders.
fn matching(pattern: &Path) -> Result<Vec<PathBuf>, FilesError> {
    let is_wild = |component: &Component<'_>| is_pattern(Path::new(component.as_os_str()));
    let components: Vec<Component<'_>> = pattern.components().collect();
    let fixed = components.iter().position(is_wild).unwrap_or_default();
    let folder: PathBuf = components.iter().take(fixed).collect();
    let names: Vec<String> = components
        .iter()
        .skip(fixed)
        .map(|component| component.as_os_str().to_string_lossy().into_owned())
        .collect();
    let folder_or_here = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => &folder,
    };
    let mut files = below(folder_or_here)?;
    files.retain(|path| {
        let inner = path.strip_prefix(folder_or_here).unwrap_or(path);
        let parts: Vec<String> = inner
            .components()
            .map(|component| component.as_os_str().to_string_lossy().into_owned())
            .collect();
        is_match(&names, &parts)
    });
    for file in &mut files {
        if let Ok(inner) = file.strip_prefix(".") {
            *file = inner.to_owned();
        }
    }
    match files.is_empty() {
        true => Err(FilesError::NoMatch {
            path: pattern.to_owned(),
        }),
        false => Ok(files),
    }
}

/// All files in a folder and below, in the order of their names. Links to folders are not followed,
/// as they may lead up.
fn below(folder: &Path) -> Result<Vec<PathBuf>, FilesError> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let unreadable = |source| FilesError::Unreadable {
            path: folder.clone(),
            source,
        };
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                _ => files.push(entry.path()),
            }
        }
    }
    files.sort();
    Ok(files)
}

fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?'])
}

fn is_match(names: &[String], parts: &[String]) -> bool {
    match (names.split_first(), parts.split_first()) {
        (None, None) => true,
        (Some((name, rest)), _) if name == "**" => {
            let skipped = parts.split_first().map(|(_, others)| others);
            is_match(rest, parts) || skipped.is_some_and(|others| is_match(names, others))
        }
        (Some((name, rest)), Some((part, others))) => {
            is_name_match(name.as_bytes(), part.as_bytes()) && is_match(rest, others)
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// Backtracks to the last `*` only. That is enough, and it bounds the time by the product of the
/// lengths.
fn is_name_match(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut place) = (0_usize, 0_usize);
    let mut last_star: Option<(usize, usize)> = None;
    while let Some(byte) = name.get(place) {
        match (pattern.get(at), last_star) {
            (Some(b'*'), _) => {
                last_star = Some((at, place));
                at = at.saturating_add(1);
            }
            (Some(expected), _) if *expected == b'?' || expected == byte => {
                at = at.saturating_add(1);
                place = place.saturating_add(1);
            }
            (_, Some((star, from))) => {
                at = star.saturating_add(1);
                place = from.saturating_add(1);
                last_star = Some((star, place));
            }
            (_, None) => return false,
        }
    }
    let rest = pattern.get(at..).unwrap_or_default();
    rest.iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::{is_match, is_name_match};

    #[test]
    fn a_name_matches_its_pattern() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("*.txt", "robots.txt", true),
            ("*.txt", "robots.txt.bak", false),
            ("r?bots*", "robots.txt", true),
            ("*a*b", "xaxbxb", true),
            ("*a*b", "xaxbxc", false),
            ("robots", "robot", false),
        ] {
            let found = is_name_match(pattern.as_bytes(), name.as_bytes());
            assert_eq!(found, expected, "{pattern} {name}");
        }
    }

    #[test]
    fn two_stars_stand_for_any_folders() {
        let path = |text: &str| -> Vec<String> { text.split('/').map(str::to_owned).collect() };
        for (pattern, name, expected) in [
            ("**/robots.txt", "robots.txt", true),
            ("**/robots.txt", "a/b/robots.txt", true),
            ("*/robots.txt", "a/b/robots.txt", false),
            ("a/**", "a/b/c", true),
            ("a/**/c", "b/c", false),
        ] {
            assert_eq!(
                is_match(&path(pattern), &path(name)),
                expected,
                "{pattern} {name}"
            );
        }
    }
}
