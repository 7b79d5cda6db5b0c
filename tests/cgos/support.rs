//! Clients as a user starts them.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The command line of the small engine.
pub fn engine(words: &str) -> Vec<String> {
    let program = std::env::current_exe().expect("the test program's path");
    let mut line = vec![program.display().to_string(), "engine".to_owned()];
    line.extend(words.split_whitespace().map(str::to_owned));
    line
}

/// A client with a folder of its own.
pub struct Client {
    pub folder: PathBuf,
    child: Child,
}

impl Client {
    /// Starts a client under a name, with more options, and an engine.
    pub fn start(base: &Path, port: u16, name: &str, options: &str, engine: &[String]) -> Client {
        let password = base.join(format!("{name}.pw"));
        if !password.exists() {
            std::fs::write(&password, "secret\n").expect("a password");
        }
        let user = format!("--user {name} --password-file {} ", password.display());
        Client::start_plain(base, port, name, &(user + options), engine)
    }

    /// The same without a name and a password.
    pub fn start_plain(
        base: &Path,
        port: u16,
        name: &str,
        options: &str,
        engine: &[String],
    ) -> Client {
        let folder = base.join(name);
        let errors = std::fs::File::create(base.join(format!("{name}.err"))).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.args(["cgos", "--server", &format!("127.0.0.1:{port}"), "--dir"]).arg(&folder);
        command.args(["--max-wait", "1"]).args(options.split_whitespace());
        if !engine.is_empty() {
            command.arg("--").args(engine);
        }
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors).spawn();
        Client { folder, child: child.expect("the client") }
    }

    /// Waits for its end: the exit code.
    pub fn wait(&mut self, limit: Duration) -> Option<i32> {
        let end = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return status.code();
            }
            assert!(Instant::now() < end, "the client does not end:\n{}", self.errors());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("a status").is_none()
    }

    /// What it said on standard error.
    pub fn errors(&self) -> String {
        std::fs::read_to_string(self.folder.with_extension("err")).unwrap_or_default()
    }

    /// Rows of its table of games, without the heading.
    pub fn table(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.folder.join("games.csv")).unwrap_or_default();
        text.lines().skip(1).map(str::to_owned).collect()
    }

    /// Its records: those that are whole, as one is written beside and renamed.
    pub fn records(&self) -> Vec<String> {
        let Ok(files) = std::fs::read_dir(self.folder.join("games")) else { return Vec::new() };
        files
            .map(|file| file.expect("a file").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "sgf"))
            .map(|path| std::fs::read_to_string(path).expect("a record"))
            .collect()
    }

    /// Sends it the signal of Ctrl-C.
    #[cfg(unix)]
    pub fn interrupt(&self) {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill").args(["-INT", &id]).status().is_ok_and(|status| status.success())
        );
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for something to become true.
pub fn until(what: &str, mut is_true: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is_true() {
        assert!(Instant::now() < end, "{what} has not come about");
        std::thread::sleep(Duration::from_millis(10));
    }
}
