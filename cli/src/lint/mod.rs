//! `robots lint`: the oddities of a robots.txt, and how to fix them.

mod allowed;
mod characters;
mod excerpt;
mod explain;
#[cfg(feature = "fetch")]
pub(crate) mod fetched;
mod files;
mod fix;
mod github;
mod gitlab;
mod human;
mod json;
mod levels;
mod linted;
mod place;
mod report;
mod sarif;
mod short;
mod volume;

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use polite_robots_lint::DiagnosticCode;

use crate::input::Input;
use crate::lint::fix::FileFixes;
use crate::lint::levels::Levels;
use crate::lint::report::{FailedTo, Report};
use crate::lint::volume::Volume;
use crate::outcome::{Answer, Failure, quoted};
use crate::reading::Reading;
use crate::terminal;
use crate::unified_diff::{self, Change};

/// Find what is wrong with a robots.txt, and how to fix it
///
/// A sentence says who may fetch how much. Each finding has a code, such as missing-colon, with a
/// page: --explain.
///
/// A comment allows a finding: `# robots-lint: allow CODE` on the line, or alone on the line above,
/// and `# robots-lint: allow-file CODE` anywhere. A line `# robots-lint: closed on purpose` accepts
/// the file of a staging site.
#[derive(Debug, Args)]
#[command(override_usage = USAGE, after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Lint {
    /// The robots.txt files; `-` is standard input
    ///
    /// A folder stands for each robots.txt in it and below. A pattern such as `**/robots.txt`
    /// stands for the files that match, also where the shell does not know it.
    #[arg(value_name = "FILE", required_unless_present = "explain")]
    files: Vec<Input>,

    /// For whom the findings are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    /// Print all findings of a kind, not only the first five of each file
    #[arg(long)]
    all: bool,

    /// Print no findings; the exit code says whether there are any that are denied
    #[arg(long, short, conflicts_with = "fix")]
    quiet: bool,

    #[command(flatten)]
    levels: Levels,

    /// The host that the files are on, or a URL on it, so that sitemaps on other hosts are found
    #[arg(long, value_name = "HOST", value_parser = host)]
    host: Option<String>,

    /// Print as a diff what can be fixed without changing any answer
    ///
    /// To RFC 9309 and to Google the fixed file says the same. Findings that are left out stay as
    /// they are. Into a pipe the diff goes byte for byte, as for `patch -p0 --binary`. The exit
    /// code is that of the files as they are.
    #[arg(long, conflicts_with = "max_bytes")]
    fix: bool,

    /// With --fix: change the files, and print what remains
    #[arg(long, requires = "fix")]
    write: bool,

    /// Print the page of a code, or without one the list of all codes
    #[arg(
        long,
        value_name = "CODE",
        num_args = 0..=1,
        value_parser = levels::code(),
        hide_possible_values = true,
        exclusive = true
    )]
    explain: Option<Option<DiagnosticCode>>,

    #[command(flatten)]
    reading: Reading,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text, with the lines that the findings are about
    Human,
    /// A line per finding, `file:line:column: warning[code]: text`, for editors and grep
    Short,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// Commands that GitHub Actions turns into annotations
    Github,
    /// A Code Quality report, which GitLab shows in merge requests
    Gitlab,
}

/// A host, with a port or without, or a URL on it.
fn host(text: &str) -> Result<String, String> {
    let url = match text.contains("://") {
        true => text.to_owned(),
        false => format!("https://{text}/"),
    };
    let refusal = |_| "it is no host; write one such as www.bakery.example".to_owned();
    polite_robots::robots_url(&url).map_err(refusal)?;
    Ok(text.to_owned())
}

impl Lint {
    pub(crate) fn run(mut self) -> Result<Answer, Failure> {
        if let Some(code) = self.explain {
            terminal::print(|out| explain::write(out, code))?;
            return Ok(Answer::Yes);
        }
        if let [file] = &self.files[..] {
            Failure::if_a_url(file, |url| format!("robots fetch {} --lint", quoted(url)))?;
        }
        let unexpanded;
        (self.files, unexpanded) = files::expanded(self.files);
        self.refuse_what_contradicts_itself()?;
        let mut report = Report::new(&self.reading, &self.levels, self.host.as_deref());
        for (input, error) in &unexpanded {
            report.failed(input, FailedTo::Read, error);
        }
        if self.fix {
            self.run_fix(report)
        } else {
            self.run_lint(report)
        }
    }

    fn run_lint<'a>(&'a self, mut report: Report<'a>) -> Result<Answer, Failure> {
        for input in &self.files {
            match self.reading.bytes(input) {
                Ok(bytes) => report.lint(input, &bytes),
                Err(error) => report.failed(input, FailedTo::Read, &error),
            }
        }
        self.print(&report)
    }

    fn run_fix<'a>(&'a self, mut report: Report<'a>) -> Result<Answer, Failure> {
        let mut fixed = Vec::new();
        for input in &self.files {
            match input.bytes() {
                Ok(bytes) => fixed.push(FileFixes::new(input, bytes, &self.levels)),
                Err(error) => report.failed(input, FailedTo::Read, &error),
            }
        }
        if self.write {
            for file in &fixed {
                match file.write() {
                    Ok(()) => report.lint(file.input, file.after()),
                    Err(error) => {
                        report.failed(file.input, FailedTo::Write, &error);
                        report.lint(file.input, &file.before);
                    }
                }
            }
            self.print(&report)
        } else {
            for file in &fixed {
                report.lint(file.input, &file.before);
            }
            let changes: Vec<Change<'_>> = fixed.iter().map(FileFixes::change).collect();
            unified_diff::print(&changes)?;
            if !fixed.is_empty() {
                fix::announce(&fixed);
            }
            report.finish()
        }
    }

    fn print(&self, report: &Report<'_>) -> Result<Answer, Failure> {
        if !self.quiet {
            terminal::print(|out| self.write_report(out, report))?;
        }
        report.finish()
    }

    fn write_report(&self, out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
        match self.format {
            // If no file was read, the errors are the whole report.
            Format::Human if report.linted.is_empty() => Ok(()),
            Format::Human => human::write(out, &report.linted, self.volume()),
            Format::Short => short::write(out, report),
            Format::Json => json::write(out, report),
            Format::Sarif => sarif::write(out, report),
            Format::Github => github::write(out, report),
            Format::Gitlab => gitlab::write(out, report),
        }
    }

    fn volume(&self) -> Volume {
        match self.all {
            true => Volume::All,
            false => Volume::Few,
        }
    }

    fn refuse_what_contradicts_itself(&self) -> Result<(), Failure> {
        if let Err(both) = self.levels.refuse_contradictions() {
            return Err(Failure::usage(format_args!(
                "`{both}` is given to --allow and to --deny; leave one out"
            )));
        }
        let standard_inputs = self
            .files
            .iter()
            .filter(|file| **file == Input::StandardInput);
        match standard_inputs.count() {
            0 => {}
            1 if self.write => {
                return Err(Failure::usage(
                    "standard input cannot be written to; leave --write out to get a diff, or name a file",
                ));
            }
            1 => {}
            _ => {
                return Err(Failure::usage(
                    "`-` is given more than once; standard input can be read once only",
                ));
            }
        }
        if self.fix && !self.write && self.format != Format::Human {
            return Err(Failure::usage(
                "--fix prints a diff, which has no other format; leave --format out, or add --write to print what remains",
            ));
        }
        Ok(())
    }
}

const USAGE: &str = "\
robots lint [OPTIONS] <FILE>...
       robots lint --explain [CODE]";

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots lint robots.txt
  curl -sL https://example.com/robots.txt | robots lint -
  robots lint --deny errors --allow unknown-field,notes static/
  robots lint --format short '**/robots.txt'
  robots lint --fix robots.txt           see what would be fixed
  robots lint --fix --write robots.txt   fix it
  robots lint --explain group-bleed

Exit codes:
  0  no finding that is denied: by default notes at most
  1  at least one finding that is denied: by default errors and warnings
  2  the command line or an input is wrong, and the message says what and where; the other files are linted

Colours are for terminals; NO_COLOR=1 turns them off.";
