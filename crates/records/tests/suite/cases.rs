//! The cases of testdata/records/, in the format of testdata/README.md.

use std::collections::BTreeSet;

use polite_robots::document::Scope;
use polite_robots::record::Sitemap;
use polite_robots::{Dialect, Robot, RobotsTxt};
use polite_robots_records::{
    CleanParams, DayWindow, ExtensionValue, Host, KeyValue, License, Preference, ProposedField,
    RequestRate, Usage, UsageCategory,
};
use serde::Deserialize;

use crate::suite::case_files::case_files;
use crate::suite::delay::in_seconds;
use crate::suite::notation::{Encoding, Repeat, bytes, repeated};
use crate::suite::verdict::entry_points::options;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    why: String,
    robots: String,
    encoding: Option<Encoding>,
    dialect: Option<CaseDialect>,
    repeat: Option<Repeat>,
    records: Option<Vec<String>>,
    proposed: Option<Vec<String>>,
    #[serde(default)]
    asks: Vec<Ask>,
    host: Option<String>,
    #[serde(default)]
    clean: Vec<Clean>,
    resolve: Option<Resolve>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum CaseDialect {
    Rfc9309,
    Google,
}

/// The answers that one agent expects.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ask {
    agent: String,
    #[serde(default)]
    usage: Vec<ExpectedUsage>,
    licenses: Option<Vec<String>>,
    request_rates: Option<Vec<String>>,
    visit_times: Option<Vec<String>>,
    crawl_delay: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedUsage {
    url: String,
    #[serde(default)]
    search: String,
    #[serde(default)]
    ai_input: String,
    #[serde(default)]
    ai_training: String,
    content_uses: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Clean {
    url: String,
    to: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Resolve {
    site: String,
    urls: Vec<String>,
}

#[test]
fn record_cases() {
    let (mut names, mut seen, mut wrong) = (BTreeSet::new(), 0, Vec::new());
    for (path, file) in case_files::<CaseFile>("records") {
        let source = path.file_stem().unwrap().to_string_lossy().into_owned();
        for case in file.case {
            seen += usize::from(source == "seen");
            let failures = if !case.name.starts_with(&format!("{source}-")) || case.why.is_empty() {
                vec![format!(
                    "needs a `why` and a name that begins with `{source}-`"
                )]
            } else if !names.insert(case.name.clone()) {
                vec!["another case has the same name".to_string()]
            } else {
                case.run()
            };
            wrong.extend(
                failures
                    .iter()
                    .map(|failure| format!("{}: {failure}", case.name)),
            );
        }
    }
    println!(
        "{} cases, {seen} of them from real files, {} wrong",
        names.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(names.len() > 100 && seen >= 40);
}

impl Case {
    fn run(&self) -> Vec<String> {
        let dialects: &[Dialect] = match self.dialect {
            None => &[Dialect::Rfc9309, Dialect::Google],
            Some(CaseDialect::Rfc9309) => &[Dialect::Rfc9309],
            Some(CaseDialect::Google) => &[Dialect::Google],
        };
        let mut comparison = Comparison::default();
        for dialect in dialects {
            comparison.context = format!("{dialect:?}");
            self.run_in(*dialect, &mut comparison);
        }
        if comparison.made == 0 {
            comparison.failures.push("has no question".to_string());
        }
        comparison.failures
    }

    fn run_in(&self, dialect: Dialect, comparison: &mut Comparison) {
        let body = self.body();
        let robots_txt = RobotsTxt::parse_with(&body, &options(dialect));
        if let Some(expected) = &self.records {
            let found: Vec<String> = robots_txt
                .extensions()
                .map(|record| {
                    format!(
                        "{} {} {}",
                        record.line(),
                        scope(record.scope()),
                        typed(ExtensionValue::of(&record))
                    )
                })
                .collect();
            comparison.compare("records", &found, &self.all_repeated(expected));
        }
        if let Some(expected) = &self.proposed {
            let found = ProposedField::of(&robots_txt).map(|(field, line)| {
                let value = text(line.value().unwrap());
                format!("{} {field} {value}", line.number())
            });
            comparison.compare("proposed", &found.collect::<Vec<_>>(), expected);
        }
        if let Some(expected) = &self.host {
            let host = Host::of(&robots_txt).map_or("none".to_string(), |host| host.to_string());
            comparison.compare("host", &host, expected);
        }
        for clean in &self.clean {
            let url = self.repeated(&clean.url);
            comparison.compare(
                &clean.url,
                &CleanParams::of(&robots_txt).clean(&url).into_owned(),
                &self.repeated(&clean.to),
            );
        }
        if let Some(resolve) = &self.resolve {
            let urls = robots_txt.sitemaps().map(|sitemap| {
                let resolved = Sitemap::from(sitemap).resolve(&resolve.site);
                resolved.unwrap_or_else(|error| error.to_string())
            });
            comparison.compare("resolve", &urls.collect::<Vec<_>>(), &resolve.urls);
        }
        for ask in &self.asks {
            let options = options(dialect);
            let ways = [
                Robot::with_options(&ask.agent, &body, &options).unwrap(),
                robots_txt.robot(&ask.agent).unwrap(),
                robots_txt.robot_merged(&[&ask.agent]).unwrap(),
                robots_txt.robot_first(&[&ask.agent]).unwrap(),
            ];
            for robot in &ways {
                comparison.context = format!("{dialect:?} {}", ask.agent);
                self.ask(ask, robot, comparison);
            }
        }
    }

    fn ask(&self, ask: &Ask, robot: &Robot, comparison: &mut Comparison) {
        for expected in &ask.usage {
            let url = self.repeated(&expected.url);
            let usage = Usage::of(robot, &url);
            for (category, expected) in [
                (UsageCategory::Search, &expected.search),
                (UsageCategory::AiInput, &expected.ai_input),
                (UsageCategory::AiTraining, &expected.ai_training),
            ] {
                let question = format!("{url} {category}");
                comparison.compare(&question, &stated(&usage, category), expected);
            }
            if let Some(expected) = &expected.content_uses {
                let uses = usage.content_uses();
                let uses = uses.map(|(value, record)| format!("{value} {}", record.line()));
                comparison.compare("content_uses", &uses.collect::<Vec<_>>(), expected);
            }
        }
        if let Some(expected) = &ask.licenses {
            let licenses: Vec<String> = License::of(robot)
                .map(|license| license.to_string())
                .collect();
            comparison.compare("licenses", &licenses, expected);
        }
        if let Some(expected) = &ask.request_rates {
            let rates: Vec<String> = RequestRate::of(robot)
                .map(|rate| rate.to_string())
                .collect();
            comparison.compare("request_rates", &rates, expected);
        }
        if let Some(expected) = &ask.visit_times {
            let windows: Vec<String> = DayWindow::visit_times(robot)
                .map(|window| window.to_string())
                .collect();
            comparison.compare("visit_times", &windows, expected);
        }
        if let Some(expected) = &ask.crawl_delay {
            comparison.compare("crawl_delay", &in_seconds(robot.crawl_delay()), expected);
        }
    }

    fn body(&self) -> Vec<u8> {
        bytes(&self.robots, self.repeat.as_ref(), self.encoding)
    }

    fn repeated(&self, text: &str) -> String {
        repeated(text, self.repeat.as_ref())
    }

    fn all_repeated(&self, texts: &[String]) -> Vec<String> {
        texts.iter().map(|text| self.repeated(text)).collect()
    }
}

#[derive(Default)]
struct Comparison {
    context: String,
    made: usize,
    failures: Vec<String>,
}

impl Comparison {
    fn compare<T: PartialEq + std::fmt::Debug>(&mut self, question: &str, found: &T, expected: &T) {
        self.made += 1;
        if found != expected {
            let text = format!("{} {question}: {found:?}, not {expected:?}", self.context);
            self.failures.push(text.chars().take(2000).collect());
        }
    }
}

/// The preference and its line, such as `allowed 3` or `disallowed 4`; empty if none is stated.
fn stated(usage: &Usage<'_>, category: UsageCategory) -> String {
    match (usage.preference(category), usage.record(category)) {
        (Preference::Unstated, None) => String::new(),
        (preference, record) => {
            format!(
                "{} {}",
                preference.as_str(),
                record.map_or(0, |record| record.line())
            )
        }
    }
}

/// `file`, `nobody`, or the agents as written, joined by `+`.
fn scope(scope: Scope<'_>) -> String {
    match scope {
        Scope::File => "file".to_string(),
        Scope::Nobody => "nobody".to_string(),
        Scope::Agents(run) => {
            let agents = run.user_agents().map(|agent| text(agent.value()));
            agents.collect::<Vec<_>>().join("+")
        }
    }
}

/// The kind of the record and its parts, separated by blanks.
fn typed(record: ExtensionValue<'_>) -> String {
    let path = |path: Option<&[u8]>| path.map_or(String::new(), |path| format!(" {}", text(path)));
    let pairs = |pairs: &mut dyn Iterator<Item = KeyValue<'_>>| {
        pairs.map(|pair| format!(" {pair}")).collect::<String>()
    };
    match record {
        ExtensionValue::CleanParam(record) => {
            let names: Vec<String> = record.names().map(text).collect();
            format!("clean-param{} {}", path(record.path()), names.join(" "))
        }
        ExtensionValue::ContentSignal(record) => {
            format!(
                "content-signal{}{}",
                path(record.path()),
                pairs(&mut record.pairs())
            )
        }
        ExtensionValue::ContentUsage(record) => {
            format!(
                "content-usage{}{}",
                path(record.path()),
                pairs(&mut record.pairs())
            )
        }
        ExtensionValue::CrawlDelay(delay) => format!("crawl-delay {}", in_seconds(Some(delay))),
        ExtensionValue::Host(host) => format!("host {host}"),
        ExtensionValue::License(license) => format!("license {license}"),
        ExtensionValue::Noindex(value) => format!("noindex {}", text(value)),
        ExtensionValue::RequestRate(rate) => format!("request-rate {rate}"),
        ExtensionValue::Sitemap(sitemap) => format!("sitemap {}", sitemap.text()),
        ExtensionValue::Text(value) => format!("text {}", text(value)),
        ExtensionValue::VisitTime(window) => format!("visit-time {window}"),
        ExtensionValue::Rejected(value) => {
            format!("rejected {}", text(value)).trim_end().to_string()
        }
        _ => "another kind".to_string(),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
