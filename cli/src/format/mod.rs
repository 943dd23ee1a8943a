//! `robots fmt`: the same file in canonical form.

mod lost;

use std::path::PathBuf;

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
    /// The robots.txt; `-` is standard input
    file: Input,

    /// Keep or drop comments, unknown fields and lines that are no record
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = CommentsKept::Keep)]
    comments: CommentsKept,

    /// Print nothing but the difference, and exit with 1 if there is one
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
        let to_write = self.file_to_write()?;
        let before = self.file.bytes()?;
        let robots_txt = RobotsTxt::parse(&before);
        self.refuse_a_cut_file(&robots_txt)?;
        if self.write {
            self.refuse_what_is_no_robots_txt(&robots_txt)?;
        }
        let comments = match self.comments {
            CommentsKept::Keep => CommentPolicy::Keep,
            CommentsKept::Drop => CommentPolicy::Drop,
        };
        let after = canonical(&robots_txt, comments);
        Lost::between(&robots_txt, &after).warn(&self.file);
        if self.check {
            return self.compare(&before, &after);
        }
        match to_write {
            Some(path) if before != after => rewrite(path, &after)?,
            Some(_) => {}
            None => terminal::print_bytes(&after)?,
        }
        Ok(Answer::Yes)
    }

    fn compare(&self, before: &[u8], after: &[u8]) -> Result<Answer, Failure> {
        if before == after {
            return Ok(Answer::Yes);
        }
        unified_diff::print(&[Change {
            input: &self.file,
            before,
            after,
        }])?;
        Ok(Answer::No)
    }

    fn file_to_write(&self) -> Result<Option<&PathBuf>, Failure> {
        match (&self.file, self.write) {
            (_, false) => Ok(None),
            (Input::File(path), true) => Ok(Some(path)),
            (Input::StandardInput, true) => Err(Failure::usage(
                "standard input cannot be written back; leave --write out, or name the file",
            )),
        }
    }

    /// Refuses a file that is no robots.txt: its canonical form would ruin or empty it.
    fn refuse_what_is_no_robots_txt(&self, robots_txt: &RobotsTxt) -> Result<(), Failure> {
        match Doubt::about(robots_txt) {
            None => Ok(()),
            Some(doubt) => Err(Failure::usage(format_args!(
                "{} is not written, as it is no robots.txt: {}",
                self.file,
                doubt.message()
            ))),
        }
    }

    /// Refuses a cut file: half of it must not replace the whole.
    fn refuse_a_cut_file(&self, robots_txt: &RobotsTxt) -> Result<(), Failure> {
        match robots_txt.truncated_at() {
            None => Ok(()),
            Some(kept) => Err(Failure::usage(format_args!(
                "{} is too long: only its first {kept} bytes can be read",
                self.file
            ))),
        }
    }
}

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots fmt robots.txt
  robots fmt --check robots.txt            # for a build: is it canonical?
  robots fmt --write robots.txt
  robots fmt --comments drop - < robots.txt > public/robots.txt

Exit codes:
  0  done; with --check: the file is canonical
  1  with --check: it is not, and the difference is printed
  2  no answer: the command line or an input is wrong, and the message says what and where";
