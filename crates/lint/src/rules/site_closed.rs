//! Finds sites that are closed to search engines, as a test server's file closes them.

use polite_robots::RobotsTxt;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;

/// The `Disallow` that closes a whole site to some agents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closing {
    pub(super) line: u32,
    /// Whether `Allow` rules open a few paths all the same.
    pub(super) has_exceptions: bool,
}

/// A site that is closed to everyone, as far as its groups were read.
#[derive(Debug, Clone, Copy)]
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
    /// whether one of them keeps a site open otherwise. `None` if the site is open.
    pub(super) fn with(self, named: Option<Closing>, keeps_open: bool) -> Option<ClosedSite> {
        match named {
            Some(named) => Some(ClosedSite {
                closing: Closing {
                    has_exceptions: self.closing.has_exceptions || named.has_exceptions,
                    ..self.closing
                },
                ..self
            }),
            None => (!keeps_open).then_some(ClosedSite {
                has_spared: true,
                ..self
            }),
        }
    }

    /// The finding about the line that closes the site.
    pub(super) fn finding(self, robots_txt: &RobotsTxt) -> Diagnostic {
        let line = self.closing.line;
        let rules = robots_txt.groups().flat_map(|group| group.rules());
        let rule = rules.into_iter().find(|rule| rule.line() == line);
        let span = rule.map_or(0..0, |rule| rule.span());
        let who = match self.has_spared {
            true => "no known search engine",
            false => "no search engine",
        };
        let much = match self.closing.has_exceptions {
            true => "more of this site than a few `Allow` rules open",
            false => "anything of this site",
        };
        let message = format!(
            "{who} may fetch {much}, so its pages leave the search results; if this is the live site, remove this line, and if it is a staging site, tell `robots lint` so by a line `# robots-lint: closed on purpose`"
        );
        Diagnostic::new(DiagnosticCode::SiteClosed, line, span, message)
    }
}

/// Whether the pattern of an `Allow` opens so little of a closed site that it stays closed: neither
/// the home page nor pages all over the site.
pub(super) fn is_small_exception(pattern: &[u8]) -> bool {
    let is_anywhere = matches!(pattern, [b'*', ..] | [b'/', b'*', ..]);
    let open = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let open = open.strip_suffix(b"*").unwrap_or(open);
    let is_resource = || RESOURCES.iter().any(|end| open.ends_with(end));
    pattern != b"/$" && (!is_anywhere || is_resource())
}

/// The most exceptions of a site that counts as closed. Content management systems ask for one or
/// two; a longer list is an allow-list, which somebody wrote on purpose.
pub(super) const MOST_EXCEPTIONS: usize = 4;

/// Ends of the names of files that pages load.
const RESOURCES: [&[u8]; 10] = [
    b".css", b".gif", b".ico", b".jpeg", b".jpg", b".js", b".png", b".svg", b".webp", b".woff2",
];
