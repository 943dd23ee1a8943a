//! What both of the polite examples need beside the crate.

use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use url::Url;

pub(crate) mod answer;

/// The name by which a robots.txt speaks of the crawler.
pub(crate) const AGENT: &str = "ExampleBot";

/// What servers read: the same name, and where their owners learn more.
pub(crate) const USER_AGENT: &str = "ExampleBot/1.0 (+https://example.com/bot)";

/// Arguments such as `200ms` and `1.5s`.
pub(crate) fn duration(text: &str) -> Result<Duration, jiff::Error> {
    Duration::try_from(text.parse::<jiff::SignedDuration>()?)
}

/// URLs of pages: http or https, without the fragment, which is never sent.
pub(crate) fn page_url(text: &str) -> Result<Url, String> {
    let mut url = Url::parse(text).map_err(|error| {
        format!("{error}; a whole URL is needed, as in https://example.com/page")
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!(
            "the scheme is `{}`; only http and https have a robots.txt",
            url.scheme()
        ));
    }
    url.set_fragment(None);
    Ok(url)
}

/// Whether an address is one of the machine or of the network that the crawler runs in. A redirect must not lead there:
/// behind it may be a router, a database, or the cloud's own metadata.
pub(crate) fn is_own_network(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let [first, second, ..] = v4.octets();
            let is_shared = first == 100 && (64..128).contains(&second);
            v4.is_private()
                || v4.is_loopback()
                || v4.is_link_local()
                || v4.is_broadcast()
                || first == 0
                || is_shared
        }
        IpAddr::V6(v6) => match embedded(v6) {
            Some(v4) => is_own_network(v4),
            None => {
                v6.is_loopback()
                    || v6.is_unspecified()
                    || v6.is_unique_local()
                    || v6.is_unicast_link_local()
            }
        },
    }
}

/// The IPv4 address within an IPv6 one: mapped (`::ffff:0:0/96`) or translated (`64:ff9b::/96`).
fn embedded(v6: Ipv6Addr) -> Option<IpAddr> {
    let [.., a, b, c, d] = v6.octets();
    let translated = v6.segments().starts_with(&[0x64, 0xFF9B, 0, 0, 0, 0]);
    let translated = translated.then_some([a, b, c, d].into());
    v6.to_ipv4_mapped().or(translated).map(IpAddr::V4)
}
