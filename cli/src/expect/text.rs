//! The answers for people: those that are not as expected, and how many there are.

use std::io::{self, Write};

use crate::counted::counted;
use crate::expect::answered::{Answered, AnsweredFile, counts};
use crate::input::Input;
use crate::terminal::{ASIDE, DISALLOWED, Reader, printable};

pub(super) fn write(out: &mut dyn Write, files: &[AnsweredFile<'_>]) -> io::Result<()> {
    for file in files {
        for failure in file.failures() {
            write_failure(out, Reader::Person, file.input, failure)?;
            writeln!(out)?;
        }
    }
    let (answers, failures) = counts(files);
    let answers = counted(answers, "answer");
    match failures {
        0 => writeln!(out, "{answers} as expected"),
        failures => writeln!(out, "{failures} of {answers} not as expected"),
    }
}

/// A line as compilers have it, so that editors find the expectation.
pub(super) fn write_failure(
    out: &mut dyn Write,
    reader: Reader,
    input: &Input,
    failure: &Answered,
) -> io::Result<()> {
    let (disallowed, aside) = (reader.style(DISALLOWED), reader.style(ASIDE));
    let expectation = &failure.expectation;
    write!(
        out,
        "{}:{}: {disallowed}{}{disallowed:#}: {} {}  {aside}{}{aside:#}",
        printable(&input.argument()),
        expectation.line,
        failure.failure(),
        printable(&expectation.agent),
        printable(&expectation.url),
        failure.verdict(),
    )
}
