//! `robots fmt`: the same file in canonical form.

mod lost;

use clap::{Args, ValueEnum};
use polite_robots::RobotsTxt;
use polite_robots_audit::doubt::Doubt;
use polite_robots_build::{CommentPolicy, canonical};

use crate::format::lost::Lost;
use crate::input::Input;
use crate::outcome::{Answer, Failure};
use crate::rewrite::rewrite;
use crate::terminal;
use crate::unified_diff::{self, Change};

/// Print a robots.txt in canonical form: the same answers, one way to write them
///
/// One spelling of each field, one blank after the colon, one group for the same agents, records of
/// a group directly below its agents, sitemaps and other records for everyone at the end, LF as
/// line end, no byte order mark.
///
/// Every agent gets the same answer about every URL as before, in both dialects. Values stay byte
/// for byte. The file is not changed unless --write is given.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Format {
    /// The robots.txt; `-` is standard input. Several with --check or --write
    #[arg(value_name = "FILE", required = true)]
    files: Vec<Input>,

    /// Keep or drop comments, unknown fields and lines that are no record
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = CommentsKept::Keep)]
    comments: CommentsKept,

    /// Print nothing but the differences, and exit with 1 if there is one
    #[arg(long)]
    check: bool,

    /// Write the canonical form back to the file
    ///
    /// At once or not at all, with the permissions that it has. Nothing is written if it is
    /// canonical already.
    #[arg(long, conflicts_with = "check")]
    write: bool,
}

/// The library's choice by the names of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CommentsKept {
    /// They stay with the record that they stand above or after
    Keep,
    /// They are left out; a warning on standard error says what is lost
    Drop,
}

impl Format {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        let inputs = self.files.iter().map(|file| ("a robots.txt", Some(file)));
        Failure::unless_read_once(&inputs.collect::<Vec<_>>())?;
        if self.write && self.files.contains(&Input::StandardInput) {
            return Err(Failure::usage(
                "standard input cannot be written back; leave --write out, or name the file",
            ));
        }
        if let [file] = &self.files[..] {
            return self.format(file);
        }
        if !self.write && !self.check {
            return Err(Failure::usage(
                "several files cannot be printed as one; give --check or --write",
            ));
        }
        let mut answer = Answer::Yes;
        for file in &self.files {
            answer = match (self.format(file), answer) {
                (Err(failure), _) => {
                    // The other files may be canonical.
                    failure.report();
                    Answer::Partial
                }
                (_, Answer::Partial) | (Ok(Answer::Yes), _) => answer,
                (Ok(answer), _) => answer,
            };
        }
        Ok(answer)
    }

    fn format(&self, file: &Input) -> Result<Answer, Failure> {
        let before = file.bytes()?;
        let robots_txt = RobotsTxt::parse(&before);
        refuse_a_cut_file(file, &robots_txt)?;
        if self.write {
            refuse_what_is_no_robots_txt(file, &robots_txt)?;
        }
        let comments = match self.comments {
            CommentsKept::Keep => CommentPolicy::Keep,
            CommentsKept::Drop => CommentPolicy::Drop,
        };
        let after = canonical(&robots_txt, comments);
        Lost::between(&robots_txt, &after).warn(file);
        match file {
            _ if self.check && before != after => {
                let (before, after) = (&before, &after);
                unified_diff::print(&[Change {
                    input: file,
                    before,
                    after,
                }])?;
                return Ok(Answer::No);
            }
            _ if self.check => {}
            Input::File(path) if self.write => {
                if before != after {
                    rewrite(path, &after)?;
                }
            }
            _ => terminal::print_bytes(&after)?,
        }
        Ok(Answer::Yes)
    }
}

/// Refuses a file that is not a robots.txt: its canonical form would ruin or empty it.
fn refuse_what_is_no_robots_txt(file: &Input, robots_txt: &RobotsTxt) -> Result<(), Failure> {
    match Doubt::about(robots_txt) {
        None => Ok(()),
        Some(doubt) => Err(Failure::usage(format_args!(
            "{} is not written, as it is no robots.txt: {}",
            file,
            doubt.message()
        ))),
    }
}

/// Refuses a cut file: half of it must not replace the whole.
fn refuse_a_cut_file(file: &Input, robots_txt: &RobotsTxt) -> Result<(), Failure> {
    match robots_txt.truncated_at() {
        None => Ok(()),
        Some(kept) => Err(Failure::usage(format_args!(
            "{file} is too long: only its first {kept} bytes can be read",
        ))),
    }
}

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots fmt robots.txt
  robots fmt --check robots.txt            # for a build: is it canonical?
  robots fmt --write robots.txt shop/robots.txt
  robots fmt --comments drop - < robots.txt > public/robots.txt

Exit codes:
  0  done; with --check: each file is canonical
  1  with --check: one is not, and the difference is printed
  2  no answer: the command line or an input is wrong, and the message says what and where";
