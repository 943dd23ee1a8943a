//! `robots survey`: what is counted, whatever the form of the inputs, the threads, the
//! interruptions and the split.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::suite::generator::{Archive, Damage, Form, Random, archive, gzip};
use crate::suite::robots::{Run, command, finished, robots, run, scratch};

#[test]
fn all_that_an_archive_holds_is_counted() {
    let folder = folder("counted");
    for form in Form::ALL {
        for damage in [Damage::None, Damage::Some] {
            let archive = archive(7, form, damage, 300, MAX_BYTES);
            let path = folder.join(format!("{form:?}-{damage:?}.warc.gz"));
            fs::write(&path, &archive.bytes).unwrap();
            let part = survey([&path], &[]);
            assert_counts(&part, &[&archive]);
        }
    }
}

#[test]
fn threads_and_batches_make_no_difference() {
    let folder = folder("threads");
    let (paths, archives) = archives(&folder, 5, 200);
    let one = survey(&paths, &["--threads", "1"]);
    assert_counts(&one, &archives.iter().collect::<Vec<_>>());
    for more in [
        &["--threads", "2"][..],
        &["--threads", "7", "--batch-bytes", "1"],
    ] {
        assert_eq!(survey(&paths, more), one, "{more:?}");
    }
}

#[test]
fn merged_parts_are_one_survey_whatever_the_split() {
    let folder = folder("merged");
    let (paths, _) = archives(&folder, 6, 200);
    let one = survey(&paths, &[]);
    let mut random = Random::new(3);
    for split in 0..8 {
        let mut of_parts = vec![Vec::new(); 1 + split % 4];
        for path in &paths {
            let part = random.below(of_parts.len());
            of_parts[part].push(path);
        }
        let parts: Vec<PathBuf> = of_parts
            .iter()
            .enumerate()
            .filter(|(_, paths)| !paths.is_empty())
            .map(|(number, paths)| {
                let out = folder.join(format!("part-{split}-{number}.json"));
                survey_to(&out, paths, &[]);
                out
            })
            .rev()
            .collect();
        let out = folder.join(format!("all-{split}.json"));
        let run = run(
            command()
                .args(["survey", "merge", "--out"])
                .arg(&out)
                .args(&parts),
            b"",
        );
        assert!(is_only_damage(&run), "{run:?}");
        assert_eq!(part(&out), one);
    }
}

#[cfg(unix)]
#[test]
fn killed_again_and_again_it_comes_to_the_same() {
    let folder = folder("killed");
    let (mut paths, _) = archives(&folder, 3, 4_000);
    let robots_txts = folder.join("robots");
    fs::create_dir(&robots_txts).unwrap();
    for number in 0..200 {
        fs::write(robots_txts.join(format!("host-{number}")), "User-agent: *").unwrap();
    }
    paths.push(robots_txts.clone());
    let tar = folder.join("robots.tar.gz");
    fs::write(&tar, gzip(&tar_of(&robots_txts))).unwrap();
    paths.push(tar);
    let one = survey(&paths, &[]);
    let out = folder.join("part.json");
    // Each record is a batch, and each batch writes the part to the disk: thousands of times. The
    // kill comes at the third.
    let slow = [
        "--resume",
        "--max-bytes",
        "2000",
        "--batch-bytes",
        "1",
        "--save-every",
        "0",
        "--threads",
        "1",
    ];
    let mut kills = 0;
    while kills < 6 {
        let mut child = command()
            .arg("survey")
            .args(&paths)
            .arg("--out")
            .arg(&out)
            .args(slow)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        for _ in 0..3 {
            let before = fs::read(&out).ok();
            wait_for(&mut child, |_| fs::read(&out).ok() != before);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if part(&out)["is_complete"] == json!(false) {
            kills += 1;
        } else {
            // The command was done before the kill, because it ran while this test did not. The
            // test begins again.
            assert_eq!(part(&out), one);
            fs::remove_file(&out).unwrap();
            kills = 0;
        }
    }
    let run = survey_run(&paths, &["--resume", "--out", out.to_str().unwrap()]);
    assert!(is_only_damage(&run), "{run:?}");
    assert_eq!(part(&out), one);
    // A survey that is done stays done.
    let paths: [&Path; 0] = [];
    let run = survey_run(&paths, &["--resume", "--out", out.to_str().unwrap()]);
    assert!(is_only_damage(&run), "{run:?}");
    assert_eq!(part(&out), one);
}

#[cfg(unix)]
#[test]
fn an_interruption_keeps_what_was_done_and_says_how_to_go_on() {
    let folder = folder("interrupted");
    let (paths, _) = archives(&folder, 2, 4_000);
    let out = folder.join("part.json");
    let mut command = command();
    command
        .arg("survey")
        .args(&paths)
        .arg("--out")
        .arg(&out)
        .args(["--max-bytes", "2000"])
        .args(["--batch-bytes", "1", "--save-every", "0"]);
    let interrupted = loop {
        let run = interrupted(&mut command, |_| out.exists());
        if part(&out)["is_complete"] == json!(false) {
            break run;
        }
        // The command was done before the interruption, because it ran while this test did not. The
        // test begins again.
        assert!(is_only_damage(&run), "{run:?}");
        fs::remove_file(&out).unwrap();
    };
    assert_eq!(interrupted.code, 130);
    let way_out = format!("to go on: robots survey --resume --out {}\n", out.display());
    assert!(interrupted.stderr.ends_with(&way_out), "{interrupted:?}");
    assert_eq!(part(&out)["is_complete"], json!(false));
    let none: [&Path; 0] = [];
    let run = survey_run(&none, &["--resume", "--out", out.to_str().unwrap()]);
    assert!(is_only_damage(&run), "{run:?}");
    assert_eq!(part(&out), survey(&paths, &[]));
}

#[test]
fn a_folder_and_its_archives_are_the_same() {
    let folder = folder("forms");
    let robots_txts = folder.join("robots");
    fs::create_dir_all(robots_txts.join("deep/er")).unwrap();
    for number in 0..50 {
        let name = format!("{}host-{number}", ["", "deep/", "deep/er/"][number % 3]);
        let body = "User-agent: *\nDisallow: /x\n".repeat(number);
        fs::write(robots_txts.join(name), body).unwrap();
    }
    let tar = tar_of(&robots_txts);
    let whole = survey([&robots_txts], &[]);
    assert_eq!(whole["summary"]["responses"], json!(50));
    let mut xz =
        lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
    xz.write_all(&tar).unwrap();
    let (first, second) = tar.split_at(tar.len() / 2);
    let zst = |bytes| zstd::encode_all(bytes, 1).unwrap();
    let archives = [
        ("a.tar", tar.clone()),
        ("a.tar.gz", gzip(&tar)),
        ("a.tgz", [gzip(first), gzip(second)].concat()),
        ("a.tar.xz", xz.finish().unwrap()),
        ("a.tar.zst", [zst(first), zst(second)].concat()),
    ];
    for (name, bytes) in archives {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        assert_eq!(
            comparable(&survey([&path], &[])),
            comparable(&whole),
            "{name}"
        );
    }
}

#[test]
fn archives_in_a_folder_are_read_as_archives() {
    let folder = folder("nested");
    let (_, archives) = archives(&folder, 2, 200);
    fs::create_dir(folder.join("more")).unwrap();
    fs::write(folder.join("more/example.com"), "User-agent: *").unwrap();
    let part = survey([&folder], &[]);
    let of_archives: u64 = archives.iter().map(Archive::responses).sum();
    assert_eq!(part["summary"]["responses"], json!(of_archives + 1));
    assert_eq!(part["inputs"].as_array().unwrap().len(), 3);
}

#[test]
fn a_tar_that_is_cut_is_counted_as_far_as_it_goes() {
    let folder = folder("cut-tar");
    let robots_txts = folder.join("robots");
    fs::create_dir(&robots_txts).unwrap();
    for number in 0..3 {
        fs::write(robots_txts.join(number.to_string()), "#".repeat(700)).unwrap();
    }
    let tar = tar_of(&robots_txts);
    // Each member is a head of 512 bytes and a body of 1024. The folder comes first, with its head
    // alone.
    let member = 512 + 1024;
    let cases = [
        (512 + member, 1, json!({})),
        (512 + member + 100, 1, json!({"broken-record": 1})),
        (512 + member + 512 + 100, 2, json!({})),
    ];
    for (length, responses, passed) in cases {
        let path = folder.join("cut.tar");
        fs::write(&path, &tar[..length]).unwrap();
        let part = survey([&path], &[]);
        assert_eq!(part["summary"]["responses"], json!(responses), "{length}");
        assert_eq!(part["summary"]["passed"], passed, "{length}");
    }
    let path = folder.join("cut.tar.gz");
    let gz = gzip(&tar);
    fs::write(&path, &gz[..gz.len() - 20]).unwrap();
    let part = survey([&path], &[]);
    assert_eq!(part["summary"]["passed"], json!({"broken-compression": 1}));
}

/// A fleet must learn that a download was cut, or was another file altogether.
#[test]
fn damage_is_said_and_nothing_but_damage_is_no_survey() {
    let folder = folder("damage");
    let path = folder.join("hello.warc.gz");
    fs::write(&path, gzip(b"hello")).unwrap();
    let run = survey_run(&[&path], &[]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.stderr.contains("warning: an input is damaged"),
        "{run:?}"
    );
    let url = survey_run(&["https://x/y.warc.gz"], &[]);
    assert_eq!(url.code, 2);
    assert!(
        url.stderr
            .contains("`https://x/y.warc.gz` is a URL, and nothing is fetched: download it first"),
        "{url:?}"
    );
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_counts() {
    let folder = folder("unreadable");
    fs::write(folder.join("robots.txt"), "User-agent: *").unwrap();
    let missing = folder.join("missing.warc.gz");
    let run = survey_run(&[&folder.join("robots.txt"), &missing], &[]);
    assert_eq!(run.code, 2);
    let message = format!("warning: cannot read `{}`: No such file", missing.display());
    assert!(run.stderr.starts_with(&message), "{run:?}");
    assert!(
        run.stdout.contains("1 file that cannot be read\n"),
        "{run:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_loop_of_links_is_an_error_and_no_endless_walk() {
    let folder = folder("loop");
    fs::write(folder.join("robots.txt"), "User-agent: *").unwrap();
    std::os::unix::fs::symlink(&folder, folder.join("again")).unwrap();
    let run = survey_run(&[&folder], &[]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("File system loop found"), "{run:?}");
    assert!(run.stdout.contains("responses            1\n"), "{run:?}");
}

#[test]
fn paths_come_from_a_list_too() {
    let folder = folder("list");
    let (paths, _) = archives(&folder, 3, 200);
    let list: String = paths
        .iter()
        .map(|path| format!("{}\n", path.display()))
        .collect();
    let out = folder.join("listed.json");
    let run = run(
        command()
            .args(["survey", "--paths", "-", "--max-bytes", "2000", "--out"])
            .arg(&out),
        format!("# mine\n\n{list}").as_bytes(),
    );
    assert!(is_only_damage(&run), "{run:?}");
    assert_eq!(part(&out), survey(&paths, &[]));
}

#[test]
fn a_long_robots_txt_is_read_to_the_limit() {
    let folder = folder("limit");
    fs::write(folder.join("long"), "#".repeat(3000)).unwrap();
    let part = survey([&folder], &[]);
    assert_eq!(part["max_bytes"], json!(MAX_BYTES));
    assert_eq!(part["summary"]["responses"], json!(1));
}

#[test]
fn errors_name_the_offender_and_the_way_out() {
    let folder = folder("errors");
    let (paths, _) = archives(&folder, 2, 200);
    let out = folder.join("part.json");
    survey_to(&out, &paths[..1], &[]);
    let out_name = out.to_str().unwrap();
    let first = paths[0].to_str().unwrap();
    let second = paths[1].to_str().unwrap();

    let exists = robots(["survey", first, "--out", out_name]);
    assert_error(&exists, "is there already; go on with it with --resume");
    let twice = robots(["survey", first, first]);
    assert_error(&twice, &format!("`{first}` is given twice"));
    let other = robots(["survey", second, "--resume", "--out", out_name]);
    assert_error(&other, "give --resume the same paths as before, or none");
    let limit = robots(["survey", "--resume", "--out", out_name, "--max-bytes", "3"]);
    assert_error(&limit, "was read with --max-bytes 2000, not 3");
    let no_part = robots(["survey", "merge", first, "--out", out_name]);
    assert_error(&no_part, &format!("`{first}` is not a part of a survey: "));
    let nothing = robots(["survey"]);
    assert_error(&nothing, "<PATH>...");
    let no_threads = robots(["survey", first, "--threads", "0"]);
    assert_error(&no_threads, "give at least 1");

    let within = robots([
        "survey",
        folder.to_str().unwrap(),
        "--out",
        folder.join("new.json").to_str().unwrap(),
    ]);
    assert_error(
        &within,
        "which is surveyed, and would be taken for a robots.txt",
    );
    fs::write(folder.join("robots.txt"), "").unwrap();
    let also_in_folder = format!("{}/./robots.txt", folder.display());
    let both = robots(["survey", folder.to_str().unwrap(), &also_in_folder]);
    assert_error(
        &both,
        "robots.txt` is given twice, or with a folder that it is in",
    );

    let copy = folder.join("copy.json");
    fs::copy(&out, &copy).unwrap();
    let copy_name = copy.to_str().unwrap();
    let in_two = robots(["survey", "merge", out_name, copy_name, "--out", "/dev/null"]);
    assert_error(&in_two, &format!("`{first}` is in two of the parts"));

    let mut unfinished: Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
    unfinished["is_complete"] = json!(false);
    unfinished["inputs"][0]["state"] = json!("waiting");
    fs::write(&copy, unfinished.to_string()).unwrap();
    let merged = robots(["survey", "merge", copy_name, "--out", "/dev/null"]);
    let way_out =
        format!("is not finished; go on with it: robots survey --resume --out {copy_name}");
    assert_error(&merged, &way_out);

    fs::write(&paths[0], "changed").unwrap();
    let changed = robots(["survey", "--resume", "--out", copy_name]);
    assert_error(&changed, &format!("`{first}` has changed since "));

    unfinished["version"] = json!(99);
    fs::write(&copy, unfinished.to_string()).unwrap();
    let version = robots(["survey", "--resume", "--out", copy_name]);
    assert_error(&version, "is of version 99");
    fs::write(
        &copy,
        r#"{"format": "robots survey", "version": 3, "summary": {}}"#,
    )
    .unwrap();
    let former = robots(["survey", "merge", copy_name, "--out", "/dev/null"]);
    let way_out =
        "is of version 3 of the format, and this `robots` reads version 5; survey its inputs again";
    assert_error(&former, way_out);
}

pub(crate) fn assert_error(run: &Run, message: &str) {
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(run.stdout, "");
    assert!(run.stderr.starts_with("error: "), "{run:?}");
    assert!(run.stderr.contains(message), "{run:?}");
}

fn assert_counts(part: &Value, archives: &[&Archive]) {
    let mut passed = serde_json::Map::new();
    for kind in [
        "not-a-response",
        "other-path",
        "not-http",
        "broken-record",
        "broken-compression",
    ] {
        let count: u64 = archives.iter().map(|archive| archive.count(kind)).sum();
        if count > 0 {
            passed.insert(kind.into(), json!(count));
        }
    }
    let responses: u64 = archives.iter().map(|archive| archive.responses()).sum();
    assert_eq!(part["summary"]["responses"], json!(responses));
    assert_eq!(part["summary"]["passed"], Value::Object(passed));
    assert_eq!(part["is_complete"], json!(true));
}

/// A survey of the paths, without what differs from run to run.
fn survey<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>, options: &[&str]) -> Value {
    let paths: Vec<P> = paths.into_iter().collect();
    let name = format!("survey-{:?}.json", thread::current().id());
    let out = scratch().join(name);
    let _ = fs::remove_file(&out);
    survey_to(&out, &paths, options);
    part(&out)
}

pub(crate) fn survey_to<P: AsRef<Path>>(out: &Path, paths: &[P], options: &[&str]) {
    let run = survey_run(
        paths,
        &[
            options,
            &["--max-bytes", "2000", "--out", out.to_str().unwrap()],
        ]
        .concat(),
    );
    assert!(is_only_damage(&run), "{run:?}");
}

/// Most of the archives are damaged, which is a warning and no failure, and some are cut off, which
/// is one. All of their URLs are of one domain, and a long one has the same bodies again and again,
/// which are warnings too.
pub(crate) fn is_only_damage(run: &Run) -> bool {
    let damage = "warning: an input is damaged, and what could not be read was passed over: ";
    let cut = "within a record: it was cut off, and what was read of it counts";
    let is_cut = run.stderr.lines().any(|line| line.ends_with(cut));
    let is_share = |line: &str| {
        line.ends_with(" %, are of the domain example.com; `--by domain` counts each domain once")
            || line.contains(" %, have the same bytes (")
                && line.ends_with("; `--by body` counts each body once")
    };
    let mut lines = run.stderr.lines();
    lines.all(|line| line.starts_with(damage) || line.ends_with(cut) || is_share(line))
        && run.code == if is_cut { 2 } else { 0 }
}

pub(crate) fn survey_run<P: AsRef<Path>>(paths: &[P], options: &[&str]) -> Run {
    let paths = paths.iter().map(|path| path.as_ref().as_os_str());
    run(command().arg("survey").args(paths).args(options), b"")
}

pub(crate) fn part(path: &Path) -> Value {
    let mut part: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    part.as_object_mut().unwrap().remove("timings").unwrap();
    part["summary"].as_object_mut().unwrap().remove("timings");
    part
}

/// The part without its places, which name the inputs.
fn comparable(part: &Value) -> Value {
    let mut part = part.clone();
    part.as_object_mut().unwrap().remove("inputs").unwrap();
    // The largest files are left out too, because each has its place.
    let summary = part["summary"].as_object_mut().unwrap();
    summary.remove("largest").unwrap();
    part
}

pub(crate) fn archives(folder: &Path, count: u64, records: usize) -> (Vec<PathBuf>, Vec<Archive>) {
    let forms = [
        Form::Members,
        Form::Plain,
        Form::OneMember,
        Form::FramesWithDictionary,
        Form::Frames,
    ];
    (0..count)
        .map(|seed| {
            let form = forms[seed as usize % forms.len()];
            let archive = archive(seed, form, Damage::Some, records, MAX_BYTES);
            let path = folder.join(format!("{seed}.warc.gz"));
            fs::write(&path, &archive.bytes).unwrap();
            (path, archive)
        })
        .unzip()
}

pub(crate) fn tar_of(folder: &Path) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_dir_all("robots", folder).unwrap();
    tar.into_inner().unwrap()
}

/// An empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = scratch().join("survey").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the command and sends Ctrl-C as soon as `is_so_far` holds. The command may end before.
pub(crate) fn interrupted(command: &mut Command, is_so_far: impl Fn(&Child) -> bool) -> Run {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if wait_for(&mut child, is_so_far) {
        // No other process gets this id before the end of the child is waited for.
        let id = child.id().to_string();
        let killed = Command::new("kill").args(["-INT", &id]).status();
        assert!(killed.unwrap().success());
    }
    finished(child.wait_with_output().unwrap())
}

/// Waits until `is_so` holds, however long that takes. Returns `false` if the program has ended
/// before.
fn wait_for(child: &mut Child, is_so: impl Fn(&Child) -> bool) -> bool {
    while !is_so(child) {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
    true
}

const MAX_BYTES: usize = 2000;
