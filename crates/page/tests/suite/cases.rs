//! Runner of the cases in testdata/page/, in the format of the README there.

use std::collections::BTreeSet;

use polite_robots::Robot;
use polite_robots_page::{Availability, PageControls, PageLicense};
use polite_robots_records::{Preference, Usage, UsageCategory, UsageRecord, UsageSource};
use serde::Deserialize;

use crate::suite::case_files::case_files;
use crate::suite::notation::{self, Encoding, Repeat};

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
    #[serde(default = "example_bot")]
    agent: String,
    page: Vec<Vec<String>>,
    encoding: Option<Encoding>,
    repeat: Option<Repeat>,
    #[serde(default = "allowed")]
    indexing: String,
    #[serde(default = "allowed")]
    following: String,
    #[serde(default = "unlimited")]
    snippet: String,
    #[serde(default = "unlimited")]
    video_preview: String,
    #[serde(default = "unstated")]
    image_preview: String,
    #[serde(default = "allowed")]
    image_indexing: String,
    #[serde(default = "allowed")]
    archiving: String,
    #[serde(default = "allowed")]
    translation: String,
    #[serde(default = "allowed")]
    ai_training: String,
    #[serde(default = "unstated")]
    unavailable_after: String,
    rules: Option<Vec<String>>,
    robots: Option<String>,
    #[serde(default)]
    usage: Vec<String>,
    #[serde(default)]
    content_uses: Vec<String>,
    #[serde(default)]
    licenses: Vec<String>,
}

fn example_bot() -> String {
    "ExampleBot".to_string()
}

fn allowed() -> String {
    "allowed".to_string()
}

fn unstated() -> String {
    "unstated".to_string()
}

fn unlimited() -> String {
    "unlimited".to_string()
}

#[test]
fn page_cases() {
    let (mut names, mut wrong) = (BTreeSet::new(), Vec::new());
    for (_, file) in case_files::<CaseFile>("page") {
        for case in file.case {
            let prefixes = ["google-", "draft-", "issue-", "hostile-"];
            let is_named = prefixes.iter().any(|prefix| case.name.starts_with(prefix));
            assert!(is_named && !case.why.is_empty(), "{}", case.name);
            let failures = case.run();
            wrong.extend(
                failures
                    .iter()
                    .map(|failure| format!("{}: {failure}", case.name)),
            );
            assert!(
                names.insert(case.name.clone()),
                "two cases are named {}",
                case.name
            );
        }
    }
    println!("page: {} cases, {} wrong", names.len(), wrong.len());
    assert!(wrong.is_empty() && names.len() > 100, "{wrong:#?}");
}

impl Case {
    fn run(&self) -> Vec<String> {
        let mut page = PageControls::new(&self.agent).unwrap();
        for value in &self.page {
            let bytes: Vec<Vec<u8>> = value.iter().map(|text| self.bytes(text)).collect();
            page = match bytes.as_slice() {
                [meta, name, content] if meta == b"meta" => page.with_meta(name, content),
                [link, rel, href, media_type] if link == b"link" => {
                    page.with_link(rel, href, media_type)
                }
                [name, value] => page.with_header(name, value),
                _ => panic!(
                    "{}: want [field, value], [\"meta\", name, content] or [\"link\", rel, href, type]",
                    self.name
                ),
            };
        }
        let size = page.image_preview().map(|size| size.to_string());
        let time = page.unavailable_after();
        let time = time.map(|time| jiff::Timestamp::from_second(time).unwrap().to_string());
        let mut failures = Vec::new();
        let mut compare = |question: &str, found: String, expected: &str| {
            if found != expected {
                failures.push(format!("{question}: {found}, not {expected}"));
            }
        };
        for (question, found, expected) in [
            ("indexing", page.indexing().to_string(), &self.indexing),
            ("following", page.following().to_string(), &self.following),
            ("snippet", page.snippet().to_string(), &self.snippet),
            (
                "video_preview",
                page.video_preview().to_string(),
                &self.video_preview,
            ),
            (
                "image_preview",
                size.unwrap_or_else(unstated),
                &self.image_preview,
            ),
            (
                "image_indexing",
                page.image_indexing().to_string(),
                &self.image_indexing,
            ),
            ("archiving", page.archiving().to_string(), &self.archiving),
            (
                "translation",
                page.translation().to_string(),
                &self.translation,
            ),
            (
                "ai_training",
                page.ai_training().to_string(),
                &self.ai_training,
            ),
            (
                "unavailable_after",
                time.unwrap_or_else(unstated),
                &self.unavailable_after,
            ),
        ] {
            compare(question, found, expected);
        }
        if let Some(expected) = &self.rules {
            let rules: Vec<String> = page.statements().map(|rule| rule.to_string()).collect();
            compare("rules", format!("{rules:#?}"), &format!("{expected:#?}"));
        }
        let licenses: Vec<String> = page.licenses().map(license).collect();
        for (question, found, expected) in [
            ("usage", self.stated_usage(&page), &self.usage),
            ("content_uses", self.stated_uses(&page), &self.content_uses),
            ("licenses", licenses, &self.licenses),
        ] {
            compare(question, format!("{found:#?}"), &format!("{expected:#?}"));
        }
        failures
    }

    /// The preferences of the page, together with those of the robots.txt for `/` if there is one.
    fn usage<T>(&self, page: &PageControls, view: impl Fn(Usage<'_>) -> T) -> T {
        let Some(robots_txt) = &self.robots else {
            return view(page.usage());
        };
        let robot = Robot::new(&self.agent, robots_txt.as_bytes()).unwrap();
        view(Usage::combined([Usage::of(&robot, "/"), page.usage()]))
    }

    fn stated_usage(&self, page: &PageControls) -> Vec<String> {
        self.usage(page, |usage| {
            let categories = UsageCategory::ALL.iter().map(|category| {
                let stated = usage.preference(*category);
                let record = usage.record(*category);
                assert_eq!(record.is_none(), stated == Preference::Unstated);
                record.map(|record| {
                    let (name, stated) = (category.as_str(), stated.as_str());
                    format!("{name} {stated} {}", place(record))
                })
            });
            categories.flatten().collect()
        })
    }

    fn stated_uses(&self, page: &PageControls) -> Vec<String> {
        self.usage(page, |usage| {
            let uses = usage.content_uses();
            uses.map(|(content_use, record)| format!("{content_use} {}", place(record)))
                .collect()
        })
    }

    fn bytes(&self, text: &str) -> Vec<u8> {
        notation::bytes(text, self.repeat.as_ref(), self.encoding)
    }
}

fn license(license: PageLicense<'_>) -> String {
    let media_type = license.media_type().unwrap_or("-");
    format!("{} {media_type}", license.target())
}

fn place(record: UsageRecord<'_>) -> String {
    match record.source() {
        UsageSource::RobotsTxt => format!("line {}", record.line()),
        _ => format!("{} {}", record.field(), record.line()),
    }
}

#[test]
fn a_page_is_available_until_the_end_of_the_second() {
    let page = PageControls::new("ExampleBot").unwrap();
    assert_eq!(page.availability(i64::MAX), Availability::Available);
    let page = page.with_header("X-Robots-Tag", "unavailable_after: 2027-01-01");
    let time = page.unavailable_after().unwrap();
    assert_eq!(page.availability(i64::MIN), Availability::Available);
    assert_eq!(page.availability(time), Availability::Available);
    assert_eq!(page.availability(time + 1), Availability::Expired);
    assert_eq!(page.availability(i64::MAX), Availability::Expired);
}

#[test]
fn an_agent_is_a_token_or_a_star() {
    assert!(PageControls::new("*").is_ok());
    let error = PageControls::new("ExampleBot/2.1").unwrap_err();
    assert_eq!(error.probably_meant(), Some("ExampleBot"));
}
