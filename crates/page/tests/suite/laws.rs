//! Laws that hold for the rules of every page, in every notation.

use polite_robots::Robot;
use polite_robots_page::{
    AiTraining, ImagePreview, Indexing, Limit, PageControls, PageRule, PageSource, Permission,
    Recipient,
};
use polite_robots_records::{Preference, Usage, UsageCategory};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::suite::answers::Answers;

/// A rule and its audience, independent of the notation.
#[derive(Debug, Clone)]
struct IntendedRule {
    audience: Audience,
    rule: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Audience {
    Everyone,
    Agent,
    Another,
}

impl Audience {
    fn name(self) -> &'static str {
        match self {
            Audience::Everyone => "*",
            Audience::Agent => "ExampleBot",
            Audience::Another => "OtherBot",
        }
    }
}

/// Rules by name, so that the naive answers share no code with the crate.
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

fn intended_rules() -> impl Strategy<Value = Vec<IntendedRule>> {
    let audience = select(vec![Audience::Everyone, Audience::Agent, Audience::Another]);
    vec(
        (audience, select(RULES)).prop_map(|(audience, rule)| IntendedRule { audience, rule }),
        0..7,
    )
}

/// The answers that follow from the intended rules.
fn naive(rules: &[IntendedRule]) -> Answers {
    let stated: Vec<&str> = rules
        .iter()
        .filter(|intended| intended.audience != Audience::Another)
        .map(|intended| intended.rule)
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

/// A notation for a list of rules.
#[derive(Debug, Clone, Copy)]
enum Notation {
    /// A header for each rule.
    Headers,
    /// All rules in one header, each with its agent.
    OneHeader,
    /// All rules in one header, an agent only where it changes.
    AgentOnChange,
    /// One structured list.
    Structured,
    /// Meta elements, and a header for rules of other agents.
    Metas,
}

const NOTATIONS: &[Notation] = &[
    Notation::Headers,
    Notation::OneHeader,
    Notation::AgentOnChange,
    Notation::Structured,
    Notation::Metas,
];

fn write(rules: &[IntendedRule], notation: Notation) -> Vec<[String; 3]> {
    let header = |name: &str, value: String| [String::new(), name.to_string(), value];
    let prefixed =
        |intended: &IntendedRule| format!("{}: {}", intended.audience.name(), intended.rule);
    let in_one = |members: Vec<String>| vec![header("X-Robots-Tag", members.join(", "))];
    match notation {
        Notation::Headers => rules
            .iter()
            .map(|intended| match intended.audience {
                Audience::Everyone => header("X-Robots-Tag", intended.rule.to_string()),
                _ => header("X-Robots-Tag", prefixed(intended)),
            })
            .collect(),
        Notation::OneHeader => in_one(rules.iter().map(prefixed).collect()),
        Notation::AgentOnChange => {
            let mut last = Audience::Everyone;
            let members = rules.iter().map(|intended| {
                let is_same = std::mem::replace(&mut last, intended.audience) == intended.audience;
                if is_same {
                    intended.rule.to_string()
                } else {
                    prefixed(intended)
                }
            });
            in_one(members.collect())
        }
        Notation::Structured => {
            let members = rules.iter().map(|intended| {
                let rule = match intended.rule.split_once(':') {
                    Some((name, value)) => format!("{name}=\"{value}\""),
                    None => intended.rule.to_string(),
                };
                format!("{};{rule}", intended.audience.name())
            });
            vec![header("Robots-Tag", members.collect::<Vec<_>>().join(", "))]
        }
        Notation::Metas => rules
            .iter()
            .map(|intended| match intended.audience {
                Audience::Everyone => ["meta", "robots", intended.rule].map(str::to_string),
                Audience::Agent => ["meta", "examplebot", intended.rule].map(str::to_string),
                Audience::Another => header("X-Robots-Tag", prefixed(intended)),
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

/// The same text in other cases and with other blanks, which must change no answer.
fn disguise(text: &str, seed: &[bool]) -> String {
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

/// Arbitrary bytes, mostly words and punctuation that have a meaning in some value.
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

/// One value in one of the headers and elements.
fn placed_values() -> impl Strategy<Value = (&'static str, &'static str, Vec<u8>)> {
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
    assert_eq!(page.statements().count(), 1, "{text}: not exactly one rule");
    page.unavailable_after()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2048) })]

    #[test]
    fn every_notation_has_the_same_meaning(rules in intended_rules(), notation in select(NOTATIONS), seed in vec(any::<bool>(), 1..40)) {
        let plain = write(&rules, notation);
        prop_assert_eq!(Answers::of(&read(&plain)), naive(&rules), "{:?}", plain);
        let disguised: Vec<_> = plain
            .iter()
            .map(|[kind, name, value]| [kind.clone(), disguise(name, &seed), disguise(value, &seed)])
            .collect();
        prop_assert_eq!(Answers::of(&read(&disguised)), naive(&rules), "{:?}", disguised);
    }

    /// The statements are the intended rules in their order.
    #[test]
    fn every_rule_is_kept_with_its_recipient(rules in intended_rules(), notation in select(&NOTATIONS[..3])) {
        let page = read(&write(&rules, notation));
        let found: Vec<_> = page.statements().map(|rule| (rule.text().to_vec(), rule.recipient(), rule.source())).collect();
        let expected: Vec<_> = rules.iter().map(|intended| {
            let recipient = match intended.audience {
                Audience::Everyone => Recipient::Everyone,
                Audience::Agent => Recipient::ThisAgent("ExampleBot"),
                Audience::Another => Recipient::OtherAgent("OtherBot"),
            };
            (intended.rule.as_bytes().to_vec(), recipient, PageSource::XRobotsTag)
        }).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn order_does_not_matter((values, shuffled) in vec(placed_values(), 0..5).prop_flat_map(|values| (Just(values.clone()), Just(values).prop_shuffle()))) {
        let answers = |values: &[_]| {
            let page = PageControls::new("ExampleBot").unwrap();
            Answers::of(&values.iter().fold(page, add))
        };
        prop_assert_eq!(answers(&values), answers(&shuffled));
    }

    /// `indexifembedded` is the exception, because that rule exists to permit.
    #[test]
    fn another_value_permits_nothing_more(values in vec(placed_values(), 0..4), value in placed_values()) {
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
        prop_assert!(before.is_within(&Answers::WITHOUT_RULES));
    }

    /// Without an agent's name, members of one list mean the same as separate fields (Google's
    /// documentation).
    #[test]
    fn members_may_have_separate_fields(rules in vec(select(RULES), 0..7), cut in 0_usize..7, name in select(&["X-Robots-Tag", "Robots-Tag", "robots"][..])) {
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
        prop_assert_eq!(Answers::of(&alone), Answers::WITHOUT_RULES);
    }

    #[test]
    fn statements_of_any_value_are_parts_of_it(place in placed_values()) {
        let page = add(PageControls::new("ExampleBot").unwrap(), &place);
        for rule in page.statements() {
            let text = rule.text();
            prop_assert!(!text.is_empty() && text.trim_ascii() == text);
            prop_assert!(place.2.windows(text.len()).any(|window| window == text));
            prop_assert!(!rule.to_string().chars().any(char::is_control));
        }
    }

    /// Dates that httpdate and jiff write are read as the same time.
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

    /// Dates that jiff and httpdate read are read as the same time.
    #[test]
    fn dates_are_read_as_jiff_and_httpdate_read_them(
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
        // jiff reads a leap second as the second before it, and refuses the 24:00 of ISO 8601.
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

/// The statement of a place about AI training and `use`, and its text as a signal and as a
/// dictionary.
const STATED: &[(Preference, &str, &str)] = &[
    (Preference::Unstated, "search", "search=?1"),
    (Preference::Allowed, "ai-train=yes", "train-ai=y"),
    (Preference::Disallowed, "ai-train=no", "train-ai=n"),
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    /// The greatest of all preferences in robots.txt and in headers counts, in any order, and its
    /// evidence states it.
    #[test]
    fn the_most_restrictive_place_counts(
        in_robots_txt in vec(select(STATED), 0..3),
        in_signals in vec(select(STATED), 0..3),
        in_usage in option::of(select(STATED)),
    ) {
        let mut file = "User-agent: *\n".to_string();
        for (_, signal, _) in &in_robots_txt {
            file += &format!("Content-Signal: {signal}\n");
        }
        let robot = Robot::new("ExampleBot", file.as_bytes()).unwrap();
        let mut page = PageControls::new("ExampleBot").unwrap();
        for (_, signal, _) in &in_signals {
            page = page.with_header("Content-Signal", signal);
        }
        if let Some((_, _, usage)) = &in_usage {
            page = page.with_header("Content-Usage", usage);
        }

        let stated = in_robots_txt.iter().chain(&in_signals).chain(&in_usage);
        let expected = stated.map(|(preference, ..)| *preference).max().unwrap_or_default();

        let usage = Usage::combined([Usage::of(&robot, "/"), page.usage()]);
        prop_assert_eq!(usage.ai_training(), expected);
        prop_assert_eq!(usage, Usage::combined([page.usage(), Usage::of(&robot, "/")]));
        prop_assert_eq!(usage, Usage::combined([usage, page.usage(), usage]));
        let record = usage.record(UsageCategory::AiTraining);
        let states = |(preference, signal, usage): &&(Preference, &str, &str)| {
            record.is_some_and(|record| [signal.as_bytes(), usage.as_bytes()].contains(&record.value())) && *preference == expected
        };
        prop_assert_eq!(STATED.iter().any(|stated| states(&stated)), expected != Preference::Unstated);
    }

    /// Several lines of a dictionary mean the same as one line with all their members.
    #[test]
    fn lines_of_content_usage_are_joined(
        members in vec(("(search|ai-use|train-ai|x)", "(=y|=n|=1|;a=1|)"), 1..8),
        ends in vec(any::<bool>(), 8),
    ) {
        let members: Vec<String> = members.iter().map(|(key, value)| format!("{key}{value}")).collect();
        let one = PageControls::new("*").unwrap().with_header("Content-Usage", members.join(","));
        let mut lines = vec![Vec::new()];
        for (member, is_end) in members.iter().zip(ends) {
            lines.last_mut().unwrap().push(member.as_str());
            if is_end {
                lines.push(Vec::new());
            }
        }
        let lines = lines.iter().filter(|line| !line.is_empty()).map(|line| line.join(" , "));
        let several = lines.fold(PageControls::new("*").unwrap(), |page, line| page.with_header("content-usage", line));
        for category in UsageCategory::ALL {
            prop_assert_eq!(one.usage().preference(*category), several.usage().preference(*category), "{:?}", members);
        }
    }
}
