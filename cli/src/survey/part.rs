//! A part of a survey on disk: which inputs, how far they were read, and what was found until there.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::mem;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::outcome::Answer;
use crate::rewrite::write_whole;
use crate::survey::error::SurveyError;
use crate::survey::found::Place;
use crate::survey::input::{Input, Kind, Position, distinct};
use crate::survey::panics::Panics;
use crate::survey::summary::Summary;
use crate::survey::summary::file::Depth;

/// All but the timings, its own and the summary's, is the same for the same inputs, whatever the threads, the
/// interruptions and the split.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Part {
    format: Format,
    version: u32,
    /// Whether all inputs were read.
    pub(crate) is_complete: bool,
    /// What was read of one robots.txt.
    pub(crate) max_bytes: usize,
    /// On how many files the costly work is done.
    pub(crate) depth: Depth,
    /// By path.
    pub(crate) inputs: Vec<Tracked>,
    /// Files that could not be read, in folders too.
    pub(crate) unreadable: u64,
    /// Where the library panicked.
    pub(crate) panics: Panics,
    pub(crate) summary: Summary,
    pub(crate) timings: Timings,
}

/// What differs from run to run, and so stands apart.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Timings {
    /// Of all runs together; of merged parts, the sum.
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
pub(crate) struct Tracked {
    #[serde(flatten)]
    pub(crate) input: Input,
    #[serde(flatten)]
    pub(crate) state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub(crate) enum State {
    Waiting,
    /// What comes before is in the summary.
    Open(Position),
    Done,
    /// It failed; what came before is in the summary, and so is that it failed.
    Unreadable {
        after: Position,
    },
}

impl Tracked {
    fn new(input: Input) -> Tracked {
        Tracked {
            input,
            state: State::Waiting,
        }
    }
}

impl Part {
    /// Of inputs that were not read yet. The same input twice is an error.
    pub(crate) fn new(
        inputs: Vec<Input>,
        max_bytes: usize,
        depth: Depth,
    ) -> Result<Part, SurveyError> {
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
        part.inputs = inputs.into_iter().map(Tracked::new).collect();
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
        let files = |tracked: &&Tracked| tracked.input.kind == Kind::Files;
        let folders: BTreeSet<&Path> = inputs
            .iter()
            .filter(files)
            .map(|tracked| tracked.input.path.as_path())
            .collect();
        let within = |tracked: &&Tracked| {
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

    pub(crate) fn load(path: &Path) -> Result<Part, SurveyError> {
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

    /// One that other parts can be added to, or that can be compared.
    pub(crate) fn load_finished(path: &Path) -> Result<Part, SurveyError> {
        let part = Part::load(path)?;
        if !part.is_complete {
            return Err(SurveyError::Unfinished {
                path: path.to_owned(),
            });
        }
        Ok(part)
    }

    /// So that whenever the machine stops, the old part or the new one is there, and whole.
    pub(crate) fn save(&self, path: &Path) -> Result<(), SurveyError> {
        write_whole(path, |mut file| {
            serde_json::to_writer_pretty(&mut file, self)?;
            file.write_all(b"\n")
        })
        .map_err(|source| SurveyError::Unwritable {
            path: path.to_owned(),
            source,
        })
    }

    /// Puts the inputs that could not be read back to where they were: perhaps they can be now.
    pub(crate) fn retry_unreadable(&mut self) -> Result<(), SurveyError> {
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
                    .extend(Input::of(path).into_iter().map(Tracked::new));
            } else {
                self.inputs.push(Tracked {
                    state: State::Open(after),
                    ..tracked
                });
            }
        }
        self.sort()
    }

    /// Of the same inputs, which are as they were.
    pub(crate) fn check_inputs(&self, out: &Path) -> Result<(), SurveyError> {
        let changed = self
            .inputs
            .iter()
            .find(|tracked| tracked.input.now().as_ref() != Some(&tracked.input));
        let Some(Tracked { input, .. }) = changed else {
            return Ok(());
        };
        let (input, out) = (input.path.clone(), out.to_owned());
        Err(match input.try_exists() {
            Ok(false) => SurveyError::Gone { input, out },
            _ => SurveyError::Changed { input, out },
        })
    }

    /// What was counted differently does not add up.
    pub(crate) fn check_counted_as(
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

    /// JSON is text, so a path must be text to be found again.
    pub(crate) fn check_names(&self) -> Result<(), SurveyError> {
        match self.paths().find(|path| path.to_str().is_none()) {
            Some(path) => Err(SurveyError::NotUtf8 {
                input: path.clone(),
            }),
            None => Ok(()),
        }
    }

    /// `given` has what the command line names now.
    pub(crate) fn check_same_paths(&self, given: &Part, out: &Path) -> Result<(), SurveyError> {
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

    /// Of a complete one: was everything read?
    pub(crate) fn answer(&self) -> Answer {
        match self.unreadable {
            0 => Answer::Yes,
            _ => Answer::Partial,
        }
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.inputs.iter().map(|tracked| &tracked.input.path)
    }
}

const VERSION: u32 = 1;
