//! `robots test`: does a robots.txt answer as its owner expects?

mod expectation;

use std::io::{self, Write};

use clap::Args;
use polite_robots::{Access, Robot, RobotsTxt, Verdict};

use crate::counted::counted;
use crate::expect::expectation::Expectation;
use crate::input::Input;
use crate::outcome::{Answer, Failure};
use crate::reading::Reading;
use crate::terminal::{self, ASIDE, DISALLOWED, printable};

/// Test whether a robots.txt allows and disallows what is expected of it
///
/// Each line of the expectations has an agent, a URL, and `allow` or `disallow`:
///
///   Googlebot  /products/1      allow
///   *          /cart            disallow
///
/// Blank lines and lines that start with # are skipped. The command prints what is not as expected,
/// with the line that decides.
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

    /// Print nothing; the exit code says whether all is as expected
    #[arg(long, short)]
    quiet: bool,
}

impl Expect {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        let mut inputs = vec![("the robots.txt", Some(&self.robots_txt))];
        let expectations = self.expectations.iter();
        inputs.extend(expectations.map(|input| ("the expectations", Some(input))));
        Failure::unless_read_once::<Expect>(SUBCOMMAND, &inputs)?;
        let robots_txt = self.reading.read(&self.robots_txt)?;
        let mut tested: usize = 0;
        let mut failed = Vec::new();
        for input in &self.expectations {
            for expectation in expectation::read(input)? {
                tested = tested.saturating_add(1);
                let robot = self.robot(&robots_txt, &expectation)?;
                if robot.allowed(&expectation.url) != (expectation.access == Access::Allow) {
                    failed.push((input, expectation, robot));
                }
            }
        }
        if !self.quiet {
            terminal::print(|out| {
                for (input, expectation, robot) in &failed {
                    let verdict = robot.check(&expectation.url);
                    write_failure(out, input, expectation, &verdict)?;
                }
                write_summary(out, tested, failed.len())
            })?;
        }
        Ok(match failed.is_empty() {
            true => Answer::Yes,
            false => Answer::No,
        })
    }

    fn robot(&self, robots_txt: &RobotsTxt, expectation: &Expectation) -> Result<Robot, Failure> {
        let robot = robots_txt.robot(&expectation.agent);
        robot.map_err(|error| Failure::invalid_agent::<Expect>(SUBCOMMAND, &error))
    }
}

/// A line as compilers have it, so that editors find the expectation.
fn write_failure(
    out: &mut dyn Write,
    input: &Input,
    expectation: &Expectation,
    verdict: &Verdict<'_>,
) -> io::Result<()> {
    let expected = match expectation.access {
        Access::Allow => "allowed",
        Access::Disallow => "disallowed",
    };
    writeln!(
        out,
        "{}:{}: {DISALLOWED}not {expected}{DISALLOWED:#}: {} {}  {ASIDE}{verdict}{ASIDE:#}",
        printable(&input.argument()),
        expectation.line,
        printable(&expectation.agent),
        printable(&expectation.url),
    )
}

fn write_summary(out: &mut dyn Write, tested: usize, failed: usize) -> io::Result<()> {
    match failed {
        0 => writeln!(out, "{} as expected", counted(tested, "answer")),
        failed => writeln!(
            out,
            "{failed} of {} not as expected",
            counted(tested, "answer")
        ),
    }
}

const SUBCOMMAND: &str = "robots test";

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots test expectations.txt
  robots test expectations.txt --robots-txt public/robots.txt --dialect google
  curl -sL https://example.com/robots.txt | robots test expectations.txt --robots-txt -

Exit codes:
  0  every answer is as expected
  1  at least one is not
  2  no answer: the command line or an input is wrong, and the message says what and where

Colours are for terminals; NO_COLOR=1 turns them off.";
