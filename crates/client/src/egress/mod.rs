//! The addresses a client may connect to: public ones unless the operator says otherwise.

use std::error::Error;
use std::iter;
use std::net::IpAddr;

use ipnet::IpNet;
use url::{Host, Url};

use crate::egress::address_kind::AddressKind;

pub(crate) mod address_kind;

/// The addresses a client may connect to.
///
/// A crawler follows URLs that strangers write. Without a guard, a link or a redirect to
/// `http://169.254.169.254/` makes it ask the metadata service of its own cloud, and a name that
/// resolves to `10.0.0.1` makes it ask its own network (server-side request forgery). The default
/// therefore permits public addresses only.
///
/// Two places have to check, because an HTTP client resolves names but connects to an address in a
/// URL directly: [`Egress::check_url`] before each request and each redirect, and [`Egress::check`]
/// for each resolved address. The client of this crate does both and connects to the address that
/// was checked.
///
/// ```
/// use polite_robots_client::Egress;
/// use polite_robots_client::network::AddressKind;
///
/// let egress = Egress::public_only();
/// assert!(egress.check("8.8.8.8".parse()?).is_ok());
/// assert_eq!(egress.check("10.0.0.1".parse()?), Err(AddressKind::Private));
///
/// let intranet = Egress::public_only().also("10.20.0.0/16".parse()?);
/// assert!(intranet.check("10.20.0.1".parse()?).is_ok());
/// assert!(intranet.check("10.21.0.1".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Egress {
    reach: Reach,
    /// Networks that are permitted in addition.
    networks: Vec<IpNet>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Public,
    Any,
    /// The listed networks and no others.
    Listed,
}

/// A connection that [`Egress`] does not permit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("connection to {host} refused: {address} is {kind}")]
pub struct Refusal {
    host: String,
    address: IpAddr,
    kind: AddressKind,
}

impl Egress {
    /// Public addresses only: the default.
    #[must_use]
    pub const fn public_only() -> Egress {
        Egress {
            reach: Reach::Public,
            networks: Vec::new(),
        }
    }

    /// Every address: for tests on loopback and for crawlers of an intranet that reads no foreign
    /// URL.
    #[must_use]
    pub const fn any() -> Egress {
        Egress {
            reach: Reach::Any,
            networks: Vec::new(),
        }
    }

    /// The listed networks and no others, whatever kind of address they hold.
    #[must_use]
    pub fn only(networks: impl IntoIterator<Item = IpNet>) -> Egress {
        Egress {
            reach: Reach::Listed,
            networks: networks.into_iter().collect(),
        }
    }

    /// Permits the addresses of one more network, whatever kind they are.
    #[must_use]
    pub fn also(mut self, network: IpNet) -> Egress {
        self.networks.push(network);
        self
    }

    /// Whether an address may be refused. If so, a proxy must not be used: it would resolve and
    /// connect unchecked.
    #[must_use]
    pub fn is_restricted(&self) -> bool {
        self.reach != Reach::Any
    }

    /// Checks one address.
    ///
    /// # Errors
    ///
    /// The kind of an address that is refused; [`AddressKind::Public`] if it is outside of the
    /// networks of [`Egress::only`].
    pub fn check(&self, address: IpAddr) -> Result<(), AddressKind> {
        // A connection to a mapped address goes to the IPv4 address in it.
        let canonical = address.to_canonical();
        let is_listed = |network: &IpNet| network.contains(&canonical);
        if self.reach == Reach::Any || self.networks.iter().any(is_listed) {
            return Ok(());
        }
        match AddressKind::of(address) {
            AddressKind::Public if self.reach == Reach::Public => Ok(()),
            kind => Err(kind),
        }
    }

    /// Checks a URL whose host is an address, which no resolver will ever see. A host with a name
    /// passes: its addresses are checked when they are known.
    ///
    /// ```
    /// use polite_robots_client::Egress;
    ///
    /// // All of these are 127.0.0.1.
    /// let spellings = ["127.0.0.1", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]"];
    /// for url in spellings.map(|host| format!("http://{host}/")) {
    ///     assert!(Egress::public_only().check_url(&url.parse()?).is_err());
    /// }
    /// # Ok::<(), url::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Refusal`] with the address.
    pub fn check_url(&self, url: &Url) -> Result<(), Refusal> {
        let address = match url.host() {
            Some(Host::Ipv4(v4)) => IpAddr::V4(v4),
            Some(Host::Ipv6(v6)) => IpAddr::V6(v6),
            Some(Host::Domain(_)) | None => return Ok(()),
        };
        self.check(address)
            .map_err(|kind| Refusal::new(url.host_str().unwrap_or_default(), address, kind))
    }
}

impl Default for Egress {
    fn default() -> Egress {
        Egress::public_only()
    }
}

impl Refusal {
    /// A refusal of an address that a host has.
    pub(crate) fn new(host: &str, address: IpAddr, kind: AddressKind) -> Refusal {
        Refusal {
            host: host.to_owned(),
            address,
            kind,
        }
    }

    /// The refusal among an error and its sources: HTTP clients wrap the errors of their resolvers.
    #[must_use]
    pub fn of(error: &(dyn Error + 'static)) -> Option<Refusal> {
        let errors = iter::successors(Some(error), |error: &&(dyn Error + 'static)| {
            (*error).source()
        });
        let mut refusals = errors.filter_map(|error| error.downcast_ref::<Refusal>());
        refusals.next().cloned()
    }

    /// The host of the URL.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The address that was refused; the first one if the host has several.
    #[must_use]
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// The reason.
    #[must_use]
    pub fn kind(&self) -> AddressKind {
        self.kind
    }
}

#[cfg(test)]
mod tests {
    use super::AddressKind::*;
    use super::*;

    #[test]
    fn public_addresses_pass() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "192.31.196.1",
            "192.52.193.1",
            "192.175.48.1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2620:4f:8000::1",
        ] {
            let address = address.parse().unwrap();
            assert_eq!(Egress::default().check(address), Ok(()), "{address}");
        }
    }

    #[test]
    fn a_url_with_an_address_is_refused_in_every_spelling() {
        let refused = [
            ("http://127.0.0.1/", "127.0.0.1"),
            ("http://127.1/", "127.0.0.1"),
            ("http://0x7f.1/", "127.0.0.1"),
            ("http://0177.0.0.1/", "127.0.0.1"),
            ("http://2130706433/", "127.0.0.1"),
            ("http://127.0.0.1./", "127.0.0.1"),
            ("http://%31%32%37.1/", "127.0.0.1"),
            ("http://127。0。0。1/", "127.0.0.1"),
            ("http://①②⑦.1/", "127.0.0.1"),
            ("http://user:pw@0/", "0.0.0.0"),
            ("https://[::1]:8080/", "::1"),
            ("http://[::ffff:127.0.0.1]/", "::ffff:127.0.0.1"),
            ("http://[::ffff:8.8.8.8]/", "::ffff:8.8.8.8"),
            ("http://[::7f00:1]/", "::127.0.0.1"),
            ("http://[64:ff9b::a00:1]/", "64:ff9b::a00:1"),
            (
                "http://169.254.169.254/latest/meta-data/",
                "169.254.169.254",
            ),
        ];
        for (url, address) in refused {
            let refusal = Egress::public_only().check_url(&Url::parse(url).unwrap());
            assert_eq!(
                refusal.unwrap_err().address(),
                address.parse::<IpAddr>().unwrap(),
                "{url}"
            );
            assert_eq!(Egress::any().check_url(&Url::parse(url).unwrap()), Ok(()));
        }
        for url in [
            "http://8.8.8.8/",
            "http://[2606:4700::1111]/",
            "http://localhost/",
            "data:,x",
        ] {
            let url = Url::parse(url).unwrap();
            assert_eq!(Egress::public_only().check_url(&url), Ok(()), "{url}");
        }
    }

    #[test]
    fn networks_permit_what_they_contain() {
        let test_net = Egress::only(["127.1.0.0/16".parse().unwrap(), "::1/128".parse().unwrap()]);
        for (address, expected) in [
            ("127.1.2.3", Ok(())),
            ("::ffff:127.1.2.3", Ok(())),
            ("::1", Ok(())),
            ("127.2.0.1", Err(Loopback)),
            ("8.8.8.8", Err(Public)),
        ] {
            assert_eq!(
                test_net.check(address.parse().unwrap()),
                expected,
                "{address}"
            );
        }
        let both = Egress::public_only().also("10.0.0.0/8".parse().unwrap());
        assert_eq!(both.check("10.1.1.1".parse().unwrap()), Ok(()));
        assert_eq!(both.check("8.8.8.8".parse().unwrap()), Ok(()));
        assert_eq!(both.check("192.168.0.1".parse().unwrap()), Err(Private));
        assert!(both.is_restricted() && test_net.is_restricted() && !Egress::any().is_restricted());
    }

    #[test]
    fn a_refusal_names_host_address_and_reason() {
        let url = Url::parse("http://192.168.0.1/").unwrap();
        let refusal = Egress::default().check_url(&url).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "connection to 192.168.0.1 refused: 192.168.0.1 is a private address"
        );
        assert_eq!((refusal.host(), refusal.kind()), ("192.168.0.1", Private));
    }
}
