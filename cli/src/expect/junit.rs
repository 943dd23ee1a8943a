//! `--format junit`: a report of tests, as Jenkins, GitLab and actions of GitHub read it.
//!
//! No standard defines the format. Elements and attributes are those of Jenkins
//! (<https://github.com/jenkinsci/xunit-plugin>, `junit-10.xsd`), with the `file` of a test case
//! that GitLab reads (<https://docs.gitlab.com/ci/testing/unit_test_reports/>), and the `line`
//! beside it, which annotations of GitHub need.

use std::io::{self, Write};

use polite_robots::Access;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::expect::answered::{Answered, AnsweredFile, counts};
use crate::expect::text::write_failure;
use crate::input::Input;
use crate::terminal::{Reader, printable};

pub(super) fn write(out: &mut dyn Write, files: &[AnsweredFile<'_>]) -> io::Result<()> {
    let mut xml = Writer::new_with_indent(out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.create_element("testsuites")
        .with_attribute(("name", "robots test"))
        .with_attributes(
            counted(files)
                .each_ref()
                .map(|(name, count)| (*name, count.as_str())),
        )
        .write_inner_content(|xml| files.iter().try_for_each(|file| write_file(xml, file)))?;
    writeln!(xml.into_inner())
}

fn write_file(xml: &mut Writer<&mut dyn Write>, file: &AnsweredFile<'_>) -> io::Result<()> {
    let name = in_xml(&file.input.argument());
    xml.create_element("testsuite")
        .with_attribute(("name", name.as_str()))
        .with_attributes(
            counted([file])
                .each_ref()
                .map(|(name, count)| (*name, count.as_str())),
        )
        .write_inner_content(|xml| {
            let mut answers = file.answers.iter();
            answers.try_for_each(|answered| write_case(xml, file.input, &name, answered))
        })?;
    Ok(())
}

fn write_case(
    xml: &mut Writer<&mut dyn Write>,
    input: &Input,
    file: &str,
    answered: &Answered<'_>,
) -> io::Result<()> {
    let expectation = &answered.expectation;
    let may = match expectation.access {
        Access::Allow => "may fetch",
        Access::Disallow => "may not fetch",
    };
    let name = in_xml(&format!("{} {may} {}", expectation.agent, expectation.url));
    let line = expectation.line.to_string();
    let case = xml.create_element("testcase").with_attributes([
        ("classname", file),
        ("name", &name),
        ("file", file),
        ("line", &line),
        ("time", TIME),
    ]);
    if answered.is_as_expected() {
        case.write_empty()?;
        return Ok(());
    }
    // GitLab shows the text alone, Jenkins the message first.
    let mut text = Vec::new();
    write_failure(&mut text, Reader::Program, input, answered)?;
    let text = in_xml(&String::from_utf8_lossy(&text));
    let message = in_xml(&answered.answer().verdict().to_string());
    case.write_inner_content(|xml| {
        xml.create_element("failure")
            .with_attributes([("type", answered.failure()), ("message", &message)])
            .write_text_content(BytesText::new(&text))?;
        Ok(())
    })?;
    Ok(())
}

/// The counts, which a suite and the list of all suites have alike.
fn counted<'a>(
    files: impl IntoIterator<Item = &'a AnsweredFile<'a>>,
) -> [(&'static str, String); 4] {
    let (answers, failures) = counts(files);
    [
        ("tests", answers.to_string()),
        ("failures", failures.to_string()),
        ("errors", "0".to_owned()),
        ("time", TIME.to_owned()),
    ]
}

/// The time of a test in seconds. An answer takes microseconds, and some readers show no report
/// without a time.
const TIME: &str = "0";

/// A text that XML 1.0 can hold: without control characters, and without U+FFFE and U+FFFF, which
/// are no characters of Unicode.
fn in_xml(text: &str) -> String {
    let text = printable(text);
    text.replace('\u{FFFE}', "\\u{fffe}")
        .replace('\u{FFFF}', "\\u{ffff}")
}
