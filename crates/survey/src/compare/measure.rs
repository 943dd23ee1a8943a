//! The measures by which two surveys are compared: shares, and quantiles of sizes.

use polite_robots_audit::known::Purpose;
use serde::Serialize;

use crate::report::measures;
use crate::report::number::{grouped, percent};
use crate::summary::Summary;
use crate::summary::agents::{is_ai, known};
use crate::summary::distribution::ratio;

/// A number of one survey, under a name that is the same in every survey.
pub(super) type Measure = (Topic, String, Value);

/// The topic of a measure, in the order of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Value {
    /// A share as a count of a whole.
    Share {
        count: u64,
        of: u64,
        percent: f64,
    },
    Number(u64),
}

impl Value {
    fn share(count: u64, of: u64) -> Value {
        let percent = ratio(count, of) * 100.0;
        Value::Share { count, of, percent }
    }

    /// The share in percent, or the number itself.
    pub(super) fn as_f64(self) -> f64 {
        match self {
            Value::Share { percent, .. } => percent,
            Value::Number(number) => number as f64,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&match self {
            Value::Share { count, of, .. } => percent(*count, *of),
            Value::Number(number) => grouped(*number),
        })
    }
}

impl Topic {
    /// The name in JSON, which is the anchor of its section too.
    pub(super) const fn as_str(self) -> &'static str {
        self.names().0
    }

    pub(super) const fn title(self) -> &'static str {
        self.names().1
    }

    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Topic::Outcome => ("outcome", "Responses by status"),
            Topic::OutcomeByRfc => ("outcome-by-rfc", "Responses by what RFC 9309 makes of them"),
            Topic::Size => ("size", "Size of a file"),
            Topic::Files => ("files", "Files"),
            Topic::CrawlersByPurposeNamed => (
                "crawlers-by-purpose-named",
                "Files that name a crawler, by its purpose",
            ),
            Topic::CrawlersByPurposeDisallowed => (
                "crawlers-by-purpose-disallowed",
                "Files that disallow one everything by name",
            ),
            Topic::AiCrawlersNamed => ("ai-crawlers-named", "AI crawlers that files name"),
            Topic::AiCrawlersDisallowed => (
                "ai-crawlers-disallowed",
                "AI crawlers disallowed everything by name",
            ),
            Topic::AiCrawlersNone => (
                "ai-crawlers-none",
                "AI crawlers that may fetch none of the site, by name or through *",
            ),
            Topic::AiCrawlersPart => (
                "ai-crawlers-part",
                "AI crawlers that may fetch a part, by name or through *",
            ),
            Topic::AgentsNamed => ("agents-named", "Other agents that files name"),
            Topic::Fields => ("fields", "Fields"),
            Topic::UseOfContent => ("use-of-content", "Use of content"),
            Topic::Findings => ("findings", "What is odd"),
            Topic::Dialects => ("dialects", "RFC 9309 and Google answer differently"),
        }
    }

    /// The name of the whole of which its measures are shares.
    pub(super) const fn base(self) -> &'static str {
        match self {
            Topic::Outcome | Topic::OutcomeByRfc => "responses",
            Topic::Dialects => "the files compared",
            _ => "files",
        }
    }

    /// The value of a count, which is 0 if the survey does not have it.
    pub(super) fn value(self, count: u64, summary: &Summary) -> Value {
        let of = match self {
            Topic::Size => return Value::Number(count),
            Topic::Outcome | Topic::OutcomeByRfc => summary.responses,
            Topic::Dialects => summary.dialects.compared,
            _ => summary.files,
        };
        Value::share(count, of)
    }
}

/// Collects all measures of a survey.
pub(super) fn measures(summary: &Summary) -> Vec<Measure> {
    let mut list = Vec::new();
    let mut add = |topic: Topic, name: &str, count: u64| {
        list.push((topic, String::from(name), topic.value(count, summary)));
    };
    for (status, count) in &summary.statuses.by_status {
        add(Topic::Outcome, &status.to_string(), *count);
    }
    for (outcome, count) in &summary.outcomes.direct {
        add(Topic::OutcomeByRfc, outcome.as_str(), *count);
    }
    let (agents, texts) = (&summary.agents, &summary.texts);
    for (name, values) in [
        ("bytes", &texts.bytes),
        ("lines", &texts.lines),
        ("rules", &summary.rules.per_file),
        ("agents that are named", &agents.named_per_file),
    ] {
        for (quantile, share) in [("median", 0.5), ("90 %", 0.9), ("99 %", 0.99)] {
            add(
                Topic::Size,
                &format!("{name}, {quantile}"),
                values.quantile(share),
            );
        }
    }
    for measure in measures::all().filter(|measure| measure.is_compared) {
        add(Topic::Files, measure.name, (measure.count)(summary));
    }
    for purpose in Purpose::ALL {
        if let Some(class) = agents.by_purpose.get(&purpose) {
            let name = purpose.to_string();
            add(Topic::CrawlersByPurposeNamed, &name, class.named);
            add(Topic::CrawlersByPurposeDisallowed, &name, class.disallowed);
        }
    }
    let known_access = agents.known_access.iter();
    for (crawler, counts) in known_access.filter(|(crawler, _)| is_ai(crawler)) {
        add(Topic::AiCrawlersNone, crawler.name(), counts.total().none);
        add(Topic::AiCrawlersPart, crawler.name(), counts.total().part);
    }
    for (token, agent) in agents.by_token.by_weight() {
        match known(token) {
            Some(crawler) if is_ai(crawler) => {
                let name = crawler.name();
                add(Topic::AiCrawlersNamed, name, agent.named);
                add(Topic::AiCrawlersDisallowed, name, agent.disallowed);
            }
            crawler => {
                let name = crawler.map_or(token, |crawler| crawler.name());
                add(Topic::AgentsNamed, name, agent.named);
            }
        }
    }
    for (field, counts) in &summary.records.known {
        add(Topic::Fields, field, counts.files);
    }
    let (signal, usage) = (&summary.usage.content_signal, &summary.usage.content_usage);
    for (name, count) in [
        ("Content-Signal", signal.records.files),
        (
            "Content-Signal: AI training disallowed",
            signal.ai_training.disallowed,
        ),
        ("Content-Usage", usage.records.files),
        (
            "Content-Usage: AI training disallowed",
            usage.ai_training.disallowed,
        ),
        ("License", summary.usage.license.files),
    ] {
        add(Topic::UseOfContent, name, count);
    }
    for (code, counts) in &summary.findings.of_lines {
        add(Topic::Findings, code.as_str(), counts.files);
    }
    for (reason, counts) in &summary.dialects.reasons {
        add(Topic::Dialects, reason, counts.files);
    }
    // Only the files of a sample have their rules compared with each other.
    let (of_rules, linted) = (&summary.findings.of_rules, summary.findings.linted);
    list.extend(of_rules.iter().map(|(code, counts)| {
        let value = Value::share(counts.files, linted);
        (Topic::Findings, String::from(code.as_str()), value)
    }));
    list
}
