//! The table of commands, and the call that a handler gets.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use cpu_time::ProcessTime;

use super::answer::{Answer, Failure, Reply};
use super::inbox::{Inbox, Rises, Signal};
use super::parse::Args;

type Handler<G> = Box<dyn Fn(&mut G, &mut Call<'_>) -> Reply>;

/// What the program can do: handlers by the names of their commands, over a game of type `G`.
pub struct Commands<G> {
    table: BTreeMap<String, Handler<G>>,
    /// Earlier names of commands: they are known, and not listed.
    aliases: BTreeMap<&'static str, &'static str>,
}

impl<G: 'static> Commands<G> {
    /// A table with the commands that need no game. The name should be one word, since some
    /// controllers build file names of it, and the version have the form `1.2`.
    pub fn new(name: &str, version: &str) -> Commands<G> {
        let (name, version) = (name.to_owned(), version.to_owned());
        let mut commands = Commands { table: BTreeMap::new(), aliases: BTreeMap::new() };
        commands.add("name", move |_, _| Ok(name.clone()));
        commands.add("version", move |_, _| Ok(version.clone()));
        commands.add("protocol_version", |_, _| Ok("2".to_owned()));
        commands.add("list_commands", |_, call| Ok(call.names.join("\n")));
        commands.add("known_command", |_, call| {
            let asked = call.args.next().unwrap_or_default();
            Ok(call.is_known(asked).to_string())
        });
        commands.add("quit", |_, call| {
            call.quit = true;
            Ok(String::new())
        });
        // Listed to say that the comment line `# interrupt` is heard.
        commands.add("gogui-interrupt", |_, _| Ok(String::new()));
        for name in ["cputime", "gomill-cpu_time"] {
            commands.add(name, |_, _| {
                let used = ProcessTime::try_now().map_err(|e| Failure::new(e.to_string()))?;
                Ok(format!("{:.3}", used.as_duration().as_secs_f64()))
            });
        }
        commands
    }

    /// Registers a handler. A name that is registered already gets the new one.
    pub fn add(
        &mut self,
        name: &str,
        handler: impl Fn(&mut G, &mut Call<'_>) -> Reply + 'static,
    ) -> &mut Self {
        self.table.insert(name.to_owned(), Box::new(handler));
        self
    }

    /// Keeps an earlier name of a command: it is known, and not listed.
    pub fn alias(&mut self, old: &'static str, new: &'static str) -> &mut Self {
        self.aliases.insert(old, new);
        self
    }

    /// The names of all commands, sorted, earlier ones left out.
    pub fn names(&self) -> Vec<&str> {
        self.table.keys().map(String::as_str).collect()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Handler<G>> {
        self.table.get(self.aliases.get(name).copied().unwrap_or(name))
    }

    pub(super) fn aliases(&self) -> Vec<&str> {
        self.aliases.keys().copied().collect()
    }
}

/// One command that is being carried out.
pub struct Call<'a> {
    /// What stood behind the command's name.
    pub args: Args<'a>,
    pub(super) number: u64,
    pub(super) asked: Instant,
    /// The command lasts until something comes in, or was ended by that.
    pub(super) ends_by_input: Cell<bool>,
    pub(super) names: &'a [&'a str],
    pub(super) aliases: &'a [&'a str],
    pub(super) inbox: &'a Arc<Inbox>,
    pub(super) answer: Answer<'a>,
    pub(super) quit: bool,
}

impl Call<'_> {
    fn is_known(&self, name: &str) -> bool {
        self.names.binary_search(&name).is_ok() || self.aliases.contains(&name)
    }

    /// When the command was asked for: when it came in, or when the answer before it was given, if it came earlier. What a
    /// command that lasts until something comes in takes to end is part of the next.
    pub fn asked(&self) -> Instant {
        self.asked
    }

    /// Rises when the user asks the command to finish soon with what it has.
    pub fn interrupt(&self) -> Signal {
        self.inbox.signal(self.number, Rises::Interrupt)
    }

    /// Rises when anything comes in behind the command, or nothing can come any more.
    pub fn new_input(&self) -> Signal {
        self.ended_by_input();
        self.inbox.signal(self.number, Rises::AnyLine)
    }

    /// Rises when anything comes in from now on, or nothing can come any more. What came in behind the command before may
    /// have been sent along with it, as by a script, and waits.
    pub fn further_input(&self) -> Signal {
        self.inbox.signal(self.inbox.newest(), Rises::AnyLine)
    }

    /// Notes that the command was ended by what came in behind it, as one is that asked for [`Call::new_input`].
    pub fn ended_by_input(&self) {
        self.ends_by_input.set(true);
    }

    /// Writes a row of the answer at once. The answer is a success from here on.
    ///
    /// # Errors
    /// [`Failure::OutputClosed`], which the handler should pass on.
    pub fn stream(&mut self, row: &str) -> Result<(), Failure> {
        self.answer.stream(row).map_err(|error| {
            tracing::debug!("cannot write: {error}");
            Failure::OutputClosed
        })
    }
}
