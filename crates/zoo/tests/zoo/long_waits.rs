//! Hosts that ask for hours and days between two requests, in paused time. Each turn is used, and
//! robots.txt takes no more turns than it must.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use polite_robots_client::network::StaticResolver;
use polite_robots_client::{Egress, Error, PoliteClient};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};

/// The requests that a server saw: whether each was for robots.txt, and its paused time.
type Seen = Arc<Mutex<Vec<(bool, Instant)>>>;

/// The answers of a site: its robots.txt, and its pages by their number.
#[derive(Clone, Copy)]
struct Answers {
    robots: &'static str,
    page: fn(usize) -> &'static str,
}

const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx";

async fn site(answers: Answers) -> (PoliteClient, String, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let seen = Seen::default();
    let log = Arc::clone(&seen);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream, answers, Arc::clone(&log)));
        }
    });
    let client = PoliteClient::builder("ExampleBot")
        .egress(Egress::any())
        .resolver(StaticResolver::new().host("a.test", [address.ip()]))
        .build()
        .unwrap();
    (client, format!("http://a.test:{}/a", address.port()), seen)
}

async fn answer(mut stream: TcpStream, answers: Answers, seen: Seen) {
    let mut head = Vec::new();
    while matches!(stream.read_buf(&mut head).await, Ok(1..)) {
        if !head.ends_with(b"\r\n\r\n") {
            continue;
        }
        let is_robots = head.starts_with(b"GET /robots.txt ");
        head.clear();
        let answer = {
            let mut seen = seen.lock().unwrap();
            let pages = seen.iter().filter(|(is_robots, _)| !is_robots).count();
            seen.push((is_robots, Instant::now()));
            match is_robots {
                true => answers.robots,
                false => (answers.page)(pages),
            }
        };
        stream.write_all(answer.as_bytes()).await.unwrap();
    }
}

/// Counts the requests of a crawler that calls every `period` for `hours` hours: those for
/// robots.txt, and those for pages.
async fn crawl(answers: Answers, period: Duration, hours: u64) -> [usize; 2] {
    let (client, url, seen) = site(answers).await;
    let end = Instant::now() + Duration::from_secs(hours * 3_600);
    while Instant::now() < end {
        let next = Instant::now() + period;
        match client.get(&url).await {
            Ok(page) => drop(page.bytes().await.unwrap()),
            Err(error) => assert!(matches!(error, Error::Busy { .. }), "{error}"),
        }
        tokio::time::sleep_until(next).await;
    }
    let seen = seen.lock().unwrap();
    let is_twice = |two: &[(bool, Instant)]| two[0].0 && two[1].0;
    assert!(!seen.windows(2).any(is_twice), "{seen:?}");
    let robots = seen.iter().filter(|(is_robots, _)| *is_robots).count();
    [robots, seen.len() - robots]
}

#[tokio::test(start_paused = true)]
async fn a_block_of_a_day_ends_in_one_robots_txt() {
    let answers = Answers {
        robots: "HTTP/1.1 200 OK\r\nCache-Control: max-age=300\r\nContent-Length: 0\r\n\r\n",
        page: |number| match number {
            0 => "HTTP/1.1 429 Busy\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n",
            1 => "HTTP/1.1 429 Busy\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n",
            _ => PAGE,
        },
    };
    let [robots, pages] = crawl(answers, Duration::from_secs(60), 26).await;
    // In the hour after the blocks a page comes each minute, except while the level of the back-off
    // is up.
    assert!((40..62).contains(&pages), "{pages}");
    assert!((10..18).contains(&robots), "{robots}");
}

#[tokio::test(start_paused = true)]
async fn a_long_gap_is_kept_with_a_page_in_nearly_each_turn() {
    let robots = [
        "HTTP/1.1 200 OK\r\nContent-Length: 31\r\n\r\nUser-agent: *\nCrawl-delay: 7200",
        "HTTP/1.1 200 OK\r\nContent-Length: 32\r\n\r\nUser-agent: *\nCrawl-delay: 40000",
        "HTTP/1.1 200 OK\r\nContent-Length: 32\r\n\r\nUser-agent: *\nCrawl-delay: 86400",
    ];
    for (robots, minutes, expected) in [
        (robots[0], 1, [11, 88]),
        (robots[1], 5, [7, 11]),
        (robots[2], 5, [5, 4]),
    ] {
        let page = |_| PAGE;
        let period = Duration::from_secs(60 * minutes);
        let [robots_txt, pages] = crawl(Answers { robots, page }, period, 200).await;
        println!("{robots}: {robots_txt} robots.txt, {pages} pages");
        assert!(robots_txt <= expected[0], "{robots}: {robots_txt}");
        assert!(pages >= expected[1], "{robots}: {pages}");
    }
}

/// Seven calls are queued when the turn moves an hour ahead. They get that answer at once.
#[tokio::test(start_paused = true)]
async fn callers_in_line_hear_that_the_turn_moved() {
    let answers = Answers {
        robots: "HTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n",
        page: |_| "HTTP/1.1 429 Busy\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n",
    };
    let (client, url, seen) = site(answers).await;
    let begun = Instant::now();
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let (client, url) = (client.clone(), url.clone());
            tokio::spawn(async move { client.get(&url).await.map(|page| page.status()) })
        })
        .collect();
    let mut busy = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(status) => assert_eq!(status, 429),
            Err(error) => {
                assert!(matches!(error, Error::Busy { .. }), "{error}");
                assert!(error.retry_at().is_some());
                busy += 1;
            }
        }
    }
    assert_eq!(busy, 7);
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(seen.lock().unwrap().len(), 2);
    sleep(Duration::from_secs(3_700)).await;
    assert_eq!(client.get(&url).await.unwrap().status(), 429);
}

// Types of ours: none.
