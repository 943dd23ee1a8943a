//! The answer to a question, with its evidence.

use robots::{AgentMatch, Cause, Reason, Rule, Verdict};

use crate::sized::write_sized;
use crate::text::polite_str;

/// The reason of a verdict.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_reason {
    /// There was no robot to ask, so the URL is disallowed.
    POLITE_REASON_NO_ROBOT = 0,
    /// The matching rule with the most bytes decided; `Allow` on a tie.
    POLITE_REASON_RULE = 1,
    /// Google dialect only: an `Allow` for an `index.htm` page allowed the directory of the page
    /// too.
    POLITE_REASON_DIRECTORY_OF_INDEX = 2,
    /// Groups apply to the agent, but none of their rules matches.
    POLITE_REASON_NO_RULE_MATCHES = 3,
    /// The file has no group for the agent.
    POLITE_REASON_NO_GROUP = 4,
    /// The URL is `/robots.txt`, which is always allowed, but not in the Google dialect.
    POLITE_REASON_ROBOTS_TXT_ITSELF = 5,
    /// There was no file to read, and the answer for the whole site follows from `cause`.
    POLITE_REASON_BLANKET = 6,
    /// A reason that this version of the ABI has no number for.
    POLITE_REASON_OTHER = 255,
}

/// The groups of the file that the rules are from.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_agent_match {
    /// No group of the file is for this agent.
    POLITE_AGENT_MATCH_NONE = 0,
    /// No group names the agent, so the `User-agent: *` groups apply.
    POLITE_AGENT_MATCH_WILDCARD = 1,
    /// Groups name the agent. The `*` groups do not count then.
    POLITE_AGENT_MATCH_NAMED = 2,
}

/// The event that decides about a whole site in place of a robots.txt.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_cause {
    /// The reason is not `POLITE_REASON_BLANKET`.
    POLITE_CAUSE_NONE = 0,
    /// The crawler's operator decided so.
    POLITE_CAUSE_CONFIGURED = 1,
    /// The request for the robots.txt was answered with the HTTP status in `status`.
    POLITE_CAUSE_STATUS = 2,
    /// Its robots.txt was not fetched yet.
    POLITE_CAUSE_NOT_FETCHED = 3,
    /// There was no response, or a redirect to nowhere.
    POLITE_CAUSE_UNREACHABLE = 4,
    /// Too many redirects in a row.
    POLITE_CAUSE_TOO_MANY_REDIRECTS = 5,
    /// The response broke off.
    POLITE_CAUSE_TRUNCATED = 6,
    /// A line cannot be read, which `POLITE_PROFILE_IBM` takes for a file without rules.
    POLITE_CAUSE_PARSE_ERRORS = 7,
    /// In a long outage there is no earlier copy to go by.
    POLITE_CAUSE_NO_COPY = 8,
    /// The outage was too long, and the site is not asked any more.
    POLITE_CAUSE_GAVE_UP = 9,
    /// The file is in a coding that cannot be read.
    POLITE_CAUSE_ENCODED = 10,
    /// The cache has no room for the site.
    POLITE_CAUSE_FULL = 11,
    /// A cause that this version of the ABI has no number for.
    POLITE_CAUSE_OTHER = 255,
}

/// The answer to "may this agent fetch this URL?", with its evidence. Set `size` before each call,
/// which lets the struct grow: `polite_verdict verdict = {.size = sizeof verdict};`.
///
/// A plain value of the caller, with nothing to be freed; its patterns belong to the robot. Threads
/// need one each while it is written.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct polite_verdict {
    /// `sizeof(polite_verdict)` of the caller. Nothing beyond it is written.
    pub size: u32,
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// A `polite_reason`.
    pub reason: u8,
    /// A `polite_agent_match`.
    pub agent_match: u8,
    /// A `polite_cause`.
    pub cause: u8,
    /// The HTTP status of `POLITE_CAUSE_STATUS`; 0 otherwise.
    pub status: u16,
    /// The line of the rule that decided, from 1; 0 if none did.
    pub line: u32,
    /// The line of the `User-agent` record by which the group applies to the agent; 0 if none does.
    pub group_line: u32,
    /// The line of the longest matching rule of the opposite kind; 0 if there is none.
    pub overruled_line: u32,
    /// The pattern of the rule that decided, in compared form; empty if none did. Valid as long as
    /// the robot.
    pub pattern: polite_str,
    /// The pattern of the rule on `overruled_line`; empty if there is none. Valid as long as the
    /// robot.
    pub overruled_pattern: polite_str,
}

impl polite_verdict {
    /// The answer of a robot that is NULL.
    pub(crate) const NO_ROBOT: polite_verdict = polite_verdict {
        size: 0,
        allowed: false,
        reason: polite_reason::POLITE_REASON_NO_ROBOT as u8,
        agent_match: polite_agent_match::POLITE_AGENT_MATCH_NONE as u8,
        cause: polite_cause::POLITE_CAUSE_NONE as u8,
        status: 0,
        line: 0,
        group_line: 0,
        overruled_line: 0,
        pattern: polite_str::EMPTY,
        overruled_pattern: polite_str::EMPTY,
    };

    pub(crate) fn new(verdict: &Verdict<'_>) -> polite_verdict {
        let (cause, status) = cause(verdict.reason());
        let line = |rule: Option<Rule<'_>>| rule.map_or(0, |rule| rule.line());
        let pattern = |rule: Option<Rule<'_>>| {
            rule.map_or(polite_str::EMPTY, |rule| {
                polite_str::new(rule.pattern().as_bytes())
            })
        };
        polite_verdict {
            size: 0,
            allowed: verdict.is_allowed(),
            reason: reason(verdict.reason()) as u8,
            agent_match: agent_match(verdict.agent_match()) as u8,
            cause: cause as u8,
            status,
            line: line(verdict.rule()),
            group_line: verdict.group_line().unwrap_or(0),
            overruled_line: line(verdict.overruled()),
            pattern: pattern(verdict.rule()),
            overruled_pattern: pattern(verdict.overruled()),
        }
    }

    /// Writes as much of the verdict as the caller has room for.
    ///
    /// # Safety
    ///
    /// `out` is NULL, or points at as many writable bytes as its first field says.
    pub(crate) unsafe fn write(self, out: *mut polite_verdict) {
        // SAFETY: as this function asks for.
        unsafe { write_sized(self, out) };
    }
}

fn reason(reason: Reason<'_>) -> polite_reason {
    match reason {
        Reason::Rule(_) => polite_reason::POLITE_REASON_RULE,
        Reason::DirectoryOfIndex(_) => polite_reason::POLITE_REASON_DIRECTORY_OF_INDEX,
        Reason::NoRuleMatches => polite_reason::POLITE_REASON_NO_RULE_MATCHES,
        Reason::NoGroup => polite_reason::POLITE_REASON_NO_GROUP,
        Reason::RobotsTxtItself => polite_reason::POLITE_REASON_ROBOTS_TXT_ITSELF,
        Reason::Blanket(_) => polite_reason::POLITE_REASON_BLANKET,
        _ => polite_reason::POLITE_REASON_OTHER,
    }
}

fn cause(reason: Reason<'_>) -> (polite_cause, u16) {
    match reason {
        Reason::Blanket(cause) => cause_of(cause),
        _ => (polite_cause::POLITE_CAUSE_NONE, 0),
    }
}

/// The number of a cause, and its status.
pub(crate) fn cause_of(cause: Cause) -> (polite_cause, u16) {
    use polite_cause::*;
    match cause {
        Cause::Configured => (POLITE_CAUSE_CONFIGURED, 0),
        Cause::Status(status) => (POLITE_CAUSE_STATUS, status),
        Cause::NotFetched => (POLITE_CAUSE_NOT_FETCHED, 0),
        Cause::Unreachable => (POLITE_CAUSE_UNREACHABLE, 0),
        Cause::TooManyRedirects => (POLITE_CAUSE_TOO_MANY_REDIRECTS, 0),
        Cause::Truncated => (POLITE_CAUSE_TRUNCATED, 0),
        Cause::ParseErrors => (POLITE_CAUSE_PARSE_ERRORS, 0),
        Cause::NoCopy => (POLITE_CAUSE_NO_COPY, 0),
        Cause::GaveUp => (POLITE_CAUSE_GAVE_UP, 0),
        Cause::Encoded => (POLITE_CAUSE_ENCODED, 0),
        Cause::Full => (POLITE_CAUSE_FULL, 0),
        _ => (POLITE_CAUSE_OTHER, 0),
    }
}

fn agent_match(agent_match: AgentMatch) -> polite_agent_match {
    match agent_match {
        AgentMatch::None => polite_agent_match::POLITE_AGENT_MATCH_NONE,
        AgentMatch::Wildcard => polite_agent_match::POLITE_AGENT_MATCH_WILDCARD,
        AgentMatch::Named => polite_agent_match::POLITE_AGENT_MATCH_NAMED,
    }
}
