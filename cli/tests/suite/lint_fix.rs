//! `robots lint --fix`: a diff, or the files themselves.

use std::fs;
use std::path::Path;

use crate::suite::robots::{Run, command, file, run};

const FAULTY: &[u8] = b"User-agent *\r\nDisallow: /x # Caf\xE9\nDisallow: /x\nDisallow: y\nend";

const FIXED: &[u8] = b"User-agent: *\r\nDisallow: /x # Caf\xE9\nDisallow: y\nend";

fn fix(path: &Path, arguments: &[&str]) -> Run {
    run(
        command().args(["lint", "--fix"]).args(arguments).arg(path),
        b"",
    )
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
    // The findings are those of the unchanged file.
    assert!(run.stdout.contains("[missing-colon]"), "{run:?}");
}

/// A web server could not read its file if a fix gave the file to root. Only root can give a file
/// away, so only root tries this.
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
