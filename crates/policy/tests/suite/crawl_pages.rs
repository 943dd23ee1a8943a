//! Pages that enter the machine of a crawl, with what a client says of them.

use std::time::Duration;

use polite_robots_policy::crawl::{Crawl, Limits, PageRequest, Refusal, Step};
use polite_robots_policy::fetch::{BodyEnd, Event, Headers, RawResponse};
use polite_robots_policy::settings::Obedience;
use polite_robots_policy::{Cache, HostRule, Profile};

use super::words::{after, secs};

const RULES: &[u8] = b"User-agent: *\nDisallow: /private";

fn crawl() -> Crawl {
    let cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 64 << 20).unwrap();
    let limits = Limits {
        wait: secs(300),
        in_flight: 10,
        line: 10,
    };
    Crawl::over(cache, limits)
}

fn answer(crawl: &mut Crawl) {
    let Step::Get(round) = crawl.poll(Duration::ZERO, after(0)) else {
        panic!("robots.txt is not asked for")
    };
    let response = RawResponse {
        status: 200,
        headers: Headers::default(),
        body: RULES,
        end: BodyEnd::Complete,
    };
    crawl.handle(round, Event::Response(response), after(0));
}

/// The `requests` of Python sends another path than other clients.
#[test]
fn a_rule_for_what_the_client_sends_forbids_the_page() {
    let mut crawl = crawl();
    let url = "https://example.com/..//private";
    let mut enter = |target: &[u8]| {
        let request = PageRequest::new(url).with_target(Some(target));
        crawl.enter(request, Duration::ZERO, after(0)).unwrap()
    };
    let (private, open) = (enter(b"/private"), enter(b"//private"));
    answer(&mut crawl);
    // It takes no turn.
    match crawl.poll(Duration::ZERO, after(0)) {
        Step::Refused(page, Refusal::Disallowed(robot)) => {
            assert_eq!(page.number(), private);
            let check = page.check(Ok(robot)).to_string();
            assert!(check.ends_with(", as the client sends /private"), "{check}");
        }
        step => panic!("{step:?}"),
    }
    match crawl.poll(secs(1), after(1000)) {
        Step::Turn(number, robot) => {
            assert_eq!(number, open);
            assert!(crawl.page(open).unwrap().check(Ok(robot)).allowed);
        }
        step => panic!("{step:?}"),
    }
    crawl.leave(open, after(1000));
    assert!(crawl.page(open).is_none());
}

#[test]
fn the_exceptions_of_an_operator_hold_for_the_pace_and_the_rules() {
    let mut crawl = crawl();
    let rule = HostRule::new()
        .min_delay(secs(7))
        .obedience(Obedience::Ignore);
    for second in [0, 7] {
        crawl.set_rule("example.com", rule);
        let request = PageRequest::new("https://example.com/private");
        let steady = secs(second);
        let page = crawl.enter(request, steady, after(0)).unwrap();
        let now = after(1000 * second);
        if second > 0 {
            let step = crawl.poll(steady, after(6999));
            assert!(
                matches!(step, Step::Wait(Some(turn)) if turn == now),
                "{step:?}"
            );
        }
        // No robots.txt is asked for.
        let step = crawl.poll(steady, now);
        assert!(
            matches!(step, Step::Turn(number, _) if number == page),
            "{step:?}"
        );
        crawl.leave(page, now);
    }
}
