//! Notes about the answers that change: statements of operators, and the other dialect.

use std::cell::Cell;

use polite_robots_audit::answer::{Answers, Reading, Readings};
use polite_robots_audit::difference::{Difference, Question};

/// Both versions, for notes about the answers in them.
pub(super) struct Noted<'a> {
    versions: [&'a Readings; 2],
    reading: Reading,
    /// The bytes of files that may still be read. For each agent, the rules of both files are read
    /// again.
    left: Cell<usize>,
}

impl<'a> Noted<'a> {
    /// `None` if the user asked about no URL: URLs that the rules suggest only show the rules.
    pub(super) fn new(
        versions: [&'a Readings; 2],
        reading: Reading,
        difference: &Difference,
    ) -> Option<Noted<'a>> {
        let is_asked = matches!(difference.question(), Question::Urls(_));
        is_asked.then_some(Noted {
            versions,
            reading,
            left: Cell::new(MOST_READ_BYTES),
        })
    }

    /// The answers of each version about an agent; `None` once too much was read.
    pub(super) fn answers(&self, agent: &str) -> Option<[Answers<'a>; 2]> {
        let [old, new] = self.versions;
        let bytes = old.bytes().len().saturating_add(new.bytes().len());
        self.left.set(self.left.get().checked_sub(bytes)?);
        let old = old.answers(agent, self.reading).ok()?;
        Some([old, new.answers(agent, self.reading).ok()?])
    }

    /// The notes about the URLs whose answers change, as sentences.
    pub(super) fn sentences(&self, difference: &Difference) -> Vec<String> {
        let mut sentences = Vec::new();
        for (agent, place) in difference.agents() {
            let Some(change) = difference.changes().get(place) else {
                continue;
            };
            let mut verdicts = change.verdicts().peekable();
            if sentences.len() >= MOST_NOTES || verdicts.peek().is_none() {
                continue;
            }
            let Some([old, new]) = self.answers(agent) else {
                continue;
            };
            for verdict in verdicts {
                for (version, answers) in [("old", &old), ("new", &new)] {
                    if let Some(note) = answers.about(verdict.url).note() {
                        let url = verdict.url;
                        sentences.push(format!("{agent}, {url}, {version} file: {note}"));
                    }
                }
            }
        }
        sentences.truncate(MOST_NOTES);
        sentences
    }
}

const MOST_NOTES: usize = 6;

/// The most bytes that are read: two files of 5 KB for 6,000 agents, or two of 500 KB for 60.
const MOST_READ_BYTES: usize = 64_000_000;
