//! URLs that clients do not send as they are written. No request arrives that the file closes. The
//! server keeps the target of each request byte for byte, and the check parses no URL.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use polite_robots::Robot;
use polite_robots_client::{Egress, PoliteClient};
use polite_robots_policy::settings::Obedience;
use polite_robots_policy::{HostRule, Profile};
use url::Url;

use super::crawl::{quick, runtime};

const FILE: &str = "User-agent: *\nDisallow: /search\nDisallow: /a/closed\n";

/// Shapes of URLs, with `{host}` for host and port.
const SHAPES: &str = include_str!("../../../../testdata/sent_urls.json");

type Targets = Arc<Mutex<Vec<String>>>;

fn serve(listener: &TcpListener, targets: &Targets) {
    for stream in listener.incoming() {
        let _ = answer(stream.unwrap(), targets);
    }
}

fn answer(mut stream: TcpStream, targets: &Targets) -> std::io::Result<()> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head);
    let target = head.split(' ').nth(1).unwrap_or_default();
    targets.lock().unwrap().push(target.to_owned());
    let body = match target {
        "/robots.txt" => FILE,
        _ => "a page",
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

/// Compares bytes with the paths of the rules. In a closed path the shapes escape no letters but
/// `%65`, `%72` and `%73` (RFC 9309 §2.2.2).
fn is_closed(target: &str) -> bool {
    let target = target
        .replace("%73", "s")
        .replace("%65", "e")
        .replace("%72", "r");
    target.starts_with("/search") || target.starts_with("/a/closed")
}

/// The targets that arrive for each shape.
fn sent(obedience: Obedience) -> Vec<(String, Vec<String>)> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let targets = Targets::default();
    let of_server = Arc::clone(&targets);
    std::thread::spawn(move || serve(&listener, &of_server));
    let mut profile = quick(Profile::rfc9309());
    profile.pace.min_delay = std::time::Duration::from_millis(1);
    let shapes: Vec<String> = serde_json::from_str(SHAPES).unwrap();
    let urls = shapes.iter().map(|shape| shape.replace("{host}", &host));
    runtime().block_on(async {
        let client = PoliteClient::builder("ExampleBot")
            .version("1.0")
            .contact("https://example.com/bot", "bot@example.com")
            .profile(profile)
            .egress(Egress::any())
            .host("127.0.0.1", HostRule::new().obedience(obedience))
            .build()
            .unwrap();
        let mut all = Vec::new();
        for url in urls {
            // A URL that is refused sends nothing.
            let _ = client.get(&url).await;
            let arrived = std::mem::take(&mut *targets.lock().unwrap());
            let pages = arrived.into_iter().filter(|target| target != "/robots.txt");
            all.push((url, pages.collect()));
        }
        all
    })
}

#[test]
fn no_request_arrives_that_the_file_closes() {
    let sent = sent(Obedience::Obey);
    assert!(sent.len() >= 70, "{}", sent.len());
    let pages = sent.iter().flat_map(|(_, targets)| targets);
    assert!(pages.clone().count() >= 20, "{sent:#?}");
    let closed: Vec<_> = pages.filter(|target| is_closed(target)).collect();
    assert!(closed.is_empty(), "{closed:#?}");
}

/// A client that ignores robots.txt shows which target is sent for each URL. Some of these requests
/// are closed, and the library refuses the URL of each.
#[test]
fn what_is_sent_is_what_was_asked() {
    let robot = Robot::new("ExampleBot", FILE.as_bytes()).unwrap();
    let sent = sent(Obedience::Ignore);
    let mut closed = 0;
    for (url, targets) in &sent {
        for target in targets {
            closed += u32::from(is_closed(target));
            assert_open_as_asked(&robot, url, target);
        }
    }
    assert!(closed >= 40, "{closed} {sent:#?}");
}

/// Asserts that the library gives the same answer for the parsed URL as for the request, and that
/// the text itself is never more open.
fn assert_open_as_asked(robot: &Robot, text: &str, target: &str) {
    let url = Url::parse(text).unwrap();
    let is_closed = is_closed(target);
    assert_eq!(robot.allowed(url.as_str()), !is_closed, "{text:?} {target}");
    assert!(!(is_closed && robot.allowed(text)), "{text:?} {target}");
}

/// The page with the table of targets that clients send. Its rows are in the order of the shapes.
const TABLE: &str = include_str!("../../../client/docs/sent_urls.md");

/// The page says that reqwest sends what `fetch` sends, except for a drive letter, an empty query
/// and a user, and that neither client opens anything.
#[test]
fn bare_reqwest_sends_what_the_table_says() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let targets = Targets::default();
    let of_server = Arc::clone(&targets);
    std::thread::spawn(move || serve(&listener, &of_server));
    let shapes: Vec<String> = serde_json::from_str(SHAPES).unwrap();
    let rows = TABLE.lines().filter(|line| line.starts_with("| <code>"));
    let of_fetch: Vec<&str> = rows
        .map(|row| row.rsplit(" | ").nth(1).unwrap().trim_matches('`'))
        .collect();
    assert_eq!(of_fetch.len(), shapes.len());
    let robot = Robot::new("ExampleBot", FILE.as_bytes()).unwrap();
    let mut sent = 0;
    for (shape, of_fetch) in shapes.iter().zip(of_fetch) {
        let url = shape.replace("{host}", &host);
        let request = runtime().block_on(async { reqwest::get(&url).await });
        drop(request);
        let target = std::mem::take(&mut *targets.lock().unwrap()).pop();
        let Some(target) = target else {
            assert_eq!(of_fetch, "–", "{url:?} is not sent");
            continue;
        };
        sent += 1;
        assert_open_as_asked(&robot, &url, &target);
        let is_own = shape.contains('@') || shape.contains("/C:/") || shape.contains("/c|/");
        let without_query = target.strip_suffix('?').unwrap_or(&target);
        assert!(
            is_own || [&target, without_query].contains(&of_fetch),
            "{url:?}: {target} is sent, and {of_fetch} by fetch"
        );
    }
    assert!(sent >= 60, "{sent}");
}
