//! The answers for people: those that are not as expected, and how many there are.

use std::io::{self, Write};

use crate::counted::counted;
use crate::expect::answered::{Answered, AnsweredFile, counts};
use crate::input::Input;
use crate::terminal::{ASIDE, DISALLOWED, EMPHASIS, Reader, printable};

pub(super) fn write(out: &mut dyn Write, files: &[AnsweredFile<'_>]) -> io::Result<()> {
    for file in files {
        for answered in &file.answers {
            if !answered.is_as_expected() {
                write_failure(out, Reader::Person, file.input, answered)?;
                writeln!(out)?;
            } else if let Some(note) = answered.answer().note() {
                write_note(out, file.input, answered, &note)?;
            }
        }
    }
    let (answers, failures) = counts(files);
    let answers = counted(answers, "answer");
    match failures {
        0 => writeln!(out, "{answers} as expected"),
        failures => writeln!(out, "{failures} of {answers} not as expected"),
    }
}

/// A line about an answer that is as expected, and that another reading would change.
fn write_note(
    out: &mut dyn Write,
    input: &Input,
    answered: &Answered<'_>,
    note: &str,
) -> io::Result<()> {
    let expectation = &answered.expectation;
    writeln!(
        out,
        "{}:{}: {EMPHASIS}note{EMPHASIS:#}: {} {}  {}",
        printable(&input.argument()),
        expectation.line,
        printable(&expectation.agent),
        printable(&expectation.url),
        printable(note),
    )
}

/// A line as compilers have it, so that editors find the expectation.
pub(super) fn write_failure(
    out: &mut dyn Write,
    reader: Reader,
    input: &Input,
    failure: &Answered<'_>,
) -> io::Result<()> {
    let (disallowed, aside) = (reader.style(DISALLOWED), reader.style(ASIDE));
    let (expectation, answer) = (&failure.expectation, failure.answer());
    write!(
        out,
        "{}:{}: {disallowed}{}{disallowed:#}: {} {}  {aside}{}{aside:#}",
        printable(&input.argument()),
        expectation.line,
        failure.failure(),
        printable(&expectation.agent),
        printable(&expectation.url),
        answer.verdict(),
    )?;
    match answer.note() {
        Some(note) => write!(out, "\n  note: {}", printable(&note)),
        None => Ok(()),
    }
}
