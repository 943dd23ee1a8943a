//! The rules that a page can state, and how their text is read.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::memchr2;

use crate::date::unix_seconds;
use crate::effect::{ImagePreview, Limit};

/// One rule of a page.
///
/// The names come from Google's page, from draft-illyes-repext §3.1.3 (`noindex`, `nosnippet`), and
/// from the engines and sites named below. Letter case does not count.
///
/// ```
/// use polite_robots_page::{PageControls, PageRule};
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
    /// An unknown name. It has no effect; [`PageStatement::text`](crate::PageStatement::text)
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
        let at = memchr2(b':', b'=', text).unwrap_or(text.len());
        let (name, value) = text.split_at_checked(at).unwrap_or_default();
        let value = value.get(1..).unwrap_or_default();
        read(name.trim_ascii(), value.trim_ascii()).unwrap_or(PageRule::Unknown)
    }
}

/// Guesses the rules that an unknown or invalid text was meant to be, as they would be written:
/// `noindex, nofollow` for `noindex nofollow`.
pub(crate) fn probably_meant(text: &[u8]) -> Option<String> {
    let text = core::str::from_utf8(text.get(..LONGEST_MEANT.min(text.len()))?).ok()?;
    let lower = text.to_ascii_lowercase();
    if let Some(name) = near_name(&lower) {
        return Some(name.to_owned());
    }
    let is_between =
        |character: char| character.is_ascii_whitespace() || "|/+&".contains(character);
    let names = lower.split(is_between).filter(|name| !name.is_empty());
    let names: Option<Vec<&str>> = names.map(near_name).collect();
    names.map(|names| names.join(", "))
}

/// The name of a rule without a value that differs from the text only in signs between its words,
/// or in one slip.
fn near_name(written: &str) -> Option<&'static str> {
    let letters: String = written.split(['-', '_', ' ', '.']).collect();
    let names = || FLAGS.iter().map(|(name, _)| *name);
    let is_near =
        |name: &&str| name.len() >= SHORTEST_NEAR && strsim::osa_distance(name, &letters) <= 1;
    names()
        .find(|name| *name == letters)
        .or_else(|| names().find(is_near))
}

/// Whether a name is a rule's, or could be (`max-…`), and so cannot be an agent's.
pub(crate) fn is_rule_name(name: &[u8]) -> bool {
    let head = name.get(..MAX.len());
    read(name, b"").is_some() || head.is_some_and(|head| head.eq_ignore_ascii_case(MAX))
}

/// The rule with a name and a value; `None` if the name is unknown.
fn read(name: &[u8], value: &[u8]) -> Option<PageRule> {
    let value = without_quotes(value);
    let rule = match name.to_ascii_lowercase().as_slice() {
        b"max-snippet" => limit(value).map(PageRule::MaxSnippet),
        b"max-image-preview" => image_preview(value).map(PageRule::MaxImagePreview),
        b"max-video-preview" => limit(value).map(PageRule::MaxVideoPreview),
        b"unavailable_after" => unix_seconds(value).map(PageRule::UnavailableAfter),
        name => {
            let (_, rule) = FLAGS.iter().find(|(flag, _)| flag.as_bytes() == name)?;
            // A parameter without a value is the Boolean true, `?1` (RFC 8941 §3.1.2 and §3.3.6).
            matches!(value, b"" | b"?1").then_some(*rule)
        }
    };
    Some(rule.unwrap_or(PageRule::InvalidValue))
}

fn image_preview(text: &[u8]) -> Option<ImagePreview> {
    const SIZES: [ImagePreview; 3] = [
        ImagePreview::None,
        ImagePreview::Standard,
        ImagePreview::Large,
    ];

    let mut sizes = SIZES.into_iter();
    sizes.find(|size| size.as_str().as_bytes().eq_ignore_ascii_case(text))
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

/// With one letter more or less `noai` or `index` would be other words.
const SHORTEST_NEAR: usize = "noindex".len();

/// The longest text that is taken for a slip.
const LONGEST_MEANT: usize = 200;

/// The rules without a value.
const FLAGS: [(&str, PageRule); 20] = [
    ("noindex", PageRule::Noindex),
    ("nofollow", PageRule::Nofollow),
    ("index", PageRule::Index),
    ("follow", PageRule::Follow),
    ("noarchive", PageRule::Noarchive),
    ("nosnippet", PageRule::Nosnippet),
    ("none", PageRule::None),
    ("all", PageRule::All),
    ("noimageindex", PageRule::Noimageindex),
    ("notranslate", PageRule::Notranslate),
    ("indexifembedded", PageRule::IndexIfEmbedded),
    ("archive", PageRule::Archive),
    ("nocache", PageRule::Nocache),
    ("noodp", PageRule::Noodp),
    ("noydir", PageRule::Noydir),
    ("noyaca", PageRule::Noyaca),
    ("noai", PageRule::Noai),
    ("noimageai", PageRule::Noimageai),
    ("noml", PageRule::Noml),
    ("nositelinkssearchbox", PageRule::Nositelinkssearchbox),
];
