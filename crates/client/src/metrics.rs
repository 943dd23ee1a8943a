//! Counters of a client.

/// The counters of a client since it was built, and the figures of the moment.
///
/// ```no_run
/// # async fn example() -> Result<(), polite_robots_client::Error> {
/// use polite_robots_client::PoliteClient;
///
/// let client = PoliteClient::new("ExampleBot")?;
/// println!("{} pages, {} hosts wait", client.metrics().pages, client.metrics().hosts_waiting);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Metrics {
    /// Requests for pages that the client sent, redirects included; those of permits are sent by
    /// others.
    pub pages: u64,
    /// Requests for robots.txt that were sent, redirects included.
    pub robots_requests: u64,
    /// Rounds for a robots.txt that ended with an answer: rules, or no file.
    pub rounds_answered: u64,
    /// Rounds that found the site unreachable.
    pub rounds_failed: u64,
    /// Rounds that failed by the crawler's own fault, such as its network.
    pub rounds_local: u64,
    /// Calls that a rule disallowed.
    pub disallowed: u64,
    /// Calls that an outage of robots.txt closed.
    pub closed: u64,
    /// Turns that were given back or broken off before an answer, as their callers went away.
    pub cancelled: u64,
    /// Turns that nobody used in time, and that went to the next caller: their futures were not
    /// polled.
    pub expired: u64,
    /// Requests that took long and were broken off, as all places were taken and other hosts
    /// waited.
    pub gave_way: u64,
    /// Requests for pages that were sent once more after a passing failure; see
    /// [`PoliteClientBuilder::retries`](crate::PoliteClientBuilder::retries).
    pub retries: u64,
    /// Hosts with callers that wait.
    pub hosts_waiting: usize,
    /// Turns that are granted, and requests under way.
    pub in_flight: usize,
    /// Hosts that the client knows: hosts of the last two minutes, and hosts whose pace still
    /// matters.
    pub hosts: usize,
    /// Origins whose robots.txt is at hand.
    pub origins: usize,
    /// Origins that were forgotten and left a trace.
    pub forgotten: usize,
    /// Bytes that the robots.txt of all origins count for.
    pub robots_bytes: usize,
}
