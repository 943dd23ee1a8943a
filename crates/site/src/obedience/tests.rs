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

/// A request of the naive model below.
struct Sent {
    crawler: usize,
    path: &'static str,
    query: &'static str,
    second: u32,
}

const HEADERS: [(&str, &str); 4] = [
    (
        "Googlebot",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    ),
    (
        "GPTBot",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    ),
    ("RudeBot", "RudeBot/1.0"),
    (
        "",
        "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    ),
];

/// A few hundred requests, of which each combination of crawler and path is one.
fn sent() -> Vec<Sent> {
    let paths = [
        ("/robots.txt", ""),
        ("/", ""),
        ("/cart", "id=1&a=%20b"),
        ("/private/x", ""),
        ("/private/a%20b", ""),
        ("/g/caf%C3%A9", "x"),
    ];
    (0..240)
        .map(|number| {
            let (path, query) = paths[(number / HEADERS.len()) % paths.len()];
            Sent {
                crawler: (number * 7 + number / 5) % HEADERS.len(),
                path,
                query,
                second: u32::try_from(number).unwrap(),
            }
        })
        .collect()
}

/// The log of the requests in one of ten forms.
fn written(form: &str, sent: &[Sent]) -> String {
    let mut log = match form {
        "iis" => "#Software: Microsoft Internet Information Services 10.0\n#Version: 1.0\n#Date: 2026-11-20 09:00:00\n#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) cs-host sc-status sc-substatus sc-win32-status time-taken\n".to_owned(),
        "cloudfront" => "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol\n".to_owned(),
        _ => String::new(),
    };
    for Sent {
        crawler,
        path,
        query,
        second,
    } in sent
    {
        let agent = HEADERS[*crawler].1;
        let target = match *query {
            "" => (*path).to_owned(),
            query => format!("{path}?{query}"),
        };
        let query = if query.is_empty() { "-" } else { query };
        let clock = format!("09:{:02}:{:02}", second / 60, second % 60);
        let (web, iso) = (
            format!("20/Nov/2026:{clock} +0000"),
            format!("2026-11-20T{clock}"),
        );
        let line = match form {
            "combined" => {
                format!(r#"192.0.2.1 - - [{web}] "GET {target} HTTP/1.1" 200 5 "-" "{agent}""#)
            }
            "host" => format!(
                r#"example.com:443 2001:db8::1 - - [{web}] "GET {target} HTTP/2.0" 200 5 "-" "{agent}""#
            ),
            "syslog" => format!(
                r#"Nov 20 {clock} web nginx: 192.0.2.1 - - [{web}] "GET {target} HTTP/1.1" 200 5 "-" "{agent}""#
            ),
            "nginx" => format!(
                r#"{{"time_iso8601":"{iso}+00:00","host":"example.com","request_uri":"{target}","http_user_agent":"{agent}"}}"#
            ),
            "request" => format!(
                r#"{{"time":"{iso}Z","request":"GET {target} HTTP/1.1","user_agent":"{agent}"}}"#
            ),
            "logpush" => format!(
                r#"{{"ClientRequestHost":"example.com","ClientRequestURI":"{target}","ClientRequestUserAgent":"{agent}","EdgeStartTimestamp":"{iso}Z"}}"#
            ),
            "caddy" => format!(
                r#"{{"ts":{}.5,"request":{{"host":"example.com","uri":"{target}","headers":{{"User-Agent":["{agent}"]}}}}}}"#,
                1_795_165_200 + second
            ),
            "balancer" => format!(
                r#"h2 {iso}.186641Z app/my-loadbalancer/50dc6c495c0c9188 [2001:db8::1]:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET https://example.com:443{target} HTTP/2.0" "{agent}" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:x "Root=1-58337262-36d228ad5d99923122bbe354" "example.com" "-" 0 {iso}.000000Z "forward" "-" "-""#
            ),
            "cloudfront" => {
                let encoded = |text: &str| text.replace('%', "%25").replace(' ', "%20");
                let (path, query, mut agent) = (encoded(path), encoded(query), encoded(agent));
                // Logs of both ages.
                if second % 2 == 1 {
                    agent = agent.replace('%', "%25");
                }
                format!(
                    "2026-11-20\t{clock}\tFRA60-P1\t335\t192.0.2.1\tGET\td111111abcdef8.cloudfront.net\t{path}\t200\t-\t{agent}\t{query}\t-\tMiss\t2kP01Cg==\texample.com\thttps"
                )
            }
            "iis" => format!(
                "2026-11-20 {clock} 2001:db8::2 GET {path} {query} 443 - 2001:db8::1 {} - example.com 200 0 0 15",
                agent.replace(' ', "+")
            ),
            form => panic!("{form}"),
        };
        log += &line;
        log += if form == "iis" { "\r\n" } else { "\n" };
    }
    log
}

/// Each count of a naive model, which knows only whole prefixes, for each of the forms.
#[test]
fn ten_forms_of_the_same_requests_have_the_same_counts() {
    let robots_txt = Readings::new(&RobotsTxt::parse(ROBOTS_TXT));
    let sent = sent();
    let is_closed = |crawler: &str, path: &str| match crawler {
        "GPTBot" => true,
        "Googlebot" => path.starts_with("/g"),
        _ => path.starts_with("/private/") || path.starts_with("/cart"),
    };
    let mut expected = Vec::new();
    for (place, (name, _)) in HEADERS.iter().enumerate().take(3) {
        let own = || sent.iter().filter(|request| request.crawler == place);
        let pages = || own().filter(|request| request.path != "/robots.txt");
        let closed = pages().filter(|request| is_closed(name, request.path));
        let times: Vec<u32> = pages().map(|request| request.second).collect();
        let time = |second: &u32| format!("2026-11-20T09:{:02}:{:02}Z", second / 60, second % 60);
        expected.push((
            (*name).to_owned(),
            (pages().count() as u64, closed.count() as u64),
            (own().count() - pages().count()) as u64,
            times.first().map(time),
            times.last().map(time),
        ));
    }
    expected.sort();
    assert!(
        expected
            .iter()
            .all(|(.., (_, closed), _, _, _)| *closed > 5)
    );
    let others = sent.iter().filter(|request| request.crawler == 3).count() as u64;
    for form in [
        "combined",
        "host",
        "syslog",
        "nginx",
        "request",
        "logpush",
        "caddy",
        "balancer",
        "cloudfront",
        "iis",
    ] {
        let log = written(form, &sent);
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(log.as_bytes()).unwrap();
        let mut requests = CrawlerRequests::new(&robots_txt, Reading::Crawler, Some("example.com"));
        requests.read(&encoder.finish().unwrap()[..]).unwrap();
        let mut counts: Vec<_> = requests
            .crawlers()
            .iter()
            .map(|crawler| {
                (
                    crawler.name().to_owned(),
                    (crawler.requests(), crawler.disallowed().disallowed()),
                    crawler.robots_txt_fetches(),
                    crawler.first().map(|time| time.to_string()),
                    crawler.last().map(|time| time.to_string()),
                )
            })
            .collect();
        counts.sort();
        assert_eq!(counts, expected, "{form}");
        assert_eq!(
            (requests.unread(), requests.others()),
            (0, others),
            "{form}"
        );
        assert_eq!(requests.other_hosts(), 0, "{form}");
    }
}

#[test]
fn columns_change_within_a_log_and_broken_lines_are_counted() {
    let robots_txt = Readings::new(&RobotsTxt::parse(ROBOTS_TXT));
    let log = b"\xEF\xBB\xBF#Version: 1.0\n\
        #Fields: date time cs-uri-stem cs-uri-query cs(User-Agent)\n\
        2026-11-20 09:00:00 /private/1 - RudeBot/1.0\n\
        2026-11-20 09:00:01 /private/2 -\n\
        2026-11-20 09:00:02 /private/3 - RudeBot/1.0 more\n\
        - - /private/\xFF\xFE - RudeBot/1.0+\xFF\n\
        2026-11-20 09:00:04 - - RudeBot/1.0\n\
        2026-11-20 09:00:05 /private/5 - -\n\
        #Remark: the columns change\n\
        #Fields: cs(User-Agent) cs-uri x-note\n\
        \"RudeBot/1.0 (a \"\"b\"\")\" /private/6?x \"c d\"\n\
        \"RudeBot/1.0 never closed /private/7 c\n\
        \"RudeBot/1.0\"x /private/8\n\
        #Fields: date time\n\
        2026-11-20 09:00:06\n\
        # no directive\n";
    let mut requests = CrawlerRequests::new(&robots_txt, Reading::Crawler, None);
    requests.read(&log[..]).unwrap();
    let rude = requests.crawlers()[0];
    assert_eq!(
        (rude.name(), rude.disallowed().disallowed()),
        ("RudeBot", 3)
    );
    assert_eq!((requests.unread(), requests.others()), (7, 1));
    assert_eq!((requests.first_unread(), requests.lines()), (Some(4), 16));
    assert!(!requests.is_no_log());
    // The next log has no columns of its own.
    requests
        .read(&b"2026-11-20 09:00:00 /private/1 - RudeBot/1.0"[..])
        .unwrap();
    assert_eq!(requests.unread(), 8);
}

#[test]
fn a_log_of_a_load_balancer_is_known_by_its_time() {
    let robots_txt = Readings::new(&RobotsTxt::parse(ROBOTS_TXT));
    let start = "2026-11-20T09:00:00.186641Z app/a/b [2001:db8::1]:2817 - -1 -1 -1 400 - 34 366";
    let log = [
        format!(
            r#"http {start} "GET http://example.com:80/cart HTTP/1.1" "RudeBot/1.0 \"x\"" - -"#
        ),
        format!(r#"{start} "GET http://example.com:80/cart HTTP/1.1" "RudeBot/1.0" - -"#),
        format!(r#"http {start} "- http://example.com:80- -" "-" - - - "-" "-" "-" - - "-""#),
        format!(r#"http {start} "GET http://example.com:80/cart HTTP/1.1" "RudeBot/1.0"#),
        format!(r#"http {start} "GET http://example.com:80/cart HTTP/1.1" - "RudeBot/1.0""#),
        format!(r#"http {start}"#),
    ]
    .join("\n");
    let requests = read(&robots_txt, Some("example.com"), &log);
    let rude = requests.crawlers()[0];
    assert_eq!(rude.disallowed().disallowed(), 2);
    assert_eq!(rude.first().unwrap().to_string(), "2026-11-20T09:00:00Z");
    assert_eq!((requests.unread(), requests.others()), (3, 1));
}
