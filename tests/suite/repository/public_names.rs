//! The public names of the crate: few at the root, and few enough in all.

/// Pins the public names at the root of the crate; a new name needs a module.
#[test]
fn the_root_has_sixteen_names() {
    const NAMES: [&str; 16] = [
        "Access",
        "AgentMatch",
        "Cause",
        "Dialect",
        "InvalidToken",
        "InvalidUrl",
        "Options",
        "ProductToken",
        "Reason",
        "Robot",
        "RobotsTxt",
        "Rule",
        "Target",
        "Tier",
        "Verdict",
        "robots_url",
    ];

    let root = source("lib.rs");
    let mut names = exported(&root);
    names.sort_unstable();
    assert_eq!(names, NAMES);
    let is_public = |line: &&str| line.starts_with("pub ");
    for line in root.lines().filter(is_public) {
        assert!(
            line.starts_with("pub use crate::") || line.starts_with("pub mod "),
            "{line}"
        );
    }

    // The whole crate has few enough names to be read as a list.
    let modules = root
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let types: usize = modules
        .map(|module| match module {
            "pattern" => exported(&source("pattern.rs")).len(),
            folder => exported(&source(&format!("{folder}/mod.rs"))).len(),
        })
        .sum();
    assert!(
        (25..=35).contains(&types),
        "{types} names in modules, {} names at the root",
        NAMES.len()
    );
}

fn source(file: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    std::fs::read_to_string(path.join(file)).unwrap()
}

/// Lists the names that a file makes public, by `pub use` or by defining a type.
fn exported(file: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for line in file
        .split_inclusive(';')
        .flat_map(|statement| statement.split("pub use ").skip(1))
    {
        let (_, list) = line.rsplit_once("::").unwrap();
        let list = list.trim_matches(['{', '}', ';', ' ', '\n', ',']);
        names.extend(
            list.split(',')
                .map(|name| name.trim_matches(['{', '}', ' ', '\n'])),
        );
    }
    for kind in ["struct", "enum", "trait"] {
        let definitions = file
            .lines()
            .filter_map(|line| line.strip_prefix("pub ")?.strip_prefix(kind));
        names.extend(definitions.map(|rest| {
            rest.trim()
                .split(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap()
        }));
    }
    names
}
