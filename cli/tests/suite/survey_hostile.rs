//! `robots survey` with inputs that are invalid, that are given twice, or that never end.

use std::fs::{self, DirEntry, File};
use std::path::{Path, PathBuf};
use std::process::Child;

use serde_json::json;

use crate::suite::generator::gzip;
use crate::suite::robots::{command, robots, run};
use crate::suite::survey::{assert_error, folder, interrupted, part, survey_run};

#[cfg(unix)]
#[test]
fn the_same_under_two_names_is_an_error_that_has_both() {
    let folder = folder("aliases");
    let robots_txts = folder.join("robots");
    fs::create_dir(&robots_txts).unwrap();
    fs::write(robots_txts.join("example.com"), "User-agent: *").unwrap();
    let link = folder.join("link");
    std::os::unix::fs::symlink(&robots_txts, &link).unwrap();
    let both = |one: &str, other: &str| {
        let run = run(
            command().current_dir(&folder).args(["survey", one, other]),
            b"",
        );
        let message = format!("`{one}` and `{other}` are the same, or one is in the other");
        assert_error(&run, &message);
    };
    let absolute = robots_txts.to_str().unwrap();
    both(absolute, "robots");
    both("link", "robots");
    both("robots", "link/example.com");
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_named_with_a_way_out() {
    let null = robots(["survey", "/dev/null"]);
    assert_eq!(null.code, 2, "{null:?}");
    let message = "warning: cannot read `/dev/null`: it is neither a file nor a folder; write what it gives to a file";
    assert!(null.stderr.starts_with(message), "{null:?}");
    let nothing = robots(["survey", "-"]);
    assert_eq!(nothing.code, 2);
    assert!(
        nothing
            .stderr
            .starts_with("warning: cannot read `-`: it is empty"),
        "{nothing:?}"
    );
    let folder = folder("pipe");
    let pipe = folder.join("pipe.warc");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let run = survey_run(&[&pipe], &[]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.stderr.contains("neither a file nor a folder"),
        "{run:?}"
    );
}

#[test]
fn what_is_compressed_otherwise_is_no_robots_txt() {
    let folder = folder("compressed");
    let text = b"User-agent: *\nDisallow: /\n";
    let mut tar = vec![0; 1024];
    tar[257..262].copy_from_slice(b"ustar");
    let files = [
        ("a.txt.gz", gzip(text), "compressed (gzip)"),
        (
            "b.tar.bz2",
            b"BZh91AY&SY\0\0".to_vec(),
            "compressed (bzip2)",
        ),
        (
            "c.zst",
            zstd::encode_all(&text[..], 1).unwrap(),
            "compressed (zstd)",
        ),
        ("d", b"WARC/1.0\r\n".to_vec(), "a WARC archive"),
        ("e", tar, "a tar archive"),
    ];
    for (name, bytes, _) in &files {
        fs::write(folder.join(name), bytes).unwrap();
    }
    // A host may have this name.
    fs::write(folder.join("example.gz"), text).unwrap();
    let run = survey_run(&[&folder], &[]);
    assert_eq!(run.code, 2, "{run:?}");
    for (name, _, what) in &files {
        let message = format!("{name}`: it is {what}; what is read, by these endings: .tar, ");
        assert!(run.stderr.contains(&message), "{run:?}");
    }
    assert!(run.stdout.contains("responses            1\n"), "{run:?}");
    assert!(
        run.stdout.contains("5 files that cannot be read\n"),
        "{run:?}"
    );
    assert!(run.stdout.contains(" of 1 file\n"), "{run:?}");
}

#[test]
fn what_is_an_archive_by_its_name_only_is_named_and_tried_again() {
    let folder = folder("no-archives");
    let page = b"<?xml version='1.0'?><Error><Code>SlowDown</Code></Error>";
    let names = [
        "a.warc.gz",
        "b.warc",
        "c.tar",
        "d.tar.gz",
        "e.tar.xz",
        "f.tar.zst",
    ];
    for name in names {
        fs::write(folder.join(name), page).unwrap();
        fs::write(folder.join(format!("empty-{name}")), "").unwrap();
    }
    let out = folder.with_extension("json");
    let _ = fs::remove_file(&out);
    let survey = || {
        let mut command = command();
        command
            .arg("survey")
            .arg(&folder)
            .arg("--out")
            .arg(&out)
            .arg("--resume");
        run(&mut command, b"")
    };
    let first = survey();
    assert_eq!(first.code, 2, "{first:?}");
    assert!(
        first.stdout.contains("12 files that cannot be read\n"),
        "{first:?}"
    );
    for name in names {
        assert!(first.stderr.contains(&format!("/{name}`: ")), "{first:?}");
        assert!(
            first
                .stderr
                .contains(&format!("/empty-{name}`: it is empty")),
            "{first:?}"
        );
        fs::write(folder.join(format!("empty-{name}")), page).unwrap();
    }
    assert_eq!(part(&out)["summary"]["passed"], json!({"unreadable": 12}));
    fs::write(folder.join("a.warc.gz"), gzip(WARC.as_bytes())).unwrap();
    let second = survey();
    assert_eq!(second.code, 2, "{second:?}");
    assert_eq!(
        part(&out)["summary"]["passed"],
        json!({"unreadable": 11, "not-a-response": 1})
    );
}

#[test]
fn odd_heads_of_responses_lose_no_body() {
    let folder = folder("odd-heads");
    let text = b"User-agent: *\nDisallow: /\nSitemap: https://example.com/map.xml\n";
    let once = gzip(text);
    let chunk = format!("{:x}\r\n", once.len()).into_bytes();
    let bodies = [
        (
            "Transfer-Encoding: gzip, chunked",
            [&chunk[..], &once, b"\r\n0\r\n\r\n"].concat(),
        ),
        (
            "Content-Encoding: gzip\r\nContent-Encoding: gzip",
            gzip(&once),
        ),
        ("Server: a\0b\r\nVia: a\rb", text.to_vec()),
    ];
    let records = bodies.iter().map(|(fields, body)| {
        let head = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
        let length = head.len() + body.len();
        let of_record = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.com/robots.txt\r\n\
             Content-Length: {length}\r\n\r\n{head}"
        );
        [of_record.as_bytes(), body, b"\r\n\r\n"].concat()
    });
    let path = folder.join("odd.warc");
    fs::write(&path, records.collect::<Vec<_>>().concat()).unwrap();
    let out = folder.join("odd.json");
    let run = survey_run(&[&path], &["--out", out.to_str().unwrap()]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let summary = &part(&out)["summary"];
    assert_eq!(summary["statuses"]["body_end"], json!({"complete": 3}));
    assert_eq!(summary["sitemaps"]["files"], json!(3));
}

#[cfg(unix)]
#[test]
fn a_link_to_an_archive_beside_it_is_no_second_input() {
    let folder = folder("latest");
    fs::write(folder.join("today.warc"), WARC).unwrap();
    std::os::unix::fs::symlink("today.warc", folder.join("latest.warc")).unwrap();
    fs::create_dir(folder.join("days")).unwrap();
    fs::write(folder.join("days/yesterday.warc"), WARC).unwrap();
    std::os::unix::fs::symlink("days", folder.join("old")).unwrap();
    let out = folder.with_extension("json");
    let _ = fs::remove_file(&out);
    let run = survey_run(&[&folder], &["--out", out.to_str().unwrap()]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(
        part(&out)["summary"]["passed"],
        json!({"not-a-response": 2})
    );
}

#[test]
fn numbers_that_no_machine_can_serve_are_usage_errors() {
    for (option, number, message) in [
        ("--threads", "1025", "give 1 to 1024"),
        ("--threads", "0", "give at least 1"),
        (
            "--save-every",
            "18446744073709551615",
            "is not in 0..=86400",
        ),
        ("--batch-bytes", "0", "give at least 1"),
    ] {
        assert_error(&robots(["survey", "x", option, number]), message);
    }
}

/// The archives have hundreds of gigabytes, none of which is on the disk. Only Linux reports how
/// far a program has read a file.
#[cfg(target_os = "linux")]
#[test]
fn an_interruption_does_not_wait_for_the_end_of_an_archive() {
    let folder = folder("endless");
    let first = folder.join("a.warc");
    fs::write(&first, WARC).unwrap();
    for name in ["b.warc", "b.tar"] {
        let endless = folder.join(name);
        fs::write(&endless, "WARC/1.0\r\n").unwrap();
        let file = File::options().write(true).open(&endless).unwrap();
        if name == "b.tar" {
            let mut header = tar::Header::new_gnu();
            header.set_path("long").unwrap();
            header.set_size(ENDLESS - 512);
            header.set_cksum();
            fs::write(&endless, header.as_bytes()).unwrap();
        }
        file.set_len(ENDLESS).unwrap();
        let out = folder.join(format!("{name}.json"));
        let mut command = command();
        command
            .arg("survey")
            .args([&first, &endless])
            .arg("--out")
            .arg(&out)
            .args(["--threads", "1", "--save-every", "0", "--max-bytes", "1"]);
        let interrupted = interrupted(&mut command, |child| {
            out.exists() && read_position(child, &endless) > ENOUGH
        });
        assert_eq!(interrupted.code, 130, "{name}");
        let part = part(&out);
        assert_eq!(part["inputs"][0]["state"], json!("done"), "{name}");
        assert_eq!(part["inputs"][1]["state"], json!("open"), "{name}");
        assert_eq!(part["inputs"][1]["at"], json!(0), "{name}");
        fs::remove_file(&endless).unwrap();
    }
}

/// The position of a process in a file that it reads; 0 if it has not opened the file yet, or has
/// ended.
#[cfg(target_os = "linux")]
fn read_position(process: &Child, file: &Path) -> u64 {
    let of_process = PathBuf::from(format!("/proc/{}", process.id()));
    let Ok(descriptors) = fs::read_dir(of_process.join("fd")) else {
        return 0;
    };
    let file = file.canonicalize().unwrap();
    let is_file = |link: &DirEntry| fs::read_link(link.path()).is_ok_and(|target| target == file);
    let links = descriptors.flatten().filter(is_file);
    let position = |link: DirEntry| {
        let fields = fs::read_to_string(of_process.join("fdinfo").join(link.file_name())).ok()?;
        fields
            .lines()
            .next()?
            .strip_prefix("pos:")?
            .trim()
            .parse()
            .ok()
    };
    links.filter_map(position).max().unwrap_or_default()
}

/// A record that is not a response.
const WARC: &str = "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n";

const ENDLESS: u64 = 200 << 30;

/// More bytes than are read to find the kind of an archive.
const ENOUGH: u64 = 16 << 20;
