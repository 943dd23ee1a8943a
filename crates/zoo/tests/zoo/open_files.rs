//! The connections that a crawl of many sites leaves open.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use polite_robots_client::{Egress, PoliteClient, StaticResolver};
use polite_robots_policy::Profile;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

const SITES: usize = 700;
const PLACES: usize = 32;
const IDLE: usize = 256;

/// Servers that keep each connection open for as long as the client likes. Without a limit, 700
/// connections were open in this crawl; a process may often open 1,024 files.
#[tokio::test(flavor = "multi_thread")]
async fn a_crawl_of_many_sites_keeps_few_connections() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (open, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counts = (Arc::clone(&open), Arc::clone(&most));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (open, most) = (Arc::clone(&counts.0), Arc::clone(&counts.1));
            most.fetch_max(open.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::spawn(async move {
                let mut head = Vec::new();
                while matches!(stream.read_buf(&mut head).await, Ok(1..)) {
                    if head.ends_with(b"\r\n\r\n") {
                        let is_last = head.windows(17).any(|part| part == b"connection: close");
                        head.clear();
                        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
                        if stream.write_all(answer).await.is_err() || is_last {
                            break;
                        }
                    }
                }
                open.fetch_sub(1, Ordering::SeqCst);
            });
        }
    });

    let mut names = StaticResolver::new();
    for site in 0..SITES {
        names = names.host(&format!("h{site}.test"), [address.ip()]);
    }
    let mut profile = Profile::rfc9309();
    profile.pace.min_delay = Duration::from_millis(10);
    let client = PoliteClient::builder("ExampleBot")
        .egress(Egress::any())
        .resolver(names)
        .profile(profile)
        .max_in_flight(PLACES)
        .max_idle(IDLE)
        .build()
        .unwrap();
    let mut pages = JoinSet::new();
    for site in 0..SITES {
        let client = client.clone();
        let url = format!("http://h{site}.test:{}/page", address.port());
        pages.spawn(async move { client.get(&url).await.map(|response| response.status()) });
    }
    while let Some(page) = pages.join_next().await {
        assert_eq!(page.unwrap().unwrap(), 200);
    }
    // A connection that the client has closed may be open here for a moment longer.
    let most = most.load(Ordering::SeqCst);
    println!("{most} connections at a time");
    assert!(most <= IDLE + 3 * PLACES, "{most} connections at a time");
}
