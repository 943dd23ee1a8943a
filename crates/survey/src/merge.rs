//! The merge of several parts of a survey into one.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::iter;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::depth::Depth;
use crate::error::SurveyError;
use crate::part::Part;

/// Adds up finished parts from their files. The result equals one survey of all their inputs. Each
/// of `threads` reads a file at a time.
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
    let threads = threads.min(paths.len());
    let paths = paths.iter().map(Ok);
    let sum = sum_of(paths, threads, |path| read(path), |path| path.to_path_buf())?;
    sum.map_or_else(|| Part::new(Vec::new(), 0, Depth::Sampled), Ok)
}

/// Adds up finished parts that come one on each line, as [`Part::write_line`] writes them. Errors
/// call the third line `name:3`. Blank lines are skipped. An input without any part is an error,
/// because its writer failed. Otherwise the function does what [`merge`] does.
///
/// ```
/// use polite_robots_survey::merge_lines;
///
/// let wrong = merge_lines(&b"\n{}"[..], "parts".as_ref(), 2).unwrap_err();
/// assert!(wrong.to_string().starts_with("`parts:2` is not a part of a survey"));
/// let nothing = merge_lines(&b"\n"[..], "parts".as_ref(), 2).unwrap_err();
/// assert!(nothing.to_string().starts_with("`parts` is not a part of a survey"));
/// ```
///
/// # Errors
///
/// If a line is no part or cannot be read, if there is no line, or if [`merge`] would refuse a
/// part.
pub fn merge_lines(
    mut lines: impl BufRead,
    name: &Path,
    threads: usize,
) -> Result<Part, SurveyError> {
    let mut number = 0_usize;
    let numbered = iter::from_fn(|| {
        loop {
            let mut line = Vec::new();
            number += 1;
            match lines.read_until(b'\n', &mut line) {
                Ok(0) => return None,
                Ok(_) => {
                    // Without its line end, a line that was cut off has its error within the line,
                    // and not on the line after it.
                    line.truncate(line.trim_ascii_end().len());
                    if !line.is_empty() {
                        return Some(Ok((number, line)));
                    }
                }
                Err(source) => {
                    let path = name.to_owned();
                    return Some(Err(SurveyError::Unreadable { path, source }));
                }
            }
        }
    });
    let name_of = |(number, _): &(usize, Vec<u8>)| {
        let mut line = name.as_os_str().to_owned();
        line.push(format!(":{number}"));
        PathBuf::from(line)
    };
    let read = |line: &(usize, Vec<u8>)| {
        let name = name_of(line);
        Part::read(&line.1, &name)?.finished(&name)
    };
    match sum_of(numbered, threads, read, name_of)? {
        Some(sum) => Ok(sum),
        None => Part::read(b"", name),
    }
}

/// Adds up parts in their order; `None` if there is none. Each thread reads one part at a time, and
/// at most [`MOST_AT_ONCE`] are read at once, so that memory stays bounded for any number of parts.
fn sum_of<T: Sync>(
    mut sources: impl Iterator<Item = Result<T, SurveyError>>,
    threads: usize,
    read: impl Fn(&T) -> Result<Part, SurveyError> + Sync,
    name: impl Fn(&T) -> PathBuf,
) -> Result<Option<Part>, SurveyError> {
    let mut sum: Option<Part> = None;
    let mut inputs = BTreeSet::new();
    let at_once = threads.clamp(1, MOST_AT_ONCE);
    let pool = match at_once {
        1 => None,
        _ => Some(pool_of(at_once)?),
    };
    loop {
        let some = sources.by_ref().take(at_once);
        let some = some.collect::<Result<Vec<T>, SurveyError>>()?;
        if some.is_empty() {
            sum.as_mut().map_or(Ok(()), Part::sort)?;
            return Ok(sum);
        }
        let parts: Vec<Result<Part, SurveyError>> = match &pool {
            Some(pool) => pool.install(|| some.par_iter().map(&read).collect()),
            None => some.iter().map(&read).collect(),
        };
        for (part, source) in parts.into_iter().zip(&some) {
            let (part, name) = (part?, name(source));
            if let Some(input) = part.paths().find(|input| !inputs.insert((*input).clone())) {
                return Err(SurveyError::InTwoParts {
                    input: input.clone(),
                    part: name,
                });
            }
            let Some(sum) = &mut sum else {
                sum = Some(part);
                continue;
            };
            part.check_counted_as(sum.max_bytes, sum.depth, &name)?;
            part.check_same_labels(sum.labels.as_deref(), &name)?;
            sum.add(part)?;
        }
    }
}

fn pool_of(threads: usize) -> Result<ThreadPool, SurveyError> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| SurveyError::Threads { threads, source })
}

/// The most parts that are read at once. Each takes tens of megabytes of memory.
const MOST_AT_ONCE: usize = 8;
