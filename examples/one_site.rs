//! A crawler's use of the robots.txt of one site, after any result of its fetch.
//!
//! `cargo run --example one_site`

#![allow(clippy::print_stdout)]

use polite_robots::{Cause, Robot, robots_url};

/// The result of the request for `/robots.txt`: a status and a body, or no answer at all.
enum Fetched<'a> {
    Response { status: u16, body: &'a [u8] },
    NetworkError,
}

/// RFC 9309 §2.3.1: what the answer means for access.
fn robot(agent: &str, fetched: &Fetched<'_>) -> Result<Robot, polite_robots::InvalidToken> {
    Ok(match fetched {
        Fetched::Response {
            status: 200..300,
            body,
        } => Robot::new(agent, body)?,
        // Too many requests: not a statement about access. Google takes it like a 5xx, and so
        // should a guest.
        Fetched::Response { status: 429, .. } => Robot::disallow_all(Cause::Status(429)),
        // Not there, or not for us to see: nothing is disallowed (§2.3.1.3).
        Fetched::Response { status, .. } if (400..500).contains(status) => {
            Robot::allow_all(Cause::Status(*status))
        }
        // Five redirects at least are the client's to follow; what is left of them counts as no
        // file (§2.3.1.2).
        Fetched::Response { status, .. } if (300..400).contains(status) => {
            Robot::allow_all(Cause::TooManyRedirects)
        }
        Fetched::Response { status, .. } => Robot::disallow_all(Cause::Status(*status)),
        Fetched::NetworkError => Robot::disallow_all(Cause::Unreachable),
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let page = "https://example.com/search?q=robots";
    println!("the rules for {page} are at {}", robots_url(page)?);

    let body = b"User-agent: *\nDisallow: /search\nAllow: /search/about\n";
    let answers = [
        Fetched::Response { status: 200, body },
        Fetched::Response {
            status: 404,
            body: b"Not found",
        },
        Fetched::Response {
            status: 503,
            body: b"Back soon",
        },
        Fetched::NetworkError,
    ];
    for fetched in &answers {
        let robot = robot("ExampleBot", fetched)?;
        println!("{}", robot.check(page));
    }
    Ok(())
}
