//! A crawl of minutes in a moment: paused time, with a server on loopback in the same runtime.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use polite_robots_client::network::StaticResolver;
use polite_robots_client::{Egress, PoliteClient, Profile};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;

/// The requests that a server saw: path and paused time.
type Seen = Arc<Mutex<Vec<(String, Instant)>>>;

async fn serve(listener: TcpListener, robots: &'static str, seen: Seen) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(answer(stream, robots, Arc::clone(&seen)));
    }
}

async fn answer(mut stream: TcpStream, robots: &'static str, seen: Seen) {
    let mut head = Vec::new();
    while matches!(stream.read_buf(&mut head).await, Ok(1..)) {
        if !head.ends_with(b"\r\n\r\n") {
            continue;
        }
        let path = String::from_utf8_lossy(&head);
        let path = path.split(' ').nth(1).unwrap().to_owned();
        let body = if path == "/robots.txt" {
            robots
        } else {
            "a page"
        };
        seen.lock().unwrap().push((path, Instant::now()));
        head.clear();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(body.as_bytes()).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_gap_of_a_minute_takes_no_time() {
    let begun = std::time::Instant::now();
    let sites = [
        ("a.test", "User-agent: *\nDisallow: /private", 60),
        ("b.test", "User-agent: *\nCrawl-delay: 90", 90),
    ];
    let mut profile = Profile::rfc9309();
    profile.pace.min_delay = Duration::from_secs(60);
    let mut resolver = StaticResolver::new();
    let mut all = Vec::new();
    for (name, robots, gap) in sites {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        resolver = resolver.host(name, [address.ip()]);
        let seen = Seen::default();
        tokio::spawn(serve(listener, robots, Arc::clone(&seen)));
        all.push((format!("http://{name}:{}", address.port()), gap, seen));
    }
    // The client has the time limits of a real crawl.
    let client = PoliteClient::builder("ExampleBot")
        .egress(Egress::any())
        .resolver(resolver)
        .profile(profile)
        .max_wait(Duration::from_secs(3_600))
        .build()
        .unwrap();
    let pages: Vec<_> = all
        .iter()
        .flat_map(|(site, _, _)| (0..5).map(move |number| format!("{site}/{number}")))
        .map(|url| {
            let client = client.clone();
            tokio::spawn(async move { client.get(&url).await?.bytes().await })
        })
        .collect();
    for page in pages {
        assert_eq!(page.await.unwrap().unwrap(), "a page");
    }
    for (site, gap, seen) in all {
        let seen = seen.lock().unwrap();
        assert_eq!(seen.len(), 6, "{site}: {seen:?}");
        assert_eq!(seen[0].0, "/robots.txt");
        for two in seen.windows(2) {
            let waited = two[1].1 - two[0].1;
            // If the clock ran while bytes were under way, it would be seconds ahead.
            let expected = Duration::from_secs(gap)..Duration::from_secs(gap + 1);
            assert!(expected.contains(&waited), "{site}: {waited:?}");
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(60));
}
