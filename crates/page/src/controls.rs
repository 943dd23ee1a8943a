//! The rules of one page, and their effect for one agent.

use alloc::vec::Vec;

use polite_robots::{InvalidToken, ProductToken};
use polite_robots_records::Usage;

use crate::effect::{AiTraining, Availability, ImagePreview, Indexing, Limit, Permission};
use crate::license::{OwnedLicense, PageLicense, licenses};
use crate::list::{members, parts};
use crate::rule::{PageRule, is_rule_name, without_quotes};
use crate::statement::{AgentIndex, AgentPrefix, PageSource, PageStatement, PageStatements};
use crate::usage_headers::UsageHeaders;

/// The rules that a page states for robots, and their effect for one agent.
///
/// ```
/// use polite_robots_page::{Indexing, PageControls};
///
/// let page = PageControls::new("ExampleBot")?
///     .with_header("X-Robots-Tag", "otherbot: nofollow, examplebot: noindex")
///     .with_meta("robots", "index, follow");
/// assert_eq!(page.indexing(), Indexing::Disallowed);
/// let evidence: Vec<_> = page.statements().map(|statement| statement.to_string()).collect();
/// assert_eq!(evidence[1], "noindex (X-Robots-Tag, for examplebot)");
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone)]
pub struct PageControls {
    agent: Option<ProductToken>,
    statements: PageStatements,
    usage_headers: UsageHeaders,
    licenses: Vec<OwnedLicense>,
}

impl PageControls {
    /// The limit of one value, in bytes. A member of the list that ends after it is ignored, and so
    /// are all that follow; draft-illyes-repext §3.1.1 asks for a limit of at least 8 KiB. A line
    /// of `Content-Usage` or `Content-Signal` is ignored if it makes all lines of its field
    /// together longer than this, and so is a longer line of `Link`.
    pub const MAX_VALUE_BYTES: usize = 64 * 1024;

    /// A page without rules, as the agent with this product token sees it. For `*` only the rules
    /// for everyone have an effect.
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] if `agent` is neither a product token nor `*`.
    pub fn new(agent: &str) -> Result<PageControls, InvalidToken> {
        Ok(PageControls {
            agent: match agent {
                "*" => None,
                token => Some(ProductToken::new(token)?),
            },
            statements: PageStatements::default(),
            usage_headers: UsageHeaders::default(),
            licenses: Vec::new(),
        })
    }

    /// Adds one field line of the response. Fields other than `X-Robots-Tag`, `Robots-Tag`,
    /// `Content-Usage`, `Content-Signal` and `Link` change nothing, so a crawler can pass every
    /// field. The first two are lists of rules:
    ///
    /// ```text
    /// value  = member *( "," member )
    /// member = [ agent ":" ] rule *( ";" rule )   ; X-Robots-Tag: googlebot: noindex, nofollow
    ///        / agent *( ";" rule )                ; Robots-Tag: *;nosnippet, ExampleBot;noindex
    /// ```
    ///
    /// In the first form an agent applies to the following members too, up to the next agent
    /// (Google's page). In the second form, a structured field, it applies to its own rules only
    /// (draft-illyes-repext §3.1.1). Servers mix the forms, so both are read under both names.
    /// Choices of this crate, where the sources leave one:
    ///
    /// - Pass field lines one by one. If they were joined by commas, the agent of one line would
    ///   take the rules of the next.
    /// - `name: value` with an unknown name states a rule for the agent of that name. If the name
    ///   begins with `max-`, or the value does not begin with a letter, it is an unknown rule
    ///   instead, and the agent stays the same.
    /// - A known rule is never an agent: `Robots-Tag: noindex` is a rule for everyone, although in
    ///   a structured field it would be an agent without rules.
    #[must_use]
    pub fn with_header(mut self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> PageControls {
        if let Some(source) = PageSource::of_field(name.as_ref()) {
            let mut agent = None;
            for member in members(value.as_ref(), PageControls::MAX_VALUE_BYTES) {
                self.add_member(member, &mut agent, source);
            }
        }
        let (name, value) = (name.as_ref(), value.as_ref());
        let limit = PageControls::MAX_VALUE_BYTES;
        self.usage_headers.push(name, value, limit);
        if name.eq_ignore_ascii_case(b"link") && value.len() <= limit {
            self.licenses.extend(licenses(value));
        }
        self
    }

    /// Adds a `link` element: its `rel`, its `href`, and its `type` or an empty text. Elements
    /// without the relation `license` change nothing, so a crawler can pass every element.
    #[must_use]
    pub fn with_link(
        mut self,
        rel: impl AsRef<[u8]>,
        href: impl AsRef<[u8]>,
        media_type: impl AsRef<[u8]>,
    ) -> PageControls {
        let license = OwnedLicense::new(rel.as_ref(), href.as_ref(), media_type.as_ref());
        self.licenses.extend(license);
        self
    }

    /// Adds a `meta` element. Elements whose name is neither `robots` nor the agent's change
    /// nothing, so a crawler can pass every element.
    ///
    /// The content is a list of rules without agents (draft-illyes-repext §3.1.2). Letter case
    /// counts neither in the name nor in the content (Google's page).
    #[must_use]
    pub fn with_meta(mut self, name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> PageControls {
        let agent = match AgentPrefix::parse(name.as_ref().trim_ascii()) {
            Some(AgentPrefix::Everyone) => None,
            Some(AgentPrefix::Agent(token)) if Some(&token) == self.agent.as_ref() => {
                self.statements.index(AgentPrefix::Agent(token))
            }
            _ => return self,
        };
        for member in members(content.as_ref(), PageControls::MAX_VALUE_BYTES) {
            for rule in parts(member) {
                self.statements.push(rule, agent, PageSource::Meta);
            }
        }
        self
    }

    /// Whether the page may be in a search index: `noindex`, `none`, `indexifembedded`. An
    /// `unavailable_after` rule is separate: see [`PageControls::availability`].
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
    pub fn following(&self) -> Permission {
        self.permission(|rule| matches!(rule, PageRule::Nofollow | PageRule::None))
    }

    /// The length that a text snippet may have, in characters: `nosnippet`, `max-snippet`.
    pub fn snippet(&self) -> Limit {
        let limit = self.least(|rule| match rule {
            PageRule::Nosnippet => Some(Limit::AtMost(0)),
            PageRule::MaxSnippet(limit) => Some(limit),
            _ => None,
        });
        limit.unwrap_or(Limit::Unlimited)
    }

    /// The length that a video preview may have, in seconds: `max-video-preview`, and `nosnippet`,
    /// which forbids a preview.
    ///
    /// `max-snippet:0` forbids it too, because Google's page makes it equal to `nosnippet`.
    pub fn video_preview(&self) -> Limit {
        let limit = self.least(|rule| match rule {
            PageRule::Nosnippet | PageRule::MaxSnippet(Limit::AtMost(0)) => Some(Limit::AtMost(0)),
            PageRule::MaxVideoPreview(limit) => Some(limit),
            _ => None,
        });
        limit.unwrap_or(Limit::Unlimited)
    }

    /// The size that an image preview may have: `max-image-preview`. `None` if the page does not
    /// say; Google then takes its default size.
    pub fn image_preview(&self) -> Option<ImagePreview> {
        self.least(|rule| match rule {
            PageRule::MaxImagePreview(size) => Some(size),
            _ => None,
        })
    }

    /// Whether the images of the page may be indexed: `noimageindex`.
    pub fn image_indexing(&self) -> Permission {
        self.permission(|rule| rule == PageRule::Noimageindex)
    }

    /// Whether a copy of the page may be shown: `noarchive`, `nocache`.
    ///
    /// To Bing both are rules about answers and training too, each in its own way; see
    /// [`PageControls::statements`] for the rule that the page has.
    pub fn archiving(&self) -> Permission {
        self.permission(|rule| matches!(rule, PageRule::Noarchive | PageRule::Nocache))
    }

    /// Whether a translation of the page may be offered: `notranslate`.
    pub fn translation(&self) -> Permission {
        self.permission(|rule| rule == PageRule::Notranslate)
    }

    /// Whether the page may be used to train models: `noai`, `noml`, `noimageai`. These are
    /// conventions of sites, and in no standard.
    pub fn ai_training(&self) -> AiTraining {
        let training = self.least(|rule| match rule {
            PageRule::Noai | PageRule::Noml => Some(AiTraining::Disallowed),
            PageRule::Noimageai => Some(AiTraining::WithoutImages),
            _ => None,
        });
        training.unwrap_or(AiTraining::Allowed)
    }

    /// The last second in which the page may be shown, in seconds since 1970-01-01T00:00:00Z; the
    /// earliest if the page states several.
    ///
    /// Dates of RFC 822, RFC 850, ISO 8601, HTTP and JavaScript are read. A date without a time
    /// means its first second, and a time without a zone is UTC. An invalid date has no effect, as
    /// Google's page says.
    pub fn unavailable_after(&self) -> Option<i64> {
        self.least(|rule| match rule {
            PageRule::UnavailableAfter(time) => Some(time),
            _ => None,
        })
    }

    /// Whether the page may be shown at `now`, in seconds since 1970-01-01T00:00:00Z. An expired
    /// page should be crawled rarely.
    pub fn availability(&self, now: i64) -> Availability {
        match self.unavailable_after() {
            Some(time) if now > time => Availability::Expired,
            _ => Availability::Available,
        }
    }

    /// The preferences about the use of the content in the `Content-Usage` and `Content-Signal`
    /// headers. They are for every agent. [`Usage::combined`] takes them together with those of the
    /// robots.txt.
    ///
    /// The lines of `Content-Usage` are joined by commas and are then one dictionary (RFC 9651
    /// §4.2), in which the last member of a key counts. If they are no dictionary together, all of
    /// them are ignored. Each line of `Content-Signal` stands for itself, and the most restrictive
    /// counts. A header is about its own page: with a path a `Content-Usage` is no dictionary, and
    /// a line of `Content-Signal` is ignored.
    ///
    /// ```
    /// use polite_robots_page::PageControls;
    /// use polite_robots_records::Preference;
    ///
    /// let page = PageControls::new("ExampleBot")?
    ///     .with_header("Content-Usage", "train-ai=n")
    ///     .with_header("Content-Usage", "search=y");
    /// assert_eq!(page.usage().ai_training(), Preference::Disallowed);
    /// assert_eq!(page.usage().search(), Preference::Allowed);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn usage(&self) -> Usage<'_> {
        self.usage_headers.usage()
    }

    /// The links to license terms, in the order in which they were added. A link that is about
    /// another page (`anchor`) is left out.
    pub fn licenses(&self) -> impl Iterator<Item = PageLicense<'_>> {
        self.licenses.iter().map(OwnedLicense::view)
    }

    /// The rules in the order in which they were added, each with its evidence: all rules of the
    /// headers, including those for other agents, and the rules of the `meta` elements for the
    /// agent.
    pub fn statements(&self) -> impl Iterator<Item = PageStatement<'_>> {
        self.statements.iter(self.agent.as_ref())
    }

    fn add_member(&mut self, member: &[u8], agent: &mut Option<AgentIndex>, source: PageSource) {
        let mut rules = parts(member).peekable();
        let head = rules.next().unwrap_or_default();
        let mut own_agent = *agent;
        if let Some((prefix, rule)) = prefixed(head) {
            *agent = self.statements.index(prefix);
            own_agent = *agent;
            self.statements.push(rule, own_agent, source);
        } else if let Some(prefix) = item(head).filter(|_| rules.peek().is_some()) {
            own_agent = self.statements.index(prefix);
        } else {
            self.statements.push(head, own_agent, source);
        }
        for rule in rules {
            self.statements.push(rule, own_agent, source);
        }
    }

    /// The rules that have an effect for the agent.
    fn applying(&self) -> impl Iterator<Item = PageRule> {
        self.statements()
            .filter(|statement| statement.recipient().includes_agent())
            .map(|statement| statement.rule())
    }

    fn states(&self, is_sought: impl Fn(PageRule) -> bool) -> bool {
        self.applying().any(is_sought)
    }

    fn permission(&self, forbids: impl Fn(PageRule) -> bool) -> Permission {
        if self.states(forbids) {
            Permission::Disallowed
        } else {
            Permission::Allowed
        }
    }

    /// The most restrictive limit of the rules; `None` without one.
    fn least<T: Ord>(&self, permits: impl Fn(PageRule) -> Option<T>) -> Option<T> {
        self.applying().filter_map(permits).min()
    }
}

/// Splits `agent: rule`. `None` for text whose colon belongs to a rule, such as `max-snippet: 5`,
/// or to a time.
fn prefixed(text: &[u8]) -> Option<(AgentPrefix, &[u8])> {
    let (name, rule) = text.split_at_checked(memchr::memchr(b':', text)?)?;
    let (name, rule) = (name.trim_ascii(), rule.get(1..)?.trim_ascii());
    let is_rule_or_nothing = rule.first().is_none_or(u8::is_ascii_alphabetic);
    (is_rule_or_nothing && !is_rule_name(name))
        .then(|| AgentPrefix::parse(name))?
        .map(|prefix| (prefix, rule))
}

/// The agent of `agent;rule` or `"agent";rule`, an item of a structured list.
fn item(text: &[u8]) -> Option<AgentPrefix> {
    let text = without_quotes(text);
    (!is_rule_name(text)).then(|| AgentPrefix::parse(text))?
}
