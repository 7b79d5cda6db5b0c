//! One engine as an operating-system process: its start, its log, its end.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// An engine's stderr is kept up to so many bytes a process; the rest is read and dropped.
const STDERR_KEPT: u64 = 16 << 20;
/// After stdout has closed, so long is given to the process to end with a status of its own.
pub const TIME_TO_DIE: Duration = Duration::from_millis(300);

/// `CREATE_NEW_PROCESS_GROUP`: Ctrl-C on the console reaches the runner alone.
#[cfg(windows)]
const NEW_PROCESS_GROUP: u32 = 0x200;

/// How to start a program.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program and its arguments; never empty.
    pub words: Vec<String>,
    /// Variables added to the environment.
    pub env: Vec<(String, String)>,
    /// The folder it runs in, or the runner's own.
    pub dir: Option<PathBuf>,
}

/// A running engine. Dropping it kills it, with everything it started.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Hung up once all of its stderr is in the log.
    logged: Receiver<()>,
    ended: Option<ExitStatus>,
}

impl Process {
    /// Starts the program in a process group of its own; its stderr is appended to `log`.
    ///
    /// # Errors
    /// When the program cannot be started or the log cannot be opened; the message names which.
    pub fn start(launch: &Launch, log: &Path) -> io::Result<Process> {
        let (program, arguments) =
            launch.words.split_first().ok_or_else(|| io::Error::other("an empty command line"))?;
        let mut log = open_log(log)?;
        let mut command = Command::new(in_folder(program, launch.dir.as_deref()));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for (name, value) in &launch.env {
            command.env(name, value);
        }
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        // A group of its own, so that a wrapper script dies together with what it started, and so that
        // Ctrl-C on the terminal reaches the runner alone.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, NEW_PROCESS_GROUP);
        let mut child = command
            .spawn()
            .map_err(|e| io::Error::new(e.kind(), format!("cannot start {program}: {e}")))?;
        let (logging, logged) = sync_channel(0);
        if let Some(mut stderr) = child.stderr.take() {
            thread::Builder::new().name("engine-stderr".into()).spawn(move || {
                let _logging = logging;
                let kept = io::copy(&mut (&mut stderr).take(STDERR_KEPT), &mut log);
                if matches!(kept, Ok(STDERR_KEPT)) {
                    let _ = writeln!(
                        log,
                        "\n[the log is full at {STDERR_KEPT} bytes; the rest is dropped]"
                    );
                }
                let _ = io::copy(&mut stderr, &mut io::sink());
            })?;
        }
        Ok(Process { child, logged, ended: None })
    }

    /// Its standard input and output, which are given out once.
    pub fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout)> {
        self.child.stdin.take().zip(self.child.stdout.take())
    }

    /// Waits for the process to end by itself. False when it has not by `deadline`.
    pub fn wait_until(&mut self, deadline: Instant) -> bool {
        nap_until(deadline, || self.has_ended())
    }

    /// Kills the process and everything in its group, and says how it ended: by itself if it was already dead. What it said
    /// last on stderr is in the log then, unless somebody else goes on with it.
    pub fn finish(&mut self) -> String {
        self.wait_until(Instant::now() + TIME_TO_DIE);
        self.kill();
        let _ = self.logged.recv_timeout(TIME_TO_DIE);
        match self.ended {
            Some(status) => status.to_string(),
            None => "its exit status is unknown".to_string(),
        }
    }

    /// Kills the process and everything in its group at once.
    pub fn kill(&mut self) {
        if self.ended.is_some() {
            return;
        }
        // The group first: while the leader has not been waited for, its number cannot belong to anybody else.
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id() as i32) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        // What it started is found by the system's own program.
        #[cfg(windows)]
        let _ = Command::new("taskkill")
            .args(["/F", "/T", "/PID", &self.child.id().to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let _ = self.child.kill();
        self.ended = self.child.wait().ok();
    }

    /// Whether the process has ended, without collecting its status: [`Process::kill`] does that after it has
    /// killed the rest of the group.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let Some(pid) = Pid::from_raw(self.child.id() as i32) else { return true };
        self.ended.is_some()
            || !matches!(
                waitid(
                    WaitId::Pid(pid),
                    WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT
                ),
                Ok(None)
            )
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)) | Err(_))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Opens a log, to go on at its end.
///
/// # Errors
/// Names it.
pub(super) fn open_log(log: &Path) -> io::Result<File> {
    File::options().create(true).append(true).open(log).map_err(|error| {
        io::Error::new(error.kind(), format!("cannot open the log {}: {error}", log.display()))
    })
}

/// Waits until something has ended. False when it has not by `deadline`.
pub(super) fn nap_until(deadline: Instant, mut has_ended: impl FnMut() -> bool) -> bool {
    let mut nap = Duration::from_micros(200);
    while !has_ended() {
        if Instant::now() >= deadline {
            return false;
        }
        thread::sleep(nap);
        nap = (nap * 2).min(Duration::from_millis(20));
    }
    true
}

/// A program named by a relative path with a slash is meant from the folder it runs in, as a shell would take it.
fn in_folder(program: &str, dir: Option<&Path>) -> OsString {
    match dir {
        Some(dir)
            if program.contains(std::path::is_separator) && Path::new(program).is_relative() =>
        {
            std::path::absolute(dir)
                .unwrap_or_else(|_| dir.to_path_buf())
                .join(program)
                .into_os_string()
        }
        _ => program.into(),
    }
}
