//! A file as its author sees it: mistakes and canonical form.

use polite_robots::{Options, RobotsTxt};
use polite_robots_build::{CommentPolicy, canonical};
use polite_robots_lint::Linter;
use wasm_bindgen::prelude::*;

use crate::shapes;

/// The findings in the order of the lines, without those that need a table of known crawlers.
/// `kept` is the part of the file that was read.
#[wasm_bindgen]
pub fn lint(mut kept: Vec<u8>, is_google: bool, is_truncated: bool) -> Vec<JsValue> {
    let mut options = options(is_google);
    if is_truncated {
        options = options.with_max_bytes(kept.len());
        // The finding about a limit names nothing but the place of the cut, so one byte stands for
        // all that were cut off. After a line without an end it is that end, as the cut would go
        // back to a whole line otherwise.
        kept.push(match kept.last() {
            Some(b'\n' | b'\r') => b'#',
            _ => b'\n',
        });
    }
    let robots_txt = RobotsTxt::parse_with(&kept, &options);
    let found = Linter::without_crawlers().lint(&robots_txt);
    found.iter().map(shapes::diagnostic).collect()
}

/// The file in canonical form, which answers every question as the file does.
#[wasm_bindgen(js_name = toCanonical)]
pub fn to_canonical(file: &[u8], is_google: bool, keeps_comments: bool) -> Vec<u8> {
    let comments = match keeps_comments {
        true => CommentPolicy::Keep,
        false => CommentPolicy::Drop,
    };
    canonical(&RobotsTxt::parse_with(file, &options(is_google)), comments)
}

/// Without a limit: the file is what the first module has kept.
fn options(is_google: bool) -> Options {
    if is_google {
        Options::google()
    } else {
        Options::rfc9309()
    }
}
