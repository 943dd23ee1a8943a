//! robots.txt for crawlers: may this agent fetch this URL, and which line decides?
//!
//! ```
//! use polite_robots::{Robot, robots_url};
//!
//! // The address of the rules for a page. Fetch it with the client of your choice.
//! let page = "https://example.com/search?q=robots";
//! assert_eq!(robots_url(page)?, "https://example.com/robots.txt");
//! let body = b"User-agent: *\nDisallow: /search\nAllow: /search/about\nCrawl-delay: 2";
//!
//! // One parse per site; clones are cheap and cross threads.
//! let robot = Robot::new("ExampleBot", body)?;
//! assert!(robot.allowed("https://example.com/search/about"));
//!
//! // The answer with its evidence.
//! let verdict = robot.check(page);
//! assert!(!verdict.is_allowed());
//! assert_eq!(verdict.to_string(), "disallowed by line 2: Disallow: /search in the wildcard group on line 1");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Concepts
//!
//! Data flows one way:
//!
//! ```text
//! bytes → lines → records → groups → compiled rules → verdict
//! └───────────── parse ────────────┘  └─── rules ───┘
//! ```
//!
//! - [`Robot`] is a file for one agent. [`Robot::new`] runs the whole pipeline in one pass and
//!   keeps only the records that can apply to the agent. [`Robot::allowed`] answers with a `bool`,
//!   [`Robot::check`] with a [`Verdict`].
//! - [`RobotsTxt`] is a file for every agent. [`RobotsTxt::parse`] stops after the groups, and
//!   [`RobotsTxt::robot`] compiles the rules of any agent. Both ways give the same [`Robot`].
//! - [`Verdict`] is the answer with its evidence: a [`Reason`], the deciding [`Rule`] with its
//!   line, the rule that it overruled, and the group that both are from.
//! - [`Target`] is the URL that a question is about. A `&str` or `&[u8]` will do; a prepared
//!   [`Target`] saves work when many robots are asked about one URL.
//! - [`Cause`] says why there is no file. [`Robot::allow_all`] and [`Robot::disallow_all`] make a
//!   robot from it, as RFC 9309 §2.3.1 asks for: after a 404 the one, after a 503 the other.
//! - [`ProductToken`] is the name of a crawler in robots.txt. A whole `User-Agent` header is an
//!   [`InvalidToken`], whose message names the token that was probably meant.
//!
//! The rule with the longest matching pattern decides, and `Allow` wins a tie (RFC 9309 §2.2.2).
//! [`Tier`] says how a pattern is compared; no pattern is compared with backtracking.
//!
//! # Modules
//!
//! | module | for whom |
//! |---|---|
//! | the root | crawlers: everything that a verdict needs |
//! | [`document`] | tools that show a file: its lines, groups, and groups merged by agent |
//! | [`record`] | crawlers and tools that honor other records, which stand there as a file writes them |
//! | [`pattern`] | programs with path patterns of their own |
//! | [`text`] | programs that show the text of a file to people |
//!
//! Records outside of RFC 9309 never change a verdict. A [`Robot`] has those that are for its
//! agent. The crate [`polite-robots-records`](https://docs.rs/polite-robots-records) says what they
//! mean: preferences about AI, licenses, rates. The crate
//! [`polite-robots-build`](https://docs.rs/polite-robots-build) writes a file, and the canonical
//! form of one that was read.
//!
//! ```
//! use polite_robots::Robot;
//!
//! let robot = Robot::new("ExampleBot", b"
//! User-agent: *
//! Allow: /
//! Content-Signal: search=yes, ai-train=no
//! ")?;
//! assert!(robot.allowed("https://example.com/story"));
//! let records: Vec<String> = robot.records().map(|record| record.to_string()).collect();
//! assert_eq!(records, ["Content-Signal: search=yes, ai-train=no"]);
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```
//!
//! People who write a robots.txt find mistakes in it with the crate
//! [`polite-robots-lint`](https://docs.rs/polite-robots-lint), which has a guide for site owners.
//!
//! # Dialects
//!
//! [`Options::rfc9309`], the default, reads RFC 9309 and compares URL and rule in one canonical
//! percent-encoding. [`Options::google`] gives the verdict and the matching line of Google's
//! open-source C++ matcher, bit for bit. The crate
//! [`polite-robots-audit`](https://docs.rs/polite-robots-audit) finds the URLs of a file about
//! which they differ.
//!
//! # RFC 9309
//!
//! The default dialect keeps every MUST of RFC 9309 that is about the file. Where the text is
//! silent, or where §2.2.4 and §2.3.1.5 let a crawler read what was plainly meant, it decides so:
//!
//! - §2.2: two words without a colon, `Disallow /a`, are a rule, and three words are not. A colon
//!   is easily forgotten, and Google reads such a line too.
//! - §2.2: `Dissallow`, `Useragent` and five more misspellings count, and so do plurals and noise
//!   as in `Disallowed:` and `Disallow.:`, as the meaning is plain. `DisallowAITraining` is another
//!   record.
//! - §2.2: VT and FF around a field or a value are white space, and a NUL ends a line as `#` does,
//!   because Google's lines are C strings.
//! - §2.2: a byte order mark at the start of the file, or a part of one, is skipped. Editors write
//!   it.
//! - §2.2.1: the name of an agent ends at the first byte that no token has: `ExampleBot/2.1` names
//!   `ExampleBot`. One file in seven has such a name, and by the text its line would not count.
//! - §2.2.1: names with digits and dots can be asked for, and are compared whole too. The grammar
//!   has no digits, but `MJ12bot` exists.
//! - §2.2.2: a pattern may begin with `*`, as §5.1 of the text itself has it (erratum 7995).
//! - §2.2.2: a value with neither `/` nor `*` at its start matches nothing, but ends the list of
//!   agents: it was meant as a rule.
//! - §2.2.2: escaped reserved characters equal raw ones where they are data, such as `:` anywhere
//!   and `/` in a query. The table of the section has one row of this kind.
//! - §2.2.2: a URL is read as clients send it: `/a/../b` asks about `/b`, and `\` is `/`. The text
//!   says only that URIs are compared, and the answer is about the request that is sent.
//! - §2.2.3: a `$` before the end of a pattern is an ordinary byte, as the section gives it a
//!   meaning at the end only.
//! - §2.2.4: no other record ends a list of agents, `Crawl-delay` included, nor does a blank line.
//!   The section names `Sitemap` as one example.
//! - §2.5: the whole file is read, up to 512 MiB. The text asks for at least 500 KiB;
//!   [`Options::max_bytes`] cuts the file at a whole line.
//!
//! ```
//! use polite_robots::Robot;
//!
//! let allowed = |agent, file: &str, url| {
//!     Robot::new(agent, file.as_bytes()).map(|robot| robot.allowed(url))
//! };
//! assert!(!allowed("ExampleBot", "User-agent: ExampleBot/2.1\nDisallow /a", "/a")?);
//! assert!(!allowed("MJ12bot", "Useragent: MJ12bot\nDisallowed: *.gif$", "/b.gif")?);
//! assert!(allowed("ExampleBot", "User-agent: *\nDisallowAITraining: /\nDisallow: a", "/a")?);
//! assert!(!allowed("ExampleBot", "User-agent: *\nDisallow: /b", "https://example.com/a/../b")?);
//! assert!(!allowed("ExampleBot", "User-agent: *\nDisallow: /*?u=http%3A%2F%2F", "/?u=http://x")?);
//! assert!(!allowed("a", "User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /", "/")?);
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```
//!
//! # Google's matcher
//!
//! [`Dialect::Google`] reads lines, separators, comments and groups as above, and differs in these
//! points, since the matcher does:
//!
//! - It reads the first 16,663 bytes of a line.
//! - A field name that only begins like a known one is that field: `DisallowAITraining` is a
//!   `Disallow`.
//! - The name of an agent ends at the first digit or dot too: `MJ12bot` names `MJ`, so that no file
//!   can name that crawler.
//! - In a rule, hex digits of escapes become upper case and bytes outside of ASCII are escaped.
//!   Nothing else is made equal: `%7e` is not `~`.
//! - The URL is compared as it is given, with its dot segments and `\`, up to a NUL.
//! - The path of a URL begins at the first `/`, `?` or `;` after the authority.
//! - `/robots.txt` is a path as any other, which a rule can close.
//! - `Allow: /d/index.html` allows `/d/` too.
//! - The matching line may be that of an empty `Disallow:`.
//!
//! ```
//! use polite_robots::{Options, Robot};
//!
//! let robots_txt = b"User-agent: *\nDisallow: /a%7eb";
//! let rfc9309 = Robot::new("ExampleBot", robots_txt)?;
//! let google = Robot::with_options("ExampleBot", robots_txt, &Options::google())?;
//! assert!(!rfc9309.allowed("/a~b") && google.allowed("/a~b"));
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```
//!
//! # Features
//!
//! A feature adds API or speed; it never changes an answer. Without default features the crate is
//! `no_std` and needs `alloc`.
//!
//! | feature | default | effect |
//! |---|---|---|
//! | `std` | yes | a rule set gets its index after 32 questions; SIMD is chosen at run time |
//! | `regex` | yes | a regex compares patterns of up to 128 bytes with more than 32 runs of `*` |
//! | `url` | no | [`Target`] is made from a `&url::Url` |
//! | `serde` | no | the types below can be stored and read back |
//!
//! With `serde`, [`RobotsTxt`], [`Robot`], [`Options`], [`ProductToken`] and the
//! enums in them can be stored and read back in any format. They borrow nothing from the input,
//! so a reader will do as well as a buffer.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use polite_robots::Robot;
//!
//! let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /search")?;
//! let stored = serde_json::to_string(&robot)?;
//! assert!(stored.starts_with(r#"{"version":1,"dialect":"rfc9309","blanket":null,"records":["#));
//! assert_eq!(serde_json::from_str::<Robot>(&stored)?, robot);
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! - A [`RobotsTxt`] is stored as its bytes, its dialect and the place where it was cut, and is
//!   parsed again. In a format for people the bytes are text, or a list of numbers if they are not
//!   UTF-8.
//! - A [`Robot`] is stored as the records that it was made from, with their lines: its rules in
//!   compared form, and its agent by the name `me`, as it does not know its own. The rules of a
//!   [`PolicyToken`](record::PolicyToken) are a list beside them. Each is read as the records of a
//!   file are: a hostile form is an error or a robot that a file could have made.
//! - Both begin with a version number. A version that this release does not write is an error whose
//!   message says so.
//! - Enums are stored by name, such as `google` or `missing-colon`.
//! - [`Verdict`], [`Reason`] and [`Rule`] borrow from their robot: they can be written but not
//!   read.
//!
//! # What it does not do
//!
//! - It does not fetch, cache or wait: it has no I/O, no clock and no threads.
//! - It does not look at the host: ask the file at [`robots_url`] of the URL.
//! - It does not decode UTF-16.
//! - It does not read more than 512 MiB of a file. Set [`Options::max_bytes`] to the size that you
//!   are ready to read; RFC 9309 §2.5 asks for at least 500 KiB.

#![no_std]
// Name the smallest crate that has the item, so that the library stays `no_std`.
#![warn(
    clippy::alloc_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core
)]
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
#[cfg(feature = "std")]
extern crate std;

mod access;
mod agent;
mod compared_form;
pub mod document;
mod header_guess;
mod options;
mod parse;
pub mod pattern;
pub mod record;
mod robots;
mod robots_url;
mod rules;
#[cfg(feature = "serde")]
mod serde;
mod sort;
mod target;
pub mod text;
mod token;
mod verdict;

pub use crate::access::Access;
pub use crate::agent::{AgentMatch, InvalidToken, ProductToken};
pub use crate::options::{Dialect, Options};
pub use crate::robots::robot::Robot;
pub use crate::robots::robots_txt::RobotsTxt;
pub use crate::robots_url::{InvalidUrl, robots_url};
pub use crate::rules::pattern::Tier;
pub use crate::rules::rule::Rule;
pub use crate::target::Target;
pub use crate::verdict::{Cause, Reason, Verdict};

/// The examples of the pages, which are tests too.
#[cfg(doctest)]
mod examples {
    #[doc = include_str!("../README.md")]
    mod readme {}

    #[doc = include_str!("../docs/switching.md")]
    mod switching {}
}
