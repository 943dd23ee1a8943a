//! The measures that are a share of the files. Each is described once. From these descriptions the
//! key figures, the tables and the definitions of the page, the comparison and the page of
//! definitions are made.

use polite_robots::Tier;
use polite_robots_audit::known::Purpose;

use crate::summary::Summary;
use crate::summary::agents::WildcardEffect::{self, AllowAll, DisallowAll, NoGroup, Partly};
use crate::summary::domain_files::Trait;

/// A measure: the files with a trait, as a share of a whole.
pub(crate) struct Measure {
    /// The trait of the files, by which the measure is called wherever it is shown, and in the JSON
    /// of a comparison.
    pub(crate) name: &'static str,
    /// Which files are counted. Text between backticks is code.
    pub(crate) definition: &'static str,
    pub(crate) count: fn(&Summary) -> u64,
    pub(crate) base: Base,
    /// Whether surveys are compared by it.
    pub(crate) is_compared: bool,
    pub(crate) headline: Option<Headline>,
}

/// The whole of which a measure is a share.
pub(crate) struct Base {
    pub(crate) name: &'static str,
    pub(crate) count: fn(&Summary) -> u64,
}

/// The words and the trait of a measure that is a key figure.
pub(crate) struct Headline {
    /// A clause whose subject is the files.
    pub(crate) label: &'static str,
    /// The trait of the domains that count, where each domain counts once.
    pub(crate) wanted: Trait,
}

/// Defines lists of measures, each with its name, its definition and its count, of all files or
/// `of` others.
macro_rules! measures {
    ($(
        $(#[$about:meta])*
        $list:ident {$(
            $($compared:ident)? $name:literal = $count:expr $(, of $base:literal $of:expr)?
                $(, headline $label:literal $wanted:ident)?, $definition:literal;
        )+}
    )+) => {$(
        $(#[$about])*
        pub(crate) static $list: &[Measure] = &[$(
            Measure {
                name: $name,
                definition: $definition,
                count: $count,
                base: measures!(@base $($base $of)?),
                is_compared: measures!(@compared $($compared)?),
                headline: measures!(@headline $($label $wanted)?),
            },
        )+];
    )+};
    (@base) => { Base { name: "files", count: |s| s.files } };
    (@base $name:literal $count:expr) => { Base { name: $name, count: $count } };
    (@compared) => { false };
    (@compared compared) => { true };
    (@headline) => { None };
    (@headline $label:literal $wanted:ident) => {
        Some(Headline { label: $label, wanted: Trait::$wanted })
    };
}

measures! {
    /// The groups for everyone (`*`).
    EVERYONE {
        compared "*: some paths disallowed" = |s| said(s, Partly),
            "a `Disallow` for `*` can match, and not everything is disallowed";
        compared "*: all allowed" = |s| said(s, AllowAll),
            "there is a group for `*`, and no `Disallow` in it that can match";
        compared "*: all disallowed" = |s| said(s, DisallowAll),
            headline "disallow everyone everything" BlocksEveryone,
            "a `Disallow` for `*` matches every path, and no `Allow` can match";
        compared "no group for *" = |s| said(s, NoGroup), "no group is for `*`";
        "/ disallowed to an agent that is not named" = |s| s.agents.root_disallowed,
            "an agent that is not named may not fetch `/`";
    }

    /// The groups for AI crawlers, and for those that fetch for training.
    AI {
        compared "an AI crawler named" = |s| s.agents.ai.named,
            headline "name an AI crawler" NamesAi,
            "a group is for a crawler on the list of AI crawlers whose token no other has or had";
        compared "a crawler for AI training named" = files_with_training,
            headline "name a crawler for AI training" NamesTraining,
            "a group is for a crawler that fetches for training, on the list or not";
        compared "an AI crawler disallowed" = |s| s.agents.ai.disallowed,
            headline "disallow an AI crawler everything by name" BlocksAi,
            "a group for an AI crawler disallows every path, and has no `Allow` that can match";
    }

    SITEMAPS {
        compared "a sitemap" = |s| s.sitemaps.files, headline "name a sitemap" HasSitemap,
            "a `Sitemap` record has a value";
        "more than 50 sitemaps" = |s| s.sitemaps.over_50,
            "more than 50 `Sitemap` records have a value";
        "a sitemap and a known URL" = |s| s.sitemaps.files_with_url,
            of "files with a sitemap" |s| s.sitemaps.files,
            "the URL of the file is known";
        "… and a sitemap on another host" = |s| s.sitemaps.other_host,
            of "files with a sitemap and a known URL" |s| s.sitemaps.files_with_url,
            "a `Sitemap` has another host than the file";
    }

    CRAWL_DELAYS {
        compared "a crawl delay" = |s| s.crawl_delays.valid.files, "a `Crawl-delay` is a number";
        compared "one over 30 s" = |s| s.crawl_delays.over_30.files,
            "a `Crawl-delay` is more than 30 seconds";
    }

    /// Files as text.
    TEXTS {
        compared "over 500 KiB" = |s| s.texts.over_500_kib, "the file has more than 512,000 bytes";
        compared "empty" = |s| s.texts.blank, "the file has nothing but white space";
        "… of zero bytes" = |s| s.texts.empty, "the file has no byte";
        compared "a web page, in HTML or XML" = |s| s.texts.html,
            "the file begins like a document in HTML or XML";
        compared "comments" = |s| s.texts.with_comments, "a line has a `#`";
        "a byte order mark" = |s| s.texts.byte_order_mark, "the file begins with one";
        "a NUL byte" = |s| s.texts.with_nul, "the file has one anywhere";
    }

    RULES {
        compared "a rule with a wildcard" = files_with_wildcards,
            "a pattern has a `*`; more than 32 of them count apart, and the larger number stands";
    }

    FINDINGS {
        compared "no finding" = |s| s.findings.clean, "no line has a finding";
    }

    /// The files with rules that are not web pages.
    WITH_RULES {
        "with an error about a line" = |s| s.findings.with_rules.with_error,
            of "files with rules" |s| s.findings.with_rules.files,
            headline "of those with rules have a line that very likely does not do what was meant"
                HasError,
            "a line has a finding of the severity error";
        "whose rules were compared with each other" = |s| s.findings.with_rules.linted,
            of "files with rules" |s| s.findings.with_rules.files,
            "the file is in the sample, or the survey is thorough";
    }
}

impl Measure {
    /// The count and the whole.
    pub(crate) fn share(&self, summary: &Summary) -> (u64, u64) {
        ((self.count)(summary), (self.base.count)(summary))
    }
}

/// All measures, in the order of a comparison.
pub(crate) fn all() -> impl Iterator<Item = &'static Measure> {
    let lists = [
        EVERYONE,
        AI,
        SITEMAPS,
        CRAWL_DELAYS,
        TEXTS,
        RULES,
        FINDINGS,
        WITH_RULES,
    ];
    lists.into_iter().flatten()
}

/// The key figures in the order of a page.
pub(crate) fn headlines() -> impl Iterator<Item = (&'static Measure, &'static Headline)> {
    let measures = [AI, EVERYONE, SITEMAPS, WITH_RULES].into_iter().flatten();
    measures.filter_map(|measure| Some((measure, measure.headline.as_ref()?)))
}

fn said(summary: &Summary, effect: WildcardEffect) -> u64 {
    summary.agents.said(effect)
}

fn files_with_training(summary: &Summary) -> u64 {
    let class = summary.agents.by_purpose.get(&Purpose::Training);
    class.map_or(0, |class| class.named)
}

fn files_with_wildcards(summary: &Summary) -> u64 {
    let tiers = summary.rules.tiers.iter();
    let tiers = tiers.filter(|(tier, _)| **tier != Tier::Prefix);
    tiers
        .map(|(_, counts)| counts.files)
        .max()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::all;

    /// The page of definitions has a row for each measure, as it is described here.
    #[test]
    fn the_page_of_definitions_has_each_measure() {
        let page = include_str!("../../../../cli/docs/survey-definitions.md");
        let rows = all().map(|measure| {
            let (name, base) = (measure.name.replace('*', "\\*"), measure.base.name);
            format!("| {name} | {} | {base} |\n", measure.definition)
        });
        let rows: String = rows.collect();
        assert!(page.contains(&rows), "{rows}");
    }
}
