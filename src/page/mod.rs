//! What a page says of itself: `X-Robots-Tag` and `Robots-Tag` fields of the response, and robots `meta` elements.
//!
//! A robots.txt says what may be fetched; these say what may be done with what was fetched. They can be read only on
//! pages that the robots.txt allows.
//!
//! # What to pass
//!
//! Every field of the response goes to [`PageControls::header`], each line on its own, and the `name` and `content` of
//! every `meta` element to [`PageControls::meta`]; both leave alone what is not for robots. HTML is not parsed here:
//! the attributes are wanted as an HTML parser gives them, with character references resolved. Google takes elements in
//! `body`, too; draft-illyes-repext §4 wants only those in `head`, where visitors of a site cannot write. If you run
//! scripts, pass the elements of the source *and* of the final document, for a rule in either must be honoured (§4).
//!
//! ```
//! use polite_robots::page::{Indexing, Limit, PageControls, Permission};
//!
//! // HTTP/1.1 200 OK
//! let headers = [
//!     ("Content-Type", "text/html"),
//!     ("X-Robots-Tag", "max-snippet:200, otherbot: noindex"),
//!     ("X-Robots-Tag", "unavailable_after: Fri, 01 Jan 2027 00:00:00 GMT"),
//! ];
//! // <meta name="viewport" content="width=device-width">
//! // <meta name="Robots" content="NOFOLLOW">
//! // <meta name="examplebot" content="max-snippet:50">
//! let metas = [("viewport", "width=device-width"), ("Robots", "NOFOLLOW"), ("examplebot", "max-snippet:50")];
//!
//! let mut page = PageControls::new("ExampleBot")?;
//! for (name, value) in headers {
//!     page.header(name, value);
//! }
//! for (name, content) in metas {
//!     page.meta(name, content);
//! }
//! assert_eq!(page.indexing(), Indexing::Allowed);
//! assert_eq!(page.following(), Permission::Disallowed);
//! assert_eq!(page.snippet(), Limit::AtMost(50));
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```
//!
//! # How rules combine
//!
//! A rule for everyone and a rule for the agent by name both apply, and of rules that differ the most restrictive
//! decides, wherever they stand and in whatever order. Google's page calls that the sum of the negative rules and
//! the draft (§3.1.1, §3.1.2) their union: there is no opt-out by name, unlike in a robots.txt. So `index` and `all`
//! never undo anything. Two rules are exceptions by their meaning: `indexifembedded` lifts `noindex` for embedded
//! pages, and `max-image-preview:large` permits more than is usual without it. Yandex documents the opposite, that
//! `index` overrules `noindex`; this crate does not follow it.
//!
//! # Sources
//!
//! Google's page *Robots meta tag, data-nosnippet, and X-Robots-Tag specifications* (as of 2026-03-24), and
//! draft-illyes-repext-03, *Robots Exclusion Protocol Extension for URL Level Control*.

mod answer;
mod date;
mod list;
mod rule;
mod written;

use crate::agent::{InvalidToken, ProductToken};
use crate::page::list::{members, parts};
use crate::page::rule::{is_rule_name, without_quotes};
use crate::page::written::{AgentIndex, Audience, WrittenPageRules};

pub use crate::page::answer::{
    AiTraining, Availability, ImagePreview, Indexing, Limit, Permission,
};
pub use crate::page::rule::PageRule;
pub use crate::page::written::{Scope, Source, WrittenPageRule};

/// The rules that a page states for robots, and what they come to for one agent.
///
/// ```
/// use polite_robots::page::{Indexing, PageControls};
///
/// let mut page = PageControls::new("ExampleBot")?;
/// page.header("X-Robots-Tag", "otherbot: nofollow, examplebot: noindex")
///     .meta("robots", "index, follow");
/// assert_eq!(page.indexing(), Indexing::Disallowed);
/// let evidence: Vec<_> = page.rules().map(|rule| rule.to_string()).collect();
/// assert_eq!(evidence[1], "noindex (X-Robots-Tag, for examplebot)");
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone)]
pub struct PageControls {
    agent: Option<ProductToken>,
    rules: WrittenPageRules,
}

impl PageControls {
    /// How much of one value is read, in bytes. A member of the list that ends behind it is ignored, with all that
    /// follow; draft-illyes-repext §3.1.1 asks for such a limit and for at least 8 KiB.
    pub const MAX_VALUE_BYTES: usize = 64 * 1024;

    /// A page that states nothing yet, for the agent with this product token.
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] if `agent` is neither a product token nor `*`, which asks for the rules for everyone alone.
    pub fn new(agent: &str) -> Result<PageControls, InvalidToken> {
        Ok(PageControls {
            agent: match agent {
                "*" => None,
                token => Some(ProductToken::new(token)?),
            },
            rules: WrittenPageRules::default(),
        })
    }

    /// Adds one field line of the response; a field that is neither `X-Robots-Tag` nor `Robots-Tag` changes nothing.
    ///
    /// ```text
    /// value  = member *( "," member )
    /// member = [ agent ":" ] rule *( ";" rule )   ; X-Robots-Tag: googlebot: noindex, nofollow
    ///        / agent *( ";" rule )                ; Robots-Tag: *;nosnippet, ExampleBot;noindex
    /// ```
    ///
    /// In the first form an agent holds for the members behind it as well, up to the next agent (Google's page), and
    /// in the second, a structured field, for its own rules only (draft-illyes-repext §3.1.1). Both forms are read
    /// under both names, as servers mix them. What the sources leave open:
    ///
    /// - Pass field lines one by one. Joined by commas, the agent of one would take the rules of the next.
    /// - `name: value` with an unknown name is for an agent of that name, unless the name begins with `max-` or
    ///   the value does not begin with a letter: then it is an unknown rule, and the agent stays what it was.
    /// - A known rule is never an agent: `Robots-Tag: noindex` is a rule for everyone, although a structured field
    ///   would make it an agent without rules.
    pub fn header(&mut self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> &mut PageControls {
        if let Some(source) = Source::of_field(name.as_ref()) {
            let mut agent = None;
            for member in members(value.as_ref(), PageControls::MAX_VALUE_BYTES) {
                self.add_member(member, &mut agent, source);
            }
        }
        self
    }

    /// Adds a `meta` element; one whose name is neither `robots` nor the agent's changes nothing.
    ///
    /// The content is a list of rules, and holds no agents (draft-illyes-repext §3.1.2). Letter case counts in
    /// neither (Google's page).
    pub fn meta(&mut self, name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> &mut PageControls {
        let agent = match Audience::parse(name.as_ref().trim_ascii()) {
            Some(Audience::Everyone) => None,
            Some(Audience::Agent(token)) if Some(&token) == self.agent.as_ref() => {
                self.rules.index(Audience::Agent(token))
            }
            _ => return self,
        };
        for member in members(content.as_ref(), PageControls::MAX_VALUE_BYTES) {
            for rule in parts(member) {
                self.rules.push(rule, agent, Source::Meta);
            }
        }
        self
    }

    /// Whether the page may be in a search index, dates apart: see [`PageControls::availability`].
    #[must_use]
    pub fn indexing(&self) -> Indexing {
        if !self.states(|rule| matches!(rule, PageRule::Noindex | PageRule::None)) {
            Indexing::Allowed
        } else if self.states(|rule| rule == PageRule::IndexIfEmbedded) {
            Indexing::IfEmbedded
        } else {
            Indexing::Disallowed
        }
    }

    /// Whether the links of the page may be followed: `nofollow`, `none`.
    #[must_use]
    pub fn following(&self) -> Permission {
        self.unless_stated(|rule| matches!(rule, PageRule::Nofollow | PageRule::None))
    }

    /// How many characters a text snippet may have: `nosnippet`, `max-snippet`.
    #[must_use]
    pub fn snippet(&self) -> Limit {
        self.least(Limit::Unlimited, |rule| match rule {
            PageRule::Nosnippet => Some(Limit::AtMost(0)),
            PageRule::MaxSnippet(limit) => Some(limit),
            _ => None,
        })
    }

    /// How many seconds a video preview may have: `max-video-preview`, and `nosnippet`, which forbids one.
    ///
    /// `max-snippet:0` forbids it too, because Google's page makes it equal to `nosnippet`.
    #[must_use]
    pub fn video_preview(&self) -> Limit {
        self.least(Limit::Unlimited, |rule| match rule {
            PageRule::Nosnippet | PageRule::MaxSnippet(Limit::AtMost(0)) => Some(Limit::AtMost(0)),
            PageRule::MaxVideoPreview(limit) => Some(limit),
            _ => None,
        })
    }

    /// How large an image preview may be: `max-image-preview`. `None` if the page does not say; Google then takes its
    /// default size.
    #[must_use]
    pub fn image_preview(&self) -> Option<ImagePreview> {
        let sizes = self.applying().filter_map(|rule| match rule {
            PageRule::MaxImagePreview(size) => Some(size),
            _ => None,
        });
        sizes.min()
    }

    /// Whether the images of the page may be indexed: `noimageindex`.
    #[must_use]
    pub fn image_indexing(&self) -> Permission {
        self.unless_stated(|rule| rule == PageRule::Noimageindex)
    }

    /// Whether a copy of the page may be shown: `noarchive`, `nocache`.
    ///
    /// Bing reads them as rules on answers and training too, each in its way; [`PageControls::rules`] tells them apart.
    #[must_use]
    pub fn archiving(&self) -> Permission {
        self.unless_stated(|rule| matches!(rule, PageRule::Noarchive | PageRule::Nocache))
    }

    /// Whether a translation of the page may be offered: `notranslate`.
    #[must_use]
    pub fn translation(&self) -> Permission {
        self.unless_stated(|rule| rule == PageRule::Notranslate)
    }

    /// Whether the page may be used to train models: `noai`, `noml`, `noimageai`. Conventions of sites, in no standard.
    #[must_use]
    pub fn ai_training(&self) -> AiTraining {
        self.least(AiTraining::Allowed, |rule| match rule {
            PageRule::Noai | PageRule::Noml => Some(AiTraining::Disallowed),
            PageRule::Noimageai => Some(AiTraining::WithoutImages),
            _ => None,
        })
    }

    /// The time after which the page must not be shown, in seconds of the Unix clock (1970-01-01T00:00:00Z is 0); the
    /// earliest if there are several.
    ///
    /// Dates of RFC 822, RFC 850, ISO 8601, HTTP and JavaScript are read. Without a time a date means its first
    /// second, and without a zone UTC. A date that cannot be read is no date, as Google's page says.
    #[must_use]
    pub fn unavailable_after(&self) -> Option<i64> {
        let times = self.applying().filter_map(|rule| match rule {
            PageRule::UnavailableAfter(time) => Some(time),
            _ => None,
        });
        times.min()
    }

    /// Whether the page may be shown at `now`, in seconds of the Unix clock. Crawl an expired page rarely.
    #[must_use]
    pub fn availability(&self, now: i64) -> Availability {
        match self.unavailable_after() {
            Some(time) if now > time => Availability::Expired,
            _ => Availability::Available,
        }
    }

    /// All rules of the headers, also those for other agents, and of the `meta` elements for the agent: in the order
    /// in which they were added, with evidence.
    pub fn rules(&self) -> impl Iterator<Item = WrittenPageRule<'_>> {
        self.rules.iter(self.agent.as_ref())
    }

    fn add_member(&mut self, member: &[u8], agent: &mut Option<AgentIndex>, source: Source) {
        let mut rules = parts(member).peekable();
        let head = rules.next().unwrap_or_default();
        let mut own_agent = *agent;
        if let Some((addressee, rule)) = prefixed(head) {
            *agent = self.rules.index(addressee);
            own_agent = *agent;
            self.rules.push(rule, own_agent, source);
        } else if let Some(addressee) = item(head).filter(|_| rules.peek().is_some()) {
            own_agent = self.rules.index(addressee);
        } else {
            self.rules.push(head, own_agent, source);
        }
        for rule in rules {
            self.rules.push(rule, own_agent, source);
        }
    }

    fn applying(&self) -> impl Iterator<Item = PageRule> {
        self.rules()
            .filter(|written| written.scope().includes_agent())
            .map(|written| written.rule())
    }

    fn states(&self, asks: impl Fn(PageRule) -> bool) -> bool {
        self.applying().any(asks)
    }

    fn unless_stated(&self, forbids: impl Fn(PageRule) -> bool) -> Permission {
        if self.states(forbids) {
            Permission::Disallowed
        } else {
            Permission::Allowed
        }
    }

    fn least<T: Ord>(&self, default: T, permits: impl Fn(PageRule) -> Option<T>) -> T {
        self.applying().filter_map(permits).fold(default, T::min)
    }
}

/// `agent: rule`, where the colon could also be one of `max-snippet: 5` or of a time.
fn prefixed(text: &[u8]) -> Option<(Audience, &[u8])> {
    let (name, rule) = text.split_at_checked(memchr::memchr(b':', text)?)?;
    let (name, rule) = (name.trim_ascii(), rule.get(1..)?.trim_ascii());
    let is_rule_or_nothing = rule.first().is_none_or(u8::is_ascii_alphabetic);
    (is_rule_or_nothing && !is_rule_name(name))
        .then(|| Audience::parse(name))?
        .map(|addressee| (addressee, rule))
}

/// The agent of `agent;rule` or `"agent";rule`, an item of a structured list.
fn item(text: &[u8]) -> Option<Audience> {
    let text = without_quotes(text);
    (!is_rule_name(text)).then(|| Audience::parse(text))?
}
