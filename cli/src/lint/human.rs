//! The findings for people: each with its line, as compilers show them, and a summary.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Padding, Patch, Renderer, Snippet};
use polite_robots_audit::sentence::sentence;
use polite_robots_lint::{DiagnosticCode, Severity};

use crate::counted::counted;
use crate::lint::excerpt::Excerpt;
use crate::lint::linted::{Finding, Linted};
use crate::lint::volume::{self, Shown, Volume};
use crate::terminal::{EMPHASIS, printable};

pub(super) fn write(out: &mut dyn Write, files: &[Linted<'_>], volume: Volume) -> io::Result<()> {
    let mut told = BTreeSet::new();
    for file in files {
        let name = printable(&file.input.argument());
        let counts = counts(&file.findings);
        let sentence = sentence(&file.robots_txt);
        match counts.is_empty() {
            true => writeln!(out, "{EMPHASIS}{name}{EMPHASIS:#}: {sentence}")?,
            false => writeln!(
                out,
                "{EMPHASIS}{name}{EMPHASIS:#}: {sentence}; {}\n",
                counts.join(", ")
            )?,
        }
        let mut shown = Shown::new(volume);
        for finding in file.findings.iter().filter(|finding| shown.takes(finding)) {
            let is_first = told.insert(finding.code());
            write_finding(out, &name, file, finding, is_first)?;
        }
        shown.write_rest(out)?;
    }
    volume::write_table(out, files)?;
    write_summary(out, files)
}

fn write_finding(
    out: &mut dyn Write,
    name: &str,
    file: &Linted<'_>,
    finding: &Finding,
    is_first: bool,
) -> io::Result<()> {
    let level = match finding.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let start = finding.place.start;
    let span = part_of_line(finding);
    let excerpt = Excerpt::new(file.line(finding), span);
    let title = level
        .clone()
        .primary_title(printable(finding.diagnostic.message()))
        .id(finding.code().as_str());
    // The place has a group of its own: a snippet counts columns in the text that it shows, which
    // is escaped and cut.
    let place = Origin::path(name)
        .line(start.line)
        .char_column(start.column);
    let snippet = Snippet::source(excerpt.text.as_str())
        .line_start(start.line)
        .annotation(AnnotationKind::Primary.span(excerpt.part.clone()));
    let mut body = Group::with_level(level).element(snippet);
    if is_first {
        let page = format!("for more, try `robots lint --explain {}`", finding.code());
        body = body.element(Padding).element(Level::NOTE.message(page));
    }
    let help = help(finding, &excerpt);
    let groups: Vec<Group<'_>> = [title.element(place), body]
        .into_iter()
        .chain(help)
        .collect();
    let rendered = Renderer::styled().render(&groups);
    let mut last = "";
    for line in rendered.lines() {
        // Each of the two groups has a blank line where they meet, and one is enough.
        if line != last {
            writeln!(out, "{line}")?;
        }
        last = line;
    }
    writeln!(out)
}

fn help<'e>(finding: &Finding, excerpt: &'e Excerpt) -> Option<Group<'e>> {
    if finding.code() == DiagnosticCode::LoneCarriageReturn && finding.can_fix {
        let title = "`--fix` puts line feeds in place of all of them";
        return Some(Group::with_title(Level::HELP.secondary_title(title)));
    }
    let suggestion = finding.suggestion()?;
    let title = match suggestion {
        _ if suggestion.len() > LONGEST_SUGGESTION => {
            let title = "`--format json` has a suggestion, which is too long to be shown";
            return Some(Group::with_title(Level::HELP.secondary_title(title)));
        }
        "" => "remove it",
        _ => "write it so",
    };
    let patch = Patch::new(excerpt.part.clone(), printable(suggestion));
    let snippet = Snippet::source(excerpt.text.as_str())
        .line_start(finding.place.start.line)
        .patch(patch);
    Some(Group::with_title(Level::HELP.secondary_title(title)).element(snippet))
}

/// The part of the line that a finding is about, in bytes from the start of the line.
fn part_of_line(finding: &Finding) -> Range<usize> {
    let bytes = &finding.place.bytes;
    let start = finding.place.line.start;
    bytes.start.saturating_sub(start)..bytes.end.saturating_sub(start)
}

fn write_summary(out: &mut dyn Write, files: &[Linted<'_>]) -> io::Result<()> {
    let counts = counts(files.iter().flat_map(|file| &file.findings));
    let files = counted(files.len(), "file");
    if counts.is_empty() {
        writeln!(out, "no findings in {files}")
    } else {
        writeln!(out, "{} in {files}", counts.join(", "))
    }
}

/// `2 errors`, `1 warning`: the levels of which there are findings.
fn counts<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<String> {
    let mut of_levels =
        [Severity::Error, Severity::Warning, Severity::Note].map(|level| (level, 0));
    for finding in findings {
        for (level, count) in &mut of_levels {
            *count += usize::from(*level == finding.severity());
        }
    }
    let found = of_levels.iter().filter(|(_, count)| *count > 0);
    found
        .map(|(level, count)| counted(*count, level.as_str()))
        .collect()
}

/// The longest suggestion that is shown, in bytes. A longer one would fill the screen.
pub(super) const LONGEST_SUGGESTION: usize = 120;

#[cfg(test)]
mod tests {
    use polite_robots::Options;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::write;
    use crate::input::Input;
    use crate::lint::levels::Levels;
    use crate::lint::linted::Linted;
    use crate::lint::volume::Volume;
    use crate::terminal::is_safe;

    const PIECES: &[&[u8]] = &[
        b"User-agent: *\n",
        b"Disalow /\xC3\xA9 ",
        b"Disallow: /a\n",
        b"Disallow: x",
        b"\nUser-agent: a,b\r",
        b"\xEF\xBB\xBF",
        b"\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA9",
        b"\xE4\xB8\xAD\xE4\xB8\xAD",
        b"e\xCC\x81\xCC\x81",
        b"\xE2\x80\xAE",
        b"\t\t\t",
        b"\0",
        b"\x1b]0;title\x07",
        b"$/",
        b"\n",
        b"\r\n",
        b"                                        ",
        b"%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%",
    ];

    proptest! {
        #[test]
        fn any_file_can_be_shown(
            pieces in vec(prop_oneof![select(PIECES).prop_map(<[u8]>::to_vec), vec(any::<u8>(), 0..4)], 0..40),
        ) {
            let input = Input::StandardInput;
            let bytes = pieces.concat();
            let mut out = Vec::new();
            for options in [Options::rfc9309(), Options::google().with_max_bytes(bytes.len() / 2)] {
                let linted = Linted::new(&input, &bytes, &options, &Levels::default(), None);
                write(&mut out, &[linted], Volume::All).unwrap();
            }
            let shown = String::from_utf8(out).unwrap();
            // A style begins with this text and ends with an `m`. No file here holds a style.
            let without_styles = shown.split("\u{1b}[").enumerate().map(|(place, text)| match place {
                0 => text,
                _ => text.split_once('m').unwrap().1,
            });
            let without_styles: String = without_styles.collect();
            let is_unsafe = |character| character != '\n' && !is_safe(character);
            prop_assert!(!without_styles.contains(is_unsafe), "{}", shown.escape_debug());
        }
    }
}
