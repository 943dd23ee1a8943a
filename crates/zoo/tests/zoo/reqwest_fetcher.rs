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
    let answer = request.send().await?;
    let response = RobotsResponse::new(answer.status().as_u16(), answer.headers(), "");
    response.with_chunks(answer, next_chunk).await
}

async fn next_chunk(
    mut answer: reqwest::Response,
) -> Result<(Option<impl AsRef<[u8]>>, reqwest::Response), NetError> {
    let chunk = answer.chunk().await.map_err(body_error)?;
    Ok((chunk, answer))
}

/// A content coding that cannot be undone never opens a site. Every error of a body is one of
/// decoding to reqwest, so it is one that is neither a time-out nor an error of the connection.
fn body_error(error: reqwest::Error) -> NetError {
    match NetError::of(&error) {
        NetError::Other if error.is_decode() && !error.is_timeout() => NetError::Encoded,
        kind => kind,
    }
}
