//! A resolver of names in this process, which keeps answers as long as they last.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};

use hickory_resolver::config::{
    ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolverConfig,
};
use hickory_resolver::lookup_ip::LookupIp;
use hickory_resolver::net::NetError as DnsError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::Name as DnsName;
use hickory_resolver::{ResolverBuilder, TokioResolver};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::net::net_error::has_route_to;
use crate::net::resolver::{NoAddress, folded};

/// A resolver that asks name servers by itself, by [hickory](https://docs.rs/hickory-resolver).
///
/// For a crawl it has three advantages over [`SystemResolver`](crate::network::SystemResolver): no
/// thread waits for each name, an answer is kept for its time to live and no longer, and all
/// addresses of a name are there, IPv6 and IPv4, which [`Groups`](crate::hosts::Groups) and the
/// attempts of [`Profile::ibm`](crate::Profile::ibm) use.
///
/// - Names are absolute: a name that does not exist is not tried again inside of the search domains
///   of `resolv.conf`. `/etc/hosts` counts as usual.
/// - Addresses to which this machine has no route come last, so that the first one is the one that
///   is connected to.
/// - A name that does not exist or has no address is a [`NoAddress`]. SERVFAIL and silence are
///   other errors; for silence it waits 15 seconds, in three tries of 5, unless `resolv.conf` says
///   otherwise.
///
/// ```no_run
/// use polite_robots_client::PoliteClient;
/// use polite_robots_client::hosts::Groups;
/// use polite_robots_client::network::HickoryResolver;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let client = PoliteClient::builder("ExampleBot")
///     .resolver(HickoryResolver::from_system()?)
///     .groups(Groups::by_address(&[]))
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct HickoryResolver {
    names: TokioResolver,
}

impl HickoryResolver {
    /// Asks the name servers of the operating system: those of `/etc/resolv.conf`, or of the
    /// registry on Windows.
    ///
    /// # Errors
    ///
    /// The configuration of the system cannot be read.
    pub fn from_system() -> io::Result<HickoryResolver> {
        let builder = TokioResolver::builder_tokio().map_err(io_error)?;
        HickoryResolver::build(builder)
    }

    /// Asks these name servers, by UDP and, where an answer is too long for it, by TCP.
    ///
    /// ```
    /// use polite_robots_client::network::HickoryResolver;
    ///
    /// // A resolver that runs beside the crawler.
    /// let resolver = HickoryResolver::of_servers(["127.0.0.1:5353".parse()?])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The resolver refuses its settings.
    pub fn of_servers(
        servers: impl IntoIterator<Item = SocketAddr>,
    ) -> io::Result<HickoryResolver> {
        HickoryResolver::build(builder(servers))
    }

    /// Takes a resolver of hickory-resolver 0.26 with settings of its own: encrypted connections,
    /// DNSSEC, other limits.
    #[must_use]
    pub fn over(names: TokioResolver) -> HickoryResolver {
        HickoryResolver { names }
    }

    fn build(mut builder: ResolverBuilder<TokioRuntimeProvider>) -> io::Result<HickoryResolver> {
        let options = builder.options_mut();
        options.ip_strategy = LookupIpStrategy::Ipv6AndIpv4;
        options.cache_size = CACHED_ANSWERS;
        let names = builder.build().map_err(io_error)?;
        Ok(HickoryResolver { names })
    }
}

impl Resolve for HickoryResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let names = self.names.clone();
        Box::pin(async move {
            let host = folded(name.as_str());
            let Ok(absolute) = DnsName::from_ascii(format!("{host}.")) else {
                // No name server knows a name that cannot be asked for.
                return Err(NoAddress::of(host).into());
            };
            match names.lookup_ip(absolute).await {
                Ok(found) => Ok(Box::new(addresses(&found).into_iter()) as Addrs),
                Err(error) if error.is_no_records_found() => Err(NoAddress::of(host).into()),
                Err(error) => Err(io_error(error).into()),
            }
        })
    }
}

impl fmt::Debug for HickoryResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HickoryResolver").finish_non_exhaustive()
    }
}

fn builder(servers: impl IntoIterator<Item = SocketAddr>) -> ResolverBuilder<TokioRuntimeProvider> {
    let servers = servers.into_iter().map(|server| {
        let mut connections = vec![ConnectionConfig::udp(), ConnectionConfig::tcp()];
        for connection in &mut connections {
            connection.port = server.port();
        }
        // A server that says that there is no such name is believed.
        NameServerConfig::new(server.ip(), true, connections)
    });
    let config = ResolverConfig::from_name_servers(servers.collect());
    TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
}

/// The addresses, reachable ones first, and then IPv6 before IPv4. Reachability is the first of the
/// rules by which an operating system sorts them (RFC 6724 §6).
fn addresses(found: &LookupIp) -> Vec<SocketAddr> {
    let mut addresses: Vec<IpAddr> = found.iter().collect();
    addresses.sort_by_cached_key(|address| !has_route_to(*address));
    let addresses = addresses.into_iter().map(|address| (address, 0).into());
    addresses.collect()
}

/// The error with the code of the operating system, if it has one: the code separates faults of
/// this machine from others.
fn io_error(error: DnsError) -> io::Error {
    match &error {
        DnsError::Io(cause) => match cause.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::new(cause.kind(), error),
        },
        _ => io::Error::other(error),
    }
}

/// The most answers in memory, two for each name: 32,768 hosts in some 20 MB.
const CACHED_ANSWERS: u64 = 1 << 16;

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::io::{Read as _, Write as _};
    use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::Duration;

    use hickory_resolver::proto::op::{Message, ResponseCode};
    use hickory_resolver::proto::rr::{RData, Record};
    use polite_robots_policy::NetError;

    use super::*;
    use crate::egress::Egress;
    use crate::net::net_error::{has_route, net_error};
    use crate::net::resolver::GuardedResolver;

    /// A name server on loopback, which counts the questions for each name and type.
    struct Server {
        address: SocketAddr,
        asked: Arc<Mutex<HashMap<String, usize>>>,
    }

    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Transport {
        Udp,
        Tcp,
    }

    impl Server {
        fn start() -> Server {
            let (udp, tcp) = (0..20).find_map(|_| sockets()).unwrap();
            let address = udp.local_addr().unwrap();
            let asked: Arc<Mutex<HashMap<String, usize>>> = Arc::default();
            let counted = Arc::clone(&asked);
            thread::spawn(move || {
                let mut buffer = [0; 4096];
                while let Ok((length, client)) = udp.recv_from(&mut buffer) {
                    if let Some(reply) = reply(&buffer[..length], Transport::Udp, &counted) {
                        let _ = udp.send_to(&reply, client);
                    }
                }
            });
            let counted = Arc::clone(&asked);
            thread::spawn(move || {
                for stream in tcp.incoming().flatten() {
                    let counted = Arc::clone(&counted);
                    thread::spawn(move || serve(stream, &counted));
                }
            });
            Server { address, asked }
        }

        /// A resolver that waits for longer than a busy machine needs.
        fn resolver(&self) -> HickoryResolver {
            self.resolver_that_waits(Duration::from_secs(60))
        }

        /// A resolver for questions that nobody answers.
        fn impatient_resolver(&self) -> HickoryResolver {
            self.resolver_that_waits(Duration::from_millis(200))
        }

        fn resolver_that_waits(&self, patience: Duration) -> HickoryResolver {
            let mut builder = builder([self.address]);
            builder.options_mut().timeout = patience;
            builder.options_mut().attempts = 1;
            HickoryResolver::build(builder).unwrap()
        }

        fn asked(&self, question: &str) -> usize {
            let asked = self.asked.lock().unwrap();
            asked.get(question).copied().unwrap_or(0)
        }
    }

    fn sockets() -> Option<(UdpSocket, TcpListener)> {
        let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).ok()?;
        let tcp = TcpListener::bind(udp.local_addr().ok()?).ok()?;
        Some((udp, tcp))
    }

    /// Each message has its length before it (RFC 1035 §4.2.2).
    fn serve(mut stream: TcpStream, counted: &Mutex<HashMap<String, usize>>) {
        let mut length = [0; 2];
        while stream.read_exact(&mut length).is_ok() {
            let mut question = vec![0; usize::from(u16::from_be_bytes(length))];
            stream.read_exact(&mut question).unwrap();
            if let Some(reply) = reply(&question, Transport::Tcp, counted) {
                let length = u16::try_from(reply.len()).unwrap().to_be_bytes();
                stream.write_all(&length).unwrap();
                stream.write_all(&reply).unwrap();
            }
        }
    }

    fn reply(
        question: &[u8],
        transport: Transport,
        counted: &Mutex<HashMap<String, usize>>,
    ) -> Option<Vec<u8>> {
        let question = Message::from_vec(question).unwrap();
        let query = question.queries[0].clone();
        let name = query.name.to_ascii().to_lowercase();
        let name = name.strip_suffix(".test.").unwrap_or(&name);
        let counter = format!("{name} {}", query.query_type);
        *counted.lock().unwrap().entry(counter).or_default() += 1;
        let mut reply = Message::response(question.metadata.id, question.metadata.op_code);
        reply.metadata.recursion_available = true;
        reply.add_query(query.clone());
        let ttl = match name {
            "short" => 1,
            _ => 60,
        };
        let mut add = |address: &str| {
            let address = RData::from(address.parse::<IpAddr>().unwrap());
            if address.record_type() == query.query_type {
                reply.add_answer(Record::from_rdata(query.name.clone(), ttl, address));
            }
        };
        match name {
            "all" => ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"]
                .map(&mut add)
                .into(),
            "short" | "one" => ["192.0.2.1"].map(&mut add).to_vec(),
            "loopback" => ["127.0.0.1"].map(&mut add).to_vec(),
            "long" if transport == Transport::Udp => {
                reply.metadata.truncation = true;
                Vec::new()
            }
            "long" => ["192.0.2.3"].map(&mut add).to_vec(),
            "empty" => Vec::new(),
            "silent" => return None,
            "broken" => {
                reply.metadata.response_code = ResponseCode::ServFail;
                Vec::new()
            }
            _ => {
                reply.metadata.response_code = ResponseCode::NXDomain;
                Vec::new()
            }
        };
        Some(reply.to_vec().unwrap())
    }

    fn wait<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.unwrap().block_on(future)
    }

    async fn look_up(resolver: &HickoryResolver, host: &str) -> Vec<IpAddr> {
        let found = resolver.resolve(host.parse().unwrap()).await.unwrap();
        let mut found: Vec<IpAddr> = found.map(|address| address.ip()).collect();
        found.sort();
        found
    }

    fn addresses_of<const N: usize>(texts: [&str; N]) -> [IpAddr; N] {
        texts.map(|text| text.parse().unwrap())
    }

    #[test]
    fn all_addresses_are_found_and_those_with_a_route_come_first() {
        let server = Server::start();
        wait(async {
            let resolver = server.resolver();
            let found = resolver.resolve("all.test".parse().unwrap()).await.unwrap();
            let found: Vec<IpAddr> = found.map(|address| address.ip()).collect();
            let is_reachable: Vec<bool> =
                found.iter().map(|address| has_route_to(*address)).collect();
            assert!(
                is_reachable.is_sorted_by(|one, next| one >= next),
                "{found:?}"
            );
            let all = addresses_of(["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"]);
            assert_eq!(look_up(&resolver, "All.test.").await, all);
        });
        assert_eq!((server.asked("all A"), server.asked("all AAAA")), (1, 1));
    }

    #[test]
    fn an_answer_is_kept_for_its_time_to_live() {
        let server = Server::start();
        wait(async {
            let resolver = server.resolver();
            for host in ["short.test", "one.test", "short.test", "one.test"] {
                assert_eq!(look_up(&resolver, host).await, addresses_of(["192.0.2.1"]));
            }
            let asked_before = server.asked("short A");
            tokio::time::sleep(Duration::from_millis(1_100)).await;
            look_up(&resolver, "short.test").await;
            look_up(&resolver, "one.test").await;
            assert!(server.asked("short A") > asked_before);
        });
        assert_eq!(server.asked("one A"), 1);
    }

    #[test]
    fn a_long_answer_comes_by_tcp() {
        let server = Server::start();
        let found = wait(async { look_up(&server.resolver(), "long.test").await });
        assert_eq!(found, addresses_of(["192.0.2.3"]));
    }

    #[test]
    fn a_name_without_an_address_is_told_from_a_server_without_an_answer() {
        let server = Server::start();
        let long = format!("{}.test", "a".repeat(64));
        for host in ["nowhere.test", "empty.test", &long] {
            let error = wait(async {
                let resolver = server.resolver();
                resolver.resolve(host.parse().unwrap()).await.err().unwrap()
            });
            assert!(error.is::<NoAddress>(), "{host}: {error}");
            assert_eq!(error.to_string(), format!("{host} has no address"));
        }
        for host in ["broken.test", "silent.test"] {
            let error = wait(async {
                let resolver = server.impatient_resolver();
                resolver.resolve(host.parse().unwrap()).await.err().unwrap()
            });
            assert!(!error.is::<NoAddress>(), "{host}: {error}");
        }
    }

    /// The failure of a request to a host, in the words of the policy.
    fn failure(resolver: HickoryResolver, host: &str) -> NetError {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let guarded = GuardedResolver::over(Egress::any(), resolver);
        let client = guarded.guard(reqwest::Client::builder()).no_proxy();
        let url = format!("http://{host}/");
        let error = wait(async { client.build().unwrap().get(url).send().await.unwrap_err() });
        net_error(&error)
    }

    #[test]
    fn each_failure_has_its_kind() {
        let server = Server::start();
        for host in ["nowhere.test", "empty.test"] {
            assert_eq!(failure(server.resolver(), host), NetError::Dns);
        }
        // Nobody answers: the site's fault if this machine has a network, and else its own.
        let by_route = match has_route() {
            true => NetError::Dns,
            false => NetError::Local,
        };
        for host in ["broken.test", "silent.test"] {
            assert_eq!(failure(server.impatient_resolver(), host), by_route);
        }
        let closed = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr();
        let closed = Server {
            address: closed.unwrap(),
            asked: Arc::default(),
        };
        assert_eq!(failure(closed.impatient_resolver(), "one.test"), by_route);
    }

    /// The addresses pass the same guard as those of any resolver.
    #[test]
    fn a_name_that_leads_inside_is_refused() {
        let server = Server::start();
        let resolver = GuardedResolver::over(Egress::public_only(), server.resolver());
        let error = wait(async { resolver.look_up("loopback.test").await.unwrap_err() });
        assert!(crate::egress::Refusal::of(&*error).is_some(), "{error}");
    }

    #[test]
    fn the_code_of_the_system_stays_in_the_error() {
        let cause = Arc::new(io::Error::from_raw_os_error(24));
        assert_eq!(io_error(DnsError::Io(cause)).raw_os_error(), Some(24));
        let kind = io::ErrorKind::ConnectionRefused;
        let cause = Arc::new(io::Error::from(kind));
        assert_eq!(io_error(DnsError::Io(cause)).kind(), kind);
    }
}
