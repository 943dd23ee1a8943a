//! The document of `--json`. Names and order of the fields are part of the command's contract.

use std::io::{self, Write};

use polite_robots::Access;
use serde::Serialize;

use crate::expect::answered::{Answered, AnsweredFile, counts};
use crate::input::Input;
use crate::json;
use crate::reading::Dialect;
use crate::verdict_fields::VerdictFields;

pub(super) fn write(
    out: &mut dyn Write,
    robots_txt: &Input,
    dialect: Dialect,
    files: &[AnsweredFile<'_>],
) -> io::Result<()> {
    let (answers, failures) = counts(files);
    json::write(
        out,
        &Document {
            file: &robots_txt.argument(),
            dialect,
            all_as_expected: failures == 0,
            answers,
            failures,
            expectations: files.iter().map(FileFields::new).collect(),
        },
    )
}

#[derive(Serialize)]
struct Document<'a> {
    file: &'a str,
    dialect: Dialect,
    all_as_expected: bool,
    answers: usize,
    failures: usize,
    expectations: Vec<FileFields<'a>>,
}

#[derive(Serialize)]
struct FileFields<'a> {
    file: String,
    results: Vec<AnswerFields<'a>>,
}

impl<'a> FileFields<'a> {
    fn new(file: &'a AnsweredFile<'_>) -> FileFields<'a> {
        FileFields {
            file: file.input.argument().into_owned(),
            results: file.answers.iter().map(AnswerFields::new).collect(),
        }
    }
}

#[derive(Serialize)]
struct AnswerFields<'a> {
    /// The line of the expectation.
    line: usize,
    agent: &'a str,
    url: &'a str,
    expected: &'static str,
    as_expected: bool,
    verdict: VerdictFields<'a>,
}

impl<'a> AnswerFields<'a> {
    fn new(answered: &'a Answered) -> AnswerFields<'a> {
        let expectation = &answered.expectation;
        AnswerFields {
            line: expectation.line,
            agent: &expectation.agent,
            url: &expectation.url,
            expected: match expectation.access {
                Access::Allow => "allow",
                Access::Disallow => "disallow",
            },
            as_expected: answered.is_as_expected(),
            verdict: VerdictFields::new(&answered.verdict()),
        }
    }
}
