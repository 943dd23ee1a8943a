//! The measures by which two surveys are compared: shares, and quantiles of sizes.

use polite_robots_audit::known::Purpose;

use crate::report::number::{grouped, percent};
use crate::summary::Summary;
use crate::summary::agents::{WildcardEffect, known};
use crate::summary::distribution::{Distribution, ratio};

/// A number of one survey, under a name that is the same in every survey.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measure {
    pub(super) topic: Topic,
    pub(super) name: String,
    pub(super) value: Value,
}

/// The topic of a measure, in the order of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Topic {
    Outcome,
    OutcomeByRfc,
    Size,
    /// Kinds of files, such as those with a sitemap.
    Files,
    CrawlersByPurposeNamed,
    CrawlersByPurposeDisallowed,
    AiCrawlersNamed,
    AiCrawlersDisallowed,
    AiCrawlersNone,
    AiCrawlersPart,
    AgentsNamed,
    Fields,
    UseOfContent,
    Findings,
    Dialects,
}

/// The value of a measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    Share { count: u64, of: u64 },
    Number(u64),
}

impl Value {
    /// The share in percent, or the number itself.
    pub(super) fn as_f64(self) -> f64 {
        match self {
            Value::Share { count, of } => ratio(count, of) * 100.0,
            Value::Number(number) => number as f64,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&match self {
            Value::Share { count, of } => percent(*count, *of),
            Value::Number(number) => grouped(*number),
        })
    }
}

impl Topic {
    pub(super) const fn title(self) -> &'static str {
        match self {
            Topic::Outcome => "Responses by status",
            Topic::OutcomeByRfc => "Responses by what RFC 9309 makes of them",
            Topic::Size => "Size of a file",
            Topic::Files => "Files",
            Topic::CrawlersByPurposeNamed => "Files that name a crawler, by its purpose",
            Topic::CrawlersByPurposeDisallowed => "Files that disallow one everything by name",
            Topic::AiCrawlersNamed => "AI crawlers that files name",
            Topic::AiCrawlersDisallowed => "AI crawlers disallowed everything by name",
            Topic::AiCrawlersNone => {
                "AI crawlers that may fetch none of the site, by name or through *"
            }
            Topic::AiCrawlersPart => "AI crawlers that may fetch a part, by name or through *",
            Topic::AgentsNamed => "Other agents that files name",
            Topic::Fields => "Fields",
            Topic::UseOfContent => "Use of content",
            Topic::Findings => "What is odd",
            Topic::Dialects => "RFC 9309 and Google answer differently",
        }
    }
}

/// Collects all measures of a survey.
pub(super) fn measures(summary: &Summary) -> Vec<Measure> {
    let mut measures = MeasureList {
        files: summary.files,
        list: Vec::new(),
    };
    for (status, count) in &summary.statuses.by_status {
        measures.add_share_of(
            Topic::Outcome,
            status.to_string(),
            *count,
            summary.responses,
        );
    }
    for (outcome, count) in &summary.outcomes.direct {
        measures.add_share_of(
            Topic::OutcomeByRfc,
            outcome.as_str(),
            *count,
            summary.responses,
        );
    }
    let texts = &summary.texts;
    measures.add_quantiles("bytes", &texts.bytes);
    measures.add_quantiles("lines", &texts.lines);
    measures.add_quantiles("rules", &summary.rules.per_file);
    measures.add_quantiles("agents that are named", &summary.agents.named_per_file);
    measures.add_file_kinds(summary);
    measures.add_crawlers(summary);
    for (field, counts) in &summary.records.known {
        measures.add_share(Topic::Fields, &**field, counts.files);
    }
    let usage = &summary.usage;
    for (name, count) in [
        ("Content-Signal", usage.content_signal.records.files),
        (
            "Content-Signal: AI training disallowed",
            usage.content_signal.ai_training.disallowed,
        ),
        ("Content-Usage", usage.content_usage.records.files),
        (
            "Content-Usage: AI training disallowed",
            usage.content_usage.ai_training.disallowed,
        ),
        ("License", usage.license.files),
    ] {
        measures.add_share(Topic::UseOfContent, name, count);
    }
    for (code, counts) in &summary.findings.of_lines {
        measures.add_share(Topic::Findings, code.as_str(), counts.files);
    }
    for (code, counts) in &summary.findings.of_rules {
        measures.add_share_of(
            Topic::Findings,
            code.as_str(),
            counts.files,
            summary.findings.linted,
        );
    }
    for (reason, counts) in &summary.dialects.reasons {
        measures.add_share_of(
            Topic::Dialects,
            &**reason,
            counts.files,
            summary.dialects.compared,
        );
    }
    measures.list
}

/// The measures collected so far.
struct MeasureList {
    files: u64,
    list: Vec<Measure>,
}

impl MeasureList {
    fn add_share_of(&mut self, topic: Topic, name: impl Into<String>, count: u64, whole: u64) {
        self.list.push(Measure {
            topic,
            name: name.into(),
            value: Value::Share { count, of: whole },
        });
    }

    fn add_share(&mut self, topic: Topic, name: impl Into<String>, count: u64) {
        self.add_share_of(topic, name, count, self.files);
    }

    fn add_quantiles(&mut self, name: &str, distribution: &Distribution) {
        for (quantile, share) in [("median", 0.5), ("90 %", 0.9), ("99 %", 0.99)] {
            self.list.push(Measure {
                topic: Topic::Size,
                name: format!("{name}, {quantile}"),
                value: Value::Number(distribution.quantile(share)),
            });
        }
    }

    fn add_file_kinds(&mut self, summary: &Summary) {
        let everyone = |said| {
            let count = summary.agents.everyone.get(&said);
            count.copied().unwrap_or_default()
        };
        let delays = &summary.crawl_delays;
        for (name, count) in [
            ("*: some paths disallowed", everyone(WildcardEffect::Partly)),
            ("*: all allowed", everyone(WildcardEffect::AllowAll)),
            ("*: all disallowed", everyone(WildcardEffect::DisallowAll)),
            ("no group for *", everyone(WildcardEffect::NoGroup)),
            ("an AI crawler named", summary.agents.ai.named),
            ("an AI crawler disallowed", summary.agents.ai.disallowed),
            ("a sitemap", summary.sitemaps.files),
            ("a crawl delay", delays.valid.files),
            ("one over 30 s", delays.over_30.files),
            ("over 500 KiB", summary.texts.over_500_kib),
            ("empty", summary.texts.blank),
            ("a web page, in HTML or XML", summary.texts.html),
            ("comments", summary.texts.with_comments),
            (
                "a rule with a wildcard",
                summary
                    .rules
                    .tiers
                    .iter()
                    .filter(|(tier, _)| **tier != polite_robots::Tier::Prefix)
                    .map(|(_, counts)| counts.files)
                    .max()
                    .unwrap_or_default(),
            ),
            ("no finding", summary.findings.clean),
        ] {
            self.add_share(Topic::Files, name, count);
        }
    }

    fn add_crawlers(&mut self, summary: &Summary) {
        for purpose in Purpose::ALL {
            if let Some(class) = summary.agents.by_purpose.get(&purpose) {
                self.add_share(
                    Topic::CrawlersByPurposeNamed,
                    purpose.to_string(),
                    class.named,
                );
                self.add_share(
                    Topic::CrawlersByPurposeDisallowed,
                    purpose.to_string(),
                    class.disallowed,
                );
            }
        }
        for (crawler, counts) in summary.agents.known_access.iter() {
            let total = counts.total();
            if crawler.is_ai() {
                self.add_share(Topic::AiCrawlersNone, crawler.name(), total.none);
                self.add_share(Topic::AiCrawlersPart, crawler.name(), total.part);
            }
        }
        for (token, agent) in summary.agents.by_token.by_weight() {
            match known(token) {
                Some(crawler) if crawler.is_ai() => {
                    self.add_share(Topic::AiCrawlersNamed, crawler.name(), agent.named);
                    self.add_share(
                        Topic::AiCrawlersDisallowed,
                        crawler.name(),
                        agent.disallowed,
                    );
                }
                Some(crawler) => self.add_share(Topic::AgentsNamed, crawler.name(), agent.named),
                None => self.add_share(Topic::AgentsNamed, token, agent.named),
            }
        }
    }
}
