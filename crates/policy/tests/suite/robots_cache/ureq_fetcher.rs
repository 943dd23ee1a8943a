//! The fetcher for ureq, as `docs/robots-in-my-crawler.md` shows it.

use polite_robots_policy::{NetError, RobotsResponse};

pub(super) fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .user_agent("ExampleBot/1.0 (+https://example.com/bot)")
        .timeout_global(Some(std::time::Duration::from_secs(30)))
        .http_status_as_error(false)
        .max_redirects(0);
    config.build().new_agent()
}

pub(super) fn fetch(agent: &ureq::Agent, url: &str) -> Result<RobotsResponse, NetError> {
    let request = agent.get(url).header("Accept", "text/plain, */*;q=0.1");
    let (head, body) = request.call().map_err(ureq::Error::into_io)?.into_parts();
    let read = RobotsResponse::read(head.status.as_u16(), &head.headers, body.into_reader());
    read.map_err(|error| match ureq::Error::from(error) {
        // ureq takes the name of a coding away. One that cannot be undone never opens a site.
        ureq::Error::Decompress(..) => NetError::Encoded,
        _ => NetError::CutShort,
    })
}
