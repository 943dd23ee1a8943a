//! The document of `--json`. Names and order of the fields are part of the command's contract.

use std::io::{self, Write};

use polite_robots::Access;
use serde::Serialize;

use crate::expect::answered::{Answered, AnsweredFile, counts};
use crate::input::Input;
use crate::json;
use crate::reading::Dialect;
use crate::verdict_fields::AnswerFields;

pub(super) fn write(
    out: &mut dyn Write,
    robots_txt: &Input,
    dialect: Option<Dialect>,
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
    /// The dialect of the command line; each answer has its own.
    dialect: Option<Dialect>,
    all_as_expected: bool,
    answers: usize,
    failures: usize,
    expectations: Vec<FileFields<'a>>,
}

#[derive(Serialize)]
struct FileFields<'a> {
    file: String,
    results: Vec<AnsweredFields<'a>>,
}

impl<'a> FileFields<'a> {
    fn new(file: &'a AnsweredFile<'_>) -> FileFields<'a> {
        FileFields {
            file: file.input.argument().into_owned(),
            results: file.answers.iter().map(AnsweredFields::new).collect(),
        }
    }
}

#[derive(Serialize)]
struct AnsweredFields<'a> {
    /// The line of the expectation.
    line: usize,
    agent: &'a str,
    url: &'a str,
    expected: &'static str,
    as_expected: bool,
    verdict: AnswerFields<'a>,
}

impl<'a> AnsweredFields<'a> {
    fn new(answered: &'a Answered<'_>) -> AnsweredFields<'a> {
        let expectation = &answered.expectation;
        AnsweredFields {
            line: expectation.line,
            agent: &expectation.agent,
            url: &expectation.url,
            expected: match expectation.access {
                Access::Allow => "allow",
                Access::Disallow => "disallow",
            },
            as_expected: answered.is_as_expected(),
            verdict: AnswerFields::new(&answered.answer()),
        }
    }
}
