//! `robots survey`: a WARC on standard input, inputs that were cut off, and the provenance of a
//! survey.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::suite::generator::{Damage, Form, Random, archive, gzip};
use crate::suite::robots::{Run, command, robots, run};
use crate::suite::survey::{assert_error, folder, part, survey_run, tar_of};

#[test]
fn standard_input_is_surveyed_as_a_file_is() {
    let folder = folder("stream");
    for form in Form::ALL {
        let archive = archive(1, form, Damage::None, 100, 2000);
        let path = folder.join(format!("{form:?}.warc"));
        fs::write(&path, &archive.bytes).unwrap();
        let name = path.to_str().unwrap();
        let of_file = folder.join("file.json");
        let of_stream = folder.join("stream.json");
        for out in [&of_file, &of_stream] {
            let _ = fs::remove_file(out);
        }
        let options = ["--sampled", "--max-bytes", "2000", "--out"];
        let file = survey_run(
            &[name],
            &[&options[..], &[of_file.to_str().unwrap()]].concat(),
        );
        assert_eq!((file.code, file.stderr.as_str()), (0, ""));
        let mut piped = command();
        piped.args(["survey", "-", "--stdin-name", name]);
        piped.args(["--max-bytes", "2000", "--out"]).arg(&of_stream);
        let stream = run(&mut piped, &archive.bytes);
        assert_eq!((stream.code, stream.stderr.as_str()), (0, ""));
        let (file, mut stream) = (part(&of_file), part(&of_stream));
        assert_eq!(stream["inputs"][0]["kind"], json!("standard-input"));
        assert_eq!(stream["inputs"][0]["size"], json!(archive.bytes.len()));
        stream["inputs"] = file["inputs"].clone();
        assert_eq!(stream, file, "{form:?}");
    }
}

#[test]
fn standard_input_that_is_no_warc_is_named() {
    for (bytes, message) in [
        (&b""[..], "it is empty"),
        (
            b"User-agent: *\n",
            "it begins with neither a WARC record nor a gzip member or zstd frame",
        ),
    ] {
        let run = run(command().args(["survey", "-"]), bytes);
        assert_eq!(run.code, 2);
        let message = format!("warning: cannot read `-`: {message}");
        assert!(run.stderr.starts_with(&message), "{run:?}");
    }
    let both = run(command().args(["survey", "-", "--paths", "-"]), b"");
    assert_error(
        &both,
        "standard input is either the list of paths or a WARC archive",
    );
}

/// Parts of several streams are one survey, if each has a name of its own.
#[test]
fn streams_with_names_are_added_up() {
    let folder = folder("streams");
    let out = |number: u64| folder.join(format!("{number}.json"));
    let mut responses = 0;
    for number in 0..2 {
        let archive = archive(number, Form::Members, Damage::None, 20, 2000);
        responses += archive.responses();
        let name = format!("{number}.warc.gz");
        let mut piped = command();
        piped
            .args(["survey", "-", "--stdin-name", &name, "--out"])
            .arg(out(number));
        assert_eq!(run(&mut piped, &archive.bytes).code, 0);
    }
    let all = folder.join("all.json");
    let merged = robots([
        "survey".as_ref(),
        "merge".as_ref(),
        out(0).as_os_str(),
        out(1).as_os_str(),
        "--out".as_ref(),
        all.as_os_str(),
    ]);
    assert_eq!(merged.code, 0, "{merged:?}");
    let all = part(&all);
    assert_eq!(all["summary"]["responses"], json!(responses));
    let of_inputs: Vec<u64> = all["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|input| input["responses"].as_u64().unwrap())
        .collect();
    assert_eq!(of_inputs.iter().sum::<u64>(), responses);
    assert_eq!(of_inputs.len(), 2);
}

#[test]
fn an_input_that_was_cut_off_is_named_with_its_byte_and_the_rest_counts() {
    let folder = folder("cut");
    let robots_txts = folder.join("robots");
    fs::create_dir(&robots_txts).unwrap();
    // Text that hardly compresses, so that some members decode before the cut.
    let mut random = Random::new(1);
    for number in 0..5 {
        let characters = (0..100_000).map(|_| char::from(b'!' + random.below(90) as u8));
        let text: String = characters.collect();
        fs::write(robots_txts.join(number.to_string()), format!("#{text}")).unwrap();
    }
    let tar = tar_of(&robots_txts);
    let mut xz =
        lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
    std::io::Write::write_all(&mut xz, &tar).unwrap();
    let warc = |form| archive(3, form, Damage::None, 50, 2000).bytes;
    for (name, bytes) in [
        ("plain.warc", warc(Form::Plain)),
        ("members.warc.gz", warc(Form::Members)),
        ("one.warc.gz", warc(Form::OneMember)),
        ("frames.warc.zst", warc(Form::FramesWithDictionary)),
        ("a.tar.gz", gzip(&tar)),
        ("a.tar.xz", xz.finish().unwrap()),
        ("a.tar.zst", zstd::encode_all(&tar[..], 1).unwrap()),
    ] {
        let path = folder.join(name);
        // The archive is cut within its last record but one.
        let length = bytes.len() - bytes.len() / 8;
        fs::write(&path, &bytes[..length]).unwrap();
        let out = folder.join(format!("{name}.json"));
        let survey = |options: &[&str]| {
            survey_run(
                &[&path],
                &[options, &["--out", out.to_str().unwrap()]].concat(),
            )
        };
        let first = survey(&[]);
        assert_cut(&first, &path, length);
        assert_eq!(part(&out)["inputs"][0]["cut_at"], json!(length));
        assert_eq!(part(&out)["is_complete"], json!(true));
        // The input is still reported as cut when all is done.
        assert_cut(&survey(&["--resume"]), &path, length);

        fs::write(&path, &bytes).unwrap();
        let whole = survey_run(&[&path], &[]);
        assert_eq!((whole.code, whole.stderr.as_str()), (0, ""), "{name}");
    }
}

fn assert_cut(run: &Run, path: &Path, length: usize) {
    assert_eq!(run.code, 2, "{run:?}");
    let message = format!(
        "warning: `{}` ends at byte {length}, within a record: it was cut off, and what was read of it counts\n",
        path.display()
    );
    assert!(run.stderr.ends_with(&message), "{run:?}");
    assert!(run.stdout.contains("robots.txt files"), "{run:?}");
}

#[test]
fn a_survey_knows_its_provenance_and_parts_add_it_up_in_any_order() {
    let folder = folder("provenance");
    let parts: Vec<_> = [("b", "2026-02-01"), ("a", "2026-01-31")]
        .into_iter()
        .enumerate()
        .map(|(number, (title, date))| {
            let path = folder.join(format!("{title}.warc"));
            let bytes = archive(number as u64, Form::Plain, Damage::None, 20, 2000).bytes;
            fs::write(&path, bytes).unwrap();
            let out = folder.join(format!("{title}.json"));
            let options = [
                "--title",
                title,
                "--date",
                date,
                "--out",
                out.to_str().unwrap(),
            ];
            assert_eq!(survey_run(&[&path], &options).code, 0);
            out
        })
        .collect();
    let merged = |parts: [&Path; 2], options: &[&str]| {
        let out = folder.join("all.json");
        let _ = fs::remove_file(&out);
        let mut merge = command();
        merge.args(["survey", "merge"]).args(parts).args(options);
        merge.arg("--out").arg(&out);
        assert_eq!(run(&mut merge, b"").code, 0);
        let runs: serde_json::Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
        (part(&out), runs["timings"]["runs"].clone())
    };
    let (forwards, runs) = merged([&parts[0], &parts[1]], &[]);
    let backwards = merged([&parts[1], &parts[0]], &[]);
    assert_eq!((&forwards, &runs), (&backwards.0, &backwards.1));
    assert_eq!(runs, json!({"first": "2026-01-31", "last": "2026-02-01"}));
    assert_eq!(
        forwards["provenance"],
        json!({
            "versions": [env!("CARGO_PKG_VERSION")],
            "titles": ["a", "b"],
            "records": {"first": "2026-01-01T00:00:00", "last": "2026-01-01T00:00:00"},
        })
    );
    let (titled, _) = merged([&parts[0], &parts[1]], &["--title", "Both"]);
    assert_eq!(titled["provenance"]["titles"], json!(["Both"]));
    let wrong = robots(["survey", "x", "--date", "2026-02-30"]);
    assert_error(&wrong, "give a date as in 2026-01-31");
}
