//! `--ndjson`: a line of JSON for each agent and URL, printed as the URLs come.

use std::io::{self, Write};

use crate::check::questions::Asked;
use crate::input::{Input, InputError, IsLastForNow};
use crate::json::{self, object};
use crate::outcome::Answer;
use crate::terminal::{self, PrintError};
use crate::verdict_fields::answer_fields;

/// The answer so far, and the state of the output, which fails once its reader has left.
struct Stream<'a> {
    asked: &'a [Asked<'a>],
    answer: Answer,
    output: io::Result<()>,
}

/// Prints the answers about the URLs and those of the list, which may be endless.
pub(super) fn print(
    asked: &[Asked<'_>],
    urls: &[String],
    list: Option<&Input>,
) -> Result<Result<Answer, InputError>, PrintError> {
    print_each(asked, |take| {
        for url in urls {
            take(url, IsLastForNow(false));
        }
        match list.map(|list| (list, list.each_url(take))) {
            Some((_, Err(error))) => Err(error),
            Some((list, Ok(0))) => Err(list.no_url()),
            Some((_, Ok(_))) | None => Ok(()),
        }
    })
}

/// Prints the answers about the URLs that `feed` passes on.
pub(super) fn print_each<E>(
    asked: &[Asked<'_>],
    feed: impl FnOnce(&mut dyn FnMut(&str, IsLastForNow)) -> Result<(), E>,
) -> Result<Result<Answer, E>, PrintError> {
    let mut answer = Ok(Answer::Yes);
    terminal::print(|out| {
        let mut stream = Stream {
            asked,
            answer: Answer::Yes,
            output: Ok(()),
        };
        let fed = feed(&mut |url, is_last| stream.take(out, url, is_last));
        answer = fed.map(|()| stream.answer);
        stream.output
    })?;
    Ok(answer)
}

impl Stream<'_> {
    fn take(&mut self, out: &mut dyn Write, url: &str, IsLastForNow(is_last): IsLastForNow) {
        for asked in self.asked {
            let answer = asked.answers.about(url);
            if !answer.verdict().is_allowed() {
                self.answer = Answer::No;
            }
            // The answer counts even if nobody reads the lines any more.
            if self.output.is_ok() {
                let line = object! { "agent": asked.agent(), "url": url, ..answer_fields(&answer) };
                self.output = json::write_line(out, &line);
            }
        }
        if is_last && self.output.is_ok() {
            self.output = out.flush();
        }
    }
}
