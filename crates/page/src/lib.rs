//! The rules that a fetched page states for robots: `X-Robots-Tag` and `Robots-Tag` fields of the
//! response, and robots `meta` elements. Preferences about use, `Content-Usage` and
//! `Content-Signal`, and links to license terms are read too.
//!
//! A robots.txt says what may be fetched. These rules say what may be done with a page once it is
//! fetched: index it, follow its links, show a snippet, train on it. A crawler can read them only
//! on pages that the robots.txt allows.
//!
//! # Input
//!
//! Pass every field of the response to [`PageControls::with_header`], line by line, and the `name`
//! and `content` of every `meta` element to [`PageControls::with_meta`]. Both ignore input that is
//! not for robots. This crate does not parse HTML: it needs the attributes as an HTML parser
//! returns them, with character references resolved. Google accepts elements in `body` too;
//! draft-illyes-repext §4 accepts only those in `head`, where visitors of a site cannot write. A
//! crawler that runs scripts should pass the elements of the source *and* of the final document,
//! because it must honor a rule in either (§4).
//!
//! ```
//! use polite_robots_page::{Indexing, Limit, PageControls, Permission};
//!
//! // HTTP/1.1 200 OK
//! let headers = [
//!     ("Content-Type", "text/html"),
//!     ("X-Robots-Tag", "max-snippet:200, otherbot: noindex"),
//!     ("X-Robots-Tag", "unavailable_after: Fri, 01 Jan 2027 00:00:00 GMT"),
//! ];
//! // <meta name="viewport" content="width=device-width">
//! // <meta name="Robots" content="NOFOLLOW">
//! // <meta name="examplebot" content="max-snippet:50">
//! let metas = [
//!     ("viewport", "width=device-width"),
//!     ("Robots", "NOFOLLOW"),
//!     ("examplebot", "max-snippet:50"),
//! ];
//!
//! let mut page = PageControls::new("ExampleBot")?;
//! for (name, value) in headers {
//!     page = page.with_header(name, value);
//! }
//! for (name, content) in metas {
//!     page = page.with_meta(name, content);
//! }
//! assert_eq!(page.indexing(), Indexing::Allowed);
//! assert_eq!(page.following(), Permission::Disallowed);
//! assert_eq!(page.snippet(), Limit::AtMost(50));
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```
//!
//! # Combination of rules
//!
//! Rules for everyone and rules for the agent by name both apply, and the most restrictive rule
//! decides, wherever it stands and in any order. Google's page calls this the sum of the negative
//! rules, and the draft (§3.1.1, §3.1.2) calls it their union. Unlike in a robots.txt, a rule by
//! name is no opt-out, so `index` and `all` undo nothing. Two rules differ by their meaning:
//! `indexifembedded` lifts `noindex` for embedded pages, and `max-image-preview:large` permits more
//! than the default. Yandex documents that `index` overrules `noindex`; this crate does not follow
//! that.
//!
//! # Preferences and licenses
//!
//! A response can state the same preferences about use as a robots.txt: a `Content-Usage` header
//! (draft-ietf-aipref-attach-05 §2) or a `Content-Signal` header. [`PageControls::usage`] reads
//! them, and [`Usage::combined`](polite_robots_records::Usage::combined) takes them together with
//! those of the robots.txt. [`PageControls::licenses`] lists the links to license terms: `Link`
//! headers and `link` elements with the relation `license`. Both are for every agent, and neither
//! is a rule: they change no other answer of the page.
//!
//! # Sources
//!
//! Google's page *Robots meta tag, data-nosnippet, and X-Robots-Tag specifications* (as of
//! 2026-03-24), and draft-illyes-repext-03, *Robots Exclusion Protocol Extension for URL Level
//! Control*.

#![no_std]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

extern crate alloc;

mod controls;
mod date;
mod effect;
mod license;
mod list;
mod rule;
mod statement;
mod usage_headers;

pub use crate::controls::PageControls;
pub use crate::effect::{AiTraining, Availability, ImagePreview, Indexing, Limit, Permission};
pub use crate::license::PageLicense;
pub use crate::rule::PageRule;
pub use crate::statement::{PageSource, PageStatement, Recipient};

/// The examples of the README, which are tests too.
#[cfg(doctest)]
mod examples {
    #[doc = include_str!("../README.md")]
    mod readme {}
}
