//! GTP over an engine's pipes, each answer with a deadline.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::fault::{Fault, FaultKind};
use super::link::{Link, Output};
use super::transcript::Transcript;

/// So many lines of anything else while an answer is awaited are no unexpected output but garbage.
const MAX_UNEXPECTED_LINES: usize = 1000;
/// A longer answer than this is not listened to.
const MAX_ANSWER_BYTES: usize = 16 << 20;
/// What comes between two commands is listened to no longer than this.
const DRAIN_LIMIT: Duration = Duration::from_secs(1);
/// While it waits for an answer the runner looks this often whether it is to stop.
const STOP_CHECK: Duration = Duration::from_millis(50);

/// An engine's answer to one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// True for `=`, false for `?`.
    pub ok: bool,
    /// The text after the sign and id, without the newlines that end it.
    pub text: String,
    /// From the moment the command was written to the moment the answer was whole.
    pub time: Duration,
}

/// Text that an engine sent outside of any answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnexpectedOutput {
    /// How many such lines.
    pub lines: usize,
    /// The first of them.
    pub first: String,
}

/// A GTP connection to a running engine.
#[derive(Debug)]
pub struct Connection {
    link: Link,
    /// The name used in logs.
    who: String,
    next_id: u32,
    use_ids: bool,
    unexpected: UnexpectedOutput,
    transcript: Transcript,
    stop: Arc<AtomicBool>,
    /// Time spent waiting on the engine since the last [`Connection::take_waiting`].
    waiting: Duration,
}

impl Connection {
    /// A connection over `link`, called `who` in logs. Once `stop` is set nothing is waited for any more.
    pub fn new(link: Link, who: &str, stop: Arc<AtomicBool>) -> Connection {
        Connection {
            link,
            who: who.to_string(),
            next_id: 1,
            use_ids: true,
            unexpected: UnexpectedOutput::default(),
            transcript: Transcript::default(),
            stop,
            waiting: Duration::ZERO,
        }
    }

    /// Sends commands without ids from now on, for engines that do not know them.
    pub fn without_ids(&mut self) {
        self.use_ids = false;
    }

    /// Where the traffic is written from now on.
    pub fn log_to(&mut self, transcript: Transcript) {
        self.transcript = transcript;
    }

    /// The unexpected output seen since this was last asked.
    pub fn take_unexpected_output(&mut self) -> UnexpectedOutput {
        std::mem::take(&mut self.unexpected)
    }

    /// The time spent waiting on the engine since this was last asked.
    pub fn take_waiting(&mut self) -> Duration {
        std::mem::take(&mut self.waiting)
    }

    /// Sends `command` and waits for its answer.
    ///
    /// # Errors
    /// [`FaultKind::Crash`] when the engine has ended, [`FaultKind::Hang`] when no whole answer comes within `limit`,
    /// [`FaultKind::Garbage`] when what comes cannot be an answer, [`FaultKind::Stopped`] when the run is being stopped. After any of them the engine is of no more use.
    pub fn ask(&mut self, command: &str, limit: Duration) -> Result<Answer, Fault> {
        self.drain();
        let id = self.use_ids.then_some(self.next_id);
        self.next_id = self.next_id % 1_000_000_000 + 1;
        self.transcript.line(&self.who, '>', command);
        let start = Instant::now();
        let sent = match id {
            Some(id) => self.link.send(&format!("{id} {command}")),
            None => self.link.send(command),
        };
        if sent.is_err() {
            return Err(self.crash(command));
        }
        let answer = self.read_answer(command, id, start, limit);
        self.waiting += start.elapsed();
        answer
    }

    /// Asks the engine to end, and kills it when it has not after `limit`. True when it ended by itself.
    pub fn quit(mut self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        self.transcript.line(&self.who, '>', "quit");
        let _ = self.link.send("quit");
        self.link.close_input();
        let mut ended = false;
        while let Some(output) = self.link.receive(deadline)
            && Instant::now() < deadline
        {
            if !matches!(output, Output::Line(..)) {
                ended = self.link.wait_until(deadline);
                break;
            }
        }
        self.link.kill();
        ended
    }

    fn read_answer(
        &mut self,
        command: &str,
        id: Option<u32>,
        start: Instant,
        limit: Duration,
    ) -> Result<Answer, Fault> {
        let deadline = start + limit;
        let mut unexpected_lines = 0;
        let mut begun: Option<(bool, String)> = None;
        loop {
            let (line, at) = match self.link.receive(deadline.min(Instant::now() + STOP_CHECK)) {
                // One that talks on and on is waited for no longer than one that is silent.
                Some(Output::Line(line, at)) if at <= deadline && !self.is_stopped() => {
                    (clean(&line), at)
                }
                Some(Output::EndlessLine) => {
                    return Err(Fault::new(
                        FaultKind::Garbage,
                        format!("a line of more than a megabyte in answer to `{command}`"),
                    ));
                }
                Some(Output::Closed) => return Err(self.crash(command)),
                _ if self.is_stopped() => {
                    return Err(Fault::new(FaultKind::Stopped, "the run is being stopped"));
                }
                None if Instant::now() < deadline => continue,
                _ => {
                    let detail =
                        format!("no answer to `{command}` within {:.1} s", limit.as_secs_f64());
                    return Err(Fault::new(FaultKind::Hang, detail));
                }
            };
            match &mut begun {
                Some((ok, text)) if line.is_empty() => {
                    let text = std::mem::take(text).trim_end().to_string();
                    return Ok(Answer { ok: *ok, text, time: at.saturating_duration_since(start) });
                }
                Some((_, text)) => {
                    self.transcript.line(&self.who, '<', &line);
                    text.push('\n');
                    text.push_str(&line);
                    if text.len() > MAX_ANSWER_BYTES {
                        return Err(Fault::new(
                            FaultKind::Garbage,
                            format!("an answer without end to `{command}`"),
                        ));
                    }
                }
                None if line.trim().is_empty() => {}
                None if line.starts_with(['=', '?']) => {
                    self.transcript.line(&self.who, '<', &line);
                    let text = strip_id(&line[1..], id).map_err(|seen| {
                        Fault::new(
                            FaultKind::Garbage,
                            format!("an answer with id {seen} to `{command}`"),
                        )
                    })?;
                    begun = Some((line.starts_with('='), text.to_string()));
                }
                None => {
                    self.note_unexpected(line);
                    unexpected_lines += 1;
                    if unexpected_lines > MAX_UNEXPECTED_LINES {
                        let detail = format!(
                            "{MAX_UNEXPECTED_LINES} lines of other text where the answer to `{command}` was due"
                        );
                        return Err(Fault::new(FaultKind::Garbage, detail));
                    }
                }
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Notes what came between two commands, where nothing should. An engine that does not cease is left to whoever reads the
    /// answer.
    fn drain(&mut self) {
        let end = Instant::now() + DRAIN_LIMIT;
        while let Some(Output::Line(line, at)) = self.link.receive(Instant::now())
            && at < end
        {
            let line = clean(&line);
            if !line.trim().is_empty() {
                self.note_unexpected(line);
            }
        }
    }

    fn note_unexpected(&mut self, line: String) {
        self.transcript.line(&self.who, '!', &line);
        if self.unexpected.lines == 0 {
            self.unexpected.first = line.chars().take(200).collect();
        }
        self.unexpected.lines += 1;
    }

    fn crash(&mut self, command: &str) -> Fault {
        let status = self.link.finish();
        Fault::new(FaultKind::Crash, format!("the program ended at `{command}` ({status})"))
    }
}

/// A line as text: control characters other than the tab removed, as GTP asks, and tabs turned into spaces.
fn clean(line: &[u8]) -> String {
    String::from_utf8_lossy(line)
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control())
        .collect()
}

/// The text after an answer's id. An engine that leaves the id out is understood; one that gives another id is not:
/// its answers are out of step with the commands. Returns the foreign id as the error.
fn strip_id(rest: &str, id: Option<u32>) -> Result<&str, String> {
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (seen, text) = rest.split_at(digits);
    match id {
        Some(id) if !seen.is_empty() && seen.parse() != Ok(id) => Err(seen.to_string()),
        _ => Ok(text.trim_start()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_may_leave_out_its_id_but_not_have_another() {
        assert_eq!(strip_id("7 D4", Some(7)), Ok("D4"));
        assert_eq!(strip_id(" D4", Some(7)), Ok("D4"));
        assert_eq!(strip_id("7", Some(7)), Ok(""));
        assert_eq!(strip_id("8 D4", Some(7)), Err("8".to_string()));
        assert_eq!(strip_id(" 9 stones", Some(7)), Ok("9 stones"));
    }

    #[test]
    fn control_characters_are_dropped() {
        assert_eq!(clean(b"= D4\r"), "= D4");
        assert_eq!(clean(b"=\tD4\x07"), "= D4");
    }
}
