//! A part of a survey, as it is saved: the inputs, how far each was read, and the counts until
//! there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::mem;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::content::Place;
use crate::dates::Dates;
use crate::depth::Depth;
use crate::distinct;
use crate::error::SurveyError;
use crate::input::Input;
use crate::input::kind::Kind;
use crate::input::reader::Position;
use crate::labels::Labels;
use crate::panics::Panics;
use crate::provenance::Provenance;
use crate::summary::Summary;
use crate::summary::merge::Merge;
use crate::summary::stratum::Stratum;
use crate::unit::Unit;

/// A survey, or a part of one: its inputs, how far each was read, and the counts until there.
///
/// Everything but the timings depends on the inputs alone, not on the threads, the interruptions or
/// the split.
///
/// ```
/// use polite_robots_survey::{Depth, Input, Part};
///
/// let inputs = Input::find("../../testdata/shop.robots.txt".as_ref());
/// let part = Part::new(inputs, 512_000, Depth::Thorough)?;
/// assert_eq!((part.input_count(), part.is_complete()), (1, false));
/// # Ok::<(), polite_robots_survey::SurveyError>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Part {
    format: Format,
    version: u32,
    /// Whether all inputs were read, or found to be unreadable.
    pub(crate) is_complete: bool,
    /// The limit on the bytes of one robots.txt.
    pub(crate) max_bytes: usize,
    /// The depth of the survey.
    pub(crate) depth: Depth,
    /// The unit that counts once.
    #[serde(default, skip_serializing_if = "is_response")]
    pub(crate) unit: Unit,
    /// The inputs, ordered by path.
    pub(crate) inputs: Vec<InputProgress>,
    /// The program, the titles and the dates of the records.
    #[serde(default)]
    pub(crate) provenance: Provenance,
    /// The number of files that could not be read, those in folders included.
    pub(crate) unreadable: u64,
    /// The panics of the library.
    pub(crate) panics: Panics,
    pub(crate) summary: Summary,
    /// The hash of the list of labels; `None` without strata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) labels: Option<String>,
    /// The counts of each stratum, by its label.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) strata: BTreeMap<String, Stratum>,
    pub(crate) timings: PartTimings,
}

/// The values that differ from run to run, kept apart from those that do not.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct PartTimings {
    /// The duration of all runs, summed over all merged parts.
    pub(crate) seconds: f64,
    /// The dates of the runs, as far as they are known.
    #[serde(default)]
    pub(crate) runs: Dates,
}

/// The marker of the file format.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
enum Format {
    #[serde(rename = "robots survey")]
    RobotsSurvey,
}

/// An input and how far it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InputProgress {
    #[serde(flatten)]
    pub(crate) input: Input,
    /// The responses that were counted of it.
    #[serde(default)]
    pub(crate) responses: u64,
    #[serde(flatten)]
    pub(crate) state: State,
}

/// The progress of reading an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub(crate) enum State {
    Waiting,
    /// The summary contains everything before this position.
    Open(Position),
    Done,
    /// The input ends within a record, at this byte: a download that was cut, perhaps. The summary
    /// contains everything before.
    Cut {
        cut_at: u64,
    },
    /// Reading failed. The summary contains everything before this position, and the failure.
    Unreadable {
        after: Position,
    },
}

impl InputProgress {
    fn new(input: Input) -> InputProgress {
        InputProgress {
            input,
            responses: 0,
            state: State::Waiting,
        }
    }
}

impl Part {
    /// A part with inputs that are not read yet.
    ///
    /// # Errors
    ///
    /// If an input is given twice, by the same name or another, or lies in a folder that is given.
    pub fn new(inputs: Vec<Input>, max_bytes: usize, depth: Depth) -> Result<Part, SurveyError> {
        let mut part = Part {
            format: Format::RobotsSurvey,
            version: VERSION,
            is_complete: false,
            max_bytes,
            depth,
            unit: Unit::default(),
            inputs: Vec::new(),
            provenance: Provenance::new(),
            unreadable: 0,
            panics: Panics::default(),
            summary: Summary::default(),
            labels: None,
            strata: BTreeMap::new(),
            timings: PartTimings::default(),
        };
        part.inputs = inputs.into_iter().map(InputProgress::new).collect();
        part.sort()?;
        distinct::check(part.inputs.iter().map(|tracked| &tracked.input))?;
        Ok(part)
    }

    /// Gives the survey a title, which replaces the titles of its parts.
    pub fn set_title(&mut self, title: &str) {
        self.provenance.titles = BTreeSet::from([String::from(title)]);
    }

    /// The titles that the survey, or its parts, were given.
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        self.provenance.titles.iter().map(String::as_str)
    }

    /// Adds the date of a run, as in `2026-01-31`. The library has no clock of its own.
    pub fn add_run(&mut self, date: &str) {
        self.timings.runs.add(date);
    }

    /// Adds the inputs and counts of another part. The sum is the survey of the inputs of both,
    /// whatever the order, so that parts can be added up as a tree.
    /// Both parts must be finished, and [`Part::check_counted_as`] must have passed; for parts in
    /// files [`merge`](crate::merge()) checks this. This method does not compare the lists of
    /// strata ([`Part::set_labels`]): parts with different lists add up to strata under the labels
    /// of both lists.
    ///
    /// ```
    /// use polite_robots_survey::{Depth, Input, Interrupt, Part, Plan, SurveyError, run};
    ///
    /// let survey = |path: &str| -> Result<Part, SurveyError> {
    ///     let mut part = Part::new(Input::find(path.as_ref()), 512_000, Depth::Thorough)?;
    ///     let plan = Plan { threads: 1, batch_bytes: 4 << 20, save_interval: None };
    ///     run(&mut part, &plan, &Interrupt::default(), &(), |_| Ok::<(), SurveyError>(()))?;
    ///     Ok(part)
    /// };
    /// let mut both = survey("../../testdata/shop.robots.txt")?;
    /// both.merge(survey("../../testdata/README.md")?)?;
    /// assert_eq!(both.input_count(), 2);
    ///
    /// // Nobody would notice that an input counts twice.
    /// assert!(both.merge(survey("../../testdata/shop.robots.txt")?).is_err());
    /// # Ok::<(), SurveyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If both parts have the same input, if a folder of one holds an input of the other, or if one
    /// counts each body or domain once.
    pub fn merge(&mut self, other: Part) -> Result<(), SurveyError> {
        self.add(other)?;
        self.sort()
    }

    /// Does what [`Part::merge`] does, except that it does not sort the inputs. They are sorted
    /// once, after all parts were added: thirty parts of 1,200 inputs took ten seconds with a sort
    /// for each part.
    pub(crate) fn add(&mut self, other: Part) -> Result<(), SurveyError> {
        if let Some(unit) = [self.unit, other.unit].into_iter().max()
            && unit != Unit::Response
        {
            return Err(SurveyError::NotAdditive { unit });
        }
        self.inputs.extend(other.inputs);
        self.unreadable += other.unreadable;
        self.summary.merge(other.summary);
        Merge::merge(&mut self.strata, other.strata);
        self.panics.merge(other.panics);
        self.provenance.merge(other.provenance);
        self.timings.seconds += other.timings.seconds;
        self.timings.runs.merge(&other.timings.runs);
        Ok(())
    }

    /// Sorts the inputs by path and refuses duplicates: nobody would notice that an input counts
    /// twice.
    pub(crate) fn sort(&mut self) -> Result<(), SurveyError> {
        self.inputs.sort_by(|a, b| a.input.path.cmp(&b.input.path));
        let pairs = self.paths().zip(self.paths().skip(1));
        let mut same = pairs.filter(|(one, next)| one == next).map(|(one, _)| one);
        let files = self.inputs.iter().map(|tracked| &tracked.input);
        let files = files.filter(|input| input.kind == Kind::Files);
        let files = files.map(|input| &input.path);
        let folders: BTreeSet<&Path> = files.clone().map(PathBuf::as_path).collect();
        let mut within = files.filter(|path| {
            let mut above = path.ancestors().skip(1);
            above.any(|folder| folders.contains(folder))
        });
        match same.next().or_else(|| within.next()) {
            Some(path) => Err(SurveyError::Twice {
                input: path.clone(),
            }),
            None => Ok(()),
        }
    }

    /// Reads a part from a file that [`Part::write`] wrote.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a part.
    pub fn load(path: &Path) -> Result<Part, SurveyError> {
        let unreadable = |source| SurveyError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let mut file = File::open(path).map_err(unreadable)?;
        let size = file.metadata().map_err(unreadable)?.len();
        if size <= READ_AT_ONCE {
            let mut written = Vec::new();
            file.read_to_end(&mut written).map_err(unreadable)?;
            return Part::read(&written, path);
        }
        let part = serde_json::from_reader(BufReader::new(file));
        checked(part, path, || {
            version_of(BufReader::new(File::open(path).ok()?))
        })
    }

    /// Reads a part from the text that [`Part::write`] or [`Part::write_line`] wrote. Errors call
    /// it by `name`.
    ///
    /// # Errors
    ///
    /// If the text is not a part.
    pub fn read(written: &[u8], name: &Path) -> Result<Part, SurveyError> {
        let part = match std::str::from_utf8(written) {
            // serde need not check the UTF-8 of each string again.
            Ok(text) => serde_json::from_str(text),
            Err(_) => serde_json::from_slice(written),
        };
        checked(part, name, || version_of(written))
    }

    /// Reads a finished part, which can be merged and compared.
    ///
    /// # Errors
    ///
    /// If [`Part::load`] fails, or the survey is not finished.
    pub fn load_finished(path: &Path) -> Result<Part, SurveyError> {
        Part::load(path)?.finished(path)
    }

    /// Returns the part if it is finished. Errors call it by `name`.
    pub(crate) fn finished(self, name: &Path) -> Result<Part, SurveyError> {
        match self.is_complete {
            true => Ok(self),
            false => Err(SurveyError::Unfinished {
                path: name.to_owned(),
            }),
        }
    }

    /// Writes the part as JSON for people and programs: indented. Replace an older file only after
    /// this returns, so that one complete file always exists.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        // The text goes out in one write, because serde would make a million writes of a few bytes
        // each.
        let mut written = serde_json::to_vec_pretty(self)?;
        written.push(b'\n');
        out.write_all(&written)
    }

    /// Writes the part as JSON on one line, for programs: it takes half of the space and of the
    /// time. [`Part::load`] and [`Part::read`] read both forms.
    ///
    /// ```
    /// use polite_robots_survey::{Depth, Part};
    ///
    /// let part = Part::new(Vec::new(), 512_000, Depth::Sampled)?;
    /// let mut line = Vec::new();
    /// part.write_line(&mut line)?;
    /// assert_eq!(line.iter().position(|byte| *byte == b'\n'), Some(line.len() - 1));
    /// assert_eq!(Part::read(&line, "a line".as_ref())?.max_bytes(), 512_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write_line(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut written = serde_json::to_vec(self)?;
        written.push(b'\n');
        out.write_all(&written)
    }

    /// Returns the unreadable inputs to their last position, so that the next run tries them again.
    ///
    /// # Errors
    ///
    /// If a folder now has an input twice.
    pub fn retry_unreadable(&mut self) -> Result<(), SurveyError> {
        for tracked in mem::take(&mut self.inputs) {
            let path = &tracked.input.path;
            let State::Unreadable { after } = tracked.state else {
                self.inputs.push(tracked);
                continue;
            };
            self.unreadable = self.unreadable.saturating_sub(1);
            self.summary.take_back_unreadable(&Place::of_input(path));
            self.is_complete = false;
            if after == Position::default() && !tracked.input.is_standard_input() {
                // Nothing of the input was counted, so it may have become anything, even a folder
                // with archives.
                self.inputs
                    .extend(Input::find(path).into_iter().map(InputProgress::new));
            } else {
                self.inputs.push(InputProgress {
                    state: State::Open(after),
                    ..tracked
                });
            }
        }
        self.sort()
    }

    /// Checks that no input has changed since the survey began.
    ///
    /// # Errors
    ///
    /// If an input does not exist, or has another size or modification time, or is standard input
    /// and was begun.
    pub fn check_inputs(&self, out: &Path) -> Result<(), SurveyError> {
        let is_half_read = |tracked: &&InputProgress| {
            let is_begun = matches!(tracked.state, State::Open(at) if at != Position::default());
            is_begun && tracked.input.is_standard_input()
        };
        if let Some(tracked) = self.inputs.iter().find(is_half_read) {
            return Err(SurveyError::StandardInput {
                input: tracked.input.path.clone(),
                out: out.to_owned(),
            });
        }
        let changed = self
            .inputs
            .iter()
            .find(|tracked| tracked.input.now().as_ref() != Some(&tracked.input));
        let Some(InputProgress { input, .. }) = changed else {
            return Ok(());
        };
        let (input, out) = (input.path.clone(), out.to_owned());
        Err(match input.try_exists() {
            Ok(false) => SurveyError::Gone { input, out },
            _ => SurveyError::Changed { input, out },
        })
    }

    /// Checks that the part was counted with this limit and depth, so that its counts can be added
    /// to others.
    ///
    /// # Errors
    ///
    /// If one of them differs.
    pub fn check_counted_as(
        &self,
        max_bytes: usize,
        depth: Depth,
        path: &Path,
    ) -> Result<(), SurveyError> {
        if self.max_bytes != max_bytes {
            return Err(SurveyError::OtherLimit {
                path: path.to_owned(),
                theirs: self.max_bytes,
                ours: max_bytes,
            });
        }
        if self.depth != depth {
            return Err(SurveyError::OtherDepth {
                path: path.to_owned(),
                theirs: self.depth,
                ours: depth,
            });
        }
        Ok(())
    }

    /// Sets the labels of the strata. The part must not be begun.
    pub fn set_labels(&mut self, labels: &Labels) {
        self.labels = Some(String::from(labels.identity()));
    }

    /// Checks that the part was surveyed with these labels, or without any.
    ///
    /// # Errors
    ///
    /// If the part was surveyed with other labels.
    pub fn check_labels(&self, labels: Option<&Labels>, path: &Path) -> Result<(), SurveyError> {
        self.check_same_labels(labels.map(Labels::identity), path)
    }

    pub(crate) fn check_same_labels(
        &self,
        labels: Option<&str>,
        path: &Path,
    ) -> Result<(), SurveyError> {
        if self.labels.as_deref() == labels {
            return Ok(());
        }
        Err(SurveyError::OtherLabels {
            path: path.to_owned(),
        })
    }

    /// Makes each body or domain count once. The part must not be begun. The inputs are then read
    /// twice. The first reading chooses the response that stands for each body or domain, and the
    /// choice depends on neither the order of the inputs nor the threads.
    ///
    /// ```
    /// use polite_robots_survey::{Depth, Input, Interrupt, Part, Plan, SurveyError, Unit, run};
    ///
    /// let folder = std::env::temp_dir().join("polite-robots-survey-unit");
    /// std::fs::create_dir_all(&folder)?;
    /// for host in ["a.example", "b.example", "www.b.example"] {
    ///     std::fs::write(folder.join(host), "User-agent: *")?;
    /// }
    /// let plan = Plan { threads: 1, batch_bytes: 4 << 20, save_interval: None };
    /// for (unit, files) in [(Unit::Response, 3), (Unit::Domain, 2), (Unit::Body, 1)] {
    ///     let mut part = Part::new(Input::find(&folder), 512_000, Depth::Thorough)?;
    ///     part.set_unit(unit)?;
    ///     run(&mut part, &plan, &Interrupt::default(), &(), |_| Ok::<(), SurveyError>(()))?;
    ///     assert_eq!(serde_json::to_value(part.summary())?["files"], files);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an input is standard input, which cannot be read twice.
    pub fn set_unit(&mut self, unit: Unit) -> Result<(), SurveyError> {
        let mut inputs = self.inputs.iter();
        let stream = inputs.find(|tracked| tracked.input.is_standard_input());
        if let (Some(stream), true) = (stream, unit != Unit::Response) {
            return Err(SurveyError::ReadTwice {
                input: stream.input.path.clone(),
                unit,
            });
        }
        self.unit = unit;
        Ok(())
    }

    /// Checks that the part was surveyed with this unit.
    ///
    /// # Errors
    ///
    /// If the part has another unit.
    pub fn check_unit(&self, unit: Unit, path: &Path) -> Result<(), SurveyError> {
        if self.unit == unit {
            return Ok(());
        }
        Err(SurveyError::OtherUnit {
            path: path.to_owned(),
            theirs: self.unit,
            ours: unit,
        })
    }

    /// Checks that every path is UTF-8, because JSON is text and must lead back to the path.
    ///
    /// # Errors
    ///
    /// If a path is not UTF-8.
    pub fn check_names(&self) -> Result<(), SurveyError> {
        match self.paths().find(|path| path.to_str().is_none()) {
            Some(path) => Err(SurveyError::NotUtf8 {
                input: path.clone(),
            }),
            None => Ok(()),
        }
    }

    /// Checks that `given` has the same inputs.
    ///
    /// # Errors
    ///
    /// If an input is in only one of the two parts.
    pub fn check_same_paths(&self, given: &Part, out: &Path) -> Result<(), SurveyError> {
        let ours: BTreeSet<&PathBuf> = self.paths().collect();
        let given: BTreeSet<&PathBuf> = given.paths().collect();
        match ours.symmetric_difference(&given).next() {
            Some(input) => Err(SurveyError::OtherInputs {
                input: PathBuf::clone(input),
                out: out.to_owned(),
                is_in_out: ours.contains(input),
            }),
            None => Ok(()),
        }
    }

    /// Whether all inputs were read, or found to be unreadable.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The number of files that could not be read, those in folders included.
    #[must_use]
    pub fn unreadable(&self) -> u64 {
        self.unreadable
    }

    /// The counts.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The damage that was found in inputs and skipped: a phrase for each kind, with its count and
    /// its first place.
    #[must_use]
    pub fn damage(&self) -> Vec<String> {
        self.summary.damage_in_words()
    }

    /// The inputs that end within a record, each with its length in bytes. Everything that was read
    /// before the cut counts.
    pub fn cut_inputs(&self) -> impl Iterator<Item = (&Path, u64)> {
        self.inputs
            .iter()
            .filter_map(|tracked| match tracked.state {
                State::Cut { cut_at } => Some((tracked.input.path.as_path(), cut_at)),
                _ => None,
            })
    }

    /// Whether inputs could not be read, and nothing else was found.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        self.unreadable > 0 && self.summary.responses == 0
    }

    /// Whether the survey found damage alone: no response, and no record of another kind.
    #[must_use]
    pub fn is_only_damage(&self) -> bool {
        self.summary.is_only_damage()
    }

    /// The number of inputs.
    #[must_use]
    pub fn input_count(&self) -> usize {
        self.inputs.len()
    }

    /// The limit on the bytes of one robots.txt.
    #[must_use]
    pub fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// The depth of the survey.
    #[must_use]
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// The unit that counts once.
    #[must_use]
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// The bytes of all inputs.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.inputs.iter().map(|tracked| tracked.input.size).sum()
    }

    /// The bytes of the inputs that are done.
    #[must_use]
    pub fn bytes_done(&self) -> u64 {
        let done =
            |tracked: &&InputProgress| matches!(tracked.state, State::Done | State::Cut { .. });
        let done = self.inputs.iter().filter(done);
        done.map(|tracked| tracked.input.size).sum()
    }

    /// The paths of the inputs, in order.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.inputs.iter().map(|tracked| &tracked.input.path)
    }
}

/// Whether each response counts. This unit is the default, and is not written.
fn is_response(unit: &Unit) -> bool {
    *unit == Unit::Response
}

/// The part that was read, if it is of the version that this library reads.
fn checked(
    part: Result<Part, serde_json::Error>,
    name: &Path,
    version: impl FnOnce() -> Option<u32>,
) -> Result<Part, SurveyError> {
    match part {
        Ok(part) if part.version == VERSION => Ok(part),
        Ok(Part { version, .. }) => Err(other_version(name, version)),
        Err(source) => Err(match version() {
            Some(version) if version != VERSION => other_version(name, version),
            _ => SurveyError::NotAPart {
                path: name.to_owned(),
                source,
            },
        }),
    }
}

/// The version of a part, even if this library cannot read the rest of it.
fn version_of(written: impl Read) -> Option<u32> {
    #[derive(Deserialize)]
    struct Head {
        #[serde(rename = "format")]
        _format: Format,
        version: u32,
    }

    let head: Head = serde_json::from_reader(written).ok()?;
    Some(head.version)
}

fn other_version(path: &Path, version: u32) -> SurveyError {
    SurveyError::Version {
        path: path.to_owned(),
        version,
        reads: VERSION,
    }
}

/// The largest file that is read into memory before it is parsed, which takes half the time. Parts
/// have a few megabytes, so a larger file is probably no part.
const READ_AT_ONCE: u64 = 64 << 20;

/// The version of the JSON form. Version 1 had no access of agents and no outcomes; version 2 wrote
/// `octets` for `bytes`. Version 4 counted a token of two operators as an AI crawler, and had no
/// domains that name a crawler for training.
const VERSION: u32 = 5;
