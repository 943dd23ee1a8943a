//! The document of `--json`. Names and order of the fields are part of the command's contract.

use std::io::{self, Write};

use polite_robots::Access;

use crate::expect::answered::{Answered, AnsweredFile, counts};
use crate::input::Input;
use crate::json::{self, Fields, Object, object};
use crate::reading::Dialect;
use crate::verdict_fields::answer_fields;

pub(super) fn write(
    out: &mut dyn Write,
    robots_txt: &Input,
    dialect: Option<Dialect>,
    files: &[AnsweredFile<'_>],
) -> io::Result<()> {
    let (answers, failures) = counts(files);
    let expectations = files.iter().map(|file| {
        let results = file.answers.iter().map(answered_fields);
        object! { "file": file.input.argument(), "results": results.collect::<Vec<_>>() }
    });
    let document = object! {
        "file": robots_txt.argument(),
        // The dialect of the command line; each answer has its own.
        "dialect": dialect,
        "all_as_expected": failures == 0,
        "answers": answers,
        "failures": failures,
        "expectations": expectations.collect::<Vec<_>>(),
    };
    json::write(out, &document)
}

fn answered_fields(answered: &Answered<'_>) -> Object<impl Fields> {
    let expectation = &answered.expectation;
    object! {
        // The line of the expectation.
        "line": expectation.line,
        "agent": &expectation.agent,
        "url": &expectation.url,
        "expected": match expectation.access {
            Access::Allow => "allow",
            Access::Disallow => "disallow",
        },
        "as_expected": answered.is_as_expected(),
        "verdict": answer_fields(&answered.answer()),
    }
}
