//! The order of the files of a crate, checked by reading their imports. Each crate includes this
//! file in the module that holds its `ORDER` and `LEAST_IMPORTS`, so that every test here runs for
//! each of them.
//!
//! A file may import from files above it in the order and from nowhere else. All of these count as
//! imports: `use` with groups and nested groups, `pub(crate) use`, `crate::`, `self::` and
//! `super::` in expressions and types, within inline modules too. Comments and strings do not
//! count. `lib.rs` and `main.rs` of the source folder are exempt, as they declare the modules; but
//! nothing may import from them.
//!
//! Each folder is one block of the order. So no arrow between folders runs back up it, and no
//! folders depend on each other in a circle.
//!
//! `ORDER` has the paths of the files without `.rs` and `/mod.rs`: `"parse/line"`, `"parse"`.
//! `"record/*"` is the place of all files of that folder that the order does not name; they may not
//! import each other.

use std::fs;
use std::path::Path;

use super::{LEAST_IMPORTS, ORDER};

#[test]
fn imports_point_up_the_order() {
    let report = check(ORDER);
    assert!(report.violations.is_empty(), "{:#?}", report.violations);
    // A checker that reads nothing would find nothing.
    assert!(
        report.imports > LEAST_IMPORTS,
        "only {} imports are read",
        report.imports
    );
}

#[test]
fn each_folder_is_one_block_of_the_order() {
    let split = split_folders(ORDER);
    assert!(split.is_empty(), "{split:#?}");
    // A file that stands apart from its folder must be found.
    let folder = ORDER.iter().find_map(|entry| entry.split_once('/'));
    if let Some((folder, _)) = folder {
        let apart = format!("{folder}/planted");
        let planted: Vec<&str> = ORDER.iter().copied().chain(["planted", &apart]).collect();
        assert_eq!(split_folders(&planted), [folder]);
    }
}

/// The folders whose files do not follow each other in the order. The files of inner folders count
/// as well. Nothing imports a file of tests, so it may stand below everything that it tests.
fn split_folders<'o>(order: &[&'o str]) -> Vec<&'o str> {
    let is_code = |entry: &&&str| !entry.ends_with("/tests");
    let order: Vec<&str> = order.iter().filter(is_code).copied().collect();
    let mut folders: Vec<&str> = order
        .iter()
        .flat_map(|entry| {
            entry
                .match_indices('/')
                .filter_map(|(at, _)| entry.get(..at))
        })
        .collect();
    folders.sort_unstable();
    folders.dedup();
    let is_in = |entry: &str, folder: &str| {
        let rest = entry.strip_prefix(folder);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    folders.retain(|folder| {
        let blocks = order.chunk_by(|one, other| is_in(one, folder) == is_in(other, folder));
        blocks.filter(|block| is_in(block[0], folder)).count() > 1
    });
    folders
}

/// Plants imports in each file of the crate: of the next file below it, and of the last one.
#[test]
fn an_import_planted_in_any_file_is_found() {
    let mut planted = 0;
    for (rank, module) in ORDER.iter().enumerate() {
        let below = &ORDER[rank + 1..];
        for target in below.first().into_iter().chain(below.last()) {
            for import in Import::ALL {
                assert_found(module, import, target);
                planted += 1;
            }
        }
    }
    assert!(planted > 0, "`ORDER` needs two files");
}

/// Plants imports of the `mod.rs` of its own folder in each file that stands above it.
#[test]
fn an_import_planted_from_the_own_folder_is_found() {
    for (rank, module) in ORDER.iter().enumerate() {
        let Some((folder, _)) = module.rsplit_once('/') else {
            continue;
        };
        if ORDER[rank..].contains(&folder) {
            for import in Import::ALL {
                assert_found(module, import, folder);
            }
        }
    }
}

/// Plants files in new folders, and in each folder of the crate whose files are named one by one.
#[test]
fn a_file_without_a_place_is_found() {
    let folders = ORDER.iter().filter_map(|module| module.rsplit_once('/'));
    let named = folders
        .map(|(folder, _)| folder)
        .filter(|folder| !ORDER.contains(&format!("{folder}/*").as_str()));
    for folder in named.chain(["planted", "planted/inner"]) {
        let path = format!("{folder}/without_place.rs");
        let violations = check_files(&[(path.clone(), String::new())], ORDER).violations;
        let expected = format!("{path} has no place in the order");
        assert!(violations.contains(&expected), "{path}: {violations:#?}");
    }
}

#[test]
fn every_form_of_an_import_is_read() {
    let order = &["low", "middle/deep", "middle", "high"];
    let with = |path: &str, text: &str| {
        let mut files: Vec<(String, String)> =
            ["low.rs", "middle/deep.rs", "middle/mod.rs", "high.rs"]
                .map(|path| (path.to_owned(), String::new()))
                .into();
        files.retain(|(there, _)| there != path);
        files.push((path.to_owned(), text.to_owned()));
        check_files(&files, order)
    };
    let down = [
        ("low.rs", "use crate::high::High;"),
        ("low.rs", "use crate::{middle::deep::Deep};"),
        (
            "low.rs",
            "use crate::{low::Low, middle::{deep::{self, A}, Middle as _}};",
        ),
        ("low.rs", "pub(crate) use crate::middle::Middle;"),
        ("low.rs", "use super::high::High;"),
        (
            "low.rs",
            "fn f() -> crate::high::High { crate::high::make() }",
        ),
        ("low.rs", "fn f() { super::high::make(); }"),
        (
            "low.rs",
            "const C: char = '\"'; use crate::high::High; // \"",
        ),
        (
            "low.rs",
            "const S: &str = r#\"a \" b\"#; use crate::high::High;",
        ),
        ("middle/deep.rs", "use super::Middle;"),
        ("middle/deep.rs", "use super::super::high::High;"),
        ("middle/deep.rs", "use super::{Middle, super::high};"),
        ("middle/mod.rs", "use super::high::*;"),
        (
            "middle/mod.rs",
            "mod tests { use super::*; use super::super::high::High; }",
        ),
        (
            "low.rs",
            "mod form { mod inner { } use super::super::high::High; }",
        ),
    ];
    for (path, text) in down {
        let report = with(path, text);
        assert!(!report.violations.is_empty(), "{path}: {text}");
    }
    let nowhere = [
        ("low.rs", "use crate::Profile;"),
        ("low.rs", "use crate::*;"),
        ("low.rs", "use crate::forgotten::Thing;"),
        ("fresh/file.rs", ""),
        ("middle/fresh.rs", ""),
        ("fresh/mod.rs", "use crate::low::Low;"),
    ];
    for (path, text) in nowhere {
        let report = with(path, text);
        assert_eq!(report.violations.len(), 1, "{path}: {text}");
    }
    let up = [
        (
            "high.rs",
            "use crate::{low::Low, middle::{self, deep::Deep}};",
        ),
        (
            "high.rs",
            "use super::low::Low; mod tests { use super::*; use super::High; }",
        ),
        (
            "middle/mod.rs",
            "use self::deep::Deep; use crate::middle::deep;",
        ),
        (
            "middle/deep.rs",
            "pub(in crate::middle) fn f<'a>(_: &'a str) -> impl Sized + use<'a> {}",
        ),
        (
            "low.rs",
            "// use crate::high::High;\n/* use crate::high::High; /* */ */ const S: &str = \"crate::high::High\";",
        ),
        (
            "low.rs",
            "/// See [`High`](crate::high::High).\nuse core::fmt; extern crate alloc;",
        ),
    ];
    for (path, text) in up {
        let violations = with(path, text).violations;
        assert!(violations.is_empty(), "{path}: {text}: {violations:?}");
    }
}

/// A way to write an import.
#[derive(Debug, Clone, Copy)]
enum Import {
    Absolute,
    Relative,
    NestedGroup,
    RelativeGroup,
    Expression,
}

impl Import {
    const ALL: [Import; 5] = [
        Import::Absolute,
        Import::Relative,
        Import::NestedGroup,
        Import::RelativeGroup,
        Import::Expression,
    ];

    /// A text of `module` that takes `Planted` from another module.
    fn text(self, module: &str, target: &str) -> String {
        let path = target.replace('/', "::");
        let up = "super::".repeat(module.split('/').count());
        let (first, rest) = path.split_once("::").unwrap_or((&path, "self"));
        match self {
            Import::Absolute => format!("use crate::{path}::Planted;"),
            Import::Relative => format!("use {up}{path}::Planted;"),
            Import::NestedGroup if rest == "self" => {
                format!("use crate::{{{first}::{{self, Planted}}}};")
            }
            Import::NestedGroup => {
                format!("use crate::{{{first}::{{{rest}::{{self, Planted}}}}}};")
            }
            Import::RelativeGroup => format!("use {up}{{{path}::{{Planted as _}}}};"),
            Import::Expression => format!("fn f() {{ let _ = crate::{path}::Planted; }}"),
        }
    }
}

/// Checks that an import in a file of the order is found; `/*` stands for a file of that folder.
#[track_caller]
fn assert_found(module: &str, import: Import, target: &str) {
    let [module, target] = [module, target].map(|path| path.replace('*', "planted"));
    let text = import.text(&module, &target);
    let files = [(format!("{module}.rs"), text.clone())];
    let violations = check_files(&files, ORDER).violations;
    let expected = format!("{module} imports {target}/Planted, which stands below it");
    assert!(
        violations.contains(&expected),
        "{module}: {text}: {violations:#?}"
    );
}

/// The result of a check.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Number of imports that were read, so that a test notices a checker that reads nothing.
    pub(crate) imports: usize,
    /// One sentence for each violation.
    pub(crate) violations: Vec<String>,
}

/// Checks all files of the crate's source folder and of the folders in it.
pub(crate) fn check(order: &[&str]) -> Report {
    let mut files = Vec::new();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    read_folder(&src, "", &mut files);
    check_files(&files, order)
}

/// Checks files in memory, given as pairs of path (below the source folder) and text.
fn check_files(files: &[(String, String)], order: &[&str]) -> Report {
    let mut report = Report::default();
    let mut modules = Vec::new();
    for (path, text) in files {
        if path == "lib.rs" || path == "main.rs" {
            continue;
        }
        let module = path.trim_end_matches(".rs").trim_end_matches("/mod");
        modules.push(module);
        let Some(rank) = own_place(module, order) else {
            let violation = format!("{path} has no place in the order");
            report.violations.push(violation);
            continue;
        };
        for import in imports(module, text) {
            let violation = match place(&import, order) {
                // An inline module may import from its own file.
                Some(at) if at == rank && import.starts_with(module) => continue,
                Some(at) if at == rank => {
                    format!("{module} imports {import}, which shares its place in the order")
                }
                None => format!("{module} imports {import}, which has no place in the order"),
                Some(at) if at > rank => {
                    format!("{module} imports {import}, which stands below it")
                }
                Some(_) => {
                    report.imports += 1;
                    continue;
                }
            };
            report.violations.push(violation);
        }
    }
    for (rank, entry) in order.iter().enumerate() {
        if !modules.contains(entry) && !entry.ends_with("/*") {
            report.violations.push(format!(
                "{entry} is in the order, but there is no such file"
            ));
        }
        if order[..rank].contains(entry) {
            report
                .violations
                .push(format!("{entry} is in the order twice"));
        }
    }
    report
}

pub(crate) fn read_folder(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            read_folder(&path, &format!("{prefix}{name}/"), files);
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).unwrap();
            files.push((format!("{prefix}{name}"), text));
        }
    }
}

/// The rank of a file: that of its entry, or of the `/*` of its folder.
fn own_place(module: &str, order: &[&str]) -> Option<usize> {
    let rank_of = |path: &str| order.iter().position(|entry| *entry == path);
    let rank = rank_of(module);
    rank.or_else(|| rank_of(&format!("{}/*", module.rsplit_once('/')?.0)))
}

/// The rank of the file that an import such as `rules/path/Target` names: the longest entry that it
/// begins with. A file that the order does not name has the place of its folder's `/*`.
fn place(import: &str, order: &[&str]) -> Option<usize> {
    let is_below = |folder: &str| {
        let rest = import.strip_prefix(folder);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let is_in = |entry: &str| match entry.strip_suffix("/*") {
        // Files begin with a lower-case letter, the items of the folder's own `mod.rs` may not.
        Some(folder) => import
            .strip_prefix(folder)
            .and_then(|rest| rest.strip_prefix('/'))
            .is_some_and(|file| file.starts_with(|first: char| first.is_ascii_lowercase())),
        None => is_below(entry),
    };
    let entries = order.iter().enumerate().filter(|(_, entry)| is_in(entry));
    // Longest entry first: a named file wins over `/*`, and `/*` over its folder.
    let specificity = |entry: &str| match entry.strip_suffix("/*") {
        Some(folder) => (folder.len() + 1, 0),
        None => (entry.len(), 1),
    };
    let longest = entries.max_by_key(|(_, entry)| specificity(entry));
    longest.map(|(rank, _)| rank)
}

/// The imports of a file, from the root of the crate: `crate::a::{B, c::D}` gives `a/B` and
/// `a/c/D`. The root itself is an empty path.
pub(crate) fn imports(module: &str, text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    // The modules around the current token, and the number of open braces at the beginning of each
    // inline module.
    let mut path: Vec<String> = module.split('/').map(str::to_owned).collect();
    let mut inline = Vec::new();
    let mut braces = 0;
    let mut at = 0;
    while at < tokens.len() {
        let next = |ahead: usize| tokens.get(at + ahead).map_or("", String::as_str);
        match next(0) {
            "{" => braces += 1,
            "}" => {
                braces -= 1;
                if inline.last() == Some(&braces) {
                    inline.pop();
                    path.pop();
                }
            }
            "mod" if next(2) == "{" => {
                path.push(next(1).to_owned());
                inline.push(braces);
                braces += 1;
                at += 3;
                continue;
            }
            "use" => {
                at = use_tree(&tokens, at + 1, &[], &path, &mut found);
                continue;
            }
            // The path of `pub(in crate::a)` is no import.
            "in" if at >= 2 && tokens[at - 1] == "(" && tokens[at - 2] == "pub" => {
                while at < tokens.len() && tokens[at] != ")" {
                    at += 1;
                }
            }
            "crate" | "self" | "super" if next(1) == "::" => {
                let mut segments = Vec::new();
                while is_name(tokens.get(at)) {
                    segments.push(tokens[at].clone());
                    if tokens.get(at + 1).is_none_or(|token| token != "::") {
                        break;
                    }
                    at += 2;
                }
                found.extend(absolute(&segments, &path));
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Reads one tree of a `use` from a token on, and returns the place of the token after it.
fn use_tree(
    tokens: &[String],
    mut at: usize,
    prefix: &[String],
    path: &[String],
    found: &mut Vec<String>,
) -> usize {
    let mut segments = prefix.to_vec();
    loop {
        match tokens.get(at).map(String::as_str) {
            Some("{") => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token != "}") {
                    let before = at;
                    at = use_tree(tokens, at, &segments, path, found);
                    if tokens.get(at).is_some_and(|token| token == ",") || at == before {
                        at += 1;
                    }
                }
                return at + 1;
            }
            Some("as") => at += 2,
            Some("::") => at += 1,
            Some(name) if name == "*" || is_name(Some(&name.to_owned())) => {
                segments.push(name.to_owned());
                at += 1;
            }
            _ => {
                found.extend(absolute(&segments, path));
                return at;
            }
        }
    }
}

/// A path from the root of the crate; `None` for a path that begins with another crate or a child
/// of the module.
fn absolute(segments: &[String], path: &[String]) -> Option<String> {
    let mut base = match segments.first()?.as_str() {
        "crate" => Vec::new(),
        "self" => path.to_vec(),
        "super" => path[..path.len().saturating_sub(1)].to_vec(),
        _ => return None,
    };
    for segment in &segments[1..] {
        match segment.as_str() {
            "super" => {
                base.pop();
            }
            // `use a::{self}` is `use a`.
            "self" => {}
            name => base.push(name.to_owned()),
        }
    }
    Some(base.join("/"))
}

fn is_name(token: Option<&String>) -> bool {
    let first = token.and_then(|token| token.chars().next());
    first.is_some_and(|first| first.is_alphabetic() || first == '_')
}

/// Names, `::`, and all other characters one by one; no comments, strings, characters or blanks.
fn tokens(text: &str) -> Vec<String> {
    let text: Vec<char> = text.chars().collect();
    let at = |index: usize| text.get(index).copied().unwrap_or('\0');
    let mut tokens: Vec<String> = Vec::new();
    let mut index = 0;
    while index < text.len() {
        match (at(index), at(index + 1)) {
            ('/', '/') => {
                while index < text.len() && at(index) != '\n' {
                    index += 1;
                }
            }
            ('/', '*') => {
                let mut depth = 0;
                loop {
                    match (at(index), at(index + 1)) {
                        ('/', '*') => (depth, index) = (depth + 1, index + 2),
                        ('*', '/') => (depth, index) = (depth - 1, index + 2),
                        _ => index += 1,
                    }
                    if depth == 0 || index >= text.len() {
                        break;
                    }
                }
            }
            ('"', _) => {
                // A raw string has no escapes, and its end has as many `#` as its beginning.
                let hashes = tokens.iter().rev().take_while(|token| *token == "#");
                let hashes = hashes.count();
                let marker = tokens.iter().rev().nth(hashes).map(String::as_str);
                let is_raw = matches!(marker, Some("r" | "br"));
                index += 1;
                loop {
                    let is_end = at(index) == '"'
                        && (!is_raw || (1..=hashes).all(|ahead| at(index + ahead) == '#'));
                    if is_end || index >= text.len() {
                        break;
                    }
                    index += if at(index) == '\\' && !is_raw { 2 } else { 1 };
                }
                index += 1;
                if is_raw {
                    index += hashes;
                }
            }
            ('\'', '\\') => {
                index += 3;
                while index < text.len() && at(index) != '\'' {
                    index += 1;
                }
                index += 1;
            }
            // A character literal, not a lifetime.
            ('\'', _) if at(index + 2) == '\'' => index += 3,
            (':', ':') => {
                tokens.push("::".to_owned());
                index += 2;
            }
            (first, _) if first.is_alphanumeric() || first == '_' => {
                let start = index;
                while at(index).is_alphanumeric() || at(index) == '_' {
                    index += 1;
                }
                tokens.push(text[start..index].iter().collect());
            }
            (other, _) => {
                if !other.is_whitespace() {
                    tokens.push(other.to_string());
                }
                index += 1;
            }
        }
    }
    tokens
}
