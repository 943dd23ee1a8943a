//! The module `page`: the cases of testdata/page/, whose format the README there documents, and what holds for all.

use std::collections::BTreeSet;
use std::path::Path;

use polite_robots::page::{
    AiTraining, Availability, ImagePreview, Indexing, Limit, PageControls, PageRule, PageSource,
    Permission, Recipient,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde::Deserialize;

use super::written::{self, Encoding, Repeat};

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

/// All that a page can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Answers {
    indexing: Indexing,
    following: Permission,
    snippet: Limit,
    video_preview: Limit,
    image_preview: Option<ImagePreview>,
    image_indexing: Permission,
    archiving: Permission,
    translation: Permission,
    ai_training: AiTraining,
    unavailable_after: Option<i64>,
}

impl Answers {
    const OF_SILENCE: Answers = Answers {
        indexing: Indexing::Allowed,
        following: Permission::Allowed,
        snippet: Limit::Unlimited,
        video_preview: Limit::Unlimited,
        image_preview: None,
        image_indexing: Permission::Allowed,
        archiving: Permission::Allowed,
        translation: Permission::Allowed,
        ai_training: AiTraining::Allowed,
        unavailable_after: None,
    };

    fn of(page: &PageControls) -> Answers {
        Answers {
            indexing: page.indexing(),
            following: page.following(),
            snippet: page.snippet(),
            video_preview: page.video_preview(),
            image_preview: page.image_preview(),
            image_indexing: page.image_indexing(),
            archiving: page.archiving(),
            translation: page.translation(),
            ai_training: page.ai_training(),
            unavailable_after: page.unavailable_after(),
        }
    }

    /// No answer permits more. A size or a date that is not stated is the most that can be.
    fn is_within(&self, other: &Answers) -> bool {
        self.indexing <= other.indexing
            && self.following <= other.following
            && self.snippet <= other.snippet
            && self.video_preview <= other.video_preview
            && self.image_preview.unwrap_or(ImagePreview::Large)
                <= other.image_preview.unwrap_or(ImagePreview::Large)
            && self.image_indexing <= other.image_indexing
            && self.archiving <= other.archiving
            && self.translation <= other.translation
            && self.ai_training <= other.ai_training
            && self.unavailable_after.unwrap_or(i64::MAX)
                <= other.unavailable_after.unwrap_or(i64::MAX)
    }
}

#[test]
fn page_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/page");
    let (mut names, mut wrong) = (BTreeSet::new(), Vec::new());
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let text = std::fs::read_to_string(&file).unwrap();
        let parsed: CaseFile =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for case in parsed.case {
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
                "{} is there twice",
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
                [name, value] => page.with_header(name, value),
                _ => panic!(
                    "{}: want [field, value] or [\"meta\", name, content]",
                    self.name
                ),
            };
        }
        let size = page.image_preview().map(|size| size.to_string());
        let time = page.unavailable_after();
        let time = time.map(|time| jiff::Timestamp::from_second(time).unwrap().to_string());
        let mut failures = Vec::new();
        let mut compare = |what: &str, found: String, expected: &str| {
            if found != expected {
                failures.push(format!("{what}: {found}, not {expected}"));
            }
        };
        for (what, found, expected) in [
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
            compare(what, found, expected);
        }
        if let Some(expected) = &self.rules {
            let rules: Vec<String> = page.statements().map(|rule| rule.to_string()).collect();
            compare("rules", format!("{rules:#?}"), &format!("{expected:#?}"));
        }
        failures
    }

    fn bytes(&self, text: &str) -> Vec<u8> {
        written::bytes(text, self.repeat.as_ref(), self.encoding)
    }
}

#[test]
fn the_second_of_the_date_still_counts() {
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

/// A rule as it is meant, whatever the way to write it.
#[derive(Debug, Clone)]
struct Meant {
    scope: MeantFor,
    rule: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MeantFor {
    Everyone,
    Agent,
    Another,
}

impl MeantFor {
    fn name(self) -> &'static str {
        match self {
            MeantFor::Everyone => "*",
            MeantFor::Agent => "ExampleBot",
            MeantFor::Another => "OtherBot",
        }
    }
}

/// Values in an own reading, by name, so that the naive answers share no code with the crate.
const RULES: &[&str] = &[
    "noindex",
    "nofollow",
    "none",
    "nosnippet",
    "indexifembedded",
    "noarchive",
    "nocache",
    "notranslate",
    "noimageindex",
    "noai",
    "noimageai",
    "noml",
    "all",
    "index",
    "follow",
    "nocitation",
    "max-snippet:0",
    "max-snippet:20",
    "max-snippet:100",
    "max-snippet:-1",
    "max-snippet:x",
    "max-video-preview:0",
    "max-video-preview:30",
    "max-video-preview:-1",
    "max-image-preview:none",
    "max-image-preview:standard",
    "max-image-preview:large",
    "unavailable_after:2027-01-01T00:00:00Z",
    "unavailable_after:Fri, 02 Jan 1970 00:00:00 GMT",
    "unavailable_after:never",
];

fn meant() -> impl Strategy<Value = Vec<Meant>> {
    let scope = select(vec![MeantFor::Everyone, MeantFor::Agent, MeantFor::Another]);
    vec(
        (scope, select(RULES)).prop_map(|(scope, rule)| Meant { scope, rule }),
        0..7,
    )
}

/// The answers straight from the meaning.
fn naive(rules: &[Meant]) -> Answers {
    let stated: Vec<&str> = rules
        .iter()
        .filter(|meant| meant.scope != MeantFor::Another)
        .map(|meant| meant.rule)
        .collect();
    let has = |names: &[&str]| names.iter().any(|name| stated.contains(name));
    let unless = |names: &[&str]| {
        if has(names) {
            Permission::Disallowed
        } else {
            Permission::Allowed
        }
    };
    let first = |candidates: &[(&[&str], Limit)]| {
        let found = candidates.iter().find(|(names, _)| has(names));
        found.map_or(Limit::Unlimited, |(_, limit)| *limit)
    };
    Answers {
        indexing: match (has(&["noindex", "none"]), has(&["indexifembedded"])) {
            (true, true) => Indexing::IfEmbedded,
            (true, false) => Indexing::Disallowed,
            (false, _) => Indexing::Allowed,
        },
        following: unless(&["nofollow", "none"]),
        snippet: first(&[
            (&["nosnippet", "max-snippet:0"], Limit::AtMost(0)),
            (&["max-snippet:20"], Limit::AtMost(20)),
            (&["max-snippet:100"], Limit::AtMost(100)),
        ]),
        video_preview: first(&[
            (
                &["nosnippet", "max-snippet:0", "max-video-preview:0"],
                Limit::AtMost(0),
            ),
            (&["max-video-preview:30"], Limit::AtMost(30)),
        ]),
        image_preview: if has(&["max-image-preview:none"]) {
            Some(ImagePreview::None)
        } else if has(&["max-image-preview:standard"]) {
            Some(ImagePreview::Standard)
        } else {
            has(&["max-image-preview:large"]).then_some(ImagePreview::Large)
        },
        image_indexing: unless(&["noimageindex"]),
        archiving: unless(&["noarchive", "nocache"]),
        translation: unless(&["notranslate"]),
        ai_training: if has(&["noai", "noml"]) {
            AiTraining::Disallowed
        } else if has(&["noimageai"]) {
            AiTraining::WithoutImages
        } else {
            AiTraining::Allowed
        },
        unavailable_after: if has(&["unavailable_after:Fri, 02 Jan 1970 00:00:00 GMT"]) {
            Some(86_400)
        } else {
            has(&["unavailable_after:2027-01-01T00:00:00Z"]).then_some(1_798_761_600)
        },
    }
}

/// One way to write rules down.
#[derive(Debug, Clone, Copy)]
enum Writing {
    /// A header for each rule.
    Headers,
    /// All rules in one header, each with its agent.
    OneHeader,
    /// All rules in one header, an agent only where it changes.
    AgentOnChange,
    /// One structured list.
    Structured,
    /// Elements, and a header for what is for others.
    Metas,
}

const WRITINGS: &[Writing] = &[
    Writing::Headers,
    Writing::OneHeader,
    Writing::AgentOnChange,
    Writing::Structured,
    Writing::Metas,
];

fn write(rules: &[Meant], writing: Writing) -> Vec<[String; 3]> {
    let header = |name: &str, value: String| [String::new(), name.to_string(), value];
    let prefixed = |meant: &Meant| format!("{}: {}", meant.scope.name(), meant.rule);
    let in_one = |members: Vec<String>| vec![header("X-Robots-Tag", members.join(", "))];
    match writing {
        Writing::Headers => rules
            .iter()
            .map(|meant| match meant.scope {
                MeantFor::Everyone => header("X-Robots-Tag", meant.rule.to_string()),
                _ => header("X-Robots-Tag", prefixed(meant)),
            })
            .collect(),
        Writing::OneHeader => in_one(rules.iter().map(prefixed).collect()),
        Writing::AgentOnChange => {
            let mut last = MeantFor::Everyone;
            let members = rules.iter().map(|meant| {
                let is_same = std::mem::replace(&mut last, meant.scope) == meant.scope;
                if is_same {
                    meant.rule.to_string()
                } else {
                    prefixed(meant)
                }
            });
            in_one(members.collect())
        }
        Writing::Structured => {
            let members = rules.iter().map(|meant| {
                let rule = match meant.rule.split_once(':') {
                    Some((name, value)) => format!("{name}=\"{value}\""),
                    None => meant.rule.to_string(),
                };
                format!("{};{rule}", meant.scope.name())
            });
            vec![header("Robots-Tag", members.collect::<Vec<_>>().join(", "))]
        }
        Writing::Metas => rules
            .iter()
            .map(|meant| match meant.scope {
                MeantFor::Everyone => ["meta", "robots", meant.rule].map(str::to_string),
                MeantFor::Agent => ["meta", "examplebot", meant.rule].map(str::to_string),
                MeantFor::Another => header("X-Robots-Tag", prefixed(meant)),
            })
            .collect(),
    }
}

fn read<'a>(values: impl IntoIterator<Item = &'a [String; 3]>) -> PageControls {
    let mut page = PageControls::new("ExampleBot").unwrap();
    for [kind, name, value] in values {
        page = match kind.as_str() {
            "meta" => page.with_meta(name, value),
            _ => page.with_header(name, value),
        };
    }
    page
}

/// Other letters and blanks that must not matter.
fn disguised(text: &str, seed: &[bool]) -> String {
    let mut seed = seed.iter().cycle();
    let mut flip = || seed.next().copied().unwrap_or_default();
    text.chars()
        .flat_map(|c| {
            let c = if flip() { c.to_ascii_uppercase() } else { c };
            let blank = if flip() { " " } else { "\t " };
            match c {
                ',' => format!("{blank},{blank}"),
                c => c.to_string(),
            }
            .chars()
            .collect::<Vec<_>>()
        })
        .collect()
}

/// Anything, mostly made of what has a meaning somewhere.
fn values() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        4 => select(RULES).prop_map(str::to_string),
        4 => select(&[",", ";", ":", "=", "\"", " ", "*", "=\"", ", ", "\n", "\0", "-", "T", "(", "é"][..]).prop_map(str::to_string),
        2 => select(&["ExampleBot", "otherbot", "unavailable_after", "max-", "robots", "Jan", "Fri", "2027", "15:00", "GMT", "1"][..]).prop_map(str::to_string),
        1 => any::<String>(),
    ];
    let text = vec(part, 0..12).prop_map(|parts| parts.concat().into_bytes());
    prop_oneof![3 => text, 1 => vec(any::<u8>(), 0..60)]
}

/// One value in an arbitrary place.
fn places() -> impl Strategy<Value = (&'static str, &'static str, Vec<u8>)> {
    let place = select(vec![
        ("header", "X-Robots-Tag"),
        ("header", "robots-tag"),
        ("meta", "robots"),
        ("meta", "ExampleBot"),
        ("meta", "OtherBot"),
    ]);
    (place, values()).prop_map(|((kind, name), value)| (kind, name, value))
}

fn add(page: PageControls, (kind, name, value): &(&str, &str, Vec<u8>)) -> PageControls {
    match *kind {
        "meta" => page.with_meta(name, value),
        _ => page.with_header(name, value),
    }
}

fn date_of(text: &str) -> Option<i64> {
    let page = PageControls::new("ExampleBot").unwrap();
    let page = page.with_header("X-Robots-Tag", format!("unavailable_after: {text}"));
    assert_eq!(page.statements().count(), 1, "{text}: more than one rule");
    page.unavailable_after()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2048) })]

    #[test]
    fn every_writing_means_the_same(rules in meant(), writing in select(WRITINGS), seed in vec(any::<bool>(), 1..40)) {
        let plain = write(&rules, writing);
        prop_assert_eq!(Answers::of(&read(&plain)), naive(&rules), "{:?}", plain);
        let disguised: Vec<_> = plain
            .iter()
            .map(|[kind, name, value]| [kind.clone(), disguised(name, &seed), disguised(value, &seed)])
            .collect();
        prop_assert_eq!(Answers::of(&read(&disguised)), naive(&rules), "{:?}", disguised);
    }

    /// The evidence is the rules as they were meant, in their order.
    #[test]
    fn every_rule_is_kept_with_its_scope(rules in meant(), writing in select(&WRITINGS[..3])) {
        let page = read(&write(&rules, writing));
        let found: Vec<_> = page.statements().map(|rule| (rule.text().to_vec(), rule.recipient(), rule.source())).collect();
        let expected: Vec<_> = rules.iter().map(|meant| {
            let scope = match meant.scope {
                MeantFor::Everyone => Recipient::Everyone,
                MeantFor::Agent => Recipient::ThisAgent("ExampleBot"),
                MeantFor::Another => Recipient::OtherAgent("OtherBot"),
            };
            (meant.rule.as_bytes().to_vec(), scope, PageSource::XRobotsTag)
        }).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn order_does_not_matter((values, shuffled) in vec(places(), 0..5).prop_flat_map(|values| (Just(values.clone()), Just(values).prop_shuffle()))) {
        let answers = |values: &[_]| {
            let page = PageControls::new("ExampleBot").unwrap();
            Answers::of(&values.iter().fold(page, add))
        };
        prop_assert_eq!(answers(&values), answers(&shuffled));
    }

    /// But for the one rule whose meaning is to permit.
    #[test]
    fn one_value_more_permits_nothing_more(values in vec(places(), 0..4), value in places()) {
        let page = PageControls::new("ExampleBot").unwrap();
        let page = values.iter().fold(page, add);
        let before = Answers::of(&page);
        let page = add(page, &value);
        let mut after = Answers::of(&page);
        let lifts = page.statements().any(|rule| rule.rule() == PageRule::IndexIfEmbedded);
        if lifts {
            after.indexing = before.indexing;
        }
        prop_assert!(after.is_within(&before), "{:?} and then {:?}", before, after);
        prop_assert!(before.is_within(&Answers::OF_SILENCE));
    }

    /// Members of a list and fields of their own are the same where no agent is named (Google's page).
    #[test]
    fn members_may_stand_in_fields_of_their_own(rules in vec(select(RULES), 0..7), cut in 0_usize..7, name in select(&["X-Robots-Tag", "Robots-Tag", "robots"][..])) {
        let (head, tail) = rules.split_at(cut.min(rules.len()));
        let answers = |parts: &[&[&str]]| {
            let mut page = PageControls::new("ExampleBot").unwrap();
            for part in parts {
                page = page.with_header(name, part.join(", ")).with_meta(name, part.join(","));
            }
            (Answers::of(&page), page.statements().count())
        };
        prop_assert_eq!(answers(&[&rules]), answers(&[head, tail]));
    }

    #[test]
    fn rules_for_others_decide_nothing(value in values()) {
        let page = PageControls::new("*").unwrap().with_header("X-Robots-Tag", &value);
        let others = page.statements().filter(|rule| !rule.recipient().includes_agent());
        let mut alone = PageControls::new("*").unwrap();
        for rule in others.collect::<Vec<_>>() {
            alone = alone.with_header("X-Robots-Tag", [b"OtherBot: ", rule.text()].concat());
        }
        prop_assert_eq!(Answers::of(&alone), Answers::OF_SILENCE);
    }

    #[test]
    fn no_value_panics_and_texts_are_parts_of_it(place in places()) {
        let page = add(PageControls::new("ExampleBot").unwrap(), &place);
        for rule in page.statements() {
            let text = rule.text();
            prop_assert!(!text.is_empty() && text.trim_ascii() == text);
            prop_assert!(place.2.windows(text.len()).any(|window| window == text));
            prop_assert!(!rule.to_string().chars().any(char::is_control));
        }
    }

    /// The other crates write a time, and this one reads it.
    #[test]
    fn dates_equal_those_of_httpdate_and_jiff(seconds in 0_i64..253_402_300_800, zone in -1439_i32..1440) {
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds.unsigned_abs());
        prop_assert_eq!(date_of(&httpdate::fmt_http_date(time)), Some(seconds));
        let timestamp = jiff::Timestamp::from_second(seconds).unwrap();
        prop_assert_eq!(date_of(&timestamp.to_string()), Some(seconds));
        let offset = jiff::tz::Offset::from_seconds(zone * 60).unwrap();
        let zoned = timestamp.to_zoned(offset.to_time_zone());
        prop_assume!((1..=9999).contains(&zoned.year()));
        for format in [
            "%Y-%m-%dT%H:%M:%S%:z",
            "%Y%m%dT%H%M%S%z",
            "%Y-%m-%d %H:%M:%S %z",
            "%a, %d %b %Y %H:%M:%S %z",
            "%A, %d-%b-%Y %H:%M:%S %z",
            "%A, %B %d, %Y, %H:%M:%S %:z",
            "%a %b %d %Y %H:%M:%S GMT%z",
            "%a %b %e %H:%M:%S %z %Y",
            "%-d %b %Y %H:%M:%S,5 %z",
        ] {
            let text = zoned.strftime(format).to_string();
            prop_assert_eq!(date_of(&text), Some(seconds), "{}", text);
        }
    }

    /// What another reader takes for a date is the same time here.
    #[test]
    fn dates_that_others_read_are_read_alike(
        year in prop_oneof![1_i32..9999, 1990..2040],
        month in 0_i32..14,
        day in 0_i32..33,
        time in prop_oneof![Just((10, 20, 30)), (0_i32..26, 0_i32..62, 0_i32..61)],
        zone in option::of(select(&["Z", "+02:00", "-08:30", "+23:59"][..])),
        separator in select(&["T", " ", "t"][..]),
    ) {
        let (hour, minute, second) = time;
        let text = format!("{year:04}-{month:02}-{day:02}{separator}{hour:02}:{minute:02}:{second:02}{}", zone.unwrap_or("Z"));
        let theirs = text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second);
        // It takes a leap second for the one before; and ISO 8601 has a 24:00 that it leaves out.
        prop_assume!(second < 60 && hour != 24);
        prop_assert_eq!(date_of(&text), theirs, "{}", text);

        const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        let name = usize::try_from(month - 1).ok().and_then(|index| MONTHS.get(index)).unwrap_or(&"Foo");
        let rfc850 = format!("Monday, {day:02}-{name}-{:02} {hour:02}:{minute:02}:{second:02} GMT", year % 100);
        if let Ok(theirs) = httpdate::parse_http_date(&rfc850) {
            let theirs = theirs.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
            prop_assert_eq!(date_of(&rfc850), Some(i64::try_from(theirs).unwrap()), "{}", rfc850);
        }
    }
}
