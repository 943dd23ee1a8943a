//! Any text as a URL: a question about the text is a question about the request that a client
//! sends, as the `url` crate reads it from the text. A drive letter is an exception, as that crate
//! alone keeps it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use polite_robots::{Dialect, Target, robots_url};
use url::{Position, Url};

fuzz_target!(|text: &str| {
    let Ok(url) = Url::parse(text) else {
        let _ = (Target::new(text), robots_url(text));
        return;
    };
    if !matches!(url.scheme(), "http" | "https") {
        return;
    }
    let is_drive = |segment: &str| matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
    if url.path().split('/').any(is_drive) {
        return;
    }
    let path = |target: Target<'_>| target.path(Dialect::Rfc9309).into_owned();
    let of_url = path(Target::from(url.as_str()));
    assert_eq!(path(Target::new(text)), of_url, "{url}");
    assert_eq!(path(Target::from(text.as_bytes())), of_url, "{url}");
    let sent = &url[Position::BeforePath..Position::AfterQuery];
    assert_eq!(path(Target::sent(sent.as_bytes())), of_url, "{url}");
    let root_of_url = robots_url(url.as_str()).ok();
    match robots_url(text) {
        // A host outside of ASCII needs the `url` crate, which may drop all characters that are not
        // ASCII: U+FEFF has no place in a host.
        Err(error) if error.to_string().contains("is not ASCII") => {
            assert!(!text.is_ascii() || text.contains('%'), "{error}");
        }
        root => assert_eq!(root.ok(), root_of_url, "{url}"),
    }
});
