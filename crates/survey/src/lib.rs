//! Statistics of many robots.txt files: the engine of `robots survey`.
//!
//! A survey reads folders, tar archives and the WARC archives of Common Crawl on every core, in
//! bounded memory. Its counts add up whatever the order and the split of the inputs, so it can stop
//! and continue, run in parts on several machines, and be compared with another survey. Nothing is
//! fetched.
//!
//! ```
//! use polite_robots_survey::{Depth, Input, Interrupt, Part, Plan, SurveyError, report, run};
//!
//! let inputs = Input::find("../../testdata/shop.robots.txt".as_ref());
//! let mut part = Part::new(inputs, 512_000, Depth::Thorough)?;
//! let plan = Plan { threads: 2, batch_bytes: 4 << 20, save_interval: None };
//! run(&mut part, &plan, &Interrupt::default(), &(), |_| Ok::<(), SurveyError>(()))?;
//!
//! let counts = serde_json::to_value(part.summary())?;
//! assert_eq!(counts["files"], 1);
//! let page = report::html(&report::survey("Shops", &part));
//! assert!(page.starts_with("<!DOCTYPE html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod batch;
pub mod changes;
pub mod compare;
mod content;
mod dates;
mod depth;
mod distinct;
mod error;
mod http;
mod input;
mod interrupt;
mod labels;
mod merge;
mod panics;
mod part;
mod provenance;
pub mod report;
mod representatives;
pub mod rows;
mod run;
mod summary;
mod unit;

pub use crate::content::{Content, Place, RobotsResponse, SkipReason};
pub use crate::depth::Depth;
pub use crate::error::{LabelsFault, SurveyError};
pub use crate::input::Input;
pub use crate::interrupt::Interrupt;
pub use crate::labels::Labels;
pub use crate::merge::{merge, merge_lines};
pub use crate::part::Part;
pub use crate::run::{Extras, Monitor, Plan, run, run_with};
pub use crate::summary::Summary;
pub use crate::unit::Unit;

/// The example of the README, which is compiled as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
