//! The effect of a page's rules. Each type is ordered by permission: the most restrictive value is
//! the least.

use core::fmt;

/// Whether one use of a page is permitted.
///
/// ```
/// use polite_robots_page::{PageControls, Permission};
///
/// let page = PageControls::new("ExampleBot")?.with_header("X-Robots-Tag", "nofollow");
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
/// use polite_robots_page::{Indexing, PageControls};
///
/// let page = PageControls::new("ExampleBot")?.with_meta("robots", "noindex, indexifembedded");
/// assert_eq!(page.indexing(), Indexing::IfEmbedded);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Indexing {
    /// `noindex` or `none`: in no index.
    Disallowed,
    /// `noindex` with `indexifembedded`: only as a part of another page that embeds it, for
    /// instance in an `iframe`.
    IfEmbedded,
    /// No rule forbids it.
    Allowed,
}

/// The length of a text or a video that may be shown.
///
/// ```
/// use polite_robots_page::{Limit, PageControls};
///
/// let page = PageControls::new("ExampleBot")?
///     .with_header("X-Robots-Tag", "max-snippet:50, max-video-preview:-1");
/// assert_eq!(page.snippet(), Limit::AtMost(50));
/// assert_eq!(page.video_preview(), Limit::Unlimited);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// The longest excerpt: in characters for a text, in seconds for a video. 0 permits none.
    AtMost(u64),
    /// Any length: no rule sets a limit, or the limit is `-1`.
    Unlimited,
}

/// The size that an image preview may have.
///
/// ```
/// use polite_robots_page::{ImagePreview, PageControls};
///
/// let page = PageControls::new("ExampleBot")?;
/// assert_eq!(page.image_preview(), None);
/// let page = page.with_meta("robots", "max-image-preview:large");
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
/// use polite_robots_page::{AiTraining, PageControls};
///
/// let page = PageControls::new("ExampleBot")?.with_header("X-Robots-Tag", "noimageai");
/// assert_eq!(page.ai_training(), AiTraining::WithoutImages);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AiTraining {
    /// `noai` or `noml`: nothing of the page may be used.
    Disallowed,
    /// `noimageai`: the page may be used without its images and other media.
    WithoutImages,
    /// No rule forbids it.
    Allowed,
}

/// Whether a page may still be shown at some time.
///
/// ```
/// use polite_robots_page::{Availability, PageControls};
///
/// let page = PageControls::new("ExampleBot")?
///     .with_header("X-Robots-Tag", "unavailable_after: 25 Jun 2010 15:00:00 PST");
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
    /// No rule sets a time, or the time has not passed.
    Available,
}

macro_rules! stable_names {
    ($($type:ident { $($variant:ident = $name:literal),* })*) => {$(
        impl $type {
            #[doc = concat!("A stable name for machines:" $(, " `", $name, "`")*, ".")]
            pub const fn as_str(self) -> &'static str {
                match self { $($type::$variant => $name,)* }
            }
        }

        /// The stable name.
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )*};
}

stable_names! {
    Permission { Disallowed = "disallowed", Allowed = "allowed" }
    Indexing { Disallowed = "disallowed", IfEmbedded = "if-embedded", Allowed = "allowed" }
    ImagePreview { None = "none", Standard = "standard", Large = "large" }
    AiTraining { Disallowed = "disallowed", WithoutImages = "without-images", Allowed = "allowed" }
    Availability { Expired = "expired", Available = "available" }
}

/// The number, or `unlimited`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::AtMost(most) => write!(f, "{most}"),
            Limit::Unlimited => f.write_str("unlimited"),
        }
    }
}
