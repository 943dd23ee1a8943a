//! The measures that are a share of the files: one description of each, from which the key figures,
//! the tables of the page, the short summary and the comparison are made.

use polite_robots::Tier;

use crate::summary::Summary;
use crate::summary::agents::WildcardEffect::{self, AllowAll, DisallowAll, NoGroup, Partly};
use crate::summary::domain_files::Trait;

/// A number of files of a whole.
pub(crate) struct Measure {
    /// What the files have. It is the name of the measure wherever it is shown, and in the JSON of a
    /// comparison.
    pub(crate) name: &'static str,
    pub(crate) count: fn(&Summary) -> u64,
    pub(crate) of: fn(&Summary) -> u64,
    /// Whether it is a key figure.
    pub(crate) headline: Option<Headline>,
    /// Whether surveys are compared by it.
    pub(crate) is_compared: bool,
}

/// A key figure.
pub(crate) struct Headline {
    /// What the files do.
    pub(crate) label: &'static str,
    /// The trait of the domains that it counts, where each domain counts once.
    pub(crate) wanted: Trait,
}

/// What files say to everyone (`*`).
pub(crate) static EVERYONE: [Measure; 5] = [
    compare("*: some paths disallowed", |s| said(s, Partly)),
    compare("*: all allowed", |s| said(s, AllowAll)),
    compare("*: all disallowed", |s| said(s, DisallowAll))
        .headline("disallow everyone everything", Trait::BlocksEveryone),
    compare("no group for *", |s| said(s, NoGroup)),
    of_files("/ disallowed to an agent that is not named", |s| {
        s.agents.root_disallowed
    }),
];

/// What files say to the crawlers on lists of AI crawlers.
pub(crate) static AI: [Measure; 2] = [
    compare("an AI crawler named", |s| s.agents.ai.named)
        .headline("name an AI crawler", Trait::NamesAi),
    compare("an AI crawler disallowed", |s| s.agents.ai.disallowed)
        .headline("disallow an AI crawler everything by name", Trait::BlocksAi),
];

pub(crate) static SITEMAPS: [Measure; 4] = [
    compare("a sitemap", |s| s.sitemaps.files).headline("name a sitemap", Trait::HasSitemap),
    of_files("more than 50 sitemaps", |s| s.sitemaps.over_50),
    of_files("a sitemap and a known URL", |s| s.sitemaps.files_with_url).of(|s| s.sitemaps.files),
    of_files("… and a sitemap on another host", |s| {
        s.sitemaps.other_host
    })
    .of(|s| s.sitemaps.files_with_url),
];

pub(crate) static CRAWL_DELAYS: [Measure; 2] = [
    compare("a crawl delay", |s| s.crawl_delays.valid.files),
    compare("one over 30 s", |s| s.crawl_delays.over_30.files),
];

/// Files as text.
pub(crate) static TEXTS: [Measure; 7] = [
    compare("over 500 KiB", |s| s.texts.over_500_kib),
    compare("empty", |s| s.texts.blank),
    of_files("… of zero bytes", |s| s.texts.empty),
    compare("a web page, in HTML or XML", |s| s.texts.html),
    compare("comments", |s| s.texts.with_comments),
    of_files("a byte order mark", |s| s.texts.byte_order_mark),
    of_files("a NUL byte", |s| s.texts.with_nul),
];

pub(crate) static RULES: [Measure; 1] = [compare("a rule with a wildcard", files_with_wildcards)];

pub(crate) static FINDINGS: [Measure; 1] = [compare("no finding", |s| s.findings.clean)];

/// The files with rules that are no web pages.
pub(crate) static WITH_RULES: [Measure; 2] = [
    of_files("with an error about a line", |s| {
        s.findings.with_rules.with_error
    })
    .of(|s| s.findings.with_rules.files)
    .headline(
        "of those with rules have a line that very likely does not do what was meant",
        Trait::HasError,
    ),
    of_files("whose rules were compared with each other", |s| {
        s.findings.with_rules.linted
    })
    .of(|s| s.findings.with_rules.files),
];

/// The key figures in the order of a page.
pub(crate) fn headlines() -> impl Iterator<Item = (&'static Measure, &'static Headline)> {
    let measures = AI
        .iter()
        .chain(&EVERYONE)
        .chain(&SITEMAPS)
        .chain(&WITH_RULES);
    measures.filter_map(|measure| Some((measure, measure.headline.as_ref()?)))
}

/// The measures by which surveys are compared, in the order of a comparison.
pub(crate) fn compared() -> impl Iterator<Item = &'static Measure> {
    let measures = EVERYONE.iter().chain(&AI).chain(&SITEMAPS);
    let measures = measures.chain(&CRAWL_DELAYS).chain(&TEXTS).chain(&RULES);
    measures
        .chain(&FINDINGS)
        .filter(|measure| measure.is_compared)
}

const fn of_files(name: &'static str, count: fn(&Summary) -> u64) -> Measure {
    Measure {
        name,
        count,
        of: |summary| summary.files,
        headline: None,
        is_compared: false,
    }
}

const fn compare(name: &'static str, count: fn(&Summary) -> u64) -> Measure {
    Measure {
        is_compared: true,
        ..of_files(name, count)
    }
}

impl Measure {
    const fn of(self, of: fn(&Summary) -> u64) -> Measure {
        Measure { of, ..self }
    }

    const fn headline(self, label: &'static str, wanted: Trait) -> Measure {
        Measure {
            headline: Some(Headline { label, wanted }),
            ..self
        }
    }
}

fn said(summary: &Summary, effect: WildcardEffect) -> u64 {
    summary.agents.said(effect)
}

fn files_with_wildcards(summary: &Summary) -> u64 {
    let tiers = summary.rules.tiers.iter();
    let tiers = tiers.filter(|(tier, _)| **tier != Tier::Prefix);
    tiers
        .map(|(_, counts)| counts.files)
        .max()
        .unwrap_or_default()
}
