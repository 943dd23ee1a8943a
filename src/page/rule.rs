//! Rule text → rule.

use memchr::memchr2;

use crate::page::answer::{ImagePreview, Limit};
use crate::page::date::unix_seconds;

/// What one rule of a page asks.
///
/// Names are those of Google's page, of draft-illyes-repext §3.1.3 (`noindex`, `nosnippet`) and of the engines and
/// sites named below. Letter case does not count.
///
/// ```
/// use polite_robots::page::{PageControls, PageRule};
///
/// let mut page = PageControls::new("ExampleBot")?;
/// page.header("X-Robots-Tag", "NoIndex, max-snippet:many, nosidebar");
/// let rules: Vec<_> = page.rules().map(|rule| rule.rule()).collect();
/// assert_eq!(rules, [PageRule::Noindex, PageRule::InvalidValue, PageRule::Unknown]);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PageRule {
    /// `all`: no restriction. The default, and without effect.
    All,
    /// `index`: the default, and without effect beside `noindex`.
    Index,
    /// `follow`: the default, and without effect beside `nofollow`.
    Follow,
    /// `archive`: the default, and without effect beside `noarchive` (Yandex).
    Archive,
    /// `noindex`: not in the index, nor in search results.
    Noindex,
    /// `nofollow`: its links are not to be followed.
    Nofollow,
    /// `none`: `noindex, nofollow`.
    None,
    /// `indexifembedded`: lifts `noindex` where another page embeds this one.
    IndexIfEmbedded,
    /// `nosnippet`: neither a text snippet nor a video preview.
    Nosnippet,
    /// `max-snippet:50`: in characters; 0 is `nosnippet`, -1 is no limit.
    MaxSnippet(Limit),
    /// `max-image-preview:large`.
    MaxImagePreview(ImagePreview),
    /// `max-video-preview:30`: in seconds; 0 permits a still image at most, -1 is no limit.
    MaxVideoPreview(Limit),
    /// `noimageindex`: its images are not to be indexed.
    Noimageindex,
    /// `notranslate`: no translation is to be offered.
    Notranslate,
    /// `unavailable_after:2027-01-01`: in seconds of the Unix clock, not to be shown after that.
    UnavailableAfter(i64),
    /// `noarchive`: no copy is to be shown; for Bing also: not for answers and training of its models.
    Noarchive,
    /// `nocache`: for Bing, no more than URL, title and snippet for answers and training of its models.
    Nocache,
    /// `nositelinkssearchbox`: no search box beneath the result (Google, until 2024).
    Nositelinkssearchbox,
    /// `noodp`: no description from the Open Directory (closed in 2017).
    Noodp,
    /// `noydir`: no description from the Yahoo Directory (closed in 2014).
    Noydir,
    /// `noyaca`: no generated description (Yandex; once its own directory).
    Noyaca,
    /// `noai`: not for the training of models (DeviantArt).
    Noai,
    /// `noimageai`: images and other media not for the training of models (DeviantArt).
    Noimageai,
    /// `noml`: not for machine learning (noml.info).
    Noml,
    /// A known name with a value that cannot be read. Without effect, as Google's page says.
    InvalidValue,
    /// A name that this crate does not know. Without effect; the text is kept.
    Unknown,
}

impl PageRule {
    /// ```text
    /// rule = name [ *WS (":" / "=") *WS value ]
    /// ```
    ///
    /// `=` is the draft's, where a rule is a parameter of a structured field (RFC 8941 §3.1.2).
    pub(crate) fn parse(text: &[u8]) -> PageRule {
        let (name, value) = split_name(text);
        match form(name) {
            Some(form) => form.read(value).unwrap_or(PageRule::InvalidValue),
            None => PageRule::Unknown,
        }
    }
}

/// Whether a rule of this crate or of its family (`max-…`) has this name, so that no agent can.
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

/// What follows the name.
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
            // A parameter that is set is `?1`, written or not (RFC 8941 §3.1.2 and §3.3.6).
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

/// The content of a structured field's string.
pub(crate) fn without_quotes(value: &[u8]) -> &[u8] {
    value
        .strip_prefix(b"\"")
        .and_then(|value| value.strip_suffix(b"\""))
        .unwrap_or(value)
}

/// ```text
/// limit = "-1" / 1*DIGIT
/// ```
///
/// Saturates at `u64::MAX`. Other negative numbers say nothing that Google's page explains.
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
