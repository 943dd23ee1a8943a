//! Finds sites that are closed to search engines, as a test server's file closes them.

use std::collections::BTreeSet;

use polite_robots::document::{Group, MergedGroup, RuleRecord, UserAgent, leading_token};
use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::proposal::{Effect, Proposal};
use crate::rule_text::{without_rules, without_text};
use crate::text::line::line_at;
use crate::text::words::words;

/// The `Disallow` that closes a whole site to some agents.
#[derive(Debug, Clone)]
pub(super) struct Closing {
    pub(super) line: u32,
    /// All lines that close the site.
    pub(super) lines: BTreeSet<u32>,
    /// Whether `Allow` rules open a few paths all the same.
    pub(super) has_exceptions: bool,
    /// The line of the `Allow` that opens the home page alone.
    pub(super) home_page: Option<u32>,
}

impl Closing {
    /// The paths that are open all the same, as a part of a sentence.
    fn open(&self) -> Option<String> {
        let home_page = |line| format!("the home page, which line {line} opens");
        match (self.home_page, self.has_exceptions) {
            (None, false) => None,
            (None, true) => Some("a few `Allow` rules open".into()),
            (Some(line), false) => Some(home_page(line)),
            (Some(line), true) => Some(format!(
                "{}, and the paths of a few `Allow` rules",
                home_page(line)
            )),
        }
    }

    /// The pages that search engines lose, as a part of a sentence.
    fn lost(&self) -> &'static str {
        match self.home_page {
            Some(_) => "its other pages",
            None => "its pages",
        }
    }

    fn finding(&self, file: &FileRules<'_>, advice: Advice) -> Diagnostic {
        let rule = file.rule_on(self.line);
        let span = rule.map_or(0..0, RuleRecord::span);
        Diagnostic::advised(DiagnosticCode::SiteClosed, self.line, span, advice)
    }

    /// The file without the rules that close the site.
    fn without_closing(&self, file: &FileRules<'_>) -> Option<Proposal> {
        let rules = file.texts_of(self.lines.iter().copied());
        without_rules(file.bytes(), &rules, Effect::Answers)
    }

    /// The change that opens the site by these rules, as a part of a sentence.
    fn opening(&self) -> String {
        match self.lines.first() {
            Some(first) if self.lines.len() > 1 => {
                format!("remove the rules that close it, from line {first} on")
            }
            _ => "remove this line".into(),
        }
    }

    /// The finding about a line that closes an open site to search engines. `agents` are all that
    /// it closes the site to.
    pub(super) fn of_engines(
        &self,
        engines: &[Engine],
        group: &MergedGroup<'_>,
        agents: &[&[u8]],
        file: &FileRules<'_>,
    ) -> Diagnostic {
        let list = |part: fn(&Engine) -> &'static str| -> String {
            let parts: Vec<&str> = engines.iter().map(part).collect();
            parts.join(" and ")
        };
        let (tokens, names) = (list(|engine| engine.0), list(|engine| engine.1));
        let much = match self.open() {
            Some(open) => format!("no more of this site than {open}"),
            None => "nothing of this site".into(),
        };
        let is_for_others = agents.len() > engines.len();
        let (opening, proposal) = match is_for_others {
            true => (
                format!("take {tokens} out of this group"),
                without_agents(engines, group, file),
            ),
            false => (self.opening(), self.without_closing(file)),
        };
        let message = format!(
            "{tokens} may fetch {much}, so {} leave the results of {names}; {opening} if that is not meant, which opens the whole site to {}",
            self.lost(),
            if engines.len() > 1 { "them" } else { "it" },
        );
        self.finding(file, Advice::new(message).propose_all(proposal))
    }
}

/// The file without the lines that name some search engines in their groups.
fn without_agents(
    engines: &[Engine],
    group: &MergedGroup<'_>,
    file: &FileRules<'_>,
) -> Option<Proposal> {
    let bytes = file.bytes();
    let agents = group.groups().flat_map(|group| group.user_agents());
    let is_engine = |agent: &UserAgent<'_>| {
        let token = leading_token(agent.value());
        let mut tokens = engines.iter().map(|engine| engine.0.as_bytes());
        tokens.any(|engine| engine.eq_ignore_ascii_case(token))
    };
    let named = agents.filter(is_engine);
    let span = |agent: UserAgent<'_>| {
        let line = line_at(bytes, agent.span().start);
        without_text(bytes, line.clone(), line.start..agent.span().end)
    };
    Proposal::of(named.map(|agent| (span(agent), "")), Effect::Answers)
}

/// The product token and the name of a search engine.
pub(super) type Engine = (&'static str, &'static str);

/// The large search engines that are among some agents. Sites close themselves to those of other
/// countries on purpose.
pub(super) fn large_engines(agents: &[&[u8]]) -> Vec<Engine> {
    let is_named = |engine: &Engine| {
        let mut agents = agents.iter();
        agents.any(|agent| leading_token(agent).eq_ignore_ascii_case(engine.0.as_bytes()))
    };
    LARGE_ENGINES.into_iter().filter(is_named).collect()
}

const LARGE_ENGINES: [Engine; 2] = [("Googlebot", "Google"), ("bingbot", "Bing")];

/// The answers of Google's matcher about a site that RFC 9309 closes.
#[derive(Debug, Clone, Copy)]
pub(super) enum ToGoogle {
    Closed,
    /// An `Allow` that RFC 9309 does not read opens a part of the site.
    OpenedByLine(u32),
    /// Google's matcher takes other records for rules or agents.
    Open,
    /// A group opens the site whose name Google reads only the start of, as in `Googlebot2`.
    OpenByName,
}

/// A site that is closed to everyone, as far as its groups were read.
#[derive(Debug, Clone)]
pub(super) struct ClosedSite {
    closing: Closing,
    /// Whether a named agent may fetch more, without keeping the site open.
    has_spared: bool,
}

impl ClosedSite {
    /// The site by its rules for everyone.
    pub(super) fn new(closing: Closing) -> ClosedSite {
        ClosedSite {
            closing,
            has_spared: false,
        }
    }

    /// The site with the rules of named agents: the rule that keeps them out, if one does, and
    /// whether a search engine is among them. `None` if the site is open.
    pub(super) fn with(
        mut self,
        named: Option<&Closing>,
        is_for_search: bool,
    ) -> Option<ClosedSite> {
        let Some(named) = named else {
            self.has_spared = true;
            return (!is_for_search).then_some(self);
        };
        let closing = &mut self.closing;
        closing.has_exceptions |= named.has_exceptions;
        closing.home_page = closing.home_page.or(named.home_page);
        if is_for_search {
            closing.lines.extend(&named.lines);
        }
        Some(self)
    }

    /// The finding about the line that closes the site.
    pub(super) fn finding(self, file: &FileRules<'_>, to_google: ToGoogle) -> Diagnostic {
        let who = match self.has_spared {
            true => "no known search engine",
            false => "no search engine",
        };
        let but = match to_google {
            ToGoogle::Open | ToGoogle::OpenByName => " but Google",
            _ => "",
        };
        let much = match self.closing.open() {
            Some(open) => format!("more of this site than {open}"),
            None => "anything of this site".into(),
        };
        let (opening, proposal) = self.opening(file);
        let message = format!(
            "{who}{but} may fetch {much}, so {} leave the search results; if this is the live site, {opening}; on a staging site a line `# robots-lint: closed on purpose` says so to `robots lint`",
            self.closing.lost()
        );
        let advice = Advice::new(message).propose_all(proposal);
        let finding = self.closing.finding(file, advice);
        match to_google {
            ToGoogle::Closed => finding,
            ToGoogle::OpenedByLine(line) => finding.with_advice(&format!(
                "to Google's matcher line {line} is an `Allow`, which opens a part of it"
            )),
            ToGoogle::Open => finding.with_advice(OPEN_TO_GOOGLE),
            ToGoogle::OpenByName => finding.with_advice(OPEN_BY_NAME),
        }
    }

    /// The change that opens the site, as a part of a sentence and as a proposal.
    fn opening(&self, file: &FileRules<'_>) -> (String, Option<Proposal>) {
        let closing = &self.closing;
        let groups = file.groups().map(|(group, _)| group);
        let groups = groups.take_while(|group| group.line() <= closing.line);
        let joined = groups.last().and_then(agent_after_everyone);
        match joined.filter(|_| closing.lines.len() == 1) {
            Some(agent) => {
                let line = line_at(file.bytes(), agent.span().start);
                let above = Proposal::line_above(file.bytes(), line, "Disallow:");
                let opening = format!(
                    "put an empty `Disallow:` above line {}, so that this line closes the whole site to {} alone",
                    agent.line(),
                    quote(agent.value())
                );
                (opening, Some(above))
            }
            None => (
                format!("{}, which opens the whole site", closing.opening()),
                closing.without_closing(file),
            ),
        }
    }
}

const OPEN_TO_GOOGLE: &str = "to Google's matcher other names are fields too, and the site is open";
const OPEN_BY_NAME: &str =
    "Google reads only the start of the name of a group, which opens the site to it";

/// The agent that a line parts from `*` above it: it was hardly meant to share its rules.
fn agent_after_everyone(group: Group<'_>) -> Option<UserAgent<'_>> {
    let agents = group.user_agents();
    let pairs = agents.zip(group.user_agents().skip(1));
    let mut pairs = pairs.filter(|(above, _)| above.is_wildcard());
    let (above, below) = pairs.next()?;
    (below.line().saturating_sub(above.line()) > 1).then_some(below)
}

/// Whether the pattern of an `Allow` opens so little of a closed site that it stays closed: no
/// pages all over the site.
pub(super) fn is_small_exception(pattern: &[u8]) -> bool {
    let is_anywhere = matches!(pattern, [b'*', ..] | [b'/', b'*', ..]);
    !is_anywhere || is_file_of_pages(pattern)
}

/// Whether the pattern of an `Allow` opens files that pages load, or that programs ask for, but no
/// page.
pub(super) fn is_resource(pattern: &[u8]) -> bool {
    let path = pattern.strip_prefix(b"/").unwrap_or(pattern);
    let mut parts = path.split(|byte| matches!(byte, b'/' | b'*' | b'$'));
    let folder = parts.next().unwrap_or_default();
    is_file_of_pages(pattern) || words(FOLDERS).any(|known| known == folder)
}

fn is_file_of_pages(pattern: &[u8]) -> bool {
    let open = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let open = open.strip_suffix(b"*").unwrap_or(open);
    words(RESOURCES).any(|end| open.ends_with(end))
}

/// The most exceptions, besides resources, of a site that counts as closed. Content management
/// systems ask for one or two; a longer list is an allow-list, which somebody wrote on purpose.
pub(super) const MOST_EXCEPTIONS: usize = 4;

/// Ends of the names of files that pages load, and of those that programs ask for.
const RESOURCES: &str = include_str!("../words/ends_of_resources.txt");

/// Folders at the root of a site that hold such files, by the habits of frameworks.
const FOLDERS: &str = include_str!("../words/folders_of_resources.txt");
