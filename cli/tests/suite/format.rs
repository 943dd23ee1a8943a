//! `robots fmt`.

use std::fs;

use crate::suite::robots::{command, file, finished, robots, robots_reading};

const MESSY: &str =
    "user-agent:a\r\ndissalow /x # no\r\nNoarchive: /\r\nUser-agent: A\r\nAllow:/x/y\r\n";

const CANONICAL: &str = "User-agent: a\nDisallow: /x # no\n# kept\nAllow: /x/y\n";

#[test]
fn a_page_in_place_of_a_file_does_not_flood_the_terminal() {
    let page = "<p>\n".repeat(500);
    let run = robots_reading(page, ["fmt", "-", "--comments=drop"]);
    assert_eq!(run.stderr.lines().count(), 6, "{run:?}");
    assert!(
        run.stderr
            .ends_with("495 more lines like that are left out\n"),
        "{run:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_written_file_keeps_its_permissions_and_a_link_stays_one() {
    use std::os::unix::fs::PermissionsExt as _;

    let path = file("fmt.mode.robots.txt", MESSY);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let link = path.with_extension("link");
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert_eq!(robots(["fmt", "--write", link.to_str().unwrap()]).code, 0);
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o640
    );
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .starts_with("User-agent: a\n")
    );
}

#[cfg(unix)]
#[test]
fn a_canonical_file_is_not_touched() {
    use std::os::unix::fs::MetadataExt as _;

    let path = file("fmt.same.robots.txt", CANONICAL);
    let before = fs::metadata(&path).unwrap().ino();
    assert_eq!(robots(["fmt", "--write", path.to_str().unwrap()]).code, 0);
    assert_eq!(fs::metadata(&path).unwrap().ino(), before);
}

#[test]
fn bytes_that_are_no_text_stay_as_they_are_in_a_pipe() {
    let bytes = b"User-agent: *\nDisallow: /\xE9\x1B[31m # a\tb\n";
    let path = file("fmt.bytes.robots.txt", bytes);
    // Builds that force colours on their tools write files too.
    for colour in ["0", "1"] {
        let mut command = command();
        let command = command.env("CLICOLOR_FORCE", colour).arg("fmt");
        let output = command.arg(&path).output().unwrap();
        assert_eq!(output.stdout, bytes, "{colour}");
    }
}

#[test]
fn what_is_no_robots_txt_stays_as_it_is() {
    let utf16: Vec<u8> = "User-agent: *\nDisallow: /\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let utf16 = [&b"\xFF\xFE"[..], &utf16].concat();
    let page = b"<!DOCTYPE html>\n<html><body>Not found</body></html>\n";
    for (name, bytes) in [
        ("format-utf16.txt", &utf16[..]),
        ("format-page.txt", &page[..]),
    ] {
        let path = file(name, bytes);
        let run = finished(
            command()
                .args(["fmt", "--write", "--comments=drop"])
                .arg(&path)
                .output()
                .unwrap(),
        );
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("as it is no robots.txt: "), "{run:?}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn several_files_are_checked_and_written_each_by_itself() {
    let messy = file("fmt.many-messy.txt", MESSY);
    let canonical = file("fmt.many-canonical.txt", CANONICAL);
    let [messy, canonical] = [&messy, &canonical].map(|path| path.to_str().unwrap());
    assert_eq!(robots(["fmt", "--check", canonical, canonical]).code, 0);
    let check = robots(["fmt", "--check", messy, canonical, "missing.txt"]);
    assert_eq!(check.code, 2);
    assert!(check.stdout.contains(messy) && check.stderr.contains("missing.txt"));
    assert_eq!(robots(["fmt", "--check", canonical, messy]).code, 1);
    let printed = robots(["fmt", canonical, messy]);
    assert_eq!((printed.code, printed.stdout.as_str()), (2, ""));
    assert!(
        printed.stderr.contains("give --check or --write"),
        "{printed:?}"
    );
    let written = robots(["fmt", "--write", messy, "missing.txt", canonical]);
    assert_eq!(written.code, 2, "{written:?}");
    assert_eq!(robots(["fmt", "--check", messy, canonical]).code, 0);
}
