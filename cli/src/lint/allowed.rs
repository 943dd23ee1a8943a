//! Comments that allow findings: `# robots-lint: allow CODE` for a line, `# robots-lint: allow-file
//! CODE` for the file, and `# robots-lint: closed on purpose` for a staging site.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use polite_robots::RobotsTxt;
use polite_robots::document::LineKind;
use polite_robots_lint::DiagnosticCode;

use crate::input::Input;
use crate::terminal::{printable, warn};

/// The findings that comments of a file allow.
#[derive(Debug, Default)]
pub(super) struct Allowed {
    in_file: HashSet<DiagnosticCode>,
    on_lines: HashMap<u32, Vec<DiagnosticCode>>,
    /// Words in place of a code, with their lines.
    unknown: Vec<(u32, String)>,
}

/// The part of the file that a comment is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Line,
    File,
}

impl Allowed {
    /// Reads the comments. A comment alone on its line is about the next line with text; one after
    /// a record is about its own line.
    pub(super) fn of(robots_txt: &RobotsTxt) -> Allowed {
        let mut allowed = Allowed::default();
        // Hardly any file has such a comment, and most have thousands of lines.
        let file = robots_txt.as_bytes();
        let text = std::str::from_utf8(file);
        if !text
            .map_or_else(|_| String::from_utf8_lossy(file), Cow::Borrowed)
            .contains(MARK)
        {
            return allowed;
        }
        let mut for_next = Vec::new();
        for line in robots_txt.lines() {
            let is_alone = line.kind() == LineKind::Blank;
            let mut codes = std::mem::take(&mut for_next);
            let request = line.comment().and_then(|text| request(text, is_alone));
            if let Some((reach, names)) = request {
                let known = allowed.known_codes(names, line.number());
                match reach {
                    Reach::File => allowed.in_file.extend(known),
                    Reach::Line => codes.extend(known),
                }
            }
            match is_alone {
                true => for_next = codes,
                false if codes.is_empty() => {}
                false => {
                    allowed.on_lines.insert(line.number(), codes);
                }
            }
        }
        allowed
    }

    /// The codes of a comment, separated by commas or blanks.
    fn known_codes(&mut self, names: &str, line: u32) -> Vec<DiagnosticCode> {
        let names = names.split([',', ' ', '\t']);
        let mut codes = Vec::new();
        for name in names.filter(|name| !name.is_empty()) {
            match DiagnosticCode::from_name(name) {
                Some(code) => codes.push(code),
                None => self.unknown.push((line, name.to_owned())),
            }
        }
        codes
    }

    /// Warns about words that are not codes, because they allow nothing.
    pub(super) fn warn_of_unknown(&self, input: &Input) {
        for (line, name) in &self.unknown {
            warn(format_args!(
                "{input}, line {line}: `{}` is the code of no finding; `robots lint --explain` lists them",
                printable(name)
            ));
        }
    }

    pub(super) fn contains(&self, code: DiagnosticCode, line: u32) -> bool {
        let on_line = self.on_lines.get(&line);
        self.in_file.contains(&code) || on_line.is_some_and(|codes| codes.contains(&code))
    }
}

/// The codes that a comment names, and the part of the file that it is about. `is_alone` says that
/// no record is before the comment.
fn request(comment: &[u8], is_alone: bool) -> Option<(Reach, &str)> {
    let text = std::str::from_utf8(comment).ok()?;
    let text = text.trim_start_matches(['#', ' ', '\t']);
    let text = text.strip_prefix(MARK)?.trim();
    let (verb, names) = text.split_once([' ', '\t'])?;
    match verb {
        "closed" if is_alone && names.trim_start() == "on purpose" => {
            Some((Reach::File, DiagnosticCode::SiteClosed.as_str()))
        }
        "allow" => Some((Reach::Line, names)),
        "allow-file" => Some((Reach::File, names)),
        _ => None,
    }
}

/// The beginning of a comment that allows.
const MARK: &str = "robots-lint:";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_about_its_line_the_next_one_or_the_file() {
        let file = "\
# robots-lint: allow-file unknown-field
User-agent: *
Disalow: /a # robots-lint: allow misspelled-field, missing-colon

# robots-lint: allow duplicate-rule
# and a word about why
Disallow: /a
Disallow: /a
";
        let allowed = Allowed::of(&RobotsTxt::parse(file.as_bytes()));
        assert!(allowed.contains(DiagnosticCode::UnknownField, 8));
        assert!(allowed.contains(DiagnosticCode::MisspelledField, 3));
        assert!(allowed.contains(DiagnosticCode::MissingColon, 3));
        assert!(!allowed.contains(DiagnosticCode::MisspelledField, 4));
        assert!(allowed.contains(DiagnosticCode::DuplicateRule, 7));
        assert!(!allowed.contains(DiagnosticCode::DuplicateRule, 8));
    }

    #[test]
    fn a_site_is_closed_on_purpose_by_a_line_of_its_own() {
        let allows = |file: &str| {
            let allowed = Allowed::of(&RobotsTxt::parse(file.as_bytes()));
            assert!(!allowed.contains(DiagnosticCode::GroupBleed, 2), "{file}");
            allowed.contains(DiagnosticCode::SiteClosed, 2)
        };
        let rules = "User-agent: *\nDisallow: /";
        assert!(allows(&format!(
            "# robots-lint: closed on purpose\n{rules}"
        )));
        assert!(allows(&format!(
            "{rules}\n#robots-lint:  closed on purpose\n"
        )));
        assert!(!allows(&format!(
            "{rules} # robots-lint: closed on purpose"
        )));
        assert!(!allows(&format!("# robots-lint: closed\n{rules}")));
    }

    #[test]
    fn other_comments_allow_nothing() {
        for comment in ["# allow all", "# robots-lint", "# robots-lint: deny utf16"] {
            assert!(request(comment.as_bytes(), true).is_none(), "{comment}");
        }
    }
}
