//! What a page's rules come to. Each type is ordered by how much it permits, so the most restrictive is the least.

use core::fmt;

/// Whether one use of a page is permitted.
///
/// ```
/// use polite_robots::page::{PageControls, Permission};
///
/// let mut page = PageControls::new("ExampleBot")?;
/// page.header("X-Robots-Tag", "nofollow");
/// assert_eq!(page.following(), Permission::Disallowed);
/// assert_eq!(page.archiving(), Permission::Allowed);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Permission {
    /// A rule forbids it.
    Disallowed,
    /// No rule forbids it.
    Allowed,
}

/// Whether a page may be in a search index.
///
/// ```
/// use polite_robots::page::{Indexing, PageControls};
///
/// let mut page = PageControls::new("ExampleBot")?;
/// page.meta("robots", "noindex, indexifembedded");
/// assert_eq!(page.indexing(), Indexing::IfEmbedded);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Indexing {
    /// `noindex` or `none`: not at all.
    Disallowed,
    /// `noindex` with `indexifembedded`: only as a part of another page that embeds it, in an `iframe` for instance.
    IfEmbedded,
    /// No rule forbids it.
    Allowed,
}

/// How much of a text or a video may be shown.
///
/// ```
/// use polite_robots::page::{Limit, PageControls};
///
/// let mut page = PageControls::new("ExampleBot")?;
/// page.header("X-Robots-Tag", "max-snippet:50, max-video-preview:-1");
/// assert_eq!(page.snippet(), Limit::AtMost(50));
/// assert_eq!(page.video_preview(), Limit::Unlimited);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// At most so much; 0 is nothing. In characters for a text, in seconds for a video.
    AtMost(u64),
    /// As much as the crawler's operator likes: no rule says otherwise, or `-1` does.
    Unlimited,
}

/// How large an image preview may be.
///
/// ```
/// use polite_robots::page::{ImagePreview, PageControls};
///
/// let mut page = PageControls::new("ExampleBot")?;
/// assert_eq!(page.image_preview(), None);
/// page.meta("robots", "max-image-preview:large");
/// assert_eq!(page.image_preview(), Some(ImagePreview::Large));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImagePreview {
    /// No preview.
    None,
    /// A preview of the default size.
    Standard,
    /// A preview up to the width of the viewport.
    Large,
}

/// Whether a page's content may be used to train models.
///
/// ```
/// use polite_robots::page::{AiTraining, PageControls};
///
/// let mut page = PageControls::new("ExampleBot")?;
/// page.header("X-Robots-Tag", "noimageai");
/// assert_eq!(page.ai_training(), AiTraining::WithoutImages);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AiTraining {
    /// `noai` or `noml`: nothing of the page.
    Disallowed,
    /// `noimageai`: everything but its images and other media.
    WithoutImages,
    /// No rule forbids it.
    Allowed,
}

/// Whether a page may still be shown at some time.
///
/// ```
/// use polite_robots::page::{Availability, PageControls};
///
/// let mut page = PageControls::new("ExampleBot")?;
/// page.header("X-Robots-Tag", "unavailable_after: 25 Jun 2010 15:00:00 PST");
/// let then = 1_277_506_800;
/// assert_eq!(page.unavailable_after(), Some(then));
/// assert_eq!(page.availability(then), Availability::Available);
/// assert_eq!(page.availability(then + 1), Availability::Expired);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Availability {
    /// The time of an `unavailable_after` rule has passed.
    Expired,
    /// No such rule, or its time is yet to come.
    Available,
}

macro_rules! stable_names {
    ($($type:ty { $($variant:pat => $name:literal,)* })*) => {$(
        impl $type {
            #[doc = concat!("A stable name for machines:" $(, " `", $name, "`")*, ".")]
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($variant => $name,)* }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )*};
}

stable_names! {
    Permission { Permission::Disallowed => "disallowed", Permission::Allowed => "allowed", }
    Indexing {
        Indexing::Disallowed => "disallowed",
        Indexing::IfEmbedded => "if-embedded",
        Indexing::Allowed => "allowed",
    }
    ImagePreview {
        ImagePreview::None => "none",
        ImagePreview::Standard => "standard",
        ImagePreview::Large => "large",
    }
    AiTraining {
        AiTraining::Disallowed => "disallowed",
        AiTraining::WithoutImages => "without-images",
        AiTraining::Allowed => "allowed",
    }
    Availability { Availability::Expired => "expired", Availability::Available => "available", }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::AtMost(most) => write!(f, "{most}"),
            Limit::Unlimited => f.write_str("unlimited"),
        }
    }
}
