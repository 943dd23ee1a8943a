//! `polite_crawler`: many hosts at once.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{self, Child, Command, Output};
use std::thread;
use std::time::Duration;

use super::answer::{Answer, Gate};
use super::program::{TIMEOUT, example, finish, run};
use super::server::{Log, Site};
use super::zoo::{self, Access};

fn crawler() -> Command {
    let mut command = example("polite_crawler");
    command.args(["--min-delay", "100ms", "--connect-timeout", TIMEOUT]);
    command.args(["--timeout", TIMEOUT]);
    command
}

fn crawl(urls: &[String]) -> Output {
    run(crawler().args(urls))
}

/// The lines that begin with a word, without it.
fn lines(output: &Output, word: &str) -> Vec<String> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix(word)?.strip_prefix('\t'));
    lines.map(str::to_string).collect()
}

fn urls(lines: &[String]) -> Vec<&str> {
    lines
        .iter()
        .map(|line| line.split('\t').next().unwrap())
        .collect()
}

fn host(last: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 2, last)
}

fn site(last: u8, log: &Log, robots_txt: Answer) -> Site {
    Site::start(host(last), log).on("/robots.txt", [robots_txt])
}

const MIN_DELAY: Duration = Duration::from_millis(100);

#[test]
fn it_obeys_whatever_comes_for_robots_txt() {
    let log = Log::default();
    let exhibits = zoo::exhibits(&log);
    // Interleaved, as a frontier gives them.
    let mut all: Vec<String> = Vec::new();
    for number in 0..3 {
        all.extend(
            exhibits
                .iter()
                .filter_map(|exhibit| exhibit.urls().get(number).cloned()),
        );
    }
    // Nobody can listen there: the port is that of a client.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let refused = format!("http://{}/", client.local_addr().unwrap());
    all.push(refused.clone());
    let output = crawl(&all);
    for exhibit in &exhibits {
        exhibit.assert_obeyed();
    }
    let mut expected: Vec<String> = vec![refused];
    for exhibit in &exhibits {
        let closed = exhibit
            .pages
            .iter()
            .filter(|(_, access)| *access == Access::Disallowed);
        expected.extend(closed.map(|(path, _)| exhibit.site.url(path)));
    }
    // By a rule, or for want of a robots.txt.
    let not_asked = [lines(&output, "disallowed"), lines(&output, "left")].concat();
    let mut disallowed = urls(&not_asked);
    expected.sort_unstable();
    disallowed.sort_unstable();
    assert_eq!(disallowed, expected);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    log.assert_polite(MIN_DELAY, &[]);
}

#[test]
fn it_takes_silence_for_an_outage() {
    let log = Log::default();
    let site = site(9, &log, Answer::silence());
    zoo::meet_silence(&site, |urls| {
        let mut command = example("polite_crawler");
        run(command
            .args(["--min-delay", "100ms", "--timeout", "1s"])
            .args(urls))
    });
}

#[test]
fn it_says_why_a_page_is_disallowed() {
    let log = Log::default();
    let rules = site(1, &log, Answer::ok("User-agent: *\nDisallow: /\x1b[31m"));
    let broken = site(2, &log, Answer::status(500));
    let output = crawl(&[rules.url("/%1B[31m"), broken.url("/")]);
    let why = |lines: Vec<String>| lines[0].split_once('\t').unwrap().1.to_string();
    assert_eq!(
        why(lines(&output, "disallowed")),
        "disallowed by line 2: Disallow: /%1B[31m in the wildcard group on line 1"
    );
    assert_eq!(
        why(lines(&output, "left")),
        "disallowed: robots.txt answered with status 500"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn it_leaves_a_host_alone_for_as_long_as_it_asks() {
    let log = Log::default();
    let seconds = site(1, &log, Answer::status(404))
        .on(
            "/busy",
            [Answer::status(429).retry_after(1), Answer::ok("")],
        )
        .on("/other", [Answer::ok("")]);
    let date = site(2, &log, Answer::status(404))
        .on(
            "/busy",
            [
                Answer::status(503).retry_after_date(Duration::from_secs(1)),
                Answer::ok(""),
            ],
        )
        .on("/other", [Answer::ok("")]);
    let output = crawl(&[
        seconds.url("/busy"),
        seconds.url("/other"),
        date.url("/busy"),
        date.url("/other"),
    ]);
    for site in [&seconds, &date] {
        // The other page waits too, and the first one comes again behind it.
        assert_eq!(site.paths(), ["/robots.txt", "/busy", "/other", "/busy"]);
    }
    assert_eq!(lines(&output, "fetched").len(), 4);
    log.assert_polite(MIN_DELAY, &[]);
}

/// The same server, another port: one host, two robots.txt.
#[test]
fn what_robots_txt_asks_for_counts_for_the_whole_host() {
    let log = Log::default();
    let well = site(1, &log, Answer::status(404))
        .on("/", [Answer::ok("")])
        .on("/a", [Answer::ok("")]);
    let busy = site(1, &log, Answer::status(503).retry_after(1));
    crawl(&[well.url("/"), busy.url("/"), well.url("/a")]);
    assert_eq!(well.paths(), ["/robots.txt", "/", "/a"]);
    assert_eq!(busy.paths(), ["/robots.txt"]);
    log.assert_polite(MIN_DELAY, &[]);
}

#[test]
fn it_slows_down_where_nothing_is_asked_for() {
    let log = Log::default();
    let site =
        site(1, &log, Answer::status(404)).on("/busy", [Answer::status(429), Answer::ok("")]);
    crawl(&[site.url("/busy")]);
    assert_eq!(site.paths(), ["/robots.txt", "/busy", "/busy"]);
    let seen = log.all();
    // Three levels up.
    assert!(seen[2].at - seen[1].until >= MIN_DELAY * 8 - Duration::from_millis(5));
}

#[test]
fn it_keeps_the_crawl_delay_from_robots_txt_on() {
    let log = Log::default();
    let slow = site(
        1,
        &log,
        Answer::ok("User-agent: *\nCrawl-delay: 1\nDisallow: /private"),
    );
    let paths = ["/a", "/private", "/b", "/c"];
    crawl(&paths.map(|path| slow.url(path)));
    assert_eq!(slow.paths(), ["/robots.txt", "/a", "/b", "/c"]);
    log.assert_polite(MIN_DELAY, &[(host(1), Duration::from_secs(1))]);
}

#[test]
fn the_target_of_a_redirect_is_asked_for_by_its_own_rules() {
    let log = Log::default();
    let closed = site(2, &log, Answer::ok("User-agent: *\nDisallow: /"));
    let open = site(3, &log, Answer::ok("")).on("/there", [Answer::ok("")]);
    let first = site(1, &log, Answer::status(404))
        .on("/a", [Answer::redirect(301, closed.url("/there"))])
        .on("/b", [Answer::redirect(302, open.url("/there"))])
        .on("/c", [Answer::redirect(307, "/c?2")])
        .on("/c?2", [Answer::redirect(307, "/c")])
        .on("/d", [Answer::redirect(301, "mailto:bot@example.com")]);
    // `closed` is where the user wants to go too, so it is no network that a redirect must not lead into.
    let named = [
        first.url("/a"),
        first.url("/b"),
        first.url("/c"),
        first.url("/d"),
        closed.url("/"),
        open.url("/"),
    ];
    let output = crawl(&named);
    assert_eq!(closed.paths(), ["/robots.txt"]);
    let mut asked = open.paths();
    asked.sort_unstable();
    assert_eq!(asked, ["/", "/robots.txt", "/there"]);
    assert_eq!(
        first.paths(),
        ["/robots.txt", "/a", "/b", "/c", "/d", "/c?2"]
    );
    assert!(urls(&lines(&output, "disallowed")).contains(&&*closed.url("/there")));
    assert!(urls(&lines(&output, "failed")).contains(&&*first.url("/d")));
    log.assert_polite(MIN_DELAY, &[]);
}

#[test]
fn it_follows_five_redirects_of_a_page() {
    let log = Log::default();
    let mut site = site(1, &log, Answer::status(404));
    for hop in 0..9 {
        site = site.on(
            &format!("/{hop}"),
            [Answer::redirect(302, format!("/{}", hop + 1))],
        );
    }
    let output = crawl(&[site.url("/0")]);
    assert_eq!(
        site.paths(),
        ["/robots.txt", "/0", "/1", "/2", "/3", "/4", "/5"]
    );
    assert_eq!(urls(&lines(&output, "failed")), [site.url("/5")]);
    assert!(!output.status.success());
}

/// No page comes of it, so the crawl is not done.
#[test]
fn a_loop_of_redirects_is_a_failure() {
    let log = Log::default();
    let site = site(1, &log, Answer::status(404))
        .on("/self", [Answer::redirect(302, "/self")])
        .on("/b", [Answer::redirect(302, "/c")])
        .on("/c", [Answer::redirect(302, "/b")]);
    let output = crawl(&[site.url("/self"), site.url("/b")]);
    let mut failed = lines(&output, "failed");
    failed.sort();
    assert_eq!(urls(&failed), [site.url("/c"), site.url("/self")]);
    assert!(failed.iter().all(|line| line.contains("in a loop")));
    assert!(!output.status.success());
}

/// RFC 9309 §2.3.1.2, and each request in the turn of the host that it goes to.
#[test]
fn a_redirected_robots_txt_counts_for_the_first_host_and_in_the_turn_of_the_second() {
    let log = Log::default();
    let second = site(2, &log, Answer::ok("User-agent: *\nAllow: /")).on(
        "/rules.txt",
        [Answer::ok("User-agent: *\nDisallow: /private")],
    );
    let first =
        site(1, &log, Answer::redirect(301, second.url("/rules.txt"))).on("/", [Answer::ok("")]);
    let mut named = vec![first.url("/private"), first.url("/")];
    named.extend((0..6).map(|number| second.url(&format!("/private/{number}"))));
    let output = crawl(&named);
    assert_eq!(first.paths(), ["/robots.txt", "/"]);
    assert_eq!(second.paths().len(), 8);
    assert_eq!(second.paths()[0], "/robots.txt");
    assert_eq!(urls(&lines(&output, "disallowed")), [first.url("/private")]);
    log.assert_polite(MIN_DELAY, &[]);
}

#[test]
fn a_redirect_does_not_lead_into_the_own_network() {
    let log = Log::default();
    // In the crawler's own network, and not named by who runs it.
    let inner = site(3, &log, Answer::ok("")).on("/rules.txt", [Answer::ok("")]);
    let page = site(1, &log, Answer::status(404)).on("/", [Answer::redirect(302, inner.url("/"))]);
    let robots_txt = site(2, &log, Answer::redirect(302, inner.url("/rules.txt")));
    let name = format!(
        "http://localhost:{}/",
        inner.url("").rsplit(':').next().unwrap()
    );
    let by_name = site(4, &log, Answer::status(404)).on("/", [Answer::redirect(302, name)]);
    crawl(&[page.url("/"), robots_txt.url("/"), by_name.url("/")]);
    assert_eq!(inner.paths(), Vec::<String>::new());
    assert_eq!(page.paths(), ["/robots.txt", "/"]);
    assert_eq!(by_name.paths(), ["/robots.txt", "/"]);
    // No answer is an outage.
    assert_eq!(robots_txt.paths(), ["/robots.txt"]);
}

#[test]
fn a_list_is_read_and_each_url_fetched_once() {
    let log = Log::default();
    let site = site(1, &log, Answer::status(404)).on("/", [Answer::ok("")]);
    let directory = env!("CARGO_TARGET_TMPDIR");
    let list = format!("{directory}/polite_crawler.{}.urls", process::id());
    fs::write(
        &list,
        format!("# pages\n\n{0}\n  {0}#part\n", site.url("/")),
    )
    .unwrap();
    let output = run(crawler().args(["--list", &list]));
    assert!(output.status.success(), "{output:?}");
    assert_eq!(site.paths(), ["/robots.txt", "/"]);

    let broken = format!("{directory}/{}.broken.urls", process::id());
    fs::write(&broken, "http://127.0.2.1/\nexample.com\n").unwrap();
    let output = run(crawler().args(["--list", &broken]));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(error.contains("broken.urls:2"), "{error}");
    for file in [list, broken] {
        fs::remove_file(file).unwrap();
    }
}

fn wait_until(child: &mut Child, is_so: impl Fn() -> bool) {
    while !is_so() {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        thread::sleep(Duration::from_millis(10));
    }
}

fn wait_for_line(said: &mut impl BufRead, start: &str) {
    let mut line = String::new();
    while !line.starts_with(start) {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "it ended too early");
    }
}

fn interrupt(child: &Child) {
    let process = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &process]).status();
    assert!(kill.unwrap().success());
}

/// What is on its way comes to its end, and nothing is lost without a word.
#[test]
fn ctrl_c_stops_it_and_it_says_what_is_left() {
    let log = Log::default();
    let sites: Vec<Site> = (1..4)
        .map(|last| site(last, &log, Answer::ok("")))
        .collect();
    // The crawl cannot come to its end before the test has seen all that it waits for.
    let gate = Gate::default();
    let gated = sites[0]
        .clone()
        .on("/gated", [Answer::ok("").behind(&gate)]);
    let mut named = vec![gated.url("/gated")];
    for number in 0..20 {
        named.extend(sites.iter().map(|site| {
            site.clone()
                .on(&format!("/{number}"), [Answer::ok("")])
                .url(&format!("/{number}"))
        }));
    }
    let mut child = crawler().args(&named).spawn().unwrap();
    let is_asked = |path: &str| log.all().iter().any(|seen| seen.path == path);
    wait_until(&mut child, || log.all().len() >= 9 && is_asked("/gated"));
    interrupt(&child);
    let mut said = BufReader::new(child.stderr.take().unwrap());
    wait_for_line(&mut said, "stopping; ");
    gate.open();
    let output = finish(child);
    assert_eq!(output.status.code(), Some(1), "{output:?}");

    let (fetched, left) = (lines(&output, "fetched"), lines(&output, "left"));
    let seen = log
        .all()
        .into_iter()
        .filter(|seen| seen.path != "/robots.txt")
        .count();
    assert_eq!(fetched.len(), seen);
    assert!(!left.is_empty());
    assert!(urls(&fetched).contains(&&*gated.url("/gated")));
    let mut told = urls(&fetched);
    told.extend(urls(&left));
    told.sort_unstable();
    named.sort_unstable();
    assert_eq!(told, named);
    log.assert_polite(MIN_DELAY, &[]);
}

#[test]
fn a_second_ctrl_c_leaves_what_is_on_its_way_and_says_so() {
    let log = Log::default();
    let site = site(1, &log, Answer::ok(""))
        .on("/never", [Answer::silence()])
        .on("/later", [Answer::ok("")]);
    let mut named = [site.url("/never"), site.url("/later")];
    let mut child = crawler().args(&named).spawn().unwrap();
    wait_until(&mut child, || site.paths().len() >= 2);
    interrupt(&child);
    // The first one may not have been taken yet, and two at once are one.
    while child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(300));
        interrupt(&child);
    }
    let output = finish(child);
    let left = lines(&output, "left");
    let mut left = urls(&left);
    left.sort_unstable();
    named.sort_unstable();
    assert_eq!(left, named);
    assert_eq!(site.paths(), ["/robots.txt", "/never"]);
}
