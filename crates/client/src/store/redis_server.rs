//! A Redis server for tests: a process of its own, at a socket in a folder of its own.

use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{env, fs, process, thread};

/// A server that ends with the test. It writes each change to a disk before it answers, so that one
/// that is killed has all that was saved. With `everysec` it may have answered two seconds before.
pub(crate) struct RedisServer {
    folder: PathBuf,
    address: String,
    process: Child,
}

impl RedisServer {
    /// Starts Redis, or Valkey where it is installed instead. Without both it says so, and fails in
    /// CI.
    #[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
    pub(crate) fn start() -> Option<RedisServer> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // In memory, as a disk may be busy for seconds.
        let shared = PathBuf::from("/dev/shm");
        let parent = if shared.is_dir() {
            shared
        } else {
            env::temp_dir()
        };
        let folder = parent.join(format!("polite-redis-{}-{number}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let Some(process) = run(&folder) else {
            let _ = fs::remove_dir(&folder);
            assert!(env::var("CI").is_err(), "there is no redis-server");
            eprintln!("SKIPPED: neither redis-server nor valkey-server is installed");
            return None;
        };
        let address = format!("redis+unix://{}/socket", folder.display());
        Some(RedisServer {
            folder,
            address,
            process,
        })
    }

    /// The URL of the server.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Ends the server as a crash does.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Starts a server that was killed.
    pub(crate) fn restart(&mut self) {
        self.process = run(&self.folder).unwrap();
    }

    /// Sends a signal to the server.
    #[allow(dead_code, reason = "one of two tests has no use for it")]
    pub(crate) fn signal(&self, name: &str) {
        let process = self.process.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &process]).status();
        assert!(sent.unwrap().success());
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A server that answers; `None` if none is installed.
fn run(folder: &PathBuf) -> Option<Child> {
    let socket = folder.join("socket");
    let _ = fs::remove_file(&socket);
    let start = |program: &str| {
        let mut command = Command::new(program);
        command.current_dir(folder).stdout(Stdio::null());
        command.args(["--port", "0", "--unixsocket", "socket", "--save", ""]);
        command.args(["--appendonly", "yes", "--appendfsync", "always"]);
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            spawned => Some(spawned.unwrap()),
        }
    };
    let mut process = start("redis-server").or_else(|| start("valkey-server"))?;
    let ping = || -> std::io::Result<bool> {
        let mut stream = UnixStream::connect(&socket)?;
        stream.write_all(b"PING\r\n")?;
        let mut answer = [0; 5];
        stream.read_exact(&mut answer)?;
        Ok(&answer == b"+PONG")
    };
    while !ping().unwrap_or(false) {
        assert!(process.try_wait().unwrap().is_none(), "it has ended");
        thread::sleep(Duration::from_millis(10));
    }
    Some(process)
}
