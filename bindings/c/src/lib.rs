//! The C ABI of `polite-robots`: functions and types that begin with `polite_`.
//!
//! `include/polite_robots.h` is generated from this crate and is its documentation for C; a test
//! holds the two together. Every function reads its arguments, calls the core and writes the
//! answer; no function decides anything about a robots.txt.

// The names are those of C, and the header says for each function what its pointers must be.
#![allow(non_camel_case_types, clippy::missing_safety_doc)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::undocumented_unsafe_blocks,
    )
)]

// First, as its macro stands around the body of every function.
#[macro_use]
mod guard;

mod bytes;
mod cache;
mod document;
mod error;
mod fetch;
mod options;
mod pace;
mod profile;
mod reply;
mod robot;
mod saved;
mod sized;
mod text;
mod url;
mod verdict;
mod version;

#[cfg(test)]
mod tests;

pub use crate::bytes::{
    polite_product_token_bytes, polite_robot_allowed_bytes, polite_robot_check_bytes,
    polite_robot_explain_bytes, polite_robot_new_bytes, polite_robots_txt_from_status_bytes,
    polite_robots_txt_parse_bytes, polite_robots_txt_robot_bytes, polite_robots_url_bytes,
};
pub use crate::cache::{
    POLITE_NEVER, polite_access, polite_answer, polite_cache, polite_cache_ask, polite_cache_end,
    polite_cache_explain, polite_cache_free, polite_cache_load, polite_cache_new,
    polite_cache_release, polite_cache_renew, polite_cache_reset, polite_cache_save,
    polite_cache_set_site, polite_page, polite_site,
};
pub use crate::document::{
    polite_line, polite_line_fn, polite_robots_txt, polite_robots_txt_free,
    polite_robots_txt_from_status, polite_robots_txt_lines, polite_robots_txt_parse,
    polite_robots_txt_robot, polite_robots_txt_robot_first, polite_robots_txt_sitemaps, polite_tag,
};
pub use crate::error::{polite_last_error, polite_result};
pub use crate::fetch::{
    polite_fetch, polite_fetch_by_name, polite_fetch_failed, polite_fetch_free, polite_fetch_next,
    polite_fetch_refused, polite_fetch_resolved, polite_fetch_response, polite_fetch_step,
    polite_step,
};
pub use crate::options::{polite_dialect, polite_options};
pub use crate::pace::{
    polite_pace, polite_pace_cancel, polite_pace_crawl_delay, polite_pace_failed, polite_pace_free,
    polite_pace_load, polite_pace_new, polite_pace_response, polite_pace_save, polite_pace_start,
    polite_pace_turn, polite_turn, polite_turn_kind,
};
pub use crate::profile::{polite_policy, polite_profile};
pub use crate::reply::{polite_body_end, polite_header, polite_net_error, polite_signal};
pub use crate::robot::{
    polite_robot, polite_robot_allow_all, polite_robot_allowed, polite_robot_check,
    polite_robot_clone, polite_robot_crawl_delay, polite_robot_disallow_all, polite_robot_explain,
    polite_robot_free, polite_robot_named_only, polite_robot_new, polite_robot_sitemaps,
};
pub use crate::saved::polite_saved_free;
pub use crate::text::polite_str;
pub use crate::url::{polite_product_token, polite_robots_url};
pub use crate::verdict::{polite_agent_match, polite_cause, polite_reason, polite_verdict};
pub use crate::version::{POLITE_ABI_MAJOR, POLITE_ABI_MINOR, polite_abi_version};
