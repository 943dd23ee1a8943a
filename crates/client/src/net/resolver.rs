//! Name resolution that leads only to addresses the client may connect to.

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use thiserror::Error;

use crate::egress::{Egress, Refusal};

/// A resolver that removes the addresses which an [`Egress`] refuses.
///
/// reqwest connects to the addresses that its resolver gives and does not resolve again in between,
/// so the address that was checked is the address of the connection. A name whose addresses are all
/// refused is an error with a [`Refusal`] in it; [`Refusal::of`] finds it in the error of reqwest.
/// A URL with an address in it is never resolved: [`Egress::check_url`] is for that.
///
/// The client of this crate uses it by itself. It is public for those who build a `reqwest::Client`
/// of their own:
///
/// ```
/// use polite_robots_client::Egress;
/// use polite_robots_client::network::GuardedResolver;
///
/// let builder = GuardedResolver::new(Egress::public_only()).guard(reqwest::Client::builder());
/// ```
#[derive(Clone)]
pub struct GuardedResolver {
    names: Arc<dyn Resolve>,
    egress: Arc<Egress>,
}

/// The resolver of the operating system, with its `/etc/hosts` and its order of addresses.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

/// A resolver with a fixed table, as `/etc/hosts` is one: for tests, and for hosts whose addresses
/// are known.
///
/// ```
/// use polite_robots_client::network::StaticResolver;
///
/// let resolver = StaticResolver::new().host("h0001.test", ["127.1.0.1".parse()?]);
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Clone, Default)]
pub struct StaticResolver {
    /// The addresses by name, in lower case and without a dot at the end.
    hosts: HashMap<String, Vec<IpAddr>>,
    others: Option<Arc<dyn Resolve>>,
}

/// A name that leads to no address.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{host} has no address")]
pub struct NoAddress {
    host: String,
}

impl NoAddress {
    pub(crate) fn of(host: String) -> NoAddress {
        NoAddress { host }
    }
}

impl GuardedResolver {
    /// Resolves by the operating system.
    #[must_use]
    pub fn new(egress: Egress) -> GuardedResolver {
        GuardedResolver::over(egress, SystemResolver)
    }

    /// Resolves by another resolver, of reqwest's own interface.
    #[must_use]
    pub fn over(egress: Egress, names: impl Resolve + 'static) -> GuardedResolver {
        GuardedResolver::over_shared(egress, Arc::new(names))
    }

    pub(crate) fn over_shared(egress: Egress, names: Arc<dyn Resolve>) -> GuardedResolver {
        GuardedResolver {
            names,
            egress: Arc::new(egress),
        }
    }

    /// The rule by which addresses are judged.
    #[must_use]
    pub fn egress(&self) -> &Egress {
        &self.egress
    }

    /// Sets this resolver in a builder of a client. While addresses are restricted the builder
    /// loses its proxies, its own ones and those of the environment: a proxy resolves by itself and
    /// connects unchecked. Addresses that the builder was given by `resolve` stay, unchecked, as
    /// the program that names them knows them.
    pub fn guard(&self, builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
        let builder = if self.egress.is_restricted() {
            builder.no_proxy()
        } else {
            builder
        };
        builder.dns_resolver(self.clone())
    }

    /// The permitted addresses of a host, in the order of the resolver.
    ///
    /// # Errors
    ///
    /// [`Refusal`] if the host has addresses and none is permitted, [`NoAddress`] if it has none,
    /// and the error of the resolver.
    pub async fn look_up(
        &self,
        host: &str,
    ) -> Result<Vec<IpAddr>, Box<dyn std::error::Error + Send + Sync>> {
        let addresses = self.resolve(host.parse()?).await?;
        Ok(addresses.map(|address| address.ip()).collect())
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_owned();
        let resolving = self.names.resolve(name);
        let egress = Arc::clone(&self.egress);
        Box::pin(async move {
            let addresses = permitted(&egress, host, resolving.await?)?;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

impl fmt::Debug for GuardedResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut this = f.debug_struct("GuardedResolver");
        this.field("egress", &self.egress).finish_non_exhaustive()
    }
}

impl Resolve for SystemResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            // Port 0 stands for that of the URL.
            let addresses = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let addresses: Vec<SocketAddr> = addresses.collect();
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

impl StaticResolver {
    /// A resolver without a host.
    #[must_use]
    pub fn new() -> StaticResolver {
        StaticResolver::default()
    }

    /// Adds a host, or replaces its addresses.
    #[must_use]
    pub fn host(
        mut self,
        host: &str,
        addresses: impl IntoIterator<Item = IpAddr>,
    ) -> StaticResolver {
        self.hosts
            .insert(folded(host), addresses.into_iter().collect());
        self
    }

    /// Sets the resolver of all other names. Without one they have no address.
    #[must_use]
    pub fn otherwise(mut self, others: impl Resolve + 'static) -> StaticResolver {
        self.others = Some(Arc::new(others));
        self
    }
}

impl Resolve for StaticResolver {
    fn resolve(&self, name: Name) -> Resolving {
        match (self.hosts.get(&folded(name.as_str())), &self.others) {
            (Some(addresses), _) => {
                let addresses: Vec<SocketAddr> = addresses
                    .iter()
                    .map(|address| (*address, 0).into())
                    .collect();
                Box::pin(async move { Ok(Box::new(addresses.into_iter()) as Addrs) })
            }
            (None, Some(others)) => others.resolve(name),
            (None, None) => {
                let host = name.as_str().to_owned();
                Box::pin(async move { Err(NoAddress::of(host).into()) })
            }
        }
    }
}

impl fmt::Debug for StaticResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut this = f.debug_struct("StaticResolver");
        this.field("hosts", &self.hosts).finish_non_exhaustive()
    }
}

/// The addresses of a host that may be connected to; at least one.
fn permitted(
    egress: &Egress,
    host: String,
    addresses: Addrs,
) -> Result<Vec<SocketAddr>, Box<dyn std::error::Error + Send + Sync>> {
    let mut permitted = Vec::new();
    let mut refusal = None;
    for address in addresses {
        match egress.check(address.ip()) {
            Ok(()) => permitted.push(address),
            Err(kind) => {
                refusal.get_or_insert_with(|| Refusal::new(&host, address.ip(), kind));
            }
        }
    }
    match (permitted.is_empty(), refusal) {
        (false, _) => Ok(permitted),
        (true, Some(refusal)) => Err(refusal.into()),
        (true, None) => Err(NoAddress::of(host).into()),
    }
}

/// The form in which names are compared. reqwest gives them in lower case and punycode, with the
/// dot at the end that the URL may have.
pub(crate) fn folded(host: &str) -> String {
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::egress::address_kind::AddressKind;

    fn wait<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.unwrap().block_on(future)
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn client(resolver: &GuardedResolver) -> reqwest::Client {
        let _ = rustls::crypto::ring::default_provider().install_default();
        resolver.guard(reqwest::Client::builder()).build().unwrap()
    }

    #[test]
    fn refused_addresses_are_removed() {
        let names = StaticResolver::new()
            .host(
                "Mixed.test.",
                ["10.0.0.1", "8.8.8.8", "::1", "2606:4700::1111"].map(address),
            )
            .host("inner.test", ["10.0.0.1", "127.0.0.1"].map(address))
            .host("empty.test", []);
        let resolver = GuardedResolver::over(Egress::public_only(), names);
        let mixed = wait(resolver.look_up("mixed.TEST")).unwrap();
        assert_eq!(mixed, ["8.8.8.8", "2606:4700::1111"].map(address));

        let refused = wait(resolver.look_up("inner.test")).unwrap_err();
        let refusal = Refusal::of(&*refused).unwrap();
        assert_eq!(
            (refusal.host(), refusal.address(), refusal.kind()),
            ("inner.test", address("10.0.0.1"), AddressKind::Private)
        );
        for host in ["empty.test", "unknown.test"] {
            let error = wait(resolver.look_up(host)).unwrap_err();
            assert_eq!(error.to_string(), format!("{host} has no address"));
            assert_eq!(Refusal::of(&*error), None);
        }
    }

    #[test]
    fn the_system_knows_localhost_and_the_default_refuses_it() {
        let permitted = GuardedResolver::new(Egress::any());
        let addresses = wait(permitted.look_up("localhost")).unwrap();
        assert!(addresses.iter().all(IpAddr::is_loopback), "{addresses:?}");
        let refused =
            wait(GuardedResolver::new(Egress::default()).look_up("localhost")).unwrap_err();
        let refusal = Refusal::of(&*refused).unwrap();
        assert_eq!(refusal.kind(), AddressKind::Loopback);
    }

    #[test]
    fn other_names_go_to_the_other_resolver() {
        let second = StaticResolver::new().host("b.test", [address("127.1.0.2")]);
        let first = StaticResolver::new()
            .host("a.test", [address("127.1.0.1")])
            .otherwise(second);
        let resolver = GuardedResolver::over(Egress::any(), first);
        assert_eq!(
            wait(resolver.look_up("a.test")).unwrap(),
            [address("127.1.0.1")]
        );
        assert_eq!(
            wait(resolver.look_up("b.test.")).unwrap(),
            [address("127.1.0.2")]
        );
        assert!(wait(resolver.look_up("c.test")).is_err());
    }

    /// The error of reqwest has the refusal in it, and no connection is made.
    #[test]
    fn a_client_connects_nowhere_if_all_addresses_are_refused() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let names = StaticResolver::new().host("inner.test", [address("127.0.0.1")]);
        let resolver = GuardedResolver::over(Egress::public_only(), names);
        let url = format!(
            "http://inner.test:{}/",
            listener.local_addr().unwrap().port()
        );
        let error = wait(client(&resolver).get(url).send()).unwrap_err();
        let refusal = Refusal::of(&error).unwrap();
        assert_eq!(
            (refusal.host(), refusal.address()),
            ("inner.test", address("127.0.0.1"))
        );
        listener.set_nonblocking(true).unwrap();
        assert!(listener.accept().is_err());
    }

    /// The first address of the host is refused, and the client uses the second.
    #[test]
    fn a_client_connects_to_a_permitted_address() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut head = [0; 1024];
            let length = stream.read(&mut head).unwrap();
            stream
                .write_all(b"HTTP/1.1 204 No Content\r\n\r\n")
                .unwrap();
            String::from_utf8_lossy(&head[..length]).into_owned()
        });
        let names =
            StaticResolver::new().host("mixed.test", ["10.255.255.1", "127.0.0.1"].map(address));
        let loopback = Egress::only(["127.0.0.0/8".parse().unwrap()]);
        let resolver = GuardedResolver::over(loopback, names);
        let url = format!("http://mixed.test:{port}/");
        let response = wait(client(&resolver).get(url).send()).unwrap();
        assert_eq!(response.status(), 204);
        assert!(
            server
                .join()
                .unwrap()
                .contains(&format!("host: mixed.test:{port}"))
        );
    }

    /// With a proxy the name would be resolved elsewhere.
    #[test]
    fn a_restricted_client_has_no_proxy() {
        let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy_url = format!("http://{}", proxy.local_addr().unwrap());
        let builder = || reqwest::Client::builder().proxy(reqwest::Proxy::all(&proxy_url).unwrap());
        let names = StaticResolver::new().host("inner.test", [address("10.0.0.1")]);
        let resolver = GuardedResolver::over(Egress::public_only(), names);
        let _ = rustls::crypto::ring::default_provider().install_default();
        // A proxy that is used never answers here.
        let builder = builder().timeout(Duration::from_secs(2));
        let client = resolver.guard(builder).build().unwrap();
        let error = wait(async { client.get("http://inner.test/").send().await }).unwrap_err();
        assert!(Refusal::of(&error).is_some(), "{error:?}");
    }
}
