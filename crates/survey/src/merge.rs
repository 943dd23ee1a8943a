//! The merge of several parts of a survey into one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use memchr::memchr_iter;

use crate::depth::Depth;
use crate::error::SurveyError;
use crate::part::Part;

/// Adds up finished parts from their files. The result equals one survey of all their inputs.
///
/// ```
/// let none: [std::path::PathBuf; 0] = [];
/// assert_eq!(polite_robots_survey::merge(&none)?.input_count(), 0);
/// # Ok::<(), polite_robots_survey::SurveyError>(())
/// ```
///
/// # Errors
///
/// If a part cannot be read, is not finished, has another limit or depth than the first, shares
/// an input with another, or counts each body or domain once.
pub fn merge(paths: &[PathBuf]) -> Result<Part, SurveyError> {
    let mut sum = Sum::default();
    for path in paths {
        sum.add(Part::load_finished(path)?, path)?;
    }
    sum.part()
}

/// Adds up finished parts from a text with one on each line, as [`Part::write_line`] writes them. Errors call the third
/// line `name:3`; blank lines are skipped.
///
/// ```
/// use polite_robots_survey::{Depth, Part, merge_lines};
///
/// let none = merge_lines(b"\n", "-".as_ref())?;
/// assert_eq!(none.input_count(), 0);
/// assert!(merge_lines(b"{}", "-".as_ref()).is_err());
/// # Ok::<(), polite_robots_survey::SurveyError>(())
/// ```
///
/// # Errors
///
/// If a line is no part, or [`merge`] would fail with its part.
pub fn merge_lines(written: &[u8], name: &Path) -> Result<Part, SurveyError> {
    let mut sum = Sum::default();
    let mut start = 0;
    let ends = memchr_iter(b'\n', written).chain([written.len()]);
    for (number, end) in (1_usize..).zip(ends) {
        let line = written.get(start..end).unwrap_or_default();
        start = end + 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let mut name = name.as_os_str().to_owned();
        name.push(format!(":{number}"));
        let name = PathBuf::from(name);
        sum.add(Part::read(line, &name)?.finished(&name)?, &name)?;
    }
    sum.part()
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
