//! Parts of a survey: which can be added up, compared and gone on with.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::suite::robots::{Run, command, robots, run};
use crate::suite::survey::{assert_error, folder, part, survey_run, survey_to};

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

fn merge(parts: &[&Path], out: &Path) -> Run {
    let mut command = command();
    command.args(["survey", "merge"]).args(parts);
    run(command.arg("--out").arg(out), b"")
}

/// A folder with so many files, no two the same.
fn files(folder: &Path, count: usize) -> PathBuf {
    fs::create_dir(folder).unwrap();
    let name = folder.file_name().unwrap().display();
    for number in 0..count {
        let robots_txt = format!("User-agent: *\nDisallow: /{name}/{number}\n");
        fs::write(folder.join(number.to_string()), robots_txt).unwrap();
    }
    folder.to_owned()
}
