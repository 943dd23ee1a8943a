//! The known crawlers that an edit has closed the site to, or opened it to, found in the new file.

use std::collections::HashSet;

use polite_robots::RobotsTxt;
use polite_robots_audit::agent::CrawlerSummary;
use polite_robots_audit::answer::{Reading, Readings};
use polite_robots_audit::coverage::Extent;
use polite_robots_audit::known::{self, Compliance, KnownCrawler, Purpose};

/// The known crawlers by their access in the new file: those that the command names, and those
/// whose access has changed.
pub(super) struct Effect {
    closed: Vec<&'static KnownCrawler>,
    opened: Vec<&'static KnownCrawler>,
    /// The crawlers that may fetch nothing, but need not obey.
    disobedient: Vec<&'static KnownCrawler>,
    /// The crawlers that the command closes the site to, but that may still fetch something.
    left_open: Vec<&'static KnownCrawler>,
}

impl Effect {
    /// `close` and `open` are the product tokens that the command stands for.
    pub(super) fn new(before: &[u8], after: &[u8], close: &[String], open: &[String]) -> Effect {
        let [before, after] = [before, after].map(|file| {
            let readings = Readings::new(&RobotsTxt::parse(file));
            let summaries = CrawlerSummary::all(&readings, Reading::Crawler);
            let closed = summaries
                .iter()
                .filter(|summary| summary.agent().coverage().extent() == Extent::Nothing);
            let closed = closed.map(|summary| summary.crawler().token());
            closed.collect::<HashSet<_>>()
        });
        let mut effect = Effect {
            closed: Vec::new(),
            opened: Vec::new(),
            disobedient: Vec::new(),
            left_open: Vec::new(),
        };
        let mut crawlers = known::by_importance().to_vec();
        // Names that their operators document are better known, so they come first.
        crawlers.sort_by_key(|crawler| {
            let is_documented = crawler.documentation().is_some();
            (crawler.obeys() != Compliance::Yes, !is_documented)
        });
        let ended = known::all().iter();
        crawlers.extend(ended.filter(|crawler| crawler.retired().is_some()));
        for crawler in crawlers {
            let [was_closed, is_closed] =
                [&before, &after].map(|closed| closed.contains(crawler.token()));
            let is_in = |tokens: &[String]| {
                let mut tokens = tokens.iter();
                tokens.any(|token| token.eq_ignore_ascii_case(crawler.token()))
            };
            let is_changed = was_closed != is_closed;
            let is_old = crawler.retired().is_some();
            let list = match is_closed {
                true if !is_changed && !is_in(close) || is_old && !is_in(close) => continue,
                true if crawler.obeys() == Compliance::No => &mut effect.disobedient,
                true => &mut effect.closed,
                false if is_in(close) => &mut effect.left_open,
                false if !is_changed && !is_in(open) || is_old && !is_in(open) => continue,
                false => &mut effect.opened,
            };
            list.push(crawler);
        }
        effect
    }

    /// Sentences for the owner. `is_written` says that the file has changed already.
    pub(super) fn sentences(&self, is_written: bool) -> Vec<String> {
        let [closed, opened] = match is_written {
            true => ["closed now", "open now"],
            false => ["closed after this change", "open after this change"],
        };
        let mut sentences = Vec::new();
        if self.is_empty() {
            sentences.push("note: that closes or opens the site to no known crawler".to_owned());
        }
        for (state, crawlers) in [(closed, &self.closed), (opened, &self.opened)] {
            if !crawlers.is_empty() {
                sentences.push(format!("{state}: {}", listed(crawlers)));
            }
        }
        let in_part: Vec<_> = self
            .closed
            .iter()
            .filter(|crawler| crawler.obeys() == Compliance::InPart && !crawler.ignores_wildcard())
            .copied()
            .collect();
        if !in_part.is_empty() {
            let do_not = match in_part.len() {
                1 => "does not",
                _ => "do not",
            };
            sentences.push(format!(
                "note: {} {do_not} always obey robots.txt",
                listed(&in_part)
            ));
        }
        if !self.disobedient.is_empty() {
            let crawlers = listed(&self.disobedient);
            sentences.push(format!(
                "not closed by a file, as they need not obey robots.txt: {crawlers}"
            ));
        }
        if !self.left_open.is_empty() {
            sentences.push(format!("not closed: {}", listed(&self.left_open)));
        }
        sentences
    }

    fn is_empty(&self) -> bool {
        let lists = [
            &self.closed,
            &self.opened,
            &self.disobedient,
            &self.left_open,
        ];
        lists.iter().all(|list| list.is_empty())
    }

    /// Whether the site is closed to crawlers by which it is found in the answers of AI.
    pub(super) fn closes_ai_answers(&self) -> bool {
        let purposes = [Purpose::AiSearch, Purpose::Assistant];
        let mut closed = self.closed.iter();
        closed.any(|crawler| purposes.contains(&crawler.purpose()))
    }
}

/// All names if they are few, and a few names for each purpose if they are many.
fn listed(crawlers: &[&KnownCrawler]) -> String {
    if crawlers.len() <= MOST_LISTED {
        let names: Vec<&str> = crawlers.iter().map(|crawler| crawler.token()).collect();
        return names.join(", ");
    }
    let of_purposes = Purpose::ALL.into_iter().filter_map(|purpose| {
        let of_purpose = crawlers.iter().filter(|other| other.purpose() == purpose);
        let names: Vec<&str> = of_purpose.map(|crawler| crawler.token()).collect();
        let (count, crawler) = match names.len() {
            0 => return None,
            1 => (1, "crawler"),
            count => (count, "crawlers"),
        };
        let more = match count > MOST_OF_PURPOSE {
            true => ", …",
            false => "",
        };
        let few: Vec<&str> = names.into_iter().take(MOST_OF_PURPOSE).collect();
        let few = few.join(", ");
        Some(format!(
            "{count} {crawler} {} ({few}{more})",
            attribute(purpose)
        ))
    });
    of_purposes.collect::<Vec<_>>().join("; ")
}

/// The end of a phrase that begins with a number of crawlers.
fn attribute(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Training => "for the training of AI",
        Purpose::AiSearch => "for AI search",
        Purpose::Assistant => "for AI assistants",
        Purpose::Agent => "for AI agents",
        Purpose::Data => "for data for others",
        Purpose::Search => "for search",
        Purpose::Seo => "for SEO",
        Purpose::Advertising => "for advertising",
        Purpose::Preview => "for previews",
        Purpose::Archive => "for archives",
        Purpose::Unknown => "for another purpose, or none that is known",
    }
}

/// The most crawlers whose names make a readable list.
const MOST_LISTED: usize = 8;

/// The most crawlers that are named for one purpose of several.
const MOST_OF_PURPOSE: usize = 3;
