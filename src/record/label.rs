//! The labels of the uses in one table, of draft-ietf-aipref-vocab-08.

use crate::record::preference::UsageCategory;

/// The two names of one use.
pub(crate) struct Label {
    pub(crate) category: UsageCategory,
    /// The key in `Content-Signal` (contentsignals.org, 2025-09-24), compared in any case.
    pub(crate) signal: &'static str,
    /// The key in `Content-Usage` (draft-ietf-aipref-vocab-08 §6), compared byte for byte.
    pub(crate) usage: &'static str,
}

pub(crate) const LABELS: [Label; 3] = [
    label(UsageCategory::Search, "search", "search"),
    label(UsageCategory::AiInput, "ai-input", "ai-use"),
    label(UsageCategory::AiTraining, "ai-train", "train-ai"),
];

/// The key of `Content-Signal` that says how much of the content may be used.
pub(crate) const CONTENT_USE: &str = "use";

impl UsageCategory {
    /// The key of the use in `Content-Signal` (contentsignals.org), which is compared in any case.
    ///
    /// ```
    /// use polite_robots::record::UsageCategory;
    ///
    /// assert_eq!(UsageCategory::AiTraining.signal_label(), "ai-train");
    /// ```
    #[must_use]
    pub fn signal_label(self) -> &'static str {
        self.label().map_or("", |label| label.signal)
    }

    /// The key of the use in `Content-Usage` (draft-ietf-aipref-vocab-08 §6), which is compared
    /// byte for byte.
    ///
    /// ```
    /// use polite_robots::record::UsageCategory;
    ///
    /// assert_eq!(UsageCategory::AiTraining.usage_label(), "train-ai");
    /// ```
    #[must_use]
    pub fn usage_label(self) -> &'static str {
        self.label().map_or("", |label| label.usage)
    }

    fn label(self) -> Option<&'static Label> {
        LABELS.iter().find(|label| label.category == self)
    }
}

const fn label(category: UsageCategory, signal: &'static str, usage: &'static str) -> Label {
    Label {
        category,
        signal,
        usage,
    }
}
