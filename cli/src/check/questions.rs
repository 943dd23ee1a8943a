//! The questions about a robots.txt and their answers, agent by agent.

use std::fs::File;
use std::io::Seek as _;

use polite_robots::{InvalidToken, Robot, RobotsTxt, Verdict};
use polite_robots_audit::known;
use polite_robots_audit::operator::OperatorReading;

use crate::input::{Input, InputError};
use crate::outcome::Answer;

/// The URLs that are asked about: those of the command line, and those of a list, which may have
/// millions and is read anew each time.
#[derive(Clone, Copy)]
pub(super) struct Urls<'a> {
    pub(super) given: &'a [&'a str],
    pub(super) list: Option<(&'a Input, &'a File)>,
}

impl Urls<'_> {
    pub(super) fn each(&self, mut take: impl FnMut(&str)) -> Result<(), InputError> {
        self.given.iter().for_each(|url| take(url));
        let Some((input, mut file)) = self.list else {
            return Ok(());
        };
        file.rewind().map_err(|source| input.unreadable(source))?;
        match input.each_url_of(file, |url, _| take(url))? {
            0 => Err(input.no_url()),
            _ => Ok(()),
        }
    }
}

/// One agent with its questions.
pub(super) struct Asked<'a> {
    pub(super) agent: &'a str,
    pub(super) robot: Robot,
    pub(super) urls: &'a [&'a str],
    /// The rules that the agent's operator says it obeys, where RFC 9309 gives it others.
    pub(super) operator: Option<OperatorReading>,
}

/// One URL with its answer.
pub(super) struct Checked<'a> {
    pub(super) url: &'a str,
    pub(super) verdict: Verdict<'a>,
}

impl<'a> Asked<'a> {
    pub(super) fn new(
        agent: &'a str,
        urls: &'a [&'a str],
        robots_txt: &RobotsTxt,
    ) -> Result<Asked<'a>, InvalidToken> {
        Ok(Asked {
            agent,
            robot: robots_txt.robot(agent)?,
            urls,
            operator: OperatorReading::new(agent, robots_txt),
        })
    }

    pub(super) fn checked(&self) -> impl Iterator<Item = Checked<'_>> {
        self.urls.iter().map(|url| Checked {
            url,
            verdict: self.robot.check(*url),
        })
    }

    /// The operator's answer about a URL, as a sentence.
    pub(super) fn note(&self, url: &str) -> Option<String> {
        Some(self.operator.as_ref()?.sentence(url))
    }

    /// The facts that are known of the agent's name, as sentences.
    pub(super) fn remarks(&self) -> Vec<String> {
        let crawler = known::find(self.agent);
        let remarks = crawler.into_iter().flat_map(|crawler| crawler.remarks());
        remarks
            .map(|remark| format!("{} is known: {remark}", self.agent))
            .collect()
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
