//! The rules that a page can state, and how their text is read.

use memchr::memchr2;

use crate::page::date::unix_seconds;
use crate::page::effect::{ImagePreview, Limit};

/// One rule of a page.
///
/// The names come from Google's page, from draft-illyes-repext §3.1.3 (`noindex`, `nosnippet`), and
/// from the engines and sites named below. Letter case does not count.
///
/// ```
/// use polite_robots::page::{PageControls, PageRule};
///
/// let page = PageControls::new("ExampleBot")?
///     .with_header("X-Robots-Tag", "NoIndex, max-snippet:many, nosidebar");
/// let rules: Vec<_> = page.statements().map(|statement| statement.rule()).collect();
/// assert_eq!(rules, [PageRule::Noindex, PageRule::InvalidValue, PageRule::Unknown]);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PageRule {
    /// `all`: no restriction. This is the default, so the rule has no effect.
    All,
    /// `index`: the default. It has no effect, not even beside `noindex`.
    Index,
    /// `follow`: the default. It has no effect, not even beside `nofollow`.
    Follow,
    /// `archive`: the default (Yandex). It has no effect, not even beside `noarchive`.
    Archive,
    /// `noindex`: the page must be neither in the index nor in search results.
    Noindex,
    /// `nofollow`: the links of the page must not be followed.
    Nofollow,
    /// `none`: `noindex, nofollow`.
    None,
    /// `indexifembedded`: lifts `noindex` where another page embeds this one.
    IndexIfEmbedded,
    /// `nosnippet`: a result must show neither a text snippet nor a video preview.
    Nosnippet,
    /// `max-snippet:50`: the longest snippet, in characters; 0 is `nosnippet`, -1 is no limit.
    MaxSnippet(Limit),
    /// `max-image-preview:large`: the largest preview of an image.
    MaxImagePreview(ImagePreview),
    /// `max-video-preview:30`: the longest preview, in seconds; 0 permits at most a still image, -1
    /// is no limit.
    MaxVideoPreview(Limit),
    /// `noimageindex`: the images of the page must not be indexed.
    Noimageindex,
    /// `notranslate`: a result must offer no translation.
    Notranslate,
    /// `unavailable_after:2027-01-01`: the last second in which the page may be shown, since
    /// 1970-01-01T00:00:00Z.
    UnavailableAfter(i64),
    /// `noarchive`: no copy of the page may be shown. Bing also leaves the page out of answers and
    /// training.
    Noarchive,
    /// `nocache`: Bing uses no more than URL, title and snippet for answers and training.
    Nocache,
    /// `nositelinkssearchbox`: the result must have no search box (Google, until 2024).
    Nositelinkssearchbox,
    /// `noodp`: the result must have no description from the Open Directory (closed in 2017).
    Noodp,
    /// `noydir`: the result must have no description from the Yahoo Directory (closed in 2014).
    Noydir,
    /// `noyaca`: the result must have no generated description (Yandex; once from its own
    /// directory).
    Noyaca,
    /// `noai`: the page must not be used to train models (DeviantArt).
    Noai,
    /// `noimageai`: its images and other media must not be used to train models (DeviantArt).
    Noimageai,
    /// `noml`: the page must not be used for machine learning (noml.info).
    Noml,
    /// A known name with an invalid value. It has no effect, as Google's page says.
    InvalidValue,
    /// An unknown name. It has no effect; [`PageStatement::text`](crate::page::PageStatement::text)
    /// has the text.
    Unknown,
}

impl PageRule {
    /// Reads the text of a rule.
    ///
    /// ```text
    /// rule = name [ *WS (":" / "=") *WS value ]
    /// ```
    ///
    /// The `=` comes from the draft, where a rule is a parameter of a structured field (RFC 8941
    /// §3.1.2).
    pub(crate) fn parse(text: &[u8]) -> PageRule {
        let (name, value) = split_name(text);
        match form(name) {
            Some(form) => form.read(value).unwrap_or(PageRule::InvalidValue),
            None => PageRule::Unknown,
        }
    }
}

/// Whether a name is a rule's, or could be (`max-…`), and so cannot be an agent's.
pub(crate) fn is_rule_name(name: &[u8]) -> bool {
    let head = name.get(..MAX.len());
    form(name).is_some() || head.is_some_and(|head| head.eq_ignore_ascii_case(MAX))
}

fn split_name(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match memchr2(b':', b'=', text).and_then(|at| text.split_at_checked(at)) {
        Some((name, value)) => (
            name.trim_ascii(),
            Some(value.get(1..).unwrap_or_default().trim_ascii()),
        ),
        None => (text.trim_ascii(), None),
    }
}

fn form(name: &[u8]) -> Option<Form> {
    FORMS
        .iter()
        .find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name))
        .map(|(_, form)| *form)
}

/// The kind of value that follows the name.
#[derive(Clone, Copy)]
enum Form {
    Nothing(PageRule),
    Characters,
    Seconds,
    ImageSize,
    Date,
}

impl Form {
    fn read(self, value: Option<&[u8]>) -> Option<PageRule> {
        let text = without_quotes(value.unwrap_or_default());
        match self {
            // A parameter without a value is the Boolean true, `?1` (RFC 8941 §3.1.2 and §3.3.6).
            Form::Nothing(rule) => matches!(text, b"" | b"?1").then_some(rule),
            Form::Characters => limit(text).map(PageRule::MaxSnippet),
            Form::Seconds => limit(text).map(PageRule::MaxVideoPreview),
            Form::ImageSize => [
                ImagePreview::None,
                ImagePreview::Standard,
                ImagePreview::Large,
            ]
            .into_iter()
            .find(|size| size.as_str().as_bytes().eq_ignore_ascii_case(text))
            .map(PageRule::MaxImagePreview),
            Form::Date => unix_seconds(text).map(PageRule::UnavailableAfter),
        }
    }
}

/// The content of a string of a structured field; other text as it is.
pub(crate) fn without_quotes(value: &[u8]) -> &[u8] {
    value
        .strip_prefix(b"\"")
        .and_then(|value| value.strip_suffix(b"\""))
        .unwrap_or(value)
}

/// Reads a limit, and saturates it at `u64::MAX`.
///
/// ```text
/// limit = "-1" / 1*DIGIT
/// ```
///
/// Google's page gives no meaning to other negative numbers.
fn limit(text: &[u8]) -> Option<Limit> {
    if text == b"-1" {
        return Some(Limit::Unlimited);
    }
    let is_number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let text = core::str::from_utf8(text).ok().filter(|_| is_number)?;
    Some(Limit::AtMost(text.parse().unwrap_or(u64::MAX)))
}

const MAX: &[u8] = b"max-";

const FORMS: [(&str, Form); 24] = [
    ("noindex", Form::Nothing(PageRule::Noindex)),
    ("nofollow", Form::Nothing(PageRule::Nofollow)),
    ("index", Form::Nothing(PageRule::Index)),
    ("follow", Form::Nothing(PageRule::Follow)),
    ("max-snippet", Form::Characters),
    ("max-image-preview", Form::ImageSize),
    ("max-video-preview", Form::Seconds),
    ("noarchive", Form::Nothing(PageRule::Noarchive)),
    ("nosnippet", Form::Nothing(PageRule::Nosnippet)),
    ("none", Form::Nothing(PageRule::None)),
    ("all", Form::Nothing(PageRule::All)),
    ("noimageindex", Form::Nothing(PageRule::Noimageindex)),
    ("notranslate", Form::Nothing(PageRule::Notranslate)),
    ("indexifembedded", Form::Nothing(PageRule::IndexIfEmbedded)),
    ("unavailable_after", Form::Date),
    ("archive", Form::Nothing(PageRule::Archive)),
    ("nocache", Form::Nothing(PageRule::Nocache)),
    ("noodp", Form::Nothing(PageRule::Noodp)),
    ("noydir", Form::Nothing(PageRule::Noydir)),
    ("noyaca", Form::Nothing(PageRule::Noyaca)),
    ("noai", Form::Nothing(PageRule::Noai)),
    ("noimageai", Form::Nothing(PageRule::Noimageai)),
    ("noml", Form::Nothing(PageRule::Noml)),
    (
        "nositelinkssearchbox",
        Form::Nothing(PageRule::Nositelinkssearchbox),
    ),
];
