//! Changes of single lines. All other lines keep every byte.

use std::collections::{BTreeMap, BTreeSet};

use polite_robots::RobotsTxt;

/// Changes of the lines of a file, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Patch {
    deleted: BTreeSet<u32>,
    replaced: BTreeMap<u32, Vec<u8>>,
    inserted: BTreeMap<u32, Vec<Vec<u8>>>,
    appended: Vec<Vec<u8>>,
}

impl Patch {
    pub(super) fn delete(&mut self, line: u32) {
        self.deleted.insert(line);
    }

    pub(super) fn is_deleted(&self, line: u32) -> bool {
        self.deleted.contains(&line)
    }

    pub(super) fn replace(&mut self, line: u32, text: Vec<u8>) {
        self.replaced.insert(line, text);
    }

    pub(super) fn insert_after(&mut self, line: u32, text: impl Into<Vec<u8>>) {
        self.inserted.entry(line).or_default().push(text.into());
    }

    /// Adds lines at the end of the file, below a blank line.
    pub(super) fn append(&mut self, group: Vec<Vec<u8>>) {
        self.appended.push(Vec::new());
        self.appended.extend(group);
    }

    /// The file with the changes. New lines end as the first line of the file does.
    pub(super) fn applied(&self, robots_txt: &RobotsTxt) -> Vec<u8> {
        let file = robots_txt.as_bytes();
        let lines: Vec<_> = robots_txt.lines().collect();
        let starts = lines.iter().skip(1).map(|line| line.span().start);
        let starts = starts.chain([file.len()]);
        let end_of_first = lines.first().zip(starts.clone().next());
        let end_of_first = end_of_first.and_then(|(line, next)| file.get(line.span().end..next));
        let newline = end_of_first.filter(|end| !end.is_empty()).unwrap_or(b"\n");
        let mut after = Vec::with_capacity(file.len());
        // A byte order mark is before the first line.
        let first = lines.first().map_or(0, |line| line.span().start);
        after.extend_from_slice(file.get(..first).unwrap_or_default());
        for (line, next) in lines.iter().zip(starts) {
            let number = line.number();
            if !self.deleted.contains(&number) {
                let text = self.replaced.get(&number).map(Vec::as_slice);
                after.extend_from_slice(text.unwrap_or(line.as_bytes()));
                after.extend_from_slice(file.get(line.span().end..next).unwrap_or_default());
            }
            for text in self.inserted.get(&number).into_iter().flatten() {
                add_line(&mut after, text, newline);
            }
        }
        let mut appended = self.appended.as_slice();
        if after.len() == first {
            appended = appended.get(1..).unwrap_or_default();
        }
        for text in appended {
            add_line(&mut after, text, newline);
        }
        after
    }
}

/// Adds a line, below one that is whole.
fn add_line(file: &mut Vec<u8>, text: &[u8], newline: &[u8]) {
    if !file.is_empty() && !file.ends_with(b"\n") && !file.ends_with(b"\r") {
        file.extend_from_slice(newline);
    }
    file.extend_from_slice(text);
    file.extend_from_slice(newline);
}
