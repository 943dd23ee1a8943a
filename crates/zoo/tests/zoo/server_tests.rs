//! Tests of the zoo with a client that keeps no rule, and with one that keeps them.

use std::collections::HashSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use polite_robots_client::Egress;
use polite_robots_client::identity::Identity;
use polite_robots_client::network::{GuardedResolver, Refusal};
use polite_robots_policy::Profile;

use super::hit::Ending;
use super::judge::{Judge, Law};
use super::kinds::{Exhibit, KINDS, Kind, PAGES, RULES, populate};
use super::server::{Ground, Zoo};

/// A zoo with each kind once, and its hosts by kind.
fn small_zoo() -> (Vec<Exhibit>, Zoo) {
    // Redirects need a second host that answers correctly.
    let ground = Ground::new(KINDS.len() + 2, 1);
    let (exhibits, sites) = populate(&ground);
    (exhibits, ground.open(sites))
}

fn name_of(exhibits: &[Exhibit], kind: Kind) -> &str {
    let exhibit = exhibits.iter().find(|exhibit| exhibit.kind == kind);
    &exhibit.unwrap().name
}

/// The bytes of an answer up to the end of the connection, and whether it was reset.
fn ask(zoo: &Zoo, name: &str, path: &str) -> (String, bool) {
    read(&mut request(zoo, name, path), DEADLINE, |_| false)
}

/// The bytes that come within the patience from a host whose answer never ends.
fn ask_in_vain(zoo: &Zoo, name: &str, path: &str) -> (String, bool) {
    read(&mut request(zoo, name, path), PATIENCE, |_| false)
}

fn request(zoo: &Zoo, name: &str, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect_timeout(&zoo.address(name), DEADLINE).unwrap();
    stream.set_write_timeout(Some(DEADLINE)).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {name}\r\nUser-Agent: x\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    stream
}

fn wait_until(is_true: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_true() {
        assert!(begun.elapsed() < DEADLINE, "it never comes");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The time limit for an answer. Only a fault of the zoo takes this long.
const DEADLINE: Duration = Duration::from_secs(60);

/// The time limit for an answer that has no end.
const PATIENCE: Duration = Duration::from_secs(1);

/// The bytes that come until they are enough, and whether the connection was reset.
fn read(
    stream: &mut TcpStream,
    patience: Duration,
    is_enough: impl Fn(&str) -> bool,
) -> (String, bool) {
    let mut answer = Vec::new();
    let mut bytes = [0; 65_536];
    let begun = Instant::now();
    loop {
        let text = String::from_utf8_lossy(&answer).into_owned();
        // A slow loris never falls silent.
        let rest = patience.saturating_sub(begun.elapsed());
        if is_enough(&text) || rest.is_zero() {
            return (text, false);
        }
        stream.set_read_timeout(Some(rest)).unwrap();
        match stream.read(&mut bytes) {
            Ok(0) => return (text, false),
            Ok(length) => answer.extend(&bytes[..length]),
            Err(error) => {
                let is_reset = error.kind() == std::io::ErrorKind::ConnectionReset;
                return (text, is_reset);
            }
        }
    }
}

#[test]
fn each_kind_answers_as_it_is_called() {
    let (exhibits, zoo) = small_zoo();
    let status = |kind, path| ask(&zoo, name_of(&exhibits, kind), path).0;
    let (exhibits, zoo) = (&exhibits, &zoo);
    thread::scope(|scope| {
        // Some hosts are slow, so the test asks all at once.
        for (kind, path, expected) in [
            (Kind::Missing, "/robots.txt", "HTTP/1.1 404 "),
            (Kind::Missing, "/a", "/a"),
            (Kind::Rules, "/robots.txt", RULES),
            (Kind::OwnGroup, "/robots.txt", "User-agent: ExampleBot"),
            (Kind::Disallowed, "/robots.txt", "Disallow: /\n"),
            (Kind::Forbidden, "/robots.txt", "HTTP/1.1 403 "),
            (Kind::CrawlDelay, "/robots.txt", "Crawl-delay: 2"),
            (Kind::MovedRobots, "/robots.txt", "/chain/"),
            (Kind::MovedFar, "/robots.txt", "/chain/"),
            (Kind::MovedTooFar, "/robots.txt", "Location: /hop1\r\n"),
            (Kind::MovedTooFar, "/hop7", RULES),
            (Kind::Circle, "/hop", "Location: /robots.txt\r\n"),
            (Kind::MovedPage, "/a", "/chain/"),
            (Kind::MovedToDisallowed, "/a", "/private/"),
            (Kind::Broken, "/b", "HTTP/1.1 500 "),
            (Kind::Long, "/robots.txt", "Disallow: /b"),
            (
                Kind::Cut,
                "/robots.txt",
                "Content-Length: 33\r\n\r\nUser-agent: *\nDisall",
            ),
            (Kind::CutPage, "/a", "Content-Length: 6\r\n\r\na p"),
            (Kind::Short, "/robots.txt", "Content-Length: 33\r\n"),
            (Kind::Short, "/robots.txt", "Disallow: /b"),
            (
                Kind::Chunked,
                "/robots.txt",
                "\r\n21\r\nUser-agent: *\nDisallow: /private\n\r\n0\r\n\r\n",
            ),
            (
                Kind::Interim,
                "/robots.txt",
                "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 ",
            ),
            (Kind::Loris, "/robots.txt", "HTTP/1"),
            (Kind::LorisPage, "/a", "HTTP/1"),
            (Kind::NotHttp, "/robots.txt", "220 mail.test ESMTP"),
            (Kind::Bomb, "/robots.txt", "Content-Encoding: gzip"),
            (Kind::BombPage, "/a", "Content-Encoding: gzip"),
            (Kind::Stale, "/robots.txt", "Cache-Control: max-age=0"),
            (Kind::Undecodable, "/robots.txt", "Content-Encoding: br"),
            (Kind::Damaged, "/robots.txt", "Content-Encoding: gzip"),
            (Kind::Down, "/robots.txt", "HTTP/1.1 503 "),
            (Kind::MovedToPrivate, "/a", "Location: /private/a\r\n"),
            (Kind::Login, "/robots.txt", "Location: /login\r\n"),
            (Kind::Login, "/login", "<form>"),
        ] {
            scope.spawn(move || {
                let mut stream = request(zoo, name_of(exhibits, kind), path);
                let (answer, _) = read(&mut stream, DEADLINE, |answer| answer.contains(expected));
                assert!(answer.contains(expected), "{kind:?}: {answer:.300}");
            });
        }
    });
    let in_vain = |kind| ask_in_vain(zoo, name_of(exhibits, kind), "/robots.txt");
    let (word, is_reset) = in_vain(Kind::Loris);
    assert!(!word.ends_with(RULES) && !is_reset, "{word}");
    assert_eq!(in_vain(Kind::Silent), (String::new(), false));
    let nothing = |kind| ask(zoo, name_of(exhibits, kind), "/robots.txt");
    assert_eq!(nothing(Kind::Empty), (String::new(), false));
    assert_eq!(nothing(Kind::Reset), (String::new(), true));
    let (page, is_reset) = ask(zoo, name_of(exhibits, Kind::ResetPage), "/a");
    assert!(page.ends_with("\r\n\r\na") && is_reset, "{page}");
    for (kind, path, first) in [
        (Kind::Unavailable, "/robots.txt", "HTTP/1.1 503 "),
        (Kind::BusyRobots, "/robots.txt", "HTTP/1.1 429 "),
        (Kind::BusyPage, "/a", "HTTP/1.1 429 "),
    ] {
        let answer = status(kind, path);
        assert!(
            answer.starts_with(first) && answer.contains("Retry-After: 2\r\n"),
            "{answer}"
        );
        assert!(status(kind, path).starts_with("HTTP/1.1 200 "));
    }
    let begun = Instant::now();
    assert!(status(Kind::Slow, "/b").ends_with("/b"));
    assert!(begun.elapsed() >= Duration::from_millis(300));
}

#[test]
fn the_zoo_is_large_and_has_every_kind() {
    let ground = Ground::new(320, 8);
    let (exhibits, sites) = populate(&ground);
    let zoo = ground.open(sites);
    let kinds: HashSet<Kind> = exhibits.iter().map(|exhibit| exhibit.kind).collect();
    assert_eq!(kinds.len(), KINDS.len());
    assert!(KINDS.len() >= 15 && exhibits.len() >= 300);
    assert_eq!(KINDS.iter().collect::<HashSet<_>>().len(), KINDS.len());
    // Each host has an address of its own.
    let addresses: HashSet<_> = exhibits
        .iter()
        .map(|exhibit| zoo.address(&exhibit.name))
        .collect();
    assert_eq!(addresses.len(), exhibits.len());
    // One of the last hosts is at ::1, if the machine has that address.
    for exhibit in exhibits.iter().rev().take(2) {
        let (answer, _) = ask(&zoo, &exhibit.name, "/nowhere");
        assert!(
            answer.starts_with("HTTP/1.1 404 "),
            "{} {answer}",
            exhibit.name
        );
    }
}

#[test]
fn the_log_has_what_was_asked() {
    let (exhibits, zoo) = small_zoo();
    let name = name_of(&exhibits, Kind::Cut);
    ask(&zoo, name, "/robots.txt");
    let slow = name_of(&exhibits, Kind::Slow);
    ask(&zoo, slow, "/a");
    // This client loses its patience.
    let silent = name_of(&exhibits, Kind::Silent);
    let mut stream = TcpStream::connect(zoo.address(silent)).unwrap();
    write!(stream, "GET /robots.txt HTTP/1.1\r\n\r\n").unwrap();
    wait_until(|| zoo.hits().iter().any(|hit| hit.host == silent));
    let left = zoo.hits().last().unwrap().end;
    drop(stream);
    let tls = name_of(&exhibits, Kind::Tls);
    let mut stream = TcpStream::connect(zoo.address(tls)).unwrap();
    stream.write_all(&[22, 3, 1, 0, 1, 0]).unwrap();
    let (answer, _) = read(&mut stream, DEADLINE, |_| false);
    assert!(answer.starts_with("HTTP/1.1 400 "));
    wait_until(|| zoo.hits().iter().all(|hit| hit.ending != Ending::Open));

    let hits = zoo.hits();
    let seen: Vec<_> = hits
        .iter()
        .map(|hit| (hit.host.as_str(), hit.path.as_str(), hit.ending))
        .collect();
    assert_eq!(
        seen,
        [
            (name, "/robots.txt", Ending::Broken),
            (slow, "/a", Ending::Complete),
            (silent, "/robots.txt", Ending::Aborted),
            (tls, "", Ending::Broken),
        ]
    );
    let [cut, complete, aborted, _] = &hits[..] else {
        panic!()
    };
    assert_eq!((cut.status, &*cut.body), (Some(200), RULES.as_bytes()));
    assert_eq!(cut.header("user-agent"), Some("x"));
    assert!(complete.end - complete.start >= Duration::from_millis(300));
    assert_eq!((aborted.status, aborted.end >= left), (None, true));
}

/// A client with the crate's resolver but none of its politeness.
fn rude_client(zoo: &Zoo) -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let zoo_networks = ["127.1.0.0/16", "::1/128"].map(|network| network.parse().unwrap());
    let resolver = GuardedResolver::over(Egress::only(zoo_networks), zoo.resolver());
    let client = resolver.guard(reqwest::Client::builder());
    client.timeout(DEADLINE).build().unwrap()
}

#[tokio::test]
async fn the_judge_finds_a_rude_client() {
    let (exhibits, zoo) = small_zoo();
    let client = rude_client(&zoo);
    let get = async |kind, path| {
        let url = zoo.url(name_of(&exhibits, kind), path);
        client
            .get(url)
            .send()
            .await
            .map(|response| response.status().as_u16())
    };
    assert_eq!(get(Kind::Missing, "/a").await.unwrap(), 200);
    get(Kind::Rules, "/robots.txt").await.unwrap();
    get(Kind::Rules, "/private/x").await.unwrap();
    get(Kind::Rules, "/robots.txt").await.unwrap();
    get(Kind::Broken, "/robots.txt").await.unwrap();
    get(Kind::Broken, "/").await.unwrap();
    get(Kind::BusyPage, "/robots.txt").await.unwrap();
    assert_eq!(get(Kind::BusyPage, "/a").await.unwrap(), 429);
    get(Kind::BusyPage, "/b").await.unwrap();
    // Two requests run at once, as the first one never ends.
    let silent = name_of(&exhibits, Kind::Silent);
    let held = tokio::spawn(client.get(zoo.url(silent, "/robots.txt")).send());
    while !zoo.hits().iter().any(|hit| hit.host == silent) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    get(Kind::Silent, "/").await.unwrap();
    let mut judge = Judge {
        most_at_once: Some(1),
        ..Judge::new(Profile::rfc9309(), "ExampleBot")
    };
    tokio::time::sleep(2 * judge.notice).await;
    let mut hits = zoo.hits();
    held.abort();
    // A busy machine may need seconds between two requests.
    judge.profile.pace.min_delay = DEADLINE;
    for asked in hits.iter_mut().filter_map(|hit| hit.retry_after.as_mut()) {
        *asked = DEADLINE;
    }
    let violations = judge.violations(&hits);
    let laws: HashSet<Law> = violations.iter().map(|violation| violation.law).collect();
    let all = [
        Law::Gap,
        Law::Concurrency,
        Law::Total,
        Law::RetryAfter,
        Law::RobotsFirst,
        Law::Rules,
        Law::Outage,
        Law::Lifetime,
        Law::Identity,
    ];
    assert_eq!(laws, HashSet::from(all), "{violations:#?}");
    assert!(laws.len() == all.len() && violations.iter().all(|one| !one.to_string().is_empty()));
}

/// The requests come one after the other, robots.txt first, each a gap after the one before, so the
/// judge finds nothing.
#[tokio::test]
async fn the_judge_finds_nothing_in_a_polite_crawl() {
    let (exhibits, zoo) = small_zoo();
    let identity = Identity::new("ExampleBot").unwrap();
    let identity = identity
        .contact("https://example.com/bot", "bot@example.com")
        .unwrap();
    let client = rude_client(&zoo);
    let mut profile = Profile::rfc9309();
    profile.pace.min_delay = Duration::from_millis(100);
    let kinds = [
        Kind::Missing,
        Kind::Rules,
        Kind::Chunked,
        Kind::Interim,
        Kind::Slow,
    ];
    let mut urls = Vec::new();
    for path in ["/robots.txt", "/", "/a", "/b"] {
        for kind in kinds {
            let url = zoo.url(name_of(&exhibits, kind), path);
            let request = client.get(&url).header("From", identity.from().unwrap());
            let response = request
                .header("User-Agent", identity.user_agent())
                .send()
                .await
                .unwrap();
            response.bytes().await.unwrap();
            urls.push(url);
        }
        tokio::time::sleep(Duration::from_millis(110)).await;
    }
    let judge = Judge::new(profile, "ExampleBot");
    let violations = judge.violations(&zoo.hits());
    assert!(violations.is_empty(), "{violations:#?}");
    let pages: Vec<String> = exhibits
        .iter()
        .filter(|exhibit| kinds.contains(&exhibit.kind))
        .flat_map(|exhibit| exhibit.urls[..PAGES.len()].to_vec())
        .collect();
    let asked: HashSet<&String> = urls.iter().collect();
    // Only the pages of a second host of the same kind are missing, and `/private/x` of the host
    // without rules.
    let is_expected = |url: &&String| !asked.contains(url);
    let unfetched = judge.unfetched(&zoo.hits(), &pages);
    assert!(
        unfetched.iter().all(|url| is_expected(&url)),
        "{unfetched:?}"
    );
    assert!(unfetched.contains(&zoo.url(name_of(&exhibits, Kind::Missing), "/private/x")));
}

/// The names of the zoo lead to it and to nowhere else, over IPv6 too. TLS fails.
#[tokio::test]
async fn the_names_of_the_zoo_lead_into_it() {
    let (exhibits, zoo) = small_zoo();
    let client = rude_client(&zoo);
    if let Some(six) = exhibits
        .iter()
        .find(|exhibit| exhibit.name.starts_with("six"))
    {
        let response = client
            .get(zoo.url(&six.name, "/nowhere"))
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 404);
        assert!(zoo.address(&six.name).is_ipv6());
    }
    let tls = exhibits
        .iter()
        .find(|exhibit| exhibit.kind == Kind::Tls)
        .unwrap();
    let error = client.get(&tls.urls[0]).send().await.unwrap_err();
    assert!(
        error.is_connect() && Refusal::of(&error).is_none(),
        "{error:?}"
    );
    assert!(
        client
            .get("http://example.com/")
            .send()
            .await
            .unwrap_err()
            .is_dns()
    );
    let refused = GuardedResolver::over(Egress::public_only(), zoo.resolver());
    let error = refused.look_up(&tls.name).await.unwrap_err();
    assert_eq!(
        Refusal::of(&*error).unwrap().address(),
        zoo.address(&tls.name).ip()
    );
}
