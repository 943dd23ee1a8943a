//! A part of a survey on disk: which inputs, how far they were read, and what was found until there.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::outcome::Answer;
use crate::survey::error::SurveyError;
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
    /// It failed; what came before is in the summary.
    Unreadable,
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
        part.inputs = inputs
            .into_iter()
            .map(|input| Tracked {
                input,
                state: State::Waiting,
            })
            .collect();
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

    /// A part within a folder that is surveyed would be found there.
    pub(crate) fn check_out(&self, out: &Path) -> Result<(), SurveyError> {
        let name = out.parent().filter(|folder| *folder != Path::new(""));
        let Ok(of_out) = name.unwrap_or(Path::new(".")).canonicalize() else {
            return Ok(());
        };
        let folder = self.paths().find(|path| {
            path.is_dir()
                && path
                    .canonicalize()
                    .is_ok_and(|path| of_out.starts_with(path))
        });
        match folder {
            Some(folder) => Err(SurveyError::OutWithin {
                out: out.to_owned(),
                folder: folder.clone(),
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

    /// So that whenever the machine stops, the old part or the new one is there, and whole.
    pub(crate) fn save(&self, path: &Path) -> Result<(), SurveyError> {
        self.write(path).map_err(|source| SurveyError::Unwritable {
            path: path.to_owned(),
            source,
        })
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let new = path.with_file_name(name);
        let mut file = BufWriter::new(File::create(&new)?);
        serde_json::to_writer_pretty(&mut file, self)?;
        file.write_all(b"\n")?;
        file.into_inner()?.sync_all()?;
        fs::rename(new, path)
    }

    /// Of the same inputs, which are as they were.
    pub(crate) fn check_inputs(&self, out: &Path) -> Result<(), SurveyError> {
        for tracked in &self.inputs {
            let is_read = matches!(tracked.state, State::Open(_) | State::Waiting);
            if is_read && tracked.input.now().as_ref() != Some(&tracked.input) {
                return Err(SurveyError::Changed {
                    input: tracked.input.path.clone(),
                    out: out.to_owned(),
                });
            }
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
