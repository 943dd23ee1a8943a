//! A dated table of the crawlers that many files name: who runs them, and what they fetch for.
//!
//! ```
//! use polite_robots_audit::known::{self, Purpose};
//!
//! let crawler = known::find("gptbot").ok_or("no such crawler")?;
//! assert_eq!((crawler.operator(), crawler.purpose()), (Some("OpenAI"), Purpose::Training));
//! # Ok::<(), &str>(())
//! ```

mod crawler;
mod meant;
mod products;
mod purpose;
mod spelling;
mod standing;

pub use crate::known::crawler::{
    AiList, KnownCrawler, ai_list, all, as_of, by_importance, find, is_second_token,
};
pub use crate::known::meant::{Meant, clearly_meant, meant};
pub use crate::known::products::{Product, product};
pub use crate::known::purpose::Purpose;
pub use crate::known::standing::{Compliance, Retirement};
