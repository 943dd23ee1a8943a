//! The fetcher for reqwest, as `docs/robots-in-my-crawler.md` shows it.

use std::time::Duration;

use polite_robots_policy::{NetError, RobotsResponse};
use reqwest::redirect::Policy;

pub(super) fn client() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .user_agent("ExampleBot/1.0 (+https://example.com/bot)")
        .redirect(Policy::none())
        // The cache knows when to ask again.
        .retry(reqwest::retry::never())
        .timeout(Duration::from_secs(30))
        // The bytes say more as they came. gzip and deflate are undone by the cache.
        .no_gzip()
        .no_deflate()
        .no_brotli()
        .no_zstd()
}

pub(super) async fn fetch(
    client: &reqwest::Client,
    url: String,
) -> Result<RobotsResponse, NetError> {
    let request = client
        .get(url)
        .header("Accept", "text/plain, */*;q=0.1")
        .header("Accept-Encoding", "gzip, deflate");
    let answer = request.send().await?;
    let response = RobotsResponse::new(answer.status().as_u16(), answer.headers(), "");
    response.with_chunks(answer, next_chunk).await
}

async fn next_chunk(
    mut answer: reqwest::Response,
) -> Result<(Option<impl AsRef<[u8]>>, reqwest::Response), NetError> {
    let chunk = answer.chunk().await?;
    Ok((chunk, answer))
}
