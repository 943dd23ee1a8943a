//! Paths about the whole site, to which a hint leads only where it says so.

use polite_robots::RobotsTxt;

/// Whether a path is about the whole site.
pub(crate) fn is_whole_site(path: &[u8]) -> bool {
    !path.is_empty() && path.iter().all(|byte| b"/*$".contains(byte))
}

/// Whether a rule of the file is about the whole site.
pub(crate) fn has_rule_about_site(file: &[u8]) -> bool {
    let robots_txt = RobotsTxt::parse(file);
    let mut rules = robots_txt.groups().flat_map(|group| group.rules());
    rules.any(|rule| is_whole_site(rule.value()))
}
