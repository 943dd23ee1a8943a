//! Any body of a robots.txt under any `Content-Encoding`: a body that is not text opens nothing,
//! now or after months of rounds, and a body with a byte order mark of UTF-16 is read as its text.
#![no_main]

use std::time::Duration;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use polite_robots::{Cause, RobotsTxt};
use polite_robots_policy::cache::Site;
use polite_robots_policy::fetch::{BodyEnd, Event, Fetch, Headers, RawResponse, Validators};
use polite_robots_policy::{Entry, Origin, Outcome, Profile, Timestamp};

#[derive(Debug, Arbitrary)]
struct Answer<'a> {
    coding: Option<&'a str>,
    is_cut: bool,
    body: &'a [u8],
}

fuzz_target!(|answer: Answer<'_>| {
    let origin = Origin::of("https://example.com/").expect("a URL");
    let start = Timestamp::from_millis(1_767_225_600_000);
    let mut headers = Headers::default();
    if let Some(coding) = answer.coding {
        headers.insert("Content-Encoding", coding);
    }
    let response = RawResponse {
        status: 200,
        headers,
        body: answer.body,
        end: match answer.is_cut {
            true => BodyEnd::LimitReached,
            false => BodyEnd::Complete,
        },
    };
    for profile in [Profile::rfc9309(), Profile::google(), Profile::ibm()] {
        let mut fetch = Fetch::new(&origin, Validators::default(), &profile, start);
        fetch.handle(Event::Resolved(&[[192, 0, 2, 1].into()]), start);
        fetch.handle(Event::Response(response), start);
        let outcome = fetch.into_outcome();
        let cause = match &outcome {
            Outcome::Unreachable { cause, .. } => Some(*cause),
            _ => None,
        };
        assert_eq!(cause, response.file(&profile.access).err());
        if cause == Some(Cause::Encoded) {
            assert_closed(&outcome, &profile, start);
        }
    }
    if let (Some(text), false) = (utf16(answer.body), answer.is_cut) {
        let mut fetch = Fetch::new(&origin, Validators::default(), &Profile::rfc9309(), start);
        fetch.handle(Event::Response(response), start);
        let Outcome::Parsed { robots_txt, .. } = fetch.into_outcome() else {
            panic!("a text in UTF-16");
        };
        assert_eq!(robots_txt, RobotsTxt::parse(text.as_bytes()));
    }
});

/// Asserts that a site stays closed over two months of rounds with the same outcome. The rounds are
/// as close as an outage needs.
fn assert_closed(outcome: &Outcome, profile: &Profile, start: Timestamp) {
    let mut entry = Entry::new();
    for hours in (0..60 * 24).step_by(40) {
        let now = start.saturating_add(Duration::from_secs(hours * 3_600));
        entry.handle(outcome.clone(), profile, now);
        for site in [Site::Available, Site::Unavailable] {
            let robots_txt = entry.robots_txt(profile, site, now);
            let robot = robots_txt.robot("ExampleBot").expect("a token");
            assert!(!robot.allowed("https://example.com/a"));
        }
    }
}

/// The text of a body with a byte order mark of UTF-16, if all of it fits.
fn utf16(body: &[u8]) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match body {
        [0xFF, 0xFE, 0, 0, ..] => return None,
        [0xFF, 0xFE, ..] => u16::from_le_bytes,
        [0xFE, 0xFF, 0, 0, ..] => return None,
        [0xFE, 0xFF, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units = body.get(2..)?.chunks_exact(2);
    let units: Vec<u16> = units.map(|pair| unit([pair[0], pair[1]])).collect();
    let text = String::from_utf16_lossy(&units);
    (text.len() <= Profile::rfc9309().access.max_bytes).then_some(text)
}
