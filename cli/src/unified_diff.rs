//! The change of a file as a unified diff: coloured and safe for people who look at it, byte for
//! byte for `patch`.

use std::io::{self, Write};
use std::ops::Range;

use similar::algorithms::IdentifyDistinct;
use similar::{Algorithm, ChangeTag, DiffOp, capture_diff, group_diff_ops};

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
        changes
            .iter()
            .try_for_each(|change| change.write(out, reader))
    })
}

impl Change<'_> {
    fn write(&self, out: &mut dyn Write, reader: Reader) -> io::Result<()> {
        let (before, after) = (lines(self.before), lines(self.after));
        let hunks = hunks(&before, &after);
        let (emphasis, aside) = (reader.style(EMPHASIS), reader.style(ASIDE));
        for (place, hunk) in hunks.iter().enumerate() {
            if place == 0 {
                let name = printable(&self.input.argument());
                // `patch` ends a name at its first blank, unless a tab ends it.
                let end = match reader {
                    Reader::Program if name.contains(' ') => "\t",
                    Reader::Program | Reader::Person => "",
                };
                writeln!(out, "{emphasis}--- {name}{emphasis:#}{end}")?;
                writeln!(out, "{emphasis}+++ {name}{emphasis:#}{end}")?;
            }
            let head = head(hunk);
            writeln!(out, "{aside}{head}{aside:#}")?;
            for change in hunk.iter().flat_map(|op| op.iter_changes(&before, &after)) {
                write_line(out, reader, change.tag(), change.value())?;
            }
        }
        Ok(())
    }
}

/// The parts of the files that differ, each with three lines around it. `similar` could print the
/// diff itself, with its feature `text`; but that takes 23 s of the processor to compile.
fn hunks(before: &[&[u8]], after: &[&[u8]]) -> Vec<Vec<DiffOp>> {
    // A number for each line, so that a long line is compared once.
    let numbers = IdentifyDistinct::<u32>::new(before, 0..before.len(), after, 0..after.len());
    let ops = capture_diff(
        Algorithm::Myers,
        numbers.old_lookup(),
        numbers.old_range(),
        numbers.new_lookup(),
        numbers.new_range(),
    );
    group_diff_ops(ops, 3)
}

/// `@@ -1,7 +1,6 @@`: the lines of a hunk in both files.
fn head(hunk: &[DiffOp]) -> String {
    let lines = |range: fn(&DiffOp) -> Range<usize>| {
        let (start, end) = (range(&hunk[0]).start, range(&hunk[hunk.len() - 1]).end);
        match end - start {
            // `patch` adds lines after the one that is named.
            0 => format!("{start},0"),
            1 => format!("{end}"),
            count => format!("{},{count}", start + 1),
        }
    };
    let (before, after) = (lines(DiffOp::old_range), lines(DiffOp::new_range));
    format!("@@ -{before} +{after} @@")
}

fn write_line(out: &mut dyn Write, reader: Reader, tag: ChangeTag, line: &[u8]) -> io::Result<()> {
    let (text, has_end) = match line.strip_suffix(b"\n") {
        Some(text) => (text, true),
        None => (line, false),
    };
    match reader {
        Reader::Program => {
            write!(out, "{tag}")?;
            out.write_all(text)?;
        }
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
    if !has_end {
        writeln!(out, "\\ No newline at end of file")?;
    }
    Ok(())
}

/// The lines with their ends. To `diff` and `patch` only a line feed ends a line.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}
