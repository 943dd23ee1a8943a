//! What is said of each page, one line for each on standard output, and the progress bar on standard error.

use std::io::{self, Write as _};

use indicatif::{ProgressBar, ProgressStyle};
use polite_robots::{Reason, Verdict};
use polite_robots_policy::BodyEnd;
use url::Url;

use crate::common::answer::Answer;

pub(crate) struct Report {
    bar: ProgressBar,
    fetched: u64,
    disallowed: u64,
    failed: u64,
    left: u64,
}

impl Report {
    pub(crate) fn new() -> Report {
        // Hidden where standard error is no terminal.
        let bar = ProgressBar::new(0);
        if let Ok(style) =
            ProgressStyle::with_template("{elapsed_precise} {bar:30} {pos}/{len} {msg}")
        {
            bar.set_style(style);
        }
        Report {
            bar,
            fetched: 0,
            disallowed: 0,
            failed: 0,
            left: 0,
        }
    }

    pub(crate) fn added(&self) {
        self.bar.inc_length(1);
    }

    pub(crate) fn fetched(&mut self, url: &Url, answer: &Answer) {
        self.fetched += 1;
        let cut = if answer.end == BodyEnd::LimitReached {
            ", and there is more"
        } else {
            ""
        };
        let (status, bytes) = (answer.status, answer.body.len());
        self.line("fetched", url, &format!("{status}, {bytes} bytes{cut}"));
    }

    pub(crate) fn disallowed(&mut self, url: &Url, verdict: Verdict<'_>) {
        match verdict.reason() {
            // No rule said so: robots.txt could not be had. Another day it may be.
            Reason::Blanket(_) => self.left(url, &verdict.to_string()),
            _ => {
                self.disallowed += 1;
                self.line("disallowed", url, &verdict.to_string());
            }
        }
    }

    pub(crate) fn redirected(&mut self, url: &Url, target: &Url) {
        self.line("redirected", url, target.as_str());
    }

    pub(crate) fn failed(&mut self, url: &Url, problem: &str) {
        self.failed += 1;
        self.line("failed", url, problem);
    }

    pub(crate) fn left(&mut self, url: &Url, why: &str) {
        self.left += 1;
        self.line("left", url, why);
    }

    pub(crate) fn stopping(&self, on_their_way: usize) {
        self.say(&format!(
            "stopping; {on_their_way} requests are on their way, Ctrl-C again leaves them"
        ));
    }

    /// Whether nothing failed and nothing is left.
    pub(crate) fn end(self) -> bool {
        self.bar.finish_and_clear();
        let Report {
            fetched,
            disallowed,
            failed,
            left,
            ..
        } = self;
        self.say(&format!(
            "{fetched} fetched, {disallowed} disallowed, {failed} failed, {left} left"
        ));
        failed == 0 && left == 0
    }

    fn line(&self, what: &str, url: &Url, detail: &str) {
        self.bar.inc(u64::from(what != "left"));
        // Nobody reads any more: the crawl goes on to its end, as it is not done for the lines alone.
        self.bar.suspend(|| {
            let _ = writeln!(io::stdout(), "{what}\t{url}\t{}", detail);
        });
    }

    fn say(&self, message: &str) {
        self.bar.suspend(|| {
            let _ = writeln!(io::stderr(), "{message}");
        });
    }
}
