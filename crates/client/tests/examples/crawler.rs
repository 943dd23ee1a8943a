//! Tests of the example `polite_crawler`, which crawls many hosts at once.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{self, Child, Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use super::answer::{Answer, Gate};
use super::program::{TIMEOUT, example, finish, run};
use super::server::{Log, Site};
use super::zoo::{self, Access};

fn crawler() -> Command {
    crawler_that_waits(TIMEOUT)
}

/// The crawler may ask hosts on loopback, as it may in a network of its operator.
fn crawler_that_waits(seconds: &str) -> Command {
    let mut command = example("polite_crawler");
    command.args(["--min-delay", "0.1", "--network", "127.0.0.0/8"]);
    command.args(["--max-wait", seconds]);
    command
}

fn crawl(urls: &[String]) -> Output {
    run(crawler().args(urls))
}

/// The lines that begin with a word, without that word.
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
    // The URLs are interleaved, as a frontier gives them.
    let mut all: Vec<String> = Vec::new();
    for number in 0..3 {
        all.extend(
            exhibits
                .iter()
                .filter_map(|exhibit| exhibit.urls().get(number).cloned()),
        );
    }
    // Nobody can listen at this address: the port belongs to a client.
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
    // These pages were refused by a rule, or for want of a robots.txt.
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
    zoo::meet_silence(&site, |urls| run(crawler_that_waits("1").args(urls)));
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
    let left = why(lines(&output, "left"));
    assert!(
        left.contains("robots.txt answered with status 500; try again at"),
        "{left}"
    );
    assert_eq!(output.status.code(), Some(1));
    let sum = String::from_utf8(output.stderr).unwrap();
    for part in [
        "\"disallowed\": 1",
        "\"left\": 1",
        "1 robots.txt, 1 outages",
        "of waits",
    ] {
        assert!(sum.contains(part), "{sum}");
    }
}

/// A page that is busy for longer than the crawl waits is left to the next run, which knows how
/// long to wait.
#[test]
fn it_leaves_a_host_alone_for_as_long_as_it_asks() {
    let log = Log::default();
    let ten_seconds = Duration::from_secs(10);
    let seconds = site(1, &log, Answer::status(404)).on(
        "/busy",
        [Answer::status(429).retry_after(10), Answer::ok("")],
    );
    let date = site(2, &log, Answer::status(404)).on(
        "/busy",
        [
            Answer::status(503).retry_after_date(ten_seconds),
            Answer::ok(""),
        ],
    );
    let folder = Folder::new();
    let first = run(crawler_that_waits("5")
        .args(["--state", &folder.0])
        .args([seconds.url("/busy"), date.url("/busy")]));
    assert_eq!(lines(&first, "left").len(), 2, "{first:?}");
    assert_eq!(seconds.paths(), ["/robots.txt", "/busy"]);
    let second = run(crawler().args(["--state", &folder.0]));
    assert_eq!(lines(&second, "fetched").len(), 2);
    assert!(second.status.success(), "{second:?}");
    // The second run asks for no robots.txt again.
    for site in [&seconds, &date] {
        assert_eq!(site.paths(), ["/robots.txt", "/busy", "/busy"]);
    }
    log.assert_polite(MIN_DELAY, &[]);
}

/// A folder for the state of a crawl.
struct Folder(String);

impl Folder {
    fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let directory = env!("CARGO_TARGET_TMPDIR");
        Folder(format!(
            "{directory}/polite_crawler.{}.{number}",
            process::id()
        ))
    }

    /// Waits until everything that the crawler knows now is in its store. The first save to end may
    /// have begun before this call, but the second begins after the first.
    fn wait_for_saves(&self, child: &mut Child) {
        let store = format!("{}/hosts.redb", self.0);
        let written = || fs::metadata(&store).unwrap().modified().unwrap();
        for _ in 0..2 {
            let before = written();
            wait_until(child, || written() != before);
            // The crawler rests for half a second between two saves.
            wait_until(child, || written().elapsed().unwrap_or_default() > SAVED);
        }
    }

    fn journal(&self) -> String {
        fs::read_to_string(format!("{}/urls", self.0)).unwrap()
    }
}

/// A save is over when its last write is this old.
const SAVED: Duration = Duration::from_millis(200);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

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
    let output = crawl(&[site.url("/busy")]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(site.paths(), ["/robots.txt", "/busy", "/busy"]);
    let seen = log.all();
    // The back-off is three levels up from a second.
    assert!(seen[2].at - seen[1].until >= Duration::from_secs(8) - Duration::from_millis(5));
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
        ["/robots.txt", "/a", "/b", "/c", "/c?2", "/d"]
    );
    assert!(urls(&lines(&output, "disallowed")).contains(&&*first.url("/a")));
    assert!(urls(&lines(&output, "fetched")).contains(&&*first.url("/b")));
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
    assert_eq!(urls(&lines(&output, "failed")), [site.url("/0")]);
    assert!(!output.status.success());
}

/// A loop gives no page, so the crawl is not done.
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
    assert_eq!(urls(&failed), [site.url("/b"), site.url("/self")]);
    assert!(failed.iter().all(|line| line.contains("a loop")));
    assert!(!output.status.success());
}

/// RFC 9309 §2.3.1.2. Each request is made in the turn of the host that it goes to.
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
    // This site is outside of the network that the crawler may ask.
    let inner = site(3, &log, Answer::ok("")).on("/rules.txt", [Answer::ok("")]);
    let page = site(65, &log, Answer::status(404)).on("/", [Answer::redirect(302, inner.url("/"))]);
    let robots_txt = site(66, &log, Answer::redirect(302, inner.url("/rules.txt")));
    let name = format!(
        "http://localhost:{}/",
        inner.url("").rsplit(':').next().unwrap()
    );
    let by_name = site(67, &log, Answer::status(404)).on("/", [Answer::redirect(302, name)]);
    let mut command = example("polite_crawler");
    command.args(["--min-delay", "0.1", "--network", "127.0.2.64/26"]);
    run(command.args([
        page.url("/"),
        robots_txt.url("/"),
        by_name.url("/"),
        inner.url("/a"),
    ]));
    assert_eq!(inner.paths(), Vec::<String>::new());
    assert_eq!(page.paths(), ["/robots.txt", "/"]);
    assert_eq!(by_name.paths(), ["/robots.txt", "/"]);
    // The refused redirect gives no answer, which is an outage.
    assert_eq!(robots_txt.paths(), ["/robots.txt"]);
}

#[test]
fn each_url_is_fetched_once_also_by_the_next_run() {
    let log = Log::default();
    let site = site(1, &log, Answer::status(404)).on("/", [Answer::ok("")]);
    let folder = Folder::new();
    let (page, part) = (site.url("/"), site.url("/#part"));
    for urls in [vec![&page, &part], vec![&page], vec![]] {
        let output = run(crawler().args(["--state", &folder.0]).args(urls));
        assert!(output.status.success(), "{output:?}");
    }
    assert_eq!(site.paths(), ["/robots.txt", "/"]);
    assert!(folder.journal().ends_with(&format!("{page} fetched\n\n\n")));

    // A user may put a list of URLs into the journal, too.
    fs::write(
        format!("{}/urls", folder.0),
        "http://127.0.2.1/ met\nexample.com met\n",
    )
    .unwrap();
    let output = run(crawler().args(["--state", &folder.0]));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("\"example.com\" in the journal"), "{error}");
}

#[test]
fn a_second_crawler_of_a_folder_is_refused() {
    let log = Log::default();
    let site = site(1, &log, Answer::silence());
    let folder = Folder::new();
    let mut first = crawler()
        .args(["--state", &folder.0, &site.url("/")])
        .spawn()
        .unwrap();
    wait_until(&mut first, || !site.paths().is_empty());
    let second = run(crawler().args(["--state", &folder.0]));
    let error = String::from_utf8(second.stderr).unwrap();
    assert!(error.contains("is in use by another crawler"), "{error}");
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn a_url_that_is_no_page_is_refused_before_anything_is_asked() {
    let output = crawl(&["ftp://127.0.2.1/".to_string()]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("ftp://127.0.2.1/") && error.contains("http"),
        "{error}"
    );
}

/// Links are relative to the page or its `base`. The crawler follows them on the host of the page
/// only, and not where the site asks not to.
#[test]
fn links_are_followed_on_the_hosts_of_the_crawl() {
    let log = Log::default();
    let other = site(2, &log, Answer::status(404));
    let start = format!(
        "<a href=a>a</a> <AREA HREF='/b?x=1&amp;y=2#part'> <a href='{}'> <a href=mailto:a@example.com>\
         <script>'<a href=/script>'</script> <!-- <a href=/comment> --> <a href=/moved><a href=/private>",
        other.url("/")
    );
    let site = site(1, &log, Answer::ok("User-agent: *\nDisallow: /private"))
        .on("/", [Answer::ok(start)])
        .on("/a", [Answer::ok("<base href=/deep/><a href=c>")])
        .on(
            "/b?x=1&y=2",
            [Answer::ok("<meta name=Robots content=nofollow><a href=/d>")],
        )
        .on("/moved", [Answer::redirect(301, "/there/")])
        .on("/there/", [Answer::ok("<a href=e>")])
        .on(
            "/there/e",
            [Answer::ok("<a href=/f>").with("X-Robots-Tag", "nofollow")],
        )
        .on("/deep/c", [Answer::ok("")]);
    let output = crawl(&[site.url("/")]);
    let mut paths = site.paths();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            "/",
            "/a",
            "/b?x=1&y=2",
            "/deep/c",
            "/moved",
            "/robots.txt",
            "/there/",
            "/there/e"
        ]
    );
    assert!(other.paths().is_empty());
    assert_eq!(urls(&lines(&output, "disallowed")), [site.url("/private")]);
    assert!(output.status.success(), "{output:?}");
    log.assert_polite(MIN_DELAY, &[]);
}

/// Sitemaps that robots.txt names: an index, a gzip file, one with CDATA, one that is not quite
/// XML, and one that is disallowed.
#[test]
fn sitemaps_are_read_each_in_its_turn() {
    let log = Log::default();
    let robots_txt = "Sitemap: /index.xml\nSitemap: /loose.xml\nSitemap: /private.xml\n\
                      User-agent: *\nDisallow: /private";
    let site = site(1, &log, Answer::ok(""));
    let file = |paths: &[&str]| {
        let urls = paths
            .iter()
            .map(|path| format!("<url><loc> {} </loc></url>", site.url(path)));
        let urls: String = urls.collect();
        format!(
            "<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{urls}</urlset>"
        )
    };
    let index = format!(
        "<sitemapindex><sitemap><loc>{}</loc></sitemap><sitemap><loc><![CDATA[{}]]></loc></sitemap></sitemapindex>",
        site.url("/packed.xml.gz"),
        site.url("/plain.xml")
    );
    let elsewhere = "<urlset><url><loc>http://127.0.2.2/</loc></url>";
    let loose = format!("{elsewhere}<url><loc>{}</loc><url>", site.url("/c?x=1&y=2"));
    let absolute = robots_txt.replace("Sitemap: ", &format!("Sitemap: {}", site.url("")));
    let site = site
        .clone()
        .on("/robots.txt", [Answer::ok(absolute)])
        .on("/", [Answer::ok("")])
        .on("/index.xml", [Answer::ok(index)])
        .on("/packed.xml.gz", [Answer::ok(file(&["/a", "/"])).packed()])
        .on("/plain.xml", [Answer::ok(file(&["/b", "/private/x"]))])
        .on("/loose.xml", [Answer::ok(loose)]);
    for path in ["/a", "/b", "/c?x=1&y=2"] {
        site.clone().on(path, [Answer::ok("")]);
    }
    let output = crawl(&[site.url("/")]);
    assert_eq!(site.paths()[..2], ["/robots.txt", "/"]);
    let mut paths = site.paths();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            "/",
            "/a",
            "/b",
            "/c?x=1&y=2",
            "/index.xml",
            "/loose.xml",
            "/packed.xml.gz",
            "/plain.xml",
            "/robots.txt"
        ]
    );
    let mut disallowed = lines(&output, "disallowed");
    disallowed.sort_unstable();
    assert_eq!(
        urls(&disallowed),
        [site.url("/private.xml"), site.url("/private/x")]
    );
    log.assert_polite(MIN_DELAY, &[]);
}

/// More pages than a crawl gets before it is killed.
const PAGES: usize = 45;

/// The crawl is killed in the middle, twice, and then runs to its end. Each page is fetched, and
/// after a kill at most one page of each host is fetched again. No robots.txt is fetched again, and
/// every gap is kept from life to life.
#[test]
fn a_crawl_that_is_killed_goes_on() {
    let log = Log::default();
    let sites: Vec<Site> = (1..4)
        .map(|last| site(last, &log, Answer::ok("")))
        .collect();
    let mut named = Vec::new();
    for number in 0..PAGES {
        let path = format!("/{number}");
        named.extend(
            sites
                .iter()
                .map(|site| site.clone().on(&path, [Answer::ok("")]).url(&path)),
        );
    }
    let folder = Folder::new();
    for seen in [12, 60] {
        let mut child = crawler()
            .args(["--state", &folder.0])
            .args(&named)
            .spawn()
            .unwrap();
        wait_until(&mut child, || log.all().len() >= seen);
        folder.wait_for_saves(&mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        named.clear();
    }
    let output = run(crawler().args(["--state", &folder.0]));
    assert!(output.status.success(), "{output:?}");
    for site in &sites {
        let mut paths = site.paths();
        // The site saw each page, robots.txt, and two pages again.
        assert!(paths.len() <= PAGES + 1 + 2, "{paths:?}");
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), PAGES + 1);
        assert_eq!(
            site.paths()
                .iter()
                .filter(|path| *path == "/robots.txt")
                .count(),
            1
        );
    }
    log.assert_polite(MIN_DELAY, &[]);
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

/// Requests under way come to their end, and the crawler reports every URL that is left.
#[test]
fn ctrl_c_stops_it_and_it_says_what_is_left() {
    let log = Log::default();
    let sites: Vec<Site> = (1..4)
        .map(|last| site(last, &log, Answer::ok("")))
        .collect();
    // The gate keeps the crawl from its end until the test has seen all that it waits for.
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
    // The first signal may not have been handled yet, and two pending signals count as one.
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
