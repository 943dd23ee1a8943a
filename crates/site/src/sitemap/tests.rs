//! The forms of sitemaps, and files that only look like one.

use std::io::{Read, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn urls(sitemap: impl AsRef<[u8]>) -> Result<(Summary, Vec<String>), String> {
    let mut urls = Vec::new();
    let summary = read(sitemap.as_ref(), |url| urls.push(url.to_owned()));
    summary
        .map(|summary| (summary, urls))
        .map_err(|error| error.to_string())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const URLSET: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url>
    <loc>
      https://example.com/a?b=1&amp;c=&#x32;
    </loc>
    <lastmod>2026-01-01</lastmod>
    <image:image><image:loc>https://example.com/i.png</image:loc></image:image>
  </url>
  <url><loc><![CDATA[https://example.com/d&e]]></loc></url>
  <!-- <url><loc>https://example.com/comment</loc></url> -->
</urlset>"#;

#[test]
fn a_urlset_has_the_urls_of_pages_alone() {
    for sitemap in [
        URLSET.as_bytes().to_vec(),
        gzip(URLSET.as_bytes()),
        [&b"\xEF\xBB\xBF"[..], URLSET.as_bytes()].concat(),
    ] {
        let (summary, urls) = urls(sitemap).unwrap();
        assert_eq!((summary.kind(), summary.urls()), (Kind::Urls, 2));
        assert_eq!(
            urls,
            ["https://example.com/a?b=1&c=2", "https://example.com/d&e"]
        );
    }
}

#[test]
fn an_index_has_the_urls_of_sitemaps() {
    let index = "<s:sitemapindex xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9'><s:sitemap>\
        <s:loc>https://example.com/1.xml.gz</s:loc></s:sitemap></s:sitemapindex>";
    let (summary, urls) = urls(index).unwrap();
    assert_eq!(summary.kind(), Kind::Index);
    assert_eq!(urls, ["https://example.com/1.xml.gz"]);
}

#[test]
fn a_sitemap_may_be_empty() {
    let (summary, urls) = urls("<urlset/>").unwrap();
    assert_eq!((summary.kind(), urls.len()), (Kind::Urls, 0));
}

#[test]
fn a_text_has_a_url_per_line() {
    let (summary, urls) =
        urls("\u{FEFF}https://example.com/a\r\n\n/b\nhttp://example.com/\u{e9}").unwrap();
    assert_eq!((summary.kind(), summary.unusable()), (Kind::Text, 1));
    assert_eq!(summary.first_unusable(), Some((3, "/b")));
    assert_eq!(urls, ["https://example.com/a", "http://example.com/\u{e9}"]);
}

#[test]
fn an_entry_that_is_no_absolute_url_is_counted() {
    let sitemap = "<urlset><url><loc>/a</loc></url>\n<url><loc></loc></url>\
        <url><loc>https://example.com/</loc></url></urlset>";
    let (summary, urls) = urls(sitemap).unwrap();
    assert_eq!((summary.urls(), summary.unusable()), (1, 2));
    assert_eq!(summary.first_unusable(), Some((1, "/a")));
    assert_eq!(urls.len(), 1);
}

#[test]
fn each_error_says_what_is_wrong_and_where() {
    for (sitemap, expected) in [
        (&b"<html>\n<body>"[..], "begins with `<html>`"),
        (
            b"<urlset>\n<url><loc>https://e.com/?a&b=c</loc>",
            "line 2 has a `&`",
        ),
        (b"<urlset><url>\n</loc>", "line 2 is not well-formed XML"),
        (
            b"<urlset><url><loc>https://e.com/",
            "so that a part is missing",
        ),
        (
            b"<urlset><url><loc>\xE9</loc></url></urlset>",
            "line 1 is not UTF-8",
        ),
        (b"https://e.com/\n\xE9", "line 2 is not UTF-8"),
        (b"\xFF\xFE<\0", "UTF-16"),
        (b"", "no line of it is a URL"),
        (b"User-agent: *\nDisallow: /", "no line of it is a URL"),
        (b"\x1F\x8B\x08 no gzip", ""),
        (b"<!-- a -->", "it has no element"),
    ] {
        let error = urls(sitemap).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn entities_are_not_expanded() {
    let bomb = r#"<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>
<urlset><url><loc>https://example.com/&b;</loc></url><url><loc>https://example.com/&x;</loc></url></urlset>"#;
    let (_, urls) = urls(bomb).unwrap();
    assert_eq!(
        urls,
        [
            "https://example.com/\u{FFFD}",
            "https://example.com/\u{FFFD}"
        ]
    );
}

#[test]
fn a_deep_document_and_a_long_one_are_refused() {
    let deep = "<urlset>".to_owned() + &"<a>".repeat(1_000_000);
    assert!(urls(deep).unwrap_err().contains("nested more than 64 deep"));
    for start in ["<urlset>", "https://example.com/\n"] {
        let endless = std::io::repeat(b' ');
        let mut count = 0;
        let error = read(start.as_bytes().chain(endless), |_| count += 1).unwrap_err();
        assert!(matches!(error, SitemapError::TooLarge), "{error}");
    }
    // 100 MiB of blanks in 100 KiB.
    let bomb = gzip(&[&b"<urlset>"[..], &vec![b' '; 100 << 20]].concat());
    assert!(urls(bomb).unwrap_err().contains("longer than 50 MiB"));
}

const PIECES: &[&[u8]] = &[
    b"<urlset>",
    b"</urlset>",
    b"<url>",
    b"</url>",
    b"<loc>",
    b"</loc>",
    b"https://example.com/",
    b"&amp;",
    b"&#0;",
    b"&x;",
    b"<![CDATA[",
    b"]]>",
    b"<!DOCTYPE a [",
    b"]>",
    b"<!--",
    b"-->",
    b"\xFF",
    b"\n",
];

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(
        pieces in vec(prop_oneof![select(PIECES).prop_map(<[u8]>::to_vec), vec(any::<u8>(), 0..4)], 0..30),
    ) {
        let _ = urls(pieces.concat());
    }
}
