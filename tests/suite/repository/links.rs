//! Links in Markdown lead to a file of the repository, and to a heading of it.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::suite::repository::documents::{files, read, root};

/// Pages on crates.io, PyPI and npm use these addresses of files, because relative links lead
/// nowhere there.
const ADDRESSES: [&str; 2] = [
    "https://github.com/polite-robots/polite-robots/blob/main/",
    "https://github.com/polite-robots/polite-robots/tree/main/",
];

#[test]
fn links_lead_to_files_and_headings() {
    let Some(pages) = pages() else {
        return;
    };
    let (mut links, mut headings) = (0, 0);
    for page in &pages {
        for link in links_of(&read(page)) {
            let (target, heading) = link.split_once('#').unwrap_or((&link, ""));
            let address = ADDRESSES.iter().find_map(|at| target.strip_prefix(at));
            let target = match address {
                Some(path) => PathBuf::from(path),
                None if target.contains("://") => continue,
                None if target.is_empty() => PathBuf::from(page),
                None => Path::new(page).parent().unwrap().join(target),
            };
            let target = plain(&target);
            assert!(root().join(&target).exists(), "{page}: {link}");
            links += 1;
            if target.extension().is_some_and(|kind| kind == "md") && !heading.is_empty() {
                let slugs = slugs_of(&read(target.to_str().unwrap()));
                assert!(slugs.iter().any(|slug| slug == heading), "{page}: {link}");
                headings += 1;
            }
        }
    }
    assert!(pages.len() > 100, "only {} pages were found", pages.len());
    assert!(links > 150 && headings > 20, "{links}, {headings}");
}

/// A page that the table of contents lacks is found by nobody.
#[test]
fn every_page_is_in_the_table_of_contents() {
    let Some(mut pages) = pages() else {
        return;
    };
    pages.retain(|page| page.contains("docs/") && page != "docs/README.md");
    let contents = links_of(&read("docs/README.md"));
    let contents: Vec<PathBuf> = contents
        .iter()
        .map(|link| plain(&Path::new("docs").join(link)))
        .collect();
    assert!(pages.len() > 15, "only {} pages were found", pages.len());
    for page in pages {
        assert!(
            contents.contains(&PathBuf::from(&page)),
            "docs/README.md does not list {page}"
        );
    }
}

#[test]
fn headings_have_the_names_of_github() {
    let page = "# `robots` & [more](x.md)\n```text\n# no heading\n```\n## A, b\n## A, b\n#no\n";
    assert_eq!(slugs_of(page), ["robots--more", "a-b", "a-b-1"]);
}

#[test]
fn links_in_code_are_none() {
    let page = "[a](b.md) `[c](d.md)`\n```rust\nx[e](f)\n```\n![g](h.svg \"title\") [i](<j k>)";
    assert_eq!(links_of(page), ["b.md", "h.svg", "j k"]);
}

fn pages() -> Option<Vec<String>> {
    let mut files = files()?;
    files.retain(|file| file.ends_with(".md"));
    Some(files)
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => assert!(plain.pop(), "{} leaves the folder", path.display()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// The targets of links, without those in code.
fn links_of(page: &str) -> Vec<String> {
    let mut links = Vec::new();
    for line in prose(page) {
        let text: String = line.split('`').step_by(2).collect();
        for behind in text.split("](").skip(1) {
            let target = behind.split(')').next().unwrap();
            let target = match target.strip_prefix('<') {
                Some(quoted) => quoted.trim_end_matches('>'),
                None => target.split(' ').next().unwrap(),
            };
            links.push(target.to_owned());
        }
    }
    links
}

/// The names of the headings, as GitHub makes them.
fn slugs_of(page: &str) -> Vec<String> {
    let mut counts = BTreeMap::<String, usize>::new();
    let headings = prose(page).filter_map(|line| {
        let title = line.trim_start_matches('#');
        title.strip_prefix(' ').filter(|_| line.starts_with('#'))
    });
    headings
        .map(|title| {
            let shown = title.split("](").enumerate().map(|(at, part)| match at {
                0 => part,
                _ => part.split_once(')').map_or("", |(_, rest)| rest),
            });
            let shown: String = shown.collect();
            let letters = shown.trim().chars().filter_map(|letter| match letter {
                ' ' => Some('-'),
                '-' | '_' => Some(letter),
                letter => letter.is_alphanumeric().then_some(letter),
            });
            let slug = letters.collect::<String>().to_lowercase();
            let count = counts.entry(slug.clone()).or_default();
            *count += 1;
            match *count {
                1 => slug,
                count => format!("{slug}-{}", count - 1),
            }
        })
        .collect()
}

/// The lines that are outside of blocks of code.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_in_block = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_in_block ^= is_fence;
        !is_in_block && !is_fence
    })
}
