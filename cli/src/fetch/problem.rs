//! The reason why a server gave no answer, as a sentence.

use std::error::Error;
use std::fmt;
use std::io;
use std::iter;
use std::time::Duration;

use polite_robots_client::network::{Refusal, net_error};
use polite_robots_policy::fetch::Event;
use polite_robots_policy::{NetError, Timestamp};

use crate::counted::seconds;
use crate::terminal::printable;

/// The reason why a request has no answer.
#[derive(Debug)]
pub(super) enum Problem {
    /// A redirect leads to an address that is not public.
    Refused(Refusal),
    /// No answer came.
    Net { kind: NetError, sentence: String },
    /// The host asked to be left alone for longer than anybody waits for a command.
    LeftAlone { host: String, until: Timestamp },
}

impl Problem {
    pub(super) fn of(error: &reqwest::Error, server: &str, limit: Duration) -> Problem {
        if let Some(refusal) = Refusal::of(error) {
            return Problem::Refused(refusal);
        }
        let kind = net_error(error);
        let server = printable(server);
        let cause = printable(&root(error).to_string());
        let sentence = match kind {
            NetError::Dns => format!("no address is known for `{server}`"),
            NetError::Connect if is_refusal(error) => format!("`{server}` refuses connections"),
            NetError::Connect => format!("no connection to `{server}`: {cause}"),
            NetError::Read => return Problem::silence(&server, limit),
            NetError::Reset => format!("`{server}` cut the connection: {cause}"),
            NetError::Tls => format!("no secure connection to `{server}`: {cause}"),
            NetError::Local => {
                format!("this machine cannot reach `{server}`: {cause}; is its network up?")
            }
            _ => format!("no HTTP answer from `{server}`: {cause}"),
        };
        Problem::Net { kind, sentence }
    }

    /// The time limit passed before the whole answer was there.
    pub(super) fn silence(server: &str, limit: Duration) -> Problem {
        Problem::Net {
            kind: NetError::Read,
            sentence: format!(
                "no whole answer from `{}` within {}; --timeout gives it longer",
                printable(server),
                seconds(limit)
            ),
        }
    }

    /// The failure as an event for the state machine of a profile. If the host was not asked, the
    /// failure is local.
    pub(super) fn event(&self) -> Event<'static> {
        match self {
            Problem::Refused(_) => Event::Refused,
            Problem::Net { kind, .. } => Event::Failed(*kind),
            Problem::LeftAlone { .. } => Event::Failed(NetError::Local),
        }
    }

    /// The failure for the request rate of the host.
    pub(super) fn net_error(&self) -> NetError {
        match self {
            Problem::Net { kind, .. } => *kind,
            Problem::Refused(_) | Problem::LeftAlone { .. } => NetError::Local,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Refused(refusal) => write!(
                f,
                "the redirect is not followed, as {} is {}; with --any-address it is",
                refusal.address(),
                refusal.kind()
            ),
            Problem::Net { sentence, .. } => f.write_str(sentence),
            Problem::LeftAlone { host, until } => write!(
                f,
                "`{}` asked to be left alone until {until}",
                printable(host)
            ),
        }
    }
}

fn is_refusal(error: &reqwest::Error) -> bool {
    let mut errors = sources(error).filter_map(|source| source.downcast_ref::<io::Error>());
    errors.any(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

/// The innermost error, which says most.
pub(super) fn root(error: &reqwest::Error) -> &(dyn Error + 'static) {
    sources(error).last().unwrap_or(error)
}

fn sources(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    iter::successors(error.source(), |source| (*source).source())
}
