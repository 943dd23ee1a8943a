//! The value of a `Content-Signal` record: preferences about the use of content, as key-value
//! pairs.

use crate::preferences::content_use::ContentUse;
use crate::preferences::preference::{KeyValue, Part, Preference, UsageCategory, split_path};

/// A `Content-Signal` record: the permitted uses of the content (contentsignals.org; Cloudflare,
/// 2025).
///
/// ```text
/// content-signal = [ path 1*WS ] [ pair *( "," pair ) ]
/// pair           = *WS key *WS "=" *WS value *WS
/// ```
///
/// Keys and the values `yes` and `no` are compared in any case. A missing key states no preference,
/// and neither does an unknown key or value. If a record has both values for one key, `no` counts.
/// The key `use` says how much may be used: see [`ContentUse`].
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_records::{ExtensionValue, Preference, UsageCategory};
///
/// let robots_txt = RobotsTxt::parse(b"
/// User-agent: *
/// Content-Signal: /blog/ search=yes, ai-train=no, use=reference
/// ");
/// let extension = robots_txt.extensions().next().unwrap();
/// let ExtensionValue::ContentSignal(signal) = ExtensionValue::of(&extension) else {
///     panic!("no signal");
/// };
/// assert_eq!(signal.path(), Some(&b"/blog/"[..]));
/// assert_eq!(signal.preference(UsageCategory::AiTraining), Preference::Disallowed);
/// assert_eq!(signal.preference(UsageCategory::AiInput), Preference::Unstated);
/// assert_eq!(signal.pairs().count(), 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentSignal<'r> {
    path: Option<&'r [u8]>,
    pairs: Part<'r>,
}

impl<'r> ContentSignal<'r> {
    /// Reads the value of a line or of a header; any bytes.
    #[must_use]
    pub fn new(value: &'r [u8]) -> ContentSignal<'r> {
        let (path, pairs) = split_path(value);
        ContentSignal { path, pairs }
    }

    /// The pattern of the paths that the record applies to, as written; `None` for the whole site.
    pub fn path(&self) -> Option<&'r [u8]> {
        self.path
    }

    /// The keys and values in the order of the record, known and unknown ones.
    pub fn pairs(&self) -> impl Iterator<Item = KeyValue<'r>> + use<'r> {
        let mut start = self.pairs.start;
        let texts = self.pairs.bytes.split(|byte| *byte == b',');
        let pairs = texts.map(move |bytes| {
            let pair = Part { start, bytes };
            start = start.saturating_add(bytes.len()).saturating_add(1);
            pair.trim()
        });
        pairs.filter(|pair| !pair.bytes.is_empty()).map(|pair| {
            let mut sides = pair.bytes.splitn(2, |byte| *byte == b'=');
            let key = Part {
                bytes: sides.next().unwrap_or_default(),
                ..pair
            };
            let value = Part {
                start: key.end().saturating_add(1),
                bytes: sides.next().unwrap_or_default(),
            };
            KeyValue::new(key.trim(), value.trim())
        })
    }

    /// The preference about one use.
    pub fn preference(&self, category: UsageCategory) -> Preference {
        let [preference] = self.preferences([category]);
        preference
    }

    /// The preferences about several uses, in one walk over the pairs.
    pub(crate) fn preferences<const N: usize>(&self, uses: [UsageCategory; N]) -> [Preference; N] {
        let mut preferences = [Preference::Unstated; N];
        for pair in self.pairs() {
            let preference = match pair.value() {
                value if value.eq_ignore_ascii_case(b"yes") => Preference::Allowed,
                value if value.eq_ignore_ascii_case(b"no") => Preference::Disallowed,
                _ => continue,
            };
            for (slot, category) in preferences.iter_mut().zip(uses) {
                let label = category.signal_label().as_bytes();
                if pair.key().eq_ignore_ascii_case(label) {
                    *slot = preference.max(*slot);
                }
            }
        }
        preferences
    }

    /// The values of the key `use` in the order of the record, known and unknown ones.
    pub fn content_uses(&self) -> impl Iterator<Item = ContentUse<'r>> + use<'r> {
        let pairs = self.pairs();
        let uses = pairs.filter(|pair| pair.key().eq_ignore_ascii_case(b"use"));
        uses.map(|pair| ContentUse::new(pair.value()))
    }
}
