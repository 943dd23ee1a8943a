//! The change of a file as a unified diff: coloured and safe for people who look at it, byte for
//! byte for `patch`.

use std::io::{self, Write};

use similar::{Algorithm, ChangeTag, DiffOp, capture_diff_slices, group_diff_ops};

use crate::input::Input;
use crate::terminal::{self, ADDED, ASIDE, EMPHASIS, PrintError, REMOVED, Reader, printable};

/// A file before and after its change.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    pub(crate) input: &'a Input,
    pub(crate) before: &'a [u8],
    pub(crate) after: &'a [u8],
}

/// Prints the diffs of the files that did change, one after the other.
pub(crate) fn print(changes: &[Change<'_>]) -> Result<(), PrintError> {
    terminal::print_for_reader(|out, reader| {
        changes.iter().try_for_each(|one| one.write(out, reader))
    })
}

impl Change<'_> {
    fn write(&self, out: &mut dyn Write, reader: Reader) -> io::Result<()> {
        // To `diff` and `patch` only a line feed ends a line.
        let [before, after] = [self.before, self.after]
            .map(|text| text.split_inclusive(|b| *b == b'\n').collect::<Vec<_>>());
        let hunks = group_diff_ops(capture_diff_slices(Algorithm::Myers, &before, &after), 3);
        let (emphasis, aside) = (reader.style(EMPHASIS), reader.style(ASIDE));
        for (place, hunk) in hunks.iter().enumerate() {
            if place == 0 {
                let name = printable(&self.input.argument());
                // `patch` ends a name at its first blank, unless a tab ends it.
                let is_spaced = reader == Reader::Program && name.contains(' ');
                let end = if is_spaced { "\t" } else { "" };
                writeln!(out, "{emphasis}--- {name}{emphasis:#}{end}")?;
                writeln!(out, "{emphasis}+++ {name}{emphasis:#}{end}")?;
            }
            writeln!(out, "{aside}{}{aside:#}", head(hunk))?;
            for change in hunk.iter().flat_map(|op| op.iter_changes(&before, &after)) {
                write_line(out, reader, change.tag(), change.value())?;
            }
        }
        Ok(())
    }
}

/// `@@ -1,7 +1,6 @@`: the lines of a hunk in both files.
fn head(hunk: &[DiffOp]) -> String {
    let [before, after] = [DiffOp::old_range, DiffOp::new_range].map(|range| {
        let lines = hunk.iter().map(range).reduce(|all, op| all.start..op.end);
        let lines = lines.unwrap_or_default();
        match lines.len() {
            // `patch` adds lines after the one that is named.
            0 => format!("{},0", lines.start),
            1 => format!("{}", lines.end),
            count => format!("{},{count}", lines.start + 1),
        }
    });
    format!("@@ -{before} +{after} @@")
}

fn write_line(out: &mut dyn Write, reader: Reader, tag: ChangeTag, line: &[u8]) -> io::Result<()> {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    match reader {
        Reader::Program => out.write_all(&[tag.to_string().as_bytes(), text].concat())?,
        Reader::Person => {
            let style = match tag {
                ChangeTag::Delete => REMOVED,
                ChangeTag::Insert => ADDED,
                ChangeTag::Equal => anstyle::Style::new(),
            };
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            let text = printable(&String::from_utf8_lossy(text));
            write!(out, "{style}{tag}{text}{style:#}")?;
        }
    }
    writeln!(out)?;
    if text.len() == line.len() {
        writeln!(out, "\\ No newline at end of file")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// The lines that a hunk begins after, from `-1,7` or `+1,6`.
    fn lines_before(range: &str) -> usize {
        let range = range.trim_start_matches(['-', '+']);
        let (start, count) = range.split_once(',').unwrap_or((range, "1"));
        start.parse::<usize>().unwrap() - usize::from(count != "0")
    }

    /// Applies a diff as `patch` does, without its tolerance.
    fn patched(before: &str, diff: &str) -> String {
        let mut old = before.split_inclusive('\n');
        let (mut after, mut taken, mut added) = (String::new(), 0, 0);
        let no_end = "\n\\ No newline at end of file\n";
        for line in diff
            .replace(no_end, "\0")
            .split_inclusive(['\n', '\0'])
            .skip(2)
        {
            if let Some(ranges) = line.strip_prefix("@@ ") {
                let (minus, plus) = ranges.split_once(' ').unwrap();
                let same = lines_before(minus) - taken;
                (taken, added) = (taken + same, added + same);
                after.extend(old.by_ref().take(same));
                assert_eq!(lines_before(plus.trim_end_matches(" @@\n")), added);
                continue;
            }
            let (tag, text) = line.split_at(1);
            let text = text.trim_end_matches('\0');
            if tag != "+" {
                assert_eq!(old.next(), Some(text));
                taken += 1;
            }
            if tag != "-" {
                after.push_str(text);
                added += 1;
            }
        }
        after.extend(old);
        after
    }

    proptest! {
        #[test]
        fn a_diff_makes_the_new_file_of_the_old_one(
            [before, after] in prop::array::uniform2(vec("[ab]?(\n|\r\n|c\n)", 0..40)),
            ends in prop::array::uniform2("[ac]?"),
        ) {
            let [before, after] = [before.concat() + &ends[0], after.concat() + &ends[1]];
            let input = Input::StandardInput;
            let change = Change { input: &input, before: before.as_bytes(), after: after.as_bytes() };
            let mut diff = Vec::new();
            change.write(&mut diff, Reader::Program).unwrap();
            prop_assert_eq!(patched(&before, &String::from_utf8(diff).unwrap()), after);
        }
    }
}
