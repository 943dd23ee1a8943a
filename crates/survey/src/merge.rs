//! The merge of several parts of a survey into one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use memchr::memchr_iter;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::depth::Depth;
use crate::error::SurveyError;
use crate::part::Part;

/// Adds up finished parts from their files. The result equals one survey of all their inputs. Each of `threads` reads a
/// file at a time.
///
/// ```
/// let none: [std::path::PathBuf; 0] = [];
/// assert_eq!(polite_robots_survey::merge(&none, 2)?.input_count(), 0);
/// # Ok::<(), polite_robots_survey::SurveyError>(())
/// ```
///
/// # Errors
///
/// If a part cannot be read, is not finished, has another limit or depth than the first, shares
/// an input with another, or counts each body or domain once, or if the threads cannot be started.
pub fn merge(paths: &[PathBuf], threads: usize) -> Result<Part, SurveyError> {
    let read = |path: &PathBuf| Part::load_finished(path);
    sum_of(paths, threads, read, PathBuf::clone)
}

/// Adds up finished parts from a text with one on each line, as [`Part::write_line`] writes them. Errors call the third
/// line `name:3`; blank lines are skipped, but a text of nothing else is an error, as its writer failed. It does what [`merge`]
/// does otherwise.
///
/// ```
/// use polite_robots_survey::merge_lines;
///
/// let wrong = merge_lines(b"\n{}", "parts".as_ref(), 2).unwrap_err();
/// assert!(wrong.to_string().starts_with("`parts:2` is not a part of a survey"));
/// let nothing = merge_lines(b"\n", "parts".as_ref(), 2).unwrap_err();
/// assert!(nothing.to_string().starts_with("`parts` is not a part of a survey"));
/// ```
///
/// # Errors
///
/// If a line is no part, there is no line, or [`merge`] would fail with its part.
pub fn merge_lines(written: &[u8], name: &Path, threads: usize) -> Result<Part, SurveyError> {
    let mut start = 0;
    let ends = memchr_iter(b'\n', written).chain([written.len()]);
    let lines = ends.map(|end| {
        let line = written.get(start..end).unwrap_or_default();
        start = end + 1;
        line
    });
    let lines: Vec<(usize, &[u8])> = (1..)
        .zip(lines)
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .collect();
    if lines.is_empty() {
        return Part::read(b"", name);
    }
    let name_of = |(number, _): &(usize, &[u8])| {
        let mut line = name.as_os_str().to_owned();
        line.push(format!(":{number}"));
        PathBuf::from(line)
    };
    let read = |line: &(usize, &[u8])| {
        let name = name_of(line);
        Part::read(line.1, &name)?.finished(&name)
    };
    sum_of(&lines, threads, read, name_of)
}

/// Adds up parts in their order. A few are read at once, so that memory stays bounded whatever their number.
fn sum_of<T: Sync>(
    sources: &[T],
    threads: usize,
    read: impl Fn(&T) -> Result<Part, SurveyError> + Sync,
    name: impl Fn(&T) -> PathBuf,
) -> Result<Part, SurveyError> {
    let mut sum = Sum::default();
    let at_once = threads.min(sources.len()).clamp(1, MOST_AT_ONCE);
    let pool = match at_once {
        1 => None,
        _ => Some(pool_of(at_once)?),
    };
    for sources in sources.chunks(at_once) {
        let parts: Vec<Result<Part, SurveyError>> = match &pool {
            Some(pool) => pool.install(|| sources.par_iter().map(&read).collect()),
            None => sources.iter().map(&read).collect(),
        };
        for (part, source) in parts.into_iter().zip(sources) {
            sum.add(part?, &name(source))?;
        }
    }
    sum.part()
}

fn pool_of(threads: usize) -> Result<ThreadPool, SurveyError> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| SurveyError::Threads { threads, source })
}

/// The sum of the parts until now.
#[derive(Default)]
struct Sum {
    part: Option<Part>,
    inputs: BTreeSet<PathBuf>,
}

impl Sum {
    /// Adds a finished part. Errors call it by `name`.
    fn add(&mut self, part: Part, name: &Path) -> Result<(), SurveyError> {
        for input in part.paths() {
            if !self.inputs.insert(input.clone()) {
                return Err(SurveyError::InTwoParts {
                    input: input.clone(),
                    part: name.to_owned(),
                });
            }
        }
        match &mut self.part {
            None => self.part = Some(part),
            Some(sum) => {
                part.check_counted_as(sum.max_bytes, sum.depth, name)?;
                part.check_same_labels(sum.labels.as_deref(), name)?;
                sum.merge(part)?;
            }
        }
        Ok(())
    }

    fn part(self) -> Result<Part, SurveyError> {
        self.part
            .map_or_else(|| Part::new(Vec::new(), 0, Depth::Sampled), Ok)
    }
}

/// The most parts that are read at once. Each takes tens of megabytes of memory.
const MOST_AT_ONCE: usize = 8;
