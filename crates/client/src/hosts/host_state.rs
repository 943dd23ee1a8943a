//! The memory of one host, on its way from one client to another.

use polite_robots::InvalidUrl;
use polite_robots_policy::{Entry, Origin, Pacer};

use crate::store::record::{CorruptRecord, decode, encode};
use crate::store::store_error::StoreError;

/// The memory of one host, on its way from one client to another: its pace, and the robots.txt of
/// its origins.
///
/// `PoliteClient::hand_over` gives it, and `PoliteClient::take_over` takes it. In between it is
/// bytes.
///
/// ```
/// use polite_robots_client::hosts::HostState;
///
/// // The machine that had the host died: the careful answer.
/// let state = HostState::lost("https://example.com/")?;
/// let arrived = HostState::from_bytes(&state.to_bytes()?)?;
/// assert_eq!(arrived.host(), "example.com");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct HostState {
    pub(crate) host: String,
    pub(crate) pacer: Pacer,
    pub(crate) entries: Vec<(Origin, Entry)>,
}

impl HostState {
    /// The host, as [`Origin::host`] gives it.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The bytes to send, with a version and a checksum. Times are wall time, so both clocks must
    /// be right.
    ///
    /// # Errors
    ///
    /// [`StoreError::Save`] for a value that has no stored form.
    pub fn to_bytes(&self) -> Result<Vec<u8>, StoreError> {
        let entries = self.entries.iter();
        let entries: Vec<(String, &Entry)> = entries
            .map(|(origin, entry)| (origin.to_string(), entry))
            .collect();
        encode(&(&self.host, &self.pacer, entries)).map_err(|error| StoreError::Save(error.into()))
    }

    /// The state in bytes that [`HostState::to_bytes`] gave, on this machine or another. A request
    /// that was under way has ended.
    ///
    /// # Errors
    ///
    /// [`CorruptRecord`] for bytes that were damaged, or written by a version that this one does
    /// not read. The host then counts as one that was asked just now: [`HostState::lost`].
    pub fn from_bytes(bytes: &[u8]) -> Result<HostState, CorruptRecord> {
        let (host, pacer, entries): (String, Pacer, Vec<(String, Entry)>) = decode(bytes)?;
        let entries = entries.into_iter();
        let entries = entries.map(|(origin, entry)| Ok((Origin::of(&origin)?, entry)));
        let entries: Result<_, InvalidUrl> = entries.collect();
        Ok(HostState {
            host,
            pacer,
            entries: entries.map_err(|_| CorruptRecord::Value)?,
        })
    }

    /// The state of a host whose owner ended without handing it over: it may have been asked just
    /// now, so that it waits for one gap, and its robots.txt is fetched again. `url` is any URL of
    /// the host.
    ///
    /// # Errors
    ///
    /// [`InvalidUrl`] if `url` has no robots.txt.
    pub fn lost(url: &str) -> Result<HostState, InvalidUrl> {
        let now = std::time::SystemTime::now().into();
        Ok(HostState {
            host: Origin::of(url)?.host().to_string(),
            pacer: Pacer::after_gap(now),
            entries: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use polite_robots_policy::{Profile, Reply, RetryAfter, Timestamp, Turn};

    use super::*;

    fn state(now: Timestamp) -> HostState {
        let mut pacer = Pacer::for_host("example.com");
        pacer.handle_start(now);
        let busy = Reply::new(Ok(429), now).with_retry_after(RetryAfter::parse("120"));
        pacer.handle_reply(busy, &Profile::rfc9309(), now);
        let origins = ["https://example.com", "http://example.com:8080"];
        let entries = origins.map(|origin| {
            let origin = Origin::of(origin).unwrap();
            let entry = Entry::for_origin(&origin);
            (origin, entry)
        });
        HostState {
            host: "example.com".to_string(),
            pacer,
            entries: entries.into(),
        }
    }

    #[test]
    fn a_state_is_the_same_after_its_way() {
        let now = Timestamp::from_millis(1_767_225_600_000);
        let bytes = state(now).to_bytes().unwrap();
        let arrived = HostState::from_bytes(&bytes).unwrap();
        assert_eq!(arrived.to_bytes().unwrap(), bytes);
        assert_eq!(arrived.entries.len(), 2);
        assert_eq!(arrived.host(), "example.com");
        let until = now.saturating_add(Duration::from_secs(120));
        let turn = arrived.pacer.poll(&Profile::rfc9309(), now);
        assert_eq!(turn, Turn::NotBefore(until));
    }

    #[test]
    fn damage_is_noticed() {
        let mut bytes = state(Timestamp::EPOCH).to_bytes().unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        let corrupt = |bytes: &[u8]| HostState::from_bytes(bytes).unwrap_err();
        assert_eq!(corrupt(&bytes), CorruptRecord::Checksum);
        assert_eq!(corrupt(&[]), CorruptRecord::Empty);
    }

    #[test]
    fn a_lost_host_waits_for_a_gap() {
        let lost = HostState::lost("https://EXAMPLE.com/a").unwrap();
        assert_eq!(lost.host(), "example.com");
        let now = std::time::SystemTime::now().into();
        let turn = lost.pacer.poll(&Profile::rfc9309(), now);
        assert!(matches!(turn, Turn::NotBefore(_)), "{turn:?}");
        assert!(HostState::lost("mailto:a@example.com").is_err());
    }
}
