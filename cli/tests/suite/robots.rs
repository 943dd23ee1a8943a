//! Starts the binary.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// A group for everyone, with a rule that overrules the other, and one for `NamedBot`.
pub(crate) const ROBOTS_TXT: &str = "\
User-agent: *
Disallow: /private/
Allow: /private/open

User-agent: NamedBot
Disallow: /named
";

/// The result of a run of `robots`.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

pub(crate) fn robots<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    robots_reading("", arguments)
}

pub(crate) fn robots_reading<A: AsRef<OsStr>>(
    stdin: impl AsRef<[u8]>,
    arguments: impl IntoIterator<Item = A>,
) -> Run {
    run(command().args(arguments), stdin.as_ref())
}

/// The binary, independent of the colour settings of the person who runs the tests.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

pub(crate) fn run(command: &mut Command, stdin: &[u8]) -> Run {
    finished(output(command, stdin))
}

pub(crate) fn output(command: &mut Command, stdin: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A run that fails early need not read its input.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}

pub(crate) fn finished(output: Output) -> Run {
    Run {
        code: output.status.code().expect("no signal ends it"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The folder where cargo lets tests write. Tests run side by side: each takes names of its own. A
/// second run of these tests waits here until the first has ended, because both use the same names.
pub(crate) fn scratch() -> &'static Path {
    static LOCK: OnceLock<File> = OnceLock::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    LOCK.get_or_init(|| {
        let lock = File::create(folder.join("suite.lock")).unwrap();
        #[allow(clippy::incompatible_msrv)] // Tests need Rust 1.89.
        lock.lock().unwrap();
        lock
    });
    folder
}

/// Starts a program whose reader has left before the first byte.
pub(crate) fn run_without_reader(command: &mut Command) -> Run {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let command = command
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(Stdio::piped());
    finished(command.spawn().unwrap().wait_with_output().unwrap())
}

/// Writes a file in the folder of the tests.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = scratch().join(name);
    std::fs::write(&path, content).unwrap();
    path
}
