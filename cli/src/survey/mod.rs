//! `robots survey`: what many robots.txt files are like.

mod changes;
mod compare;
mod conclusion;
mod date;
mod interrupt;
mod merge;
mod output;
mod progress;
mod rows;
mod text;
mod threads;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum, value_parser};
use polite_robots_survey::{Depth, Extras, Input, Labels, Part, Plan, SurveyError, Unit, run_with};

use crate::outcome::{Answer, Failure};
use crate::reading::at_least_one;
use crate::survey::changes::Changes;
use crate::survey::compare::Compare;
use crate::survey::conclusion::Printed;
use crate::survey::merge::Merge;
use crate::survey::output::{OutputError, PartOutput};
use crate::survey::progress::Progress;
use crate::survey::rows::{RowFile, RowPath};
use crate::terminal::{printable, warn};

/// Survey many robots.txt files: archives of Common Crawl, tar archives, folders
///
/// Reads folders (each file in them is a robots.txt, except archives, by their names), tar archives
/// (.tar, .tar.gz, .tar.xz, .tar.zst), WARC archives (.warc, .warc.gz, .warc.zst) in the layout of
/// Common Crawl's robotstxt files, and single robots.txt files. Nothing is fetched. Memory is
/// bounded, whatever the size of the inputs.
///
/// Odd parts of an archive are counted and passed over: records that are no response, redirect
/// targets with another path, broken members and wrong lengths.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = EXAMPLES_AND_EXIT_CODES
)]
pub(crate) struct Survey {
    #[command(subcommand)]
    subcommand: Option<OfSurvey>,

    /// Folders, archives and robots.txt files; `-` is a WARC archive on standard input
    #[arg(value_name = "PATH", required_unless_present_any = ["path_list", "resume"])]
    paths: Vec<PathBuf>,

    /// More paths, one per line; `-` is standard input
    ///
    /// Blank lines and lines that start with # are skipped. The list may be compressed with gzip,
    /// as robotstxt.paths.gz of Common Crawl is.
    #[arg(long = "paths", value_name = "FILE")]
    path_list: Option<crate::input::Input>,

    /// Write the survey as JSON, and every 5 seconds what there is of it (--save-every)
    ///
    /// A survey that was stopped goes on with --resume, and several are added up by `robots survey
    /// merge`. `-` is standard output: one line when the survey is done, in place of the tables.
    #[arg(long, value_name = "FILE|-", value_parser = output::part())]
    out: Option<PartOutput>,

    /// Go on where --out was stopped; start if it is not there
    ///
    /// So the same command can be given again until it is done. Without paths, those of --out are
    /// read. Inputs that could not be read are tried again; inputs that have changed are an error.
    #[arg(long, requires = "out")]
    resume: bool,

    /// Write a report as one HTML page with charts
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    report: Option<PathBuf>,

    /// Write a row for each response: JSON lines (.jsonl) or comma-separated values (.csv), by the
    /// name, compressed for .gz and .zst; `-` for JSON lines on standard output
    ///
    /// A row has the host, the status and what RFC 9309 makes of it, the size and a hash of the
    /// file, each agent that it names, and for each known crawler whether it may fetch all, a part
    /// or none of the site, with the line if by name. The rows are in the order of the inputs. A
    /// survey with rows is done in one go. Where nothing can be read, a file that is there stays.
    #[arg(long, value_name = "FILE", conflicts_with = "resume", value_parser = rows::path())]
    rows: Option<RowPath>,

    /// Write rows of a few hundred bytes
    ///
    /// Agents stand in sets by how much they may fetch (`all`, `part`, `none`), of the known
    /// crawlers those that may fetch more or less than `*`, and findings by code. The lines of a
    /// file and the places in the inputs are left out.
    #[arg(long, requires = "rows")]
    compact: bool,

    /// Count the hosts of each label apart: lines `host,label`, such as ranks, languages or kinds
    /// of sites
    ///
    /// Hosts that are not on the list are the stratum `(unlisted)`; a host is also found without
    /// its `www.`. The counts of the strata add up to those of the whole. Parts that are to be
    /// merged need the same list.
    #[arg(long, value_name = "FILE")]
    strata: Option<PathBuf>,

    /// Count each distinct body once, or one response of each domain that someone registered
    ///
    /// The inputs are read twice, so that the response that counts does not depend on their order.
    /// For a domain, a file counts before an error, and an error before a redirect. Among equals,
    /// the response with the smallest hash of its URL or host counts. Domains are those of the
    /// Public Suffix List. Responses that are no file have no body to compare, and all of them
    /// count. Memory is 24 to 36 bytes for each body or domain. Such a survey can be resumed, but
    /// not merged.
    #[arg(long, value_name = "UNIT")]
    by: Option<By>,

    /// Title of the survey, in its JSON and on the page
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Date of this run, in the JSON and on the page; by default today's
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = date::parse)]
    date: Option<String>,

    /// Name of standard input in the survey, by default `-`
    ///
    /// Parts of one survey need inputs with different names.
    #[arg(long, value_name = "NAME", default_value = STANDARD_INPUT, hide_default_value = true)]
    stdin_name: PathBuf,

    /// Hold the rules of every file against each other, and read every file in both dialects
    ///
    /// This is the default for inputs of less than 64 MiB in all. The size of standard input is not
    /// known before, and counts as more.
    #[arg(long)]
    thorough: bool,

    /// Do what --thorough does for one file in 8 and one in 32, to save time
    ///
    /// The files are chosen by a hash of their site. This is the default for inputs of 64 MiB and
    /// more. Parts that are to be merged need the same of the two, whatever their sizes.
    #[arg(long, conflicts_with = "thorough")]
    sampled: bool,

    /// Use N threads; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = threads::parse)]
    threads: Option<usize>,

    /// Read the first N bytes of a robots.txt only, after decoding; a longer one is counted as such
    ///
    /// The default is 5 MiB, ten times what RFC 9309 §2.5 asks crawlers to read, and what Common
    /// Crawl keeps.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    max_bytes: Option<usize>,

    /// Bytes of a batch, about
    #[arg(long, value_name = "N", hide = true, default_value_t = BATCH, value_parser = at_least_one)]
    batch_bytes: usize,

    /// Write --out again after N seconds
    #[arg(long, value_name = "N", default_value_t = SAVING_SECONDS, value_parser = value_parser!(u64).range(..=A_DAY))]
    save_every: u64,
}

/// The unit that counts once.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum By {
    Body,
    Domain,
}

impl From<By> for Unit {
    fn from(by: By) -> Unit {
        match by {
            By::Body => Unit::Body,
            By::Domain => Unit::Domain,
        }
    }
}

#[derive(Debug, Subcommand)]
enum OfSurvey {
    Changes(Changes),
    Compare(Compare),
    Merge(Merge),
}

impl Survey {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        match self.subcommand {
            Some(OfSurvey::Changes(changes)) => return changes.run(),
            Some(OfSurvey::Compare(compare)) => return compare.run(),
            Some(OfSurvey::Merge(merge)) => return merge.run(),
            None => {}
        }
        let labels = self.strata.as_deref().map(Labels::read).transpose()?;
        let mut part = self.part(labels.as_ref())?;
        self.check_outputs(&part)?;
        if let Some(title) = &self.title {
            part.set_title(title);
        }
        let interrupt = interrupt::watch();
        if !part.is_complete() {
            part.add_run(&self.date.clone().unwrap_or_else(date::today));
            let progress = Progress::new(&part);
            let row_path = self.row_path()?;
            let mut row_file = row_path.as_ref().map(RowFile::create).transpose()?;
            let mut rows = row_file.as_mut().map(RowFile::rows).transpose()?;
            let extras = Extras {
                rows: rows.as_mut(),
                labels: labels.as_ref(),
            };
            let ran: Result<_, Failure> = run_with(
                &mut part,
                &self.plan(),
                extras,
                &interrupt,
                &progress,
                |part| self.save(part),
            );
            match ran {
                // The reader of the rows, such as `head`, has read enough of them.
                Err(failure) if self.rows_are_printed() && nobody_reads_on(&failure) => {
                    return Ok(Answer::Yes);
                }
                ran => ran?,
            }
            if let Some(file) = row_file
                && part.is_complete()
                && !part.is_unread()
            {
                file.finish()?;
            }
        }
        let printed = match self.rows_are_printed() {
            true => Printed::Nothing,
            false => Printed::of(&part, self.out.as_ref()),
        };
        conclusion::show(&part, self.report.as_deref(), printed)?;
        if !part.is_complete() {
            self.say_how_to_go_on();
            return Ok(Answer::Interrupted);
        }
        Ok(conclusion::answer(&part))
    }

    fn check_outputs(&self, part: &Part) -> Result<(), OutputError> {
        let list = match &self.path_list {
            Some(crate::input::Input::File(list)) => Some(list),
            Some(crate::input::Input::StandardInput) | None => None,
        };
        let read = part.paths().chain(list).chain(&self.strata);
        output::check(
            &[
                ("--out", self.out_file()),
                ("--report", self.report.as_deref()),
                ("--rows", self.rows.as_ref().and_then(RowPath::file)),
            ],
            read,
        )
    }

    /// The place of the rows, and their form.
    fn row_path(&self) -> Result<Option<RowPath>, Failure> {
        let Some(rows) = &self.rows else {
            return Ok(None);
        };
        if self.rows_are_printed() && self.out == Some(PartOutput::StandardOutput) {
            return Err(Failure::usage(
                "standard output takes either the rows or the survey; give --rows or --out a file",
            ));
        }
        if !self.compact {
            return Ok(Some(rows.clone()));
        }
        match rows.compact() {
            Some(rows) => Ok(Some(rows)),
            None => Err(Failure::usage(
                "comma-separated values have a column for each crawler and no compact form; give --rows a name in .jsonl",
            )),
        }
    }

    fn rows_are_printed(&self) -> bool {
        self.rows.as_ref().is_some_and(RowPath::is_standard_output)
    }

    /// A new part, or the part of an earlier run to continue.
    fn part(&self, labels: Option<&Labels>) -> Result<Part, Failure> {
        let mut paths = self.paths.clone();
        if let Some(list) = &self.path_list {
            let is_stream = |path: &PathBuf| path.as_os_str() == STANDARD_INPUT;
            if *list == crate::input::Input::StandardInput && paths.iter().any(is_stream) {
                return Err(Failure::usage(
                    "standard input is either the list of paths or a WARC archive; give one of them as a file",
                ));
            }
            paths.extend(list.paths()?);
        }
        if self.resume && self.out_file().is_none() {
            return Err(Failure::usage(
                "a survey on standard output cannot be gone on with; give --out a file",
            ));
        }
        if let Some(out) = self.out_file() {
            let is_there = out.try_exists().unwrap_or(true);
            if is_there && !self.resume {
                let out = out.to_owned();
                return Err(OutputError::Exists { out }.into());
            }
            if is_there {
                let part = self.resumed(out, paths)?;
                part.check_labels(labels, out)?;
                return Ok(part);
            }
        }
        if paths.is_empty() {
            return Err(Failure::usage(
                "there is no --out to go on with, so give the paths to begin with",
            ));
        }
        if let Some(url) = paths.iter().find(|path| is_url(path)) {
            return Err(SurveyOfUrl(printable(&url.to_string_lossy())).into());
        }
        let inputs = self.inputs(&paths);
        let depth = self.depth().unwrap_or_else(|| {
            if inputs.iter().any(Input::is_standard_input) {
                return Depth::Sampled;
            }
            let bytes = inputs.iter().map(Input::bytes).sum();
            Depth::of_bytes(bytes)
        });
        let mut part = Part::new(inputs, self.max_bytes.unwrap_or(MAX_BYTES), depth)?;
        if let Some(by) = self.by {
            part.set_unit(by.into())?;
        }
        if let Some(labels) = labels {
            part.set_labels(labels);
        }
        if self.out.is_some() {
            part.check_names()?;
        }
        Ok(part)
    }

    /// The depth that the options state; `None` if the size of the inputs decides.
    fn depth(&self) -> Option<Depth> {
        match (self.thorough, self.sampled) {
            (true, _) => Some(Depth::Thorough),
            (false, true) => Some(Depth::Sampled),
            (false, false) => None,
        }
    }

    fn resumed(&self, out: &Path, paths: Vec<PathBuf>) -> Result<Part, SurveyError> {
        let mut part = Part::load(out)?;
        let max_bytes = self.max_bytes.unwrap_or(part.max_bytes());
        part.check_counted_as(max_bytes, self.depth().unwrap_or(part.depth()), out)?;
        part.check_unit(self.by.map_or(part.unit(), Unit::from), out)?;
        part.retry_unreadable()?;
        part.check_names()?;
        part.check_inputs(out)?;
        if !paths.is_empty() {
            part.check_same_paths(
                &Part::new(self.inputs(&paths), part.max_bytes(), part.depth())?,
                out,
            )?;
        }
        Ok(part)
    }

    fn inputs(&self, paths: &[PathBuf]) -> Vec<Input> {
        let find = |path: &PathBuf| match path.to_str() {
            Some(STANDARD_INPUT) => vec![Input::standard_input(&self.stdin_name)],
            _ => Input::find(path),
        };
        paths.iter().flat_map(find).collect()
    }

    fn plan(&self) -> Plan {
        Plan {
            threads: threads::or_cores(self.threads),
            batch_bytes: self.batch_bytes,
            save_interval: self
                .out_file()
                .map(|_| Duration::from_secs(self.save_every)),
        }
    }

    fn save(&self, part: &Part) -> Result<(), Failure> {
        if let Some(out) = self.out_file() {
            output::write(out, |out| part.write(out))?;
        }
        Ok(())
    }

    fn out_file(&self) -> Option<&Path> {
        self.out.as_ref().and_then(PartOutput::file)
    }

    fn say_how_to_go_on(&self) {
        match self.rows.as_ref().map(RowPath::file) {
            None => {}
            Some(None) => warn(format_args!(
                "interrupted; the rows on standard output end in the middle"
            )),
            Some(Some(rows)) => warn(format_args!(
                "interrupted; `{}` was not written, as its rows would end in the middle",
                printable(&rows.to_string_lossy())
            )),
        }
        match &self.out {
            Some(PartOutput::File(out)) => warn(format_args!(
                "interrupted; to go on: robots survey --resume --out {}",
                printable(&out.to_string_lossy())
            )),
            Some(PartOutput::StandardOutput) => warn(format_args!(
                "interrupted; nothing was written to standard output, as a survey goes there when it is done"
            )),
            None => warn(format_args!(
                "interrupted; these are the counts until then, and only a survey with --out can be gone on with"
            )),
        }
    }
}

/// Whether the reader of the rows on standard output has left.
fn nobody_reads_on(failure: &Failure) -> bool {
    let cause = failure.cause();
    matches!(cause, Some(SurveyError::Rows { source }) if source.kind() == io::ErrorKind::BrokenPipe)
}

/// An address where a path was asked for; nothing is fetched.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is a URL, and nothing is fetched: download it first, as in `curl -LO {0}`")]
struct SurveyOfUrl(String);

fn is_url(path: &Path) -> bool {
    let path = path.to_string_lossy();
    path.starts_with("http://") || path.starts_with("https://")
}

const MAX_BYTES: usize = 5 * 1024 * 1024;

/// The size of a batch. It is large enough that threads seldom wait for each other, and two batches
/// for each thread fit in memory.
const BATCH: usize = 4 * 1024 * 1024;

const SAVING_SECONDS: u64 = 5;

/// A day in seconds.
const A_DAY: u64 = 86_400;

/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  One file of Common Crawl's robotstxt archives:
    robots survey CC-MAIN-20260101000000-00000.warc.gz

  A folder, kept as JSON; the same command goes on if it was stopped:
    robots survey robots/ --out survey.json --resume

  One row for each site, for a database or a data frame:
    robots survey robots/ --rows sites.jsonl

  A WARC archive that is not on the disk:
    curl -s https://example.com/crawl.warc.gz | robots survey - --title 'Our crawl' --report report.html

  All files of a crawl on several machines or disks: each takes its lines of the list, and the parts are added up:
    split -n l/8 robotstxt.paths paths.
    ls paths.?? | xargs -P 8 -I{} robots survey --sampled --paths {} --out {}.json --resume --threads 1
    robots survey merge paths.*.json --out survey.json

Exit codes:
  0    all was read
  2    something could not be read, or an input was cut off: it was named, and the rest counts; or the command line is
       wrong
  130  interrupted (Ctrl-C): what was done is kept in --out; a second Ctrl-C ends at once";
