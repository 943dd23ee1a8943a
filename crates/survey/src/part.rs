//! A part of a survey on disk: which inputs, how far they were read, and what was found until there.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::mem;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::content::Place;
use crate::depth::Depth;
use crate::distinct;
use crate::error::SurveyError;
use crate::input::Input;
use crate::input::kind::Kind;
use crate::input::reader::Position;
use crate::panics::Panics;
use crate::summary::Summary;

/// A survey, or a part of one: its inputs, how far each was read, and the counts until there.
///
/// Everything but the timings is the same for the same inputs, whatever the threads, the interruptions and the split.
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
    /// Whether all inputs were read.
    pub(crate) is_complete: bool,
    /// The limit on the bytes of one robots.txt.
    pub(crate) max_bytes: usize,
    /// On how many files the costly work is done.
    pub(crate) depth: Depth,
    /// By path.
    pub(crate) inputs: Vec<InputProgress>,
    /// Files that could not be read, in folders too.
    pub(crate) unreadable: u64,
    /// Where the library panicked.
    pub(crate) panics: Panics,
    pub(crate) summary: Summary,
    pub(crate) timings: Timings,
}

/// The values that differ from run to run, which is why they stand apart.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Timings {
    /// The sum over all runs, and over all merged parts.
    pub(crate) seconds: f64,
}

/// Says what the file is.
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
    #[serde(flatten)]
    pub(crate) state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub(crate) enum State {
    Waiting,
    /// The summary has everything before this position.
    Open(Position),
    Done,
    /// It failed; what came before is in the summary, and so is that it failed.
    Unreadable {
        after: Position,
    },
}

impl InputProgress {
    fn new(input: Input) -> InputProgress {
        InputProgress {
            input,
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
            inputs: Vec::new(),
            unreadable: 0,
            panics: Panics::default(),
            summary: Summary::default(),
            timings: Timings::default(),
        };
        part.inputs = inputs.into_iter().map(InputProgress::new).collect();
        part.sort()?;
        distinct::check(part.inputs.iter().map(|tracked| &tracked.input))?;
        Ok(part)
    }

    /// Adds what another part found.
    pub(crate) fn merge(&mut self, other: Part) -> Result<(), SurveyError> {
        self.inputs.extend(other.inputs);
        self.unreadable += other.unreadable;
        self.summary.merge(other.summary);
        self.panics.merge(other.panics);
        self.timings.seconds += other.timings.seconds;
        self.sort()
    }

    /// Counting twice is the mistake that nobody would see.
    fn sort(&mut self) -> Result<(), SurveyError> {
        self.inputs.sort_by(|a, b| a.input.path.cmp(&b.input.path));
        let inputs = &self.inputs;
        let twice = inputs
            .iter()
            .zip(inputs.iter().skip(1))
            .find(|(a, b)| a.input.path == b.input.path);
        if let Some((tracked, _)) = twice {
            return Err(SurveyError::Twice {
                input: tracked.input.path.clone(),
            });
        }
        let files = |tracked: &&InputProgress| tracked.input.kind == Kind::Files;
        let folders: BTreeSet<&Path> = inputs
            .iter()
            .filter(files)
            .map(|tracked| tracked.input.path.as_path())
            .collect();
        let within = |tracked: &&InputProgress| {
            let mut above = tracked.input.path.ancestors().skip(1);
            above.any(|folder| folders.contains(folder))
        };
        match inputs.iter().filter(files).find(within) {
            Some(tracked) => Err(SurveyError::Twice {
                input: tracked.input.path.clone(),
            }),
            None => Ok(()),
        }
    }

    /// Reads a part that was written.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a part.
    pub fn load(path: &Path) -> Result<Part, SurveyError> {
        let file = File::open(path).map_err(|source| SurveyError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        let part: Part = serde_json::from_reader(BufReader::new(file)).map_err(|source| {
            SurveyError::NotAPart {
                path: path.to_owned(),
                source,
            }
        })?;
        if part.version != VERSION {
            return Err(SurveyError::Version {
                path: path.to_owned(),
                version: part.version,
            });
        }
        Ok(part)
    }

    /// Reads a part that can be merged with others or compared.
    ///
    /// # Errors
    ///
    /// As [`Part::load`], and if the survey is not finished.
    pub fn load_finished(path: &Path) -> Result<Part, SurveyError> {
        let part = Part::load(path)?;
        if !part.is_complete {
            return Err(SurveyError::Unfinished {
                path: path.to_owned(),
            });
        }
        Ok(part)
    }

    /// Writes the part as JSON. Replace an older file only after all is written: then one of them is always whole.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write(&self, mut out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut out, self)?;
        out.write_all(b"\n")
    }

    /// Puts the inputs that could not be read back to their last position, to try them again.
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
            if after == Position::default() {
                // Nothing was counted of it, so it may be anything now: a folder with archives too.
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
    /// If one is gone, or has another size or time of change.
    pub fn check_inputs(&self, out: &Path) -> Result<(), SurveyError> {
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

    /// Checks that the counts can be added to others: the limit and the depth must be the same.
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

    /// Checks that every path is text: JSON is, and a path must be found again.
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
    /// If one of the two has an input more.
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

    /// The number of files that could not be read, in folders too.
    #[must_use]
    pub fn unreadable(&self) -> u64 {
        self.unreadable
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

    /// The bytes of all inputs.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.inputs.iter().map(|tracked| tracked.input.size).sum()
    }

    /// The bytes of the inputs that are done.
    #[must_use]
    pub fn bytes_done(&self) -> u64 {
        let done = |tracked: &&InputProgress| matches!(tracked.state, State::Done);
        let done = self.inputs.iter().filter(done);
        done.map(|tracked| tracked.input.size).sum()
    }

    /// The paths of the inputs, in order.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.inputs.iter().map(|tracked| &tracked.input.path)
    }
}

const VERSION: u32 = 1;
