//! Paths about the whole site, to which a hint leads only where it says so.

use polite_robots::RobotsTxt;

/// Whether a path is about the whole site.
pub(crate) fn is_whole_site(path: &[u8]) -> bool {
    !path.is_empty() && path.iter().all(|byte| b"/*$".contains(byte))
}

/// The end of a sentence that leads to a `Disallow` of this path.
pub(crate) fn closing(path: &[u8]) -> &'static str {
    match path {
        b"/$" => ", which closes the home page",
        path if is_whole_site(path) => ", which closes the whole site",
        _ => "",
    }
}

/// Whether a rule of the file is about the whole site.
pub(crate) fn has_rule_about_site(file: &[u8]) -> bool {
    let robots_txt = RobotsTxt::parse(file);
    let mut rules = robots_txt.groups().flat_map(|group| group.rules());
    rules.any(|rule| is_whole_site(rule.value()))
}
