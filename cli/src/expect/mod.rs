//! `robots test`: does a robots.txt answer as its owner expects?

mod answered;
mod expectation;
mod json;
mod junit;
mod text;

use std::collections::HashMap;
use std::rc::Rc;

use clap::{Args, ValueEnum};
use polite_robots_audit::answer::{Answers, Readings};

use crate::expect::answered::{Answered, AnsweredFile, counts};
use crate::expect::expectation::ExpectationError;
use crate::input::Input;
use crate::outcome::{Answer, Failure};
use crate::reading::Reading;
use crate::terminal;

/// Test whether a robots.txt allows and disallows what is expected of it
///
/// Each line of the expectations has an agent, a URL, and `allow` or `disallow`:
///
///   Googlebot  /products/1      allow
///   *          /cart            disallow
///
/// Blank lines and lines that start with # are skipped. The command prints what is not as expected,
/// with the line that decides; for programs it prints every answer.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES, verbatim_doc_comment)]
pub(crate) struct Expect {
    /// The files of expectations; `-` is standard input
    #[arg(value_name = "EXPECTATIONS", required = true)]
    expectations: Vec<Input>,

    /// The robots.txt to test
    #[arg(long, value_name = "FILE", default_value = "robots.txt")]
    robots_txt: Input,

    #[command(flatten)]
    reading: Reading,

    /// For whom the answers are printed
    #[arg(long, value_enum, default_value_t = Format::Human, conflicts_with = "json")]
    format: Format,

    /// Print one JSON document, with all answers and the lines that decide, as --format json does
    #[arg(long)]
    json: bool,

    /// Print nothing; the exit code says whether all is as expected
    #[arg(long, short, conflicts_with_all = ["format", "json"])]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text: a line for each answer that is not as expected
    Human,
    /// One JSON document
    Json,
    /// A JUnit report in XML, which Jenkins, GitLab and actions of GitHub show as tests
    Junit,
}

impl Expect {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        let mut inputs = vec![("the robots.txt", Some(&self.robots_txt))];
        let expectations = self.expectations.iter();
        inputs.extend(expectations.map(|input| ("the expectations", Some(input))));
        Failure::unless_read_once::<Expect>(SUBCOMMAND, &inputs)?;
        let readings = Readings::new(&self.reading.read(&self.robots_txt)?);
        let files = self.answered(&readings)?;
        if !self.quiet {
            terminal::print(|out| match self.format {
                _ if self.json => json::write(out, &self.robots_txt, self.reading.forced(), &files),
                Format::Json => json::write(out, &self.robots_txt, self.reading.forced(), &files),
                Format::Human => text::write(out, &files),
                Format::Junit => junit::write(out, &files),
            })?;
        }
        Ok(match counts(&files) {
            (_, 0) => Answer::Yes,
            _ => Answer::No,
        })
    }

    fn answered<'a>(&'a self, readings: &'a Readings) -> Result<Vec<AnsweredFile<'a>>, Failure> {
        let mut of_agents: HashMap<String, Rc<Answers<'a>>> = HashMap::new();
        let mut files = Vec::new();
        for input in &self.expectations {
            let mut answers = Vec::new();
            for expectation in expectation::read(input)? {
                let of_agent = match of_agents.get(&expectation.agent) {
                    Some(answers) => answers.clone(),
                    None => {
                        let answers = readings.answers(&expectation.agent, self.reading.whose());
                        Rc::new(answers.map_err(|error| {
                            ExpectationError::invalid_agent(input, &expectation, &error)
                        })?)
                    }
                };
                of_agents
                    .entry(expectation.agent.clone())
                    .or_insert_with(|| of_agent.clone());
                answers.push(Answered {
                    expectation,
                    answers: of_agent,
                });
            }
            files.push(AnsweredFile { input, answers });
        }
        Ok(files)
    }
}

const SUBCOMMAND: &str = "robots test";

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots test expectations.txt
  robots test expectations.txt --robots-txt public/robots.txt --dialect google
  robots test expectations.txt --format junit > robots.junit.xml
  curl -sL https://example.com/robots.txt | robots test expectations.txt --robots-txt -

Exit codes:
  0  every answer is as expected
  1  at least one is not
  2  no answer: the command line or an input is wrong, and the message says what and where

Colours are for terminals; NO_COLOR=1 turns them off.";
