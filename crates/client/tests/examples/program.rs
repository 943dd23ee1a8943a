//! Builds an example and runs it as a program.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// The command of an example, built from the current sources: `cargo test --test examples` alone
/// would run an old build.
pub(crate) fn example(name: &str) -> Command {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    let directory = DIRECTORY.get_or_init(build);
    let mut command = Command::new(
        directory
            .join(name)
            .with_extension(env::consts::EXE_EXTENSION),
    );
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // Loopback is not behind a proxy.
    for name in ["http_proxy", "https_proxy", "all_proxy"] {
        command.env_remove(name).env_remove(name.to_uppercase());
    }
    command
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Output {
    finish(command.spawn().unwrap())
}

/// Waits for the end of a program, but not for ever.
pub(crate) fn finish(child: Child) -> Output {
    let process = child.id().to_string();
    let (ended, end) = channel();
    thread::spawn(move || ended.send(child.wait_with_output().unwrap()));
    end.recv_timeout(PATIENCE).unwrap_or_else(|_| {
        let killed = Command::new("kill").args(["-KILL", &process]).status();
        panic!("it hangs: {killed:?} {:?}", end.recv());
    })
}

/// The longest wait of an example, in seconds. Only a client that hangs ever waits for so long.
pub(crate) const TIMEOUT: &str = "600";

/// Builds the examples with the profile of this test and the features with which the gate builds
/// it, so that the gate compiles nothing twice. With the features of the crate alone, cargo would
/// compile most dependencies once more.
fn build() -> PathBuf {
    let test = env::current_exe().unwrap();
    let profile_directory = test.ancestors().nth(2).unwrap();
    let profile = match profile_directory.file_name().and_then(|name| name.to_str()) {
        Some("debug") => "dev",
        Some(other) => other,
        None => panic!("{}", test.display()),
    };
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo.args(["build", "--offline", "--workspace", "--profile", profile]);
    cargo.args(["--features", "polite-robots-zoo/tests"]);
    cargo.args(["--example", "polite_fetch", "--example", "polite_crawler"]);
    cargo.args(["--message-format", "json-render-diagnostics"]);
    // The build must not see the variables that cargo sets for this test: build scripts that read
    // them would run again.
    let of_this_package =
        |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in env::vars().filter(|(name, _)| of_this_package(name)) {
        cargo.env_remove(name);
    }
    let output = cargo.stderr(Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "{cargo:?}");
    let messages =
        serde_json::Deserializer::from_slice(&output.stdout).into_iter::<serde_json::Value>();
    let executables =
        messages.filter_map(|message| message.unwrap()["executable"].as_str().map(PathBuf::from));
    executables
        .last()
        .as_deref()
        .and_then(Path::parent)
        .unwrap()
        .to_path_buf()
}

/// Far longer than a busy machine needs, so that only a program that hangs reaches it.
const PATIENCE: Duration = Duration::from_secs(900);
