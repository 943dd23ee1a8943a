//! The fetcher for reqwest, as `docs/robots-in-my-crawler.md` shows it.

use std::time::Duration;

use polite_robots_policy::{NetError, RobotsResponse};
use reqwest::redirect::Policy;

pub(super) fn client() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .user_agent("ExampleBot/1.0 (+https://example.com/bot)")
        .redirect(Policy::none())
        .timeout(Duration::from_secs(30))
}

pub(super) async fn fetch(
    client: &reqwest::Client,
    url: String,
) -> Result<RobotsResponse, NetError> {
    let request = client.get(url).header("Accept", "text/plain, */*;q=0.1");
    let mut response = request.send().await?;
    let mut body = Vec::new();
    while body.len() < RobotsResponse::READ_LIMIT {
        match response.chunk().await {
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => break,
            Err(error) => return Err(body_error(&error)),
        }
    }
    Ok(RobotsResponse::new(
        response.status().as_u16(),
        response.headers(),
        body,
    ))
}

/// A content coding that cannot be undone never opens a site. Every error of a body is one of
/// decoding to reqwest, so it is one that is neither a time-out nor an error of the connection.
fn body_error(error: &reqwest::Error) -> NetError {
    match NetError::of(error) {
        NetError::Other if error.is_decode() && !error.is_timeout() => NetError::Encoded,
        kind => kind,
    }
}
