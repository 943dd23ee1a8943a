//! The answers of a page to every question, which cases and laws compare.

use polite_robots_page::{AiTraining, ImagePreview, Indexing, Limit, PageControls, Permission};

/// The answers of a page to every question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answers {
    pub(crate) indexing: Indexing,
    pub(crate) following: Permission,
    pub(crate) snippet: Limit,
    pub(crate) video_preview: Limit,
    pub(crate) image_preview: Option<ImagePreview>,
    pub(crate) image_indexing: Permission,
    pub(crate) archiving: Permission,
    pub(crate) translation: Permission,
    pub(crate) ai_training: AiTraining,
    pub(crate) unavailable_after: Option<i64>,
}

impl Answers {
    pub(crate) const WITHOUT_RULES: Answers = Answers {
        indexing: Indexing::Allowed,
        following: Permission::Allowed,
        snippet: Limit::Unlimited,
        video_preview: Limit::Unlimited,
        image_preview: None,
        image_indexing: Permission::Allowed,
        archiving: Permission::Allowed,
        translation: Permission::Allowed,
        ai_training: AiTraining::Allowed,
        unavailable_after: None,
    };

    pub(crate) fn of(page: &PageControls) -> Answers {
        Answers {
            indexing: page.indexing(),
            following: page.following(),
            snippet: page.snippet(),
            video_preview: page.video_preview(),
            image_preview: page.image_preview(),
            image_indexing: page.image_indexing(),
            archiving: page.archiving(),
            translation: page.translation(),
            ai_training: page.ai_training(),
            unavailable_after: page.unavailable_after(),
        }
    }

    /// Whether no answer permits more than `other`. An unstated size or date is the most
    /// permissive.
    pub(crate) fn is_within(&self, other: &Answers) -> bool {
        self.indexing <= other.indexing
            && self.following <= other.following
            && self.snippet <= other.snippet
            && self.video_preview <= other.video_preview
            && self.image_preview.unwrap_or(ImagePreview::Large)
                <= other.image_preview.unwrap_or(ImagePreview::Large)
            && self.image_indexing <= other.image_indexing
            && self.archiving <= other.archiving
            && self.translation <= other.translation
            && self.ai_training <= other.ai_training
            && self.unavailable_after.unwrap_or(i64::MAX)
                <= other.unavailable_after.unwrap_or(i64::MAX)
    }
}
