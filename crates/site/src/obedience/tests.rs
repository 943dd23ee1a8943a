//! Logs with known answers, and hostile ones.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use polite_robots::{AgentMatch, RobotsTxt};
use polite_robots_audit::answer::{Reading, Readings};

use super::*;

const ROBOTS_TXT: &[u8] =
    b"User-agent: *\nDisallow: /private/\nDisallow: /cart\nCrawl-delay: 10\n\n\
    User-agent: GPTBot\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /g\n";

/// A line of the combined format, that many seconds after nine o'clock.
fn line(second: u32, target: &str, user_agent: &str) -> String {
    let (hour, minute, second) = (9 + second / 3600, second / 60 % 60, second % 60);
    format!(
        "192.0.2.1 - - [20/Nov/2026:{hour:02}:{minute:02}:{second:02} +0000] \"GET {target} HTTP/1.1\" 200 5 \"-\" \"{user_agent}\"\n"
    )
}

fn read<'r>(readings: &'r Readings, host: Option<&str>, log: &str) -> CrawlerRequests<'r> {
    let mut requests = CrawlerRequests::new(readings, Reading::Crawler, host);
    requests.read(log.as_bytes()).unwrap();
    requests
}

#[test]
fn each_crawler_has_its_requests_and_the_lines_that_close_them() {
    let robots_txt = Readings::new(&RobotsTxt::parse(ROBOTS_TXT));
    let log = [
        line(0, "/robots.txt", "GPTBot/1.2"),
        line(1, "/a", "Mozilla/5.0 (compatible; GPTBot/1.2)"),
        line(2, "/private/1", "GPTBot/1.2"),
        line(3, "/private/2", "Mozilla/5.0 (X11; Linux) Firefox/130.0"),
        line(4, "/g", "Googlebot-Image/1.0"),
        line(5, "/private/3", "Googlebot-Image/1.0"),
        line(6, "/private/4", "AdsBot-Google"),
        "no line\n".to_owned(),
    ]
    .concat();
    let requests = read(&robots_txt, None, &log);
    let counts = (requests.lines(), requests.unread(), requests.others());
    assert_eq!(counts, (8, 1, 1));
    assert_eq!(requests.first_unread(), Some(8));
    let crawlers = requests.crawlers();
    let names: Vec<&str> = crawlers.iter().map(|crawler| crawler.name()).collect();
    assert_eq!(names, ["GPTBot", "Googlebot-Image", "AdsBot-Google"]);
    let [gptbot, image, ads] = crawlers[..] else {
        panic!()
    };
    assert_eq!((gptbot.requests(), gptbot.robots_txt_fetches()), (2, 1));
    assert_eq!(gptbot.disallowed().disallowed(), 2);
    assert_eq!(gptbot.oldest_copy(), Some(Duration::from_secs(2)));
    assert_eq!(gptbot.disallowed().rules().next().unwrap().line(), 7);
    // It obeys the groups of Googlebot, as Google says.
    assert_eq!(image.agent_match(), AgentMatch::Named);
    assert_eq!((image.requests(), image.disallowed().disallowed()), (2, 1));
    assert_eq!((ads.disallowed().disallowed(), ads.disobeyed()), (0, false));
    assert_eq!(ads.robots_txt_fetches(), 0);
}

#[test]
fn the_file_itself_is_known_as_the_core_reads_the_target() {
    let robots_txt = Readings::new(&RobotsTxt::parse(b"User-agent: *\nDisallow: /?"));
    let log = [
        line(0, "/robots.txt?v=2", "GPTBot/1.2"),
        line(1, "/%72obots.txt", "GPTBot/1.2"),
        line(2, "http://example.com/robots.txt", "GPTBot/1.2"),
        line(3, "http://example.com?x/robots.txt", "GPTBot/1.2"),
        line(4, "/robots.txt/", "GPTBot/1.2"),
        line(5, "//robots.txt", "GPTBot/1.2"),
    ]
    .concat();
    let requests = read(&robots_txt, None, &log);
    let gptbot = requests.crawlers()[0];
    assert_eq!((gptbot.robots_txt_fetches(), gptbot.requests()), (3, 3));
    assert_eq!(gptbot.disallowed().disallowed(), 1);
}

#[test]
fn requests_that_come_too_soon_are_counted_where_the_times_prove_it() {
    let robots_txt = Readings::new(&RobotsTxt::parse(ROBOTS_TXT));
    // Nine seconds and less are too soon, also where the lines are not in order; ten are not.
    let seconds = [0, 9, 19, 18, 28, 38, 100];
    let log: String = seconds
        .iter()
        .map(|second| line(*second, "/a", "SlowBot/1"))
        .collect();
    let requests = read(&robots_txt, None, &log);
    let slow = requests.crawlers()[0];
    assert_eq!(slow.crawl_delay(), Some(Duration::from_secs(10)));
    assert_eq!((slow.requests(), slow.too_soon()), (7, 3));
    assert_eq!(slow.first().unwrap().to_string(), "2026-11-20T09:00:00Z");
    assert_eq!(slow.last().unwrap().to_string(), "2026-11-20T09:01:40Z");
    // Within one second nobody knows whether half a second was kept.
    let half = Readings::new(&RobotsTxt::parse(
        b"User-agent: *\nCrawl-delay: 0.5\nDisallow: /x",
    ));
    let log = line(0, "/a", "SlowBot") + &line(0, "/b", "SlowBot");
    assert_eq!(read(&half, None, &log).crawlers()[0].too_soon(), 0);
    let exact = r#"{"ts":1795165200.1,"uri":"/a","user_agent":"SlowBot"}
{"ts":1795165200.3,"uri":"/b","user_agent":"SlowBot"}
{"ts":1795165200.9,"uri":"/b","user_agent":"SlowBot"}"#;
    assert_eq!(read(&half, None, exact).crawlers()[0].too_soon(), 1);
}

/// Google's page on robots.txt says that its crawlers do not read `Crawl-delay`.
#[test]
fn a_crawler_that_ignores_delays_obeys_without_keeping_them() {
    let robots_txt = Readings::new(&RobotsTxt::parse(ROBOTS_TXT));
    let log = ["Storebot-Google/1.0", "bingbot/2.0"]
        .map(|agent| line(0, "/a", agent) + &line(1, "/b", agent))
        .concat();
    let requests = read(&robots_txt, None, &log);
    let verdicts = requests.crawlers().into_iter().map(|crawler| {
        let delay = crawler.crawl_delay().map(|delay| delay.as_secs());
        let counts = (crawler.too_soon(), crawler.disobeyed());
        (crawler.name(), delay, counts, crawler.ignores_crawl_delay())
    });
    assert_eq!(
        verdicts.collect::<Vec<_>>(),
        [
            ("bingbot", Some(10), (1, true), false),
            ("Storebot-Google", Some(10), (0, false), true)
        ]
    );
}

#[test]
fn a_robots_txt_holds_for_one_host() {
    let robots_txt = Readings::new(&RobotsTxt::parse(ROBOTS_TXT));
    let log = r#"{"host":"example.com","uri":"/cart","user_agent":"a-bot"}
{"host":"EXAMPLE.com:443","uri":"/cart","user_agent":"a-bot"}
{"host":"shop.example.com","uri":"/cart","user_agent":"a-bot"}
{"uri":"http://shop.example.com/cart","user_agent":"a-bot"}
{"uri":"/cart","user_agent":"a-bot"}"#;
    let all = read(&robots_txt, None, log);
    assert_eq!(all.crawlers()[0].requests(), 5);
    assert_eq!(
        all.several_hosts(),
        Some(("example.com", "shop.example.com"))
    );
    let one = read(&robots_txt, Some("example.com"), log);
    assert_eq!((one.crawlers()[0].requests(), one.other_hosts()), (3, 2));
    assert_eq!(one.several_hosts(), None);
}

#[test]
fn gzip_is_read_and_damage_is_an_error() {
    let robots_txt = Readings::new(&RobotsTxt::parse(ROBOTS_TXT));
    let log: String = (0..10_000)
        .map(|second| line(second, "/cart", "a-bot"))
        .collect();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(log.as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    let mut requests = CrawlerRequests::new(&robots_txt, Reading::Crawler, None);
    requests.read(&packed[..]).unwrap();
    assert_eq!(requests.crawlers()[0].disallowed().disallowed(), 10_000);
    let mut cut = CrawlerRequests::new(&robots_txt, Reading::Crawler, None);
    assert!(cut.read(&packed[..packed.len() / 2]).is_err());
}

#[test]
fn memory_is_bounded_whatever_the_lines_are() {
    let robots_txt = Readings::new(&RobotsTxt::parse(ROBOTS_TXT));
    let mut log = String::new();
    for n in 0..5_000 {
        log += &line(n, &format!("/cart/{n}"), &format!("bot-number-{n}"));
        log += &line(n, "/cart", &format!("crawler{} bot", "x".repeat(200)));
    }
    let requests = read(&robots_txt, None, &log);
    assert_eq!(requests.crawlers().len(), MOST_CRAWLERS);
    assert_eq!(requests.left_out(), 5_000 - MOST_CRAWLERS as u64);
    assert_eq!(requests.lines(), 10_000);
    // Without an end of line, and with nothing else.
    let mut endless = CrawlerRequests::new(&robots_txt, Reading::Crawler, None);
    endless.read(io::repeat(b'x').take(64 << 20)).unwrap();
    assert_eq!((endless.lines(), endless.unread()), (1, 1));
    let mut long = "x".repeat(3 << 20);
    long.push('\n');
    long += &line(0, "/cart", "a-bot");
    let after = read(&robots_txt, None, &long);
    assert_eq!((after.unread(), after.crawlers()[0].requests()), (1, 1));
}

/// Each agent of one group had its own copy of 450 KB of rules, in both dialects: 1.6 GB.
#[test]
fn crawlers_are_told_apart_as_far_as_there_is_room_for_their_rules() {
    let name = |n: u8| {
        format!(
            "{}{}-bot",
            char::from(b'a' + n / 26),
            char::from(b'a' + n % 26)
        )
    };
    let agents: String = (0..100)
        .map(|n| format!("User-agent: {}\n", name(n)))
        .collect();
    let rules: String = (0..22_000)
        .map(|n| format!("Disallow: /{n}/*a\n"))
        .collect();
    let log: String = (0..100).map(|n| line(0, "/5/xa", &name(n))).collect();
    for (file, least) in [
        (format!("{agents}{rules}"), 20),
        // Agents that are not named share the rules.
        (format!("User-agent: *\n{rules}"), 100),
    ] {
        let readings = Readings::new(&RobotsTxt::parse(file.as_bytes()));
        let requests = read(&readings, None, &log);
        let told_apart = requests.crawlers().len();
        assert!(
            (least..=least.max(80)).contains(&told_apart),
            "{told_apart}"
        );
        assert_eq!(requests.left_out() + told_apart as u64, 100);
        assert_eq!(requests.others(), requests.left_out());
        let mut crawlers = requests.crawlers().into_iter();
        assert!(crawlers.all(|crawler| crawler.disallowed().disallowed() == 1));
    }
}

#[test]
fn lines_across_the_ends_of_buffers_are_whole() {
    let robots_txt = Readings::new(&RobotsTxt::parse(ROBOTS_TXT));
    let mut log = String::new();
    for n in 0..20_000 {
        let _ = write!(
            log,
            "{}",
            line(
                n,
                &format!("/cart/{}", "y".repeat(n as usize % 300)),
                "a-bot"
            )
        );
    }
    for log in [log.clone(), log.replace('\n', "\r\n")] {
        let requests = read(&robots_txt, None, &log);
        assert_eq!((requests.lines(), requests.unread()), (20_000, 0));
        assert_eq!(requests.crawlers()[0].disallowed().disallowed(), 20_000);
    }
}

#[test]
fn lines_of_json_are_read_alike_whatever_their_order() {
    let robots_txt = Readings::new(&RobotsTxt::parse(ROBOTS_TXT));
    let browser = r#"{"uri":"/cart","user_agent":"Firefox"}"#;
    let bot = r#"{"uri":"/cart?\"user_agent\":\"Firefox\"","user_agent":"a-bot"}"#;
    let other_form = r#"{"request":{"uri":"/cart","headers":{"User-Agent":["b-bot"]}}}"#;
    let escaped = r#"{"uri":"/cart","user_agent":"\u0061-bot"}"#;
    let twice = r#"{"from":"Firefox","uri":"/cart","user_agent":"Firefox"}"#;
    let from_browser = r#"{"from":"Firefox","uri":"/cart","user_agent":"a-bot"}"#;
    let lines = [
        browser,
        bot,
        other_form,
        escaped,
        browser,
        twice,
        from_browser,
        r#"{"uri":"/cart","user_agent":"Fire"#,
    ];
    for start in 0..lines.len() {
        let log: Vec<&str> = lines
            .iter()
            .cycle()
            .skip(start)
            .take(lines.len())
            .copied()
            .collect();
        let requests = read(&robots_txt, None, &log.join("\n"));
        assert_eq!((requests.others(), requests.unread()), (3, 1), "{start}");
        let mut counts: Vec<_> = requests
            .crawlers()
            .iter()
            .map(|crawler| (crawler.name().to_owned(), crawler.requests()))
            .collect();
        counts.sort();
        assert_eq!(
            counts,
            [("a-bot".to_owned(), 3), ("b-bot".to_owned(), 1)],
            "{start}"
        );
    }
}

#[test]
fn a_request_counts_as_it_was_sent() {
    let robots_txt = Readings::new(&RobotsTxt::parse(ROBOTS_TXT));
    let targets = [
        "/cart/../a",
        "/a/../cart",
        "//cart/1",
        "http://example.com/cart/../a",
    ];
    let log: String = targets
        .iter()
        .map(|target| line(0, target, "SlowBot/1"))
        .collect();
    let requests = read(&robots_txt, None, &log);
    let crawlers = requests.crawlers();
    let rules: Vec<_> = crawlers[0].disallowed().rules().collect();
    let found: Vec<_> = rules
        .iter()
        .map(|rule| (rule.line(), rule.examples()))
        .collect();
    let closed = [
        "/cart/../a".to_owned(),
        "http://example.com/cart/../a".to_owned(),
    ];
    assert_eq!(found, [(3, &closed[..])]);
}
