//! The measures that two surveys can be compared by: shares, and sizes of the typical file.

use polite_robots_audit::known::Purpose;

use crate::report::number::{grouped, percent};
use crate::summary::Summary;
use crate::summary::agents::{WildcardEffect, known};
use crate::summary::distribution::{Distribution, ratio};

/// A number of one survey, by a name that both have.
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
    Size,
    /// Files with records of some kind.
    Files,
    CrawlersByPurposeNamed,
    CrawlersByPurposeDisallowed,
    AiCrawlersNamed,
    AiCrawlersDisallowed,
    AgentsNamed,
    Fields,
    UseOfContent,
    Findings,
    Dialects,
}

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
            Topic::Size => "Size of a file",
            Topic::Files => "Files",
            Topic::CrawlersByPurposeNamed => "Files that name a crawler, by its purpose",
            Topic::CrawlersByPurposeDisallowed => "Files that disallow one everything by name",
            Topic::AiCrawlersNamed => "AI crawlers that files name",
            Topic::AiCrawlersDisallowed => "AI crawlers disallowed everything by name",
            Topic::AgentsNamed => "Other agents that files name",
            Topic::Fields => "Fields",
            Topic::UseOfContent => "Use of content",
            Topic::Findings => "What is odd",
            Topic::Dialects => "RFC 9309 and Google answer differently",
        }
    }
}

/// All of a survey's. A name that it does not have is a share of nothing.
pub(super) fn measures(summary: &Summary) -> Vec<Measure> {
    let mut measures = Measures {
        files: summary.files,
        all: Vec::new(),
    };
    for (status, count) in &summary.statuses.by_status {
        measures.of(
            Topic::Outcome,
            status.to_string(),
            *count,
            summary.responses,
        );
    }
    let texts = &summary.texts;
    measures.distribution("bytes", &texts.bytes);
    measures.distribution("lines", &texts.lines);
    measures.distribution("rules", &summary.rules.per_file);
    measures.distribution("agents that are named", &summary.agents.named_per_file);
    measures.whole_files(summary);
    measures.crawlers(summary);
    for (field, counts) in &summary.records.known {
        measures.share(Topic::Fields, &**field, counts.files);
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
        measures.share(Topic::UseOfContent, name, count);
    }
    for (code, counts) in &summary.findings.of_lines {
        measures.share(Topic::Findings, code.as_str(), counts.files);
    }
    for (code, counts) in &summary.findings.of_rules {
        measures.of(
            Topic::Findings,
            code.as_str(),
            counts.files,
            summary.findings.linted,
        );
    }
    for (reason, counts) in &summary.dialects.reasons {
        measures.of(
            Topic::Dialects,
            &**reason,
            counts.files,
            summary.dialects.compared,
        );
    }
    measures.all
}

struct Measures {
    files: u64,
    all: Vec<Measure>,
}

impl Measures {
    fn of(&mut self, topic: Topic, name: impl Into<String>, count: u64, of: u64) {
        self.all.push(Measure {
            topic,
            name: name.into(),
            value: Value::Share { count, of },
        });
    }

    fn share(&mut self, topic: Topic, name: impl Into<String>, count: u64) {
        self.of(topic, name, count, self.files);
    }

    fn distribution(&mut self, name: &str, distribution: &Distribution) {
        for (quantile, share) in [("median", 0.5), ("90 %", 0.9), ("99 %", 0.99)] {
            self.all.push(Measure {
                topic: Topic::Size,
                name: format!("{name}, {quantile}"),
                value: Value::Number(distribution.quantile(share)),
            });
        }
    }

    fn whole_files(&mut self, summary: &Summary) {
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
            ("an HTML page", summary.texts.html),
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
            self.share(Topic::Files, name, count);
        }
    }

    fn crawlers(&mut self, summary: &Summary) {
        for purpose in Purpose::ALL {
            if let Some(any) = summary.agents.by_purpose.get(&purpose) {
                self.share(
                    Topic::CrawlersByPurposeNamed,
                    purpose.to_string(),
                    any.named,
                );
                self.share(
                    Topic::CrawlersByPurposeDisallowed,
                    purpose.to_string(),
                    any.disallowed,
                );
            }
        }
        for (token, agent) in summary.agents.by_token.by_weight() {
            match known(token) {
                Some(crawler) if crawler.is_ai() => {
                    self.share(Topic::AiCrawlersNamed, crawler.name(), agent.named);
                    self.share(
                        Topic::AiCrawlersDisallowed,
                        crawler.name(),
                        agent.disallowed,
                    );
                }
                Some(crawler) => self.share(Topic::AgentsNamed, crawler.name(), agent.named),
                None => self.share(Topic::AgentsNamed, token, agent.named),
            }
        }
    }
}
