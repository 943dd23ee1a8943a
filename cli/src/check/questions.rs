//! The questions about a robots.txt and their answers, agent by agent.

use std::fs::File;
use std::io::Seek as _;

use polite_robots::{InvalidToken, Target, Verdict};
use polite_robots_audit::answer::{Answers, Reading, Readings};

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
    pub(super) answers: Answers<'a>,
    pub(super) urls: &'a [&'a str],
}

impl<'a> Asked<'a> {
    pub(super) fn new(
        agent: &str,
        urls: &'a [&'a str],
        readings: &'a Readings,
        reading: Reading,
    ) -> Result<Asked<'a>, InvalidToken> {
        Ok(Asked {
            answers: readings.answers(agent, reading)?,
            urls,
        })
    }

    pub(super) fn agent(&self) -> &str {
        self.answers.agent()
    }

    /// Each URL with the verdict about it.
    pub(super) fn checked(&self) -> impl Iterator<Item = (&'a str, Verdict<'_>)> {
        let robot = self.answers.robot();
        let urls = self.urls.iter();
        urls.map(|url| (*url, robot.check(Target::requested(url))))
    }

    pub(super) fn answer(&self) -> Answer {
        Answer::of(self.urls.iter().all(|url| self.answers.allowed(url)))
    }
}

/// Whether every agent may fetch every URL.
pub(super) fn answer_of(asked: &[Asked<'_>]) -> Answer {
    Answer::of(asked.iter().all(|asked| asked.answer() == Answer::Yes))
}
