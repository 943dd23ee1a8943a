//! `robots lint --fix`: a diff, or the files themselves.

use std::fs;
use std::path::Path;

use crate::suite::robots::{Run, command, file, robots_reading, run};

const FAULTY: &[u8] = b"User-agent *\r\nDisallow: /x # Caf\xE9\nDisallow: /x\nDisallow: y\nend";

const FIXED: &[u8] = b"User-agent: *\r\nDisallow: /x # Caf\xE9\nDisallow: y\nend";

fn fix(path: &Path, arguments: &[&str]) -> Run {
    run(
        command().args(["lint", "--fix"]).args(arguments).arg(path),
        b"",
    )
}

#[test]
fn a_diff_is_printed_and_the_file_stays() {
    let path = file("fix-diff.txt", "User-agent *\nDisallow: /x\nDisalow: /y");
    let run = fix(&path, &[]);
    let name = path.display();
    assert_eq!(
        run.stdout,
        format!(
            "--- {name}\n+++ {name}\n@@ -1,3 +1,3 @@\n\
             -User-agent *\n+User-agent: *\n Disallow: /x\n\
             -Disalow: /y\n\\ No newline at end of file\n+Disallow: /y\n\\ No newline at end of file\n"
        )
    );
    assert_eq!(
        run.stderr,
        "2 findings can be fixed; rerun with --write to apply\n"
    );
    assert_eq!(run.code, 1);
    assert_eq!(
        fs::read(&path).unwrap(),
        b"User-agent *\nDisallow: /x\nDisalow: /y"
    );
}

#[test]
fn a_name_with_a_blank_ends_in_a_tab_as_patch_wants_it() {
    let path = file("fix a blank.txt", "User-agent *\n");
    let name = path.display();
    let run = fix(&path, &[]);
    let head = format!("--- {name}\t\n+++ {name}\t\n@@ ");
    assert!(run.stdout.starts_with(&head), "{run:?}");
}

#[test]
fn nothing_is_said_of_a_file_that_cannot_be_read() {
    let run = fix(Path::new("missing/robots.txt"), &[]);
    assert!(
        run.stderr
            .starts_with("error: cannot read `missing/robots.txt`: "),
        "{run:?}"
    );
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
}

#[test]
fn a_diff_in_a_pipe_has_the_bytes_of_the_file() {
    let path = file("fix-bytes.txt", b"User-agent *\r\n# \xE9\x1b[31m\n");
    let mut command = command();
    let output = command.args(["lint", "--fix"]).arg(&path).output().unwrap();
    let diff = b"@@ -1,2 +1,2 @@\n-User-agent *\r\n+User-agent: *\r\n # \xE9\x1b[31m\n";
    assert!(
        output.stdout.ends_with(diff),
        "{}",
        output.stdout.escape_ascii()
    );
}

#[test]
fn a_diff_for_the_eye_is_safe() {
    let path = file("fix-eye.txt", b"User-agent *\r\n# \xE9\x1b[31m\n");
    let forced = run(
        command()
            .env("CLICOLOR_FORCE", "1")
            .args(["lint", "--fix"])
            .arg(&path),
        b"",
    );
    assert!(
        forced.stdout.ends_with(
            "\u{1b}[31m-User-agent *\u{1b}[0m\n\u{1b}[32m+User-agent: *\u{1b}[0m\n # \u{fffd}\\u{1b}[31m\n"
        ),
        "{forced:?}"
    );
}

#[test]
fn a_file_without_fixes_has_no_diff() {
    let path = file("fix-none.txt", "User-agent: *\nDisallow: y\n");
    let run = fix(&path, &[]);
    assert_eq!(run.stdout, "");
    assert_eq!(
        run.stderr,
        "nothing can be fixed without changing an answer\n"
    );
    assert_eq!(run.code, 1);
}

#[test]
fn standard_input_is_fixed_as_a_diff() {
    let run = robots_reading("User-agent *\n", ["lint", "--fix", "-"]);
    assert_eq!(
        run.stdout,
        "--- -\n+++ -\n@@ -1 +1 @@\n-User-agent *\n+User-agent: *\n"
    );
}

#[test]
fn written_files_keep_all_else_and_what_remains_is_shown() {
    let path = file("fix-write.txt", FAULTY);
    let run = fix(&path, &["--write"]);
    assert_eq!(
        fs::read(&path).unwrap().escape_ascii().to_string(),
        FIXED.escape_ascii().to_string()
    );
    assert_eq!(
        run.stderr,
        format!("fixed 2 findings in `{}`\n", path.display())
    );
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("error[path-without-slash]"), "{run:?}");
    assert!(!run.stdout.contains("missing-colon"), "{run:?}");

    let again = fix(&path, &["--write", "--format=json"]);
    assert_eq!(again.stderr, "");
    assert!(again.stdout.contains("\"code\": \"path-without-slash\""));
    assert_eq!(fs::read(&path).unwrap(), FIXED);
}

#[test]
fn what_is_left_out_is_not_fixed() {
    let path = file("fix-allow.txt", "User-agent *\nDisalow: /y\n");
    fix(&path, &["--write", "--allow=missing-colon"]);
    assert_eq!(fs::read(&path).unwrap(), b"User-agent *\nDisallow: /y\n");
}

#[cfg(unix)]
#[test]
fn written_files_keep_their_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let path = file("fix-permissions.txt", FAULTY);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let link = path.with_file_name("fix-link.txt");
    let _ = fs::remove_file(&link);
    symlink("fix-permissions.txt", &link).unwrap();
    fix(&link, &["--write"]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&path).unwrap(), FIXED);
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o640
    );
}

#[cfg(unix)]
#[test]
fn a_read_only_file_stays_and_the_others_are_fixed() {
    use std::os::unix::fs::PermissionsExt as _;

    let read_only = file("fix-read-only.txt", FAULTY);
    fs::set_permissions(&read_only, fs::Permissions::from_mode(0o444)).unwrap();
    let other = file("fix-beside-read-only.txt", FAULTY);
    let run = run(
        command()
            .args(["lint", "--fix", "--write"])
            .args([&read_only, &other]),
        b"",
    );
    let in_format = |format: &str| {
        let format = format!("--format={format}");
        fix(&read_only, &["--write", &format]).stdout
    };
    for (format, said) in [
        ("json", "\"unwritten\": [\n    {"),
        ("sarif", "\"executionSuccessful\": false"),
        ("github", "title=unwritten::cannot write"),
    ] {
        let document = in_format(format);
        assert!(document.contains(said), "{document}");
    }
    fs::set_permissions(&read_only, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(run.code, 2);
    let error = format!(
        "error: cannot write `{}`, which is as it was: it is read-only\n",
        read_only.display()
    );
    assert!(run.stderr.contains(&error), "{run:?}");
    assert_eq!(fs::read(&read_only).unwrap(), FAULTY);
    assert_eq!(fs::read(&other).unwrap(), FIXED);
    // Its findings are those of the file as it is.
    assert!(run.stdout.contains("[missing-colon]"), "{run:?}");
}

/// A web server could not read what belongs to root all at once. Only root can give a file away to
/// try it.
#[cfg(unix)]
#[test]
fn the_owner_stays() {
    use std::os::unix::fs::{MetadataExt as _, chown};

    let path = file("fix-owner.txt", FAULTY);
    let (user, group) = match chown(&path, Some(65_534), Some(65_534)) {
        Ok(()) => (65_534, 65_534),
        Err(_) => {
            let metadata = fs::metadata(&path).unwrap();
            (metadata.uid(), metadata.gid())
        }
    };
    fix(&path, &["--write"]);
    assert_eq!(fs::read(&path).unwrap(), FIXED);
    let metadata = fs::metadata(&path).unwrap();
    assert_eq!((metadata.uid(), metadata.gid()), (user, group));
}

#[test]
fn a_file_is_fixed_once() {
    let path = file("fix-twice.txt", FAULTY);
    let name = path.display().to_string();
    let run = fix(&path, &["--write", &name]);
    assert!(run.code < 2, "{run:?}");
    assert_eq!(run.stderr.matches("fixed ").count(), 1, "{run:?}");
    assert_eq!(fs::read(&path).unwrap(), FIXED);
}

#[test]
fn what_a_comment_allows_is_not_fixed() {
    let file = "User-agent: *\nDisalow: /a # robots-lint: allow misspelled-field\nDisalow: /b\n";
    let path = self::file("fix-allowed.txt", file);
    let first = fix(&path, &[]);
    assert!(
        first.stdout.contains("\n-Disalow: /b\n+Disallow: /b\n")
            && !first.stdout.contains("-Disalow: /a"),
        "{first:?}"
    );
    assert_eq!(
        first.stderr,
        "1 finding can be fixed; rerun with --write to apply\n"
    );
    let written = fix(&path, &["--write"]);
    assert_eq!(written.code, 0, "{written:?}");
    let after = fs::read(&path).unwrap();
    assert_eq!(
        after,
        file.replace("Disalow: /b", "Disallow: /b").as_bytes()
    );
    let of_file = self::file(
        "fix-allowed-in-file.txt",
        "# robots-lint: allow-file misspelled-field, foo\nUser-agent: *\nDisalow: /a\nDisallow: /x\nDisallow: /x\n",
    );
    let run = fix(&of_file, &["--write"]);
    // The warning about the word that is no code comes once, however often the file is read.
    assert_eq!(run.stderr.matches("`foo`").count(), 1, "{run:?}");
    let after = fs::read_to_string(&of_file).unwrap();
    assert!(
        after.contains("Disalow: /a\nDisallow: /x\n") && after.matches("/x").count() == 1,
        "{after}"
    );
}
