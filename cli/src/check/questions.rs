//! The questions about a robots.txt and their answers, agent by agent.

use polite_robots::{Robot, Verdict};

use crate::outcome::Answer;

/// One agent with its questions.
pub(super) struct Asked<'a> {
    pub(super) agent: &'a str,
    pub(super) robot: Robot,
    pub(super) urls: &'a [&'a str],
}

/// One URL with its answer.
pub(super) struct Checked<'a> {
    pub(super) url: &'a str,
    pub(super) verdict: Verdict<'a>,
}

impl Asked<'_> {
    pub(super) fn checked(&self) -> impl Iterator<Item = Checked<'_>> {
        self.urls.iter().map(|url| Checked {
            url,
            verdict: self.robot.check(*url),
        })
    }

    pub(super) fn answer(&self) -> Answer {
        if self.urls.iter().all(|url| self.robot.allowed(*url)) {
            Answer::Yes
        } else {
            Answer::No
        }
    }
}

/// Whether every agent may fetch every URL.
pub(super) fn answer_of(asked: &[Asked<'_>]) -> Answer {
    if asked.iter().all(|asked| asked.answer() == Answer::Yes) {
        Answer::Yes
    } else {
        Answer::No
    }
}
