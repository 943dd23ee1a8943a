//! A page of a crawl, and the reasons why it is not fetched.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;
use core::time::Duration;

use polite_robots::{Robot, Target};

use crate::access::cache::{Closed, RobotsCheck};
use crate::origin::Origin;
use crate::pace::scheduler::host_id::HostId;
use crate::time::Timestamp;

/// A page that a caller wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest<'u> {
    pub(super) url: &'u str,
    pub(super) asked: Option<String>,
    pub(super) target: Option<&'u [u8]>,
    pub(super) is_lent: bool,
    pub(super) is_patient: bool,
    pub(super) max_wait: Option<Duration>,
}

impl<'u> PageRequest<'u> {
    /// A request for a URL, as the client sends it.
    #[must_use]
    pub const fn new(url: &'u str) -> PageRequest<'u> {
        PageRequest {
            url,
            asked: None,
            target: None,
            is_lent: false,
            is_patient: false,
            max_wait: None,
        }
    }

    /// Adds the URL as the caller wrote it, if the client sends another text: a rule for either of
    /// the two forbids the page.
    #[must_use]
    pub fn with_asked(self, asked: Option<String>) -> PageRequest<'u> {
        PageRequest { asked, ..self }
    }

    /// Adds the request target that the client sends for the URL, as [`RobotsCheck::and_sent`]
    /// takes it: a rule for it forbids the page too.
    #[must_use]
    pub fn with_target(self, target: Option<&'u [u8]>) -> PageRequest<'u> {
        PageRequest { target, ..self }
    }

    /// Marks a request that another client sends: it does not count towards
    /// [`Limits::in_flight`](crate::crawl::Limits::in_flight).
    #[must_use]
    pub fn with_lent(self, is_lent: bool) -> PageRequest<'u> {
        PageRequest { is_lent, ..self }
    }

    /// Waits also while the site is closed, if it may be asked again before the end of the wait.
    #[must_use]
    pub fn with_patience(self, is_patient: bool) -> PageRequest<'u> {
        PageRequest { is_patient, ..self }
    }

    /// Waits for so long, in place of [`Limits::wait`](crate::crawl::Limits::wait).
    #[must_use]
    pub fn with_max_wait(self, wait: Duration) -> PageRequest<'u> {
        let max_wait = Some(wait);
        PageRequest { max_wait, ..self }
    }
}

/// A page whose request is under way, or that is not fetched, as
/// [`Step::Refused`](crate::crawl::Step::Refused) has it.
#[derive(Debug)]
pub struct Page {
    pub(super) number: u32,
    pub(super) url: String,
    pub(super) asked: Option<String>,
    pub(super) target: Option<Box<[u8]>>,
    pub(super) origin: Origin,
    pub(super) host: HostId,
    /// The time by the steady clock at which its caller stops waiting.
    pub(super) until: Duration,
    /// Whether another client sends the request.
    pub(super) is_lent: bool,
    /// Whether its caller waits while the site is closed.
    pub(super) is_patient: bool,
    /// The beginning of the request, if it is under way.
    pub(super) started: Option<Timestamp>,
}

impl Page {
    /// The number that [`Crawl::enter`](crate::crawl::Crawl::enter) gave.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The URL as the client sends it.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The origin, whose robots.txt counts.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The text that the robot disallows: the URL as it is sent or as the caller wrote it; `None`
    /// if the robot allows both.
    #[must_use]
    pub fn disallowed_by(&self, robot: &Robot) -> Option<&str> {
        let texts = [Some(self.url.as_str()), self.asked.as_deref()];
        texts.into_iter().flatten().find(|url| !robot.allowed(*url))
    }

    /// The answer about the URL and its target, by the rules in force or about a closed origin.
    #[must_use]
    pub fn check(&self, access: Result<Robot, Closed>) -> RobotsCheck {
        let check = RobotsCheck::new(&self.url, access);
        match self.target.as_deref() {
            Some(target) => check.and_sent(target),
            None => check,
        }
    }

    /// Whether the robot allows all texts of the page.
    pub(super) fn is_allowed_by(&self, robot: &Robot) -> bool {
        let target = self.target.as_deref();
        self.disallowed_by(robot).is_none()
            && target.is_none_or(|target| robot.allowed(Target::sent(target)))
    }
}

/// The reason why a page is not fetched.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// A rule of the site, as this robot has it.
    Disallowed(Robot),
    /// The site is closed, although no rule says so.
    Closed(Closed),
    /// The host gives no turn in time.
    Busy {
        /// Why.
        reason: Busy,
        /// Its next turn, if that is known.
        retry: Option<Timestamp>,
    },
}

/// The reason why a host gives no turn in time. Its text is half a sentence, such as `its turn
/// comes too late`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Busy {
    /// Its `Crawl-delay` is longer than the profile accepts.
    Skipped,
    /// Its next turn comes after the longest wait of the caller.
    TooLate,
    /// The page has waited for as long as a caller waits.
    Overdue,
    /// As many pages as this wait for the host already.
    Crowded(usize),
}

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Busy::Skipped => "its Crawl-delay is too long",
            Busy::TooLate => "its turn comes too late",
            Busy::Overdue => "its turn did not come in time",
            Busy::Crowded(pages) => return write!(f, "{pages} requests wait for it"),
        })
    }
}
