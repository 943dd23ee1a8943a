//! The failures of reqwest in the words of the policy.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::iter;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

use polite_robots_policy::NetError;

use crate::net::resolver::NoAddress;

/// The kind of a failure of reqwest, for the policy's machines.
///
/// A fault of the crawler itself is [`NetError::Local`], so that it does not count as an outage of
/// the site: no route, no free port, no free file descriptor. A
/// [`Refusal`](crate::network::Refusal) is not a failure of the network; look for it first.
///
/// reqwest reports one error for a connection that was refused and for one that took too long, so
/// both are [`NetError::Connect`].
#[must_use]
pub fn net_error(error: &reqwest::Error) -> NetError {
    if error.is_dns() {
        return dns_error(error);
    }
    if sources(error).any(is_tls) {
        return NetError::Tls;
    }
    let io_error = sources(error).filter_map(|source| source.downcast_ref::<io::Error>());
    let io_error = io_error.last();
    if io_error.is_some_and(is_local) {
        NetError::Local
    } else if error.is_connect() {
        NetError::Connect
    } else if error.is_timeout() {
        NetError::Read
    } else {
        match io_error.map(io::Error::kind) {
            Some(
                ErrorKind::ConnectionReset
                | ErrorKind::ConnectionAborted
                | ErrorKind::BrokenPipe
                | ErrorKind::UnexpectedEof,
            ) => NetError::Reset,
            Some(ErrorKind::TimedOut) => NetError::Read,
            Some(_) => NetError::Other,
            // The connection is well; what came over it is not HTTP, or ended before it was a
            // response.
            None => NetError::InvalidResponse,
        }
    }
}

/// The kind of a failure of a resolver, or of an error that has one among its sources.
pub(crate) fn dns_error(error: &(dyn Error + 'static)) -> NetError {
    let mut errors = iter::successors(Some(error), |error: &&(dyn Error + 'static)| {
        (*error).source()
    });
    let is_known_to_be_nowhere = errors.clone().any(|error| error.is::<NoAddress>());
    let is_ours = errors.any(|error| error.downcast_ref().is_some_and(is_local));
    if is_known_to_be_nowhere || (!is_ours && has_route()) {
        NetError::Dns
    } else {
        NetError::Local
    }
}

fn sources(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    iter::successors(error.source(), |source| (*source).source())
}

/// rustls comes wrapped in an `io::Error` or two, which name the source of their content as their
/// own source.
fn is_tls(source: &(dyn Error + 'static)) -> bool {
    let content = source
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref);
    source.is::<rustls::Error>() || content.is_some_and(|content| is_tls(content))
}

/// Whether the fault is this machine's.
fn is_local(error: &io::Error) -> bool {
    match error.kind() {
        ErrorKind::NetworkDown | ErrorKind::AddrNotAvailable | ErrorKind::AddrInUse => true,
        // A host with addresses of both families gives this error on a machine with one of them,
        // whatever its fault is.
        ErrorKind::NetworkUnreachable => !has_route(),
        _ => error
            .raw_os_error()
            .is_some_and(|code| LOCAL_CODES.contains(&code)),
    }
}

/// Whether the process has no file descriptor left for the connection.
pub(crate) fn is_out_of_files(error: &reqwest::Error) -> bool {
    let mut io_errors = sources(error).filter_map(|source| source.downcast_ref::<io::Error>());
    io_errors.any(|error| {
        let code = error.raw_os_error();
        code.is_some_and(|code| LOCAL_CODES.contains(&code))
    })
}

/// Whether this machine knows a way to the Internet.
pub(crate) fn has_route() -> bool {
    // Addresses for documentation: nobody is there, but the default route leads there.
    has_route_to(DOCUMENTATION_V4.into()) || has_route_to(DOCUMENTATION_V6.into())
}

/// Whether this machine knows a way to an address. A datagram socket that is connected sends
/// nothing.
pub(crate) fn has_route_to(address: IpAddr) -> bool {
    let unspecified: IpAddr = match address {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind((unspecified, 0));
    socket.is_ok_and(|socket| socket.connect((address, DISCARD)).is_ok())
}

/// The port of a service that nobody runs.
const DISCARD: u16 = 9;

const DOCUMENTATION_V4: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
const DOCUMENTATION_V6: Ipv6Addr = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);

/// `ENFILE` and `EMFILE`: no file descriptor is left. The numbers are those of every Unix; other
/// systems count otherwise.
const LOCAL_CODES: &[i32] = if cfg!(unix) { &[23, 24] } else { &[] };

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::egress::{Egress, Refusal};
    use crate::net::resolver::{GuardedResolver, StaticResolver};

    /// The failure of a request to a server that handles its connections by `serve`.
    fn failure(scheme: &str, serve: fn(TcpStream)) -> NetError {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let _ = stream.read(&mut [0; 4096]);
                serve(stream);
            }
        });
        let error = get(&format!("{scheme}://here.test:{port}/"));
        assert_eq!(Refusal::of(&error), None);
        net_error(&error)
    }

    /// More than a busy machine needs for an answer. Only silence takes as long.
    const PATIENCE: Duration = Duration::from_secs(6);

    fn get(url: &str) -> reqwest::Error {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let here = StaticResolver::new().host("here.test", [IpAddr::from([127, 0, 0, 1])]);
        let resolver = GuardedResolver::over(Egress::any(), here);
        let client = resolver.guard(reqwest::Client::builder()).no_proxy();
        let client = client.timeout(PATIENCE).build().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let response = runtime.unwrap().block_on(async {
            match client.get(url).send().await {
                Ok(response) => response.bytes().await.map(|_| ()),
                Err(error) => Err(error),
            }
        });
        response.unwrap_err()
    }

    #[test]
    fn each_failure_has_its_kind() {
        let nothing = |_| ();
        let not_http = |mut stream: TcpStream| stream.write_all(b"220 mail ESMTP\r\n").unwrap();
        let half = |mut stream: TcpStream| {
            let head = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc";
            stream.write_all(head).unwrap();
        };
        let silence = |_stream| thread::sleep(2 * PATIENCE);
        assert_eq!(failure("https", not_http), NetError::Tls);
        assert_eq!(failure("http", not_http), NetError::InvalidResponse);
        assert_eq!(failure("http", silence), NetError::Read);
        // A connection that ends is no response, and a body that ends early is half of one.
        let ended = [NetError::InvalidResponse, NetError::Reset];
        assert!(ended.contains(&failure("http", nothing)));
        assert!(ended.contains(&failure("http", half)));
    }

    #[test]
    fn a_refused_connection_is_connect_and_an_unknown_name_is_dns() {
        let closed = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        let refused = get(&format!("http://here.test:{}/", closed.port()));
        assert_eq!(net_error(&refused), NetError::Connect);
        assert_eq!(net_error(&get("http://nowhere.test/")), NetError::Dns);
    }

    #[test]
    fn a_name_fails_by_its_own_fault_or_by_ours() {
        let nowhere = NoAddress::of("nowhere.test".into());
        assert_eq!(dns_error(&nowhere), NetError::Dns);
        let by_route = if has_route() {
            NetError::Dns
        } else {
            NetError::Local
        };
        assert_eq!(dns_error(&io::Error::other("no answer")), by_route);
        let no_socket = io::Error::from(ErrorKind::AddrNotAvailable);
        assert_eq!(dns_error(&no_socket), NetError::Local);
        assert!(has_route_to(Ipv4Addr::LOCALHOST.into()));
    }

    #[test]
    fn faults_of_this_machine_are_local() {
        for kind in [
            ErrorKind::NetworkDown,
            ErrorKind::AddrNotAvailable,
            ErrorKind::AddrInUse,
        ] {
            assert!(is_local(&kind.into()), "{kind:?}");
        }
        assert_eq!(
            is_local(&ErrorKind::NetworkUnreachable.into()),
            !has_route()
        );
        assert!(is_local(&io::Error::from_raw_os_error(24)) || !cfg!(unix));
        for kind in [
            ErrorKind::ConnectionRefused,
            ErrorKind::ConnectionReset,
            ErrorKind::TimedOut,
        ] {
            assert!(!is_local(&kind.into()), "{kind:?}");
        }
    }
}
