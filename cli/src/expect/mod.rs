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
use crate::expect::expectation::{ExpectationError, LineError};
use crate::input::Input;
use crate::outcome::{Answer, Failure};
use crate::reading::Reading;
use crate::terminal;

/// Test whether a robots.txt allows and disallows what is expected of it
///
/// Each line of the expectations has an agent, a URL, and `allow` or `disallow`:
///
///   Googlebot  /products/1      allow
///   *          /cart            disallow  # baskets
///
/// Blank lines are skipped, and what follows a # at the start of a line or after a blank. The
/// command prints what is not as expected, with the line that decides; for programs it prints every
/// answer.
///
/// A name that is nearly that of a known crawler, such as Googelbot, is refused, as is the name of
/// a product or a company.
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

    /// Take the names as they are given, also those that look misspelled
    #[arg(long)]
    exact: bool,

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
        Failure::unless_read_once(&inputs)?;
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
        let (_, failures) = counts(&files);
        Ok(Answer::of(failures == 0))
    }

    fn answered<'a>(&'a self, readings: &'a Readings) -> Result<Vec<AnsweredFile<'a>>, Failure> {
        let mut of_agents: HashMap<String, Result<Rc<Answers<'a>>, String>> = HashMap::new();
        let mut files = Vec::new();
        let mut errors = Vec::new();
        for input in &self.expectations {
            let (mut answers, mut of_file) = (Vec::new(), Vec::new());
            for expectation in expectation::read(input, &mut of_file)? {
                let agent = &expectation.agent;
                let of_agent = match of_agents.get(agent) {
                    Some(answers) => answers.clone(),
                    None => {
                        let reading = self.reading.whose();
                        let answers = expectation::answers(readings, agent, reading, self.exact);
                        of_agents.insert(agent.clone(), answers.clone());
                        answers
                    }
                };
                match of_agent {
                    Ok(of_agent) => answers.push(Answered {
                        expectation,
                        answers: of_agent,
                    }),
                    Err(reason) => of_file.push(LineError {
                        input: input.clone(),
                        line: expectation.line,
                        reason,
                    }),
                }
            }
            of_file.sort_by_key(|error| error.line);
            errors.append(&mut of_file);
            files.push(AnsweredFile { input, answers });
        }
        match errors.is_empty() {
            true => Ok(files),
            false => Err(ExpectationError::Lines(errors).into()),
        }
    }
}

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
