//! The law that advice decides nothing: for files with every finding of the lint, the answers are
//! those of the rules alone.
//!
//! The suite of the core asks for a file of cases for each code, so this law covers a new code
//! without further work.

use polite_robots::{Options, Robot, RobotsTxt};
use polite_robots_policy::cache::Site;
use polite_robots_policy::fetch::{Event, Fetch, Headers, Validators};
use polite_robots_policy::settings::{ForeignTextPolicy, OverLimitPolicy, ParseErrorPolicy};
use polite_robots_policy::{Entry, Origin, Profile, Timestamp};
use serde::Deserialize;

use super::case_files::case_files;
use super::notation::{Encoding, Repeat, bytes};
use super::words::respond;

/// The parts of a case of testdata/diagnostics/ that make its file.
#[derive(Deserialize)]
struct Case {
    name: String,
    robots: String,
    encoding: Option<Encoding>,
    max_bytes: Option<usize>,
    repeat: Option<Repeat>,
}

#[derive(Deserialize)]
struct CaseFile {
    hit: Vec<Case>,
    near_miss: Vec<Case>,
}

#[test]
fn no_finding_changes_an_answer() {
    let (mut codes, mut checks, mut unread, mut wrong) = (0, 0, 0, Vec::new());
    for (_, cases) in case_files::<CaseFile>("diagnostics") {
        codes += 1;
        for case in cases.hit.iter().chain(&cases.near_miss) {
            let file = bytes(&case.robots, case.repeat.as_ref(), case.encoding);
            // Where a profile recognizes foreign text, a file in UTF-16 counts with its byte order
            // mark and is no robots.txt without it. To the other profiles it is a file without
            // rules.
            let is_text = file.len() < 2 || file.iter().step_by(2).any(|byte| *byte != 0);
            let text = utf8(&file);
            for (preset, mut profile) in PRESETS {
                profile.access.max_bytes = case.max_bytes.unwrap_or(profile.access.max_bytes);
                // The size of a file is judged apart from its lines.
                profile.access.over_limit = OverLimitPolicy::ReadStart;
                let recognizes = profile.access.foreign_text == ForeignTextPolicy::Recognize;
                let (is_text, text) = match recognizes {
                    true => (is_text, &text),
                    false => (true, &file),
                };
                let found = by_policy(&file, &profile);
                let options = Options::new(profile.access.dialect);
                let options = options.with_max_bytes(profile.access.max_bytes);
                let alone = RobotsTxt::parse_with(text, &options);
                let is_open = profile.access.parse_errors == ParseErrorPolicy::AllowAll
                    && alone.unread_lines().next().is_some();
                unread += usize::from(is_open);
                for agent in agents(&alone) {
                    let (found, alone) =
                        (found.robot(&agent).unwrap(), alone.robot(&agent).unwrap());
                    for path in paths(&alone) {
                        checks += 1;
                        let expected = is_text && (is_open || alone.allowed(path.as_str()));
                        if found.allowed(path.as_str()) != expected {
                            let name = &case.name;
                            wrong.push(format!(
                                "{name} in {preset}: {agent} {path}, not {expected}"
                            ));
                        }
                    }
                }
            }
        }
    }
    println!("findings: {codes} codes, {unread} files with an unread line, {checks} checks");
    assert!(
        codes > 70 && unread > 10 && checks > 2000,
        "{codes} {unread} {checks}"
    );
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
}

const PRESETS: [(&str, Profile); 3] = [
    ("rfc9309", Profile::rfc9309()),
    ("google", Profile::google()),
    ("ibm", Profile::ibm()),
];

/// The text of a file in UTF-8. A file with a byte order mark of UTF-16 is converted.
fn utf8(file: &[u8]) -> Vec<u8> {
    let unit: fn([u8; 2]) -> u16 = match file {
        [0xFF, 0xFE, ..] => u16::from_le_bytes,
        [0xFE, 0xFF, ..] => u16::from_be_bytes,
        _ => return file.to_vec(),
    };
    let units = file[2..].chunks_exact(2);
    let units: Vec<u16> = units.map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units).into_bytes()
}

/// The file as a crawler with this profile reads it.
fn by_policy(file: &[u8], profile: &Profile) -> RobotsTxt {
    let now = Timestamp::from_millis(1_000);
    let origin = Origin::of("https://example.com/").unwrap();
    let mut fetch = Fetch::new(&origin, Validators::default(), profile, now);
    fetch.handle(Event::Resolved(&[[192, 0, 2, 1].into()]), now);
    respond(&mut fetch, 200, Headers::default(), file, now);
    let mut entry = Entry::new();
    entry.handle(fetch.into_outcome(), profile, now);
    entry.robots_txt(profile, Site::Available, now)
}

/// The agents that the file names, and one that it does not name.
fn agents(robots_txt: &RobotsTxt) -> Vec<String> {
    let named = robots_txt.merged_groups();
    let named = named.map(|group| group.product_token().to_owned());
    named.chain(["NoSuchBot".to_owned()]).take(20).collect()
}

/// Paths that the rules are about, and one that they are not about.
fn paths(robot: &Robot) -> Vec<String> {
    let of_rules = robot.rules().take(50).map(|rule| {
        let path = rule.pattern().replace(['*', '$'], "");
        format!("{path}x")
    });
    of_rules
        .chain(["/".to_owned(), "/no-such-page".to_owned()])
        .collect()
}
