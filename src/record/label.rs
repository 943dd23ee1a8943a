//! The labels of the uses in one table, and those of other drafts.

use crate::record::preference::UsageCategory;

/// The draft whose labels a `Content-Usage` record has. A new draft changes this line and the
/// tables below, and nothing else.
pub(crate) const VOCABULARY: &str = "draft-ietf-aipref-vocab-08";

/// The two names of one use.
pub(crate) struct Label {
    pub(crate) category: UsageCategory,
    /// The key in `Content-Signal` (contentsignals.org, 2025-09-24), compared in any case.
    pub(crate) signal: &'static str,
    /// The key in `Content-Usage` ([`VOCABULARY`] §6), compared byte for byte.
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

    /// The key of the use in `Content-Usage` (draft-ietf-aipref-vocab-08 §6), which is compared byte
    /// for byte.
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

/// A label that states nothing today, and the use that it was for.
pub(crate) struct FormerLabel {
    pub(crate) name: &'static str,
    /// The use that today's label is nearest to; `None` if no label took its place.
    pub(crate) category: Option<UsageCategory>,
    /// The last draft of the vocabulary that had it.
    pub(crate) draft: &'static str,
}

/// The labels of earlier drafts of the vocabulary that the newest one does not have.
pub(crate) const FORMER_LABELS: [FormerLabel; 8] = [
    former("ai", Some(UsageCategory::AiTraining), "-01"),
    former("ai-output", Some(UsageCategory::AiInput), "-04"),
    former("all", None, "-02"),
    former("bots", None, "-04"),
    former("genai", Some(UsageCategory::AiTraining), "-01"),
    former("inference", Some(UsageCategory::AiInput), "-01"),
    former("tdm", None, "-01"),
    former("train-genai", Some(UsageCategory::AiTraining), "-03"),
];

const fn former(
    name: &'static str,
    category: Option<UsageCategory>,
    draft: &'static str,
) -> FormerLabel {
    FormerLabel {
        name,
        category,
        draft,
    }
}
