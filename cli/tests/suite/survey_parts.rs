//! Parts of a survey: which can be added up, compared and gone on with.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::suite::robots::{Run, command, robots, run};
use crate::suite::survey::{assert_error, folder, part, survey_run, survey_to, tar_of};

#[test]
fn parts_of_one_depth_are_one_survey_whatever_their_sizes() {
    let folder = folder("depths");
    let small = files(&folder.join("small"), 400);
    let large = files(&folder.join("large"), 400);
    File::create(large.join("long"))
        .unwrap()
        .set_len(64 << 20)
        .unwrap();
    let surveyed = |name: &str, paths: &[&Path], options: &[&str]| {
        let out = folder.join(name);
        survey_to(&out, paths, options);
        out
    };
    let one = surveyed("one.json", &[&small, &large], &[]);
    assert_eq!(part(&one)["depth"], json!("sampled"));
    let of_large = surveyed("large.json", &[&large], &[]);
    let out = folder.join("all.json");

    let of_small = surveyed("small.json", &[&small], &["--sampled"]);
    let merged = merge(&[&of_small, &of_large], &out);
    assert_eq!((merged.code, merged.stderr.as_str()), (0, ""));
    assert_eq!(part(&out), part(&one));

    let by_size = surveyed("by-size.json", &[&small], &[]);
    for (first, second, depths) in [
        (&of_large, &by_size, "--thorough does, not --sampled"),
        (&by_size, &of_large, "--sampled does, not --thorough"),
    ] {
        let refused = merge(&[first, second], &folder.join("none.json"));
        let message = format!("`{}` was surveyed as {depths}; ", second.display());
        assert_error(&refused, &message);
        assert_error(&refused, "so give all parts, and each --resume, the same");
        assert!(!folder.join("none.json").exists());
    }

    let none: [&Path; 0] = [];
    let resumed = |options: &[&str]| {
        let out = ["--resume", "--out", of_large.to_str().unwrap()];
        survey_run(&none, &[&out, options].concat())
    };
    assert_error(
        &resumed(&["--thorough"]),
        "large.json` was surveyed as --sampled does, not --thorough; ",
    );
    assert_eq!(resumed(&["--sampled"]).code, 0);
    let both = robots(["survey", "--sampled", "--thorough", "x"]);
    assert_error(&both, "'--sampled' cannot be used with '--thorough'");
}

#[test]
fn a_list_of_paths_may_be_compressed() {
    let folder = folder("list");
    let robots_txts = files(&folder.join("crawl"), 3);
    let none: [&Path; 0] = [];
    let surveyed = |name: &str, list: &[u8]| {
        let (list_file, out) = (folder.join(name), folder.join(format!("{name}.json")));
        fs::write(&list_file, list).unwrap();
        let options = ["--paths", list_file.to_str().unwrap()];
        let run = survey_run(
            &none,
            &[&options[..], &["--out", out.to_str().unwrap()]].concat(),
        );
        (run, out)
    };
    let list = format!("\n# a crawl\n{}\r\n", robots_txts.display());
    let (run, plain) = surveyed("robotstxt.paths", list.as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);

    let compressed = gzip(list.as_bytes());
    // The bytes decide, not the name.
    for name in ["robotstxt.paths.gz", "list"] {
        let (run, out) = surveyed(name, &compressed);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(part(&out), part(&plain));
    }
    let (cut, _) = surveyed("cut.gz", &compressed[..compressed.len() - 12]);
    assert_error(&cut, "cannot read `");
    assert_error(&cut, "cut.gz`");
    let (empty, _) = surveyed("empty.gz", &gzip(b"# nothing\n"));
    assert_error(&empty, "empty.gz` holds no path");
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn parts_with_other_limits_are_not_added_up() {
    let folder = folder("limits");
    let robots_txts = files(&folder.join("robots"), 2);
    let parts = ["2000", "3000"].map(|limit| {
        let out = folder.join(format!("{limit}.json"));
        let options = ["--max-bytes", limit, "--out", out.to_str().unwrap()];
        let file = robots_txts.join(if limit == "2000" { "0" } else { "1" });
        assert_eq!(survey_run(&[file], &options).code, 0);
        out
    });
    let refused = merge(&[&parts[0], &parts[1]], &folder.join("all.json"));
    assert_error(
        &refused,
        "3000.json` was read with --max-bytes 3000, not 2000",
    );
}

#[test]
fn an_input_that_was_done_and_has_changed_is_an_error() {
    let folder = folder("changed");
    let robots_txts = files(&folder.join("robots"), 3);
    let out = folder.join("part.json");
    survey_to(&out, &[&robots_txts], &[]);
    let before = fs::read(&out).unwrap();
    assert_eq!(resume(&out).code, 0);
    fs::write(robots_txts.join("more"), "User-agent: *").unwrap();
    let changed = format!("`{}` has changed since ", robots_txts.display());
    assert_error(&resume(&out), &changed);
    fs::write(robots_txts.join("more.tar"), "").unwrap();
    let again = ["--resume", "--out", out.to_str().unwrap()];
    assert_error(&survey_run(&[&robots_txts], &again), &changed);
    assert_eq!(fs::read(&out).unwrap(), before);
}

#[test]
fn an_input_that_could_not_be_read_is_tried_again() {
    let folder = folder("again");
    let robots_txts = files(&folder.join("robots"), 2);
    let late = folder.join("late");
    let out = folder.join("part.json");
    let paths = [&robots_txts, &late];
    let options = ["--max-bytes", "2000", "--resume", "--out"];
    let surveyed = || survey_run(&paths, &[&options[..], &[out.to_str().unwrap()]].concat());
    for _ in 0..2 {
        let run = surveyed();
        assert_eq!(run.code, 2, "{run:?}");
        let warning = format!("warning: cannot read `{}`: ", late.display());
        assert!(run.stderr.starts_with(&warning), "{run:?}");
        let part = part(&out);
        assert_eq!(part["unreadable"], json!(1));
        assert_eq!(part["summary"]["passed"], json!({"unreadable": 1}));
        let first = &part["summary"]["damage"]["unreadable"]["input"];
        assert_eq!(first, late.to_str().unwrap());
    }
    files(&late, 3);
    fs::write(late.join("more.tar"), [0; 1024]).unwrap();
    let run = surveyed();
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let one = folder.join("one.json");
    survey_to(&one, &paths, &[]);
    assert_eq!(part(&out), part(&one));
    assert_eq!(part(&out)["summary"]["responses"], json!(5));
}

#[test]
fn an_input_that_failed_halfway_goes_on_from_there() {
    let folder = folder("halfway");
    let tar = folder.join("robots.tar");
    fs::write(&tar, tar_of(&files(&folder.join("robots"), 5))).unwrap();
    let out = folder.join("part.json");
    survey_to(&out, &[&tar], &[]);
    let one = part(&out);
    let mut halfway: Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
    halfway["unreadable"] = json!(1);
    halfway["summary"]["passed"] = json!({"unreadable": 1});
    let input = &mut halfway["inputs"][0];
    input["state"] = json!("unreadable");
    // An earlier run has read the folder itself and all but one file.
    input["after"] = json!({"at": 5, "within": 0});
    input["responses"] = json!(4);
    fs::write(&out, halfway.to_string()).unwrap();
    let run = resume(&out);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let part = part(&out);
    assert_eq!(part["unreadable"], json!(0));
    assert_eq!(part["inputs"], one["inputs"]);
    assert_eq!(part["summary"]["passed"], json!({}));
    let before = one["summary"]["responses"].as_u64().unwrap();
    assert_eq!(part["summary"]["responses"], json!(before + 1));
}

#[test]
fn an_input_that_is_gone_is_told_from_one_that_has_changed() {
    let folder = folder("gone");
    files(&folder.join("robots"), 2);
    let begun = run(
        command()
            .current_dir(&folder)
            .args(["survey", "robots", "--out", "part.json"]),
        b"",
    );
    assert_eq!(begun.code, 0);
    let message = "`robots`, an input of ";
    assert_error(&resume(&folder.join("part.json")), message);
    assert_error(
        &resume(&folder.join("part.json")),
        "is not there; put it back, or go on in the folder where the survey was begun",
    );
}

fn resume(out: &Path) -> Run {
    let none: [&Path; 0] = [];
    survey_run(&none, &["--resume", "--out", out.to_str().unwrap()])
}

fn merge(parts: &[&Path], out: &Path) -> Run {
    let mut command = command();
    command.args(["survey", "merge"]).args(parts);
    run(command.arg("--out").arg(out), b"")
}

/// A folder with `count` files, no two of which are the same.
fn files(folder: &Path, count: usize) -> PathBuf {
    fs::create_dir(folder).unwrap();
    let name = folder.file_name().unwrap().display();
    for number in 0..count {
        let robots_txt = format!("User-agent: *\nDisallow: /{name}/{number}\n");
        fs::write(folder.join(number.to_string()), robots_txt).unwrap();
    }
    folder.to_owned()
}
