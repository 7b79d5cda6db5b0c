//! A CGOS server for tests, which watches what clients do, and breaks their lines when it is told to.
//!
//! It is written from the protocol's description: its states, its clock with a gift for each move, its own referee. Every line
//! that a client sends where none is expected is noted as a violation.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::world::{Client, Events, Options, Running, State, World, find};
use go_engine::rules::Rules;
use go_engine::score::{Statuses, result};
use go_engine::{Color, Game, Move};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

struct Shared {
    options: Options,
    world: Mutex<World>,
    random: Mutex<Xoshiro256PlusPlus>,
    closed: AtomicBool,
    start: Instant,
}

/// A server that runs until it is dropped.
pub struct Server {
    pub port: u16,
    shared: Arc<Shared>,
}

impl Server {
    pub fn start(options: Options) -> Server {
        Server::start_on(0, options)
    }

    pub fn start_on(port: u16, options: Options) -> Server {
        let listener = (0..100).find_map(|_| {
            // Whoever had the port before may just be leaving it.
            TcpListener::bind(("127.0.0.1", port))
                .map_err(|_| thread::sleep(Duration::from_millis(50)))
                .ok()
        });
        let listener = listener.expect("the port");
        let port = listener.local_addr().expect("an address").port();
        listener.set_nonblocking(true).expect("the listener's mode");
        let random = Mutex::new(Xoshiro256PlusPlus::seed_from_u64(options.seed));
        let shared = Arc::new(Shared {
            options,
            world: Mutex::default(),
            random,
            closed: AtomicBool::new(false),
            start: Instant::now(),
        });
        let server = Server { port, shared: shared.clone() };
        thread::spawn(move || {
            let mut number = 0;
            while !shared.closed.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((stream, _)) => {
                        number += 1;
                        shared.admit(number, stream);
                    }
                    Err(_) => {
                        shared.tick();
                        thread::sleep(Duration::from_millis(5));
                    }
                }
            }
        });
        server
    }

    pub fn events(&self) -> Events {
        self.shared.world().events.clone()
    }

    /// Who is connected and waits or plays.
    pub fn logged_in(&self) -> usize {
        let in_game = |client: &&Client| client.state as u8 >= State::Waiting as u8;
        self.shared.world().clients.values().filter(in_game).count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Relaxed);
        for client in self.shared.world().clients.values() {
            let _ = client.stream.shutdown(Shutdown::Both);
        }
        // The listener is closed by its thread.
        thread::sleep(Duration::from_millis(30));
    }
}

impl Shared {
    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().expect("the world")
    }

    fn chance(&self, chance: f64) -> bool {
        chance > 0.0 && self.random.lock().expect("the dice").random_bool(chance)
    }

    fn admit(self: &Arc<Self>, number: usize, stream: TcpStream) {
        stream.set_nonblocking(false).expect("the stream's mode");
        stream.set_nodelay(true).expect("the stream's mode");
        let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
        let client =
            Client { stream, state: State::Protocol, name: String::new(), analysis: false };
        let mut world = self.world();
        world.clients.insert(number, client);
        if !self.options.mute {
            let offer = if self.options.analysis { "protocol genmove_analyze" } else { "protocol" };
            self.send(&mut world, number, offer);
        }
        drop(world);
        let shared = self.clone();
        thread::spawn(move || {
            loop {
                let mut line = Vec::new();
                let read = (&mut reader).take(70_000).read_until(b'\n', &mut line);
                let ended = !matches!(read, Ok(1..)) || line.last() != Some(&b'\n');
                let mut world = shared.world();
                if ended {
                    if line.len() >= 70_000 {
                        world.events.violations.push("a line over 64 KiB".into());
                    }
                    world.clients.remove(&number);
                    return;
                }
                let line = String::from_utf8_lossy(&line).trim_end().to_owned();
                if shared.cut(&mut world, number) {
                    return;
                }
                shared.take(&mut world, number, &line);
                if shared.cut(&mut world, number) {
                    return;
                }
            }
        });
    }

    /// Breaks the line, if chance will have it.
    fn cut(&self, world: &mut World, number: usize) -> bool {
        let cut = self.chance(self.options.cut / 2.0);
        if cut && world.clients.contains_key(&number) {
            world.events.cuts += 1;
            self.log(world, number, "--", "cut");
            self.close(world, number);
        }
        cut
    }

    fn log(&self, world: &mut World, number: usize, direction: &str, text: &str) {
        let name = world.clients.get(&number).map_or("", |client| client.name.as_str());
        let text: String = text.chars().take(100).collect();
        let line = format!(
            "{:8.3} {number} {name} {direction} {text}",
            self.start.elapsed().as_secs_f64()
        );
        world.events.log.push(line);
    }

    fn close(&self, world: &mut World, number: usize) {
        if let Some(client) = world.clients.remove(&number) {
            let _ = client.stream.shutdown(Shutdown::Both);
        }
    }

    fn send(&self, world: &mut World, number: usize, text: &str) {
        self.log(world, number, "S>", text);
        let broken = self.chance(self.options.cut / 2.0);
        let Some(client) = world.clients.get_mut(&number) else { return };
        let mut bytes = format!("{text}\n").into_bytes();
        if self.options.odd {
            bytes = format!("info in the middle of everything\r\n\nsomething unknown\n{text} \r\n")
                .into_bytes();
        }
        if broken {
            bytes.truncate(bytes.len() / 2);
        }
        let sent = if self.options.odd {
            bytes.iter().try_for_each(|byte| client.stream.write_all(&[*byte]))
        } else {
            client.stream.write_all(&bytes)
        };
        if broken {
            world.events.cuts += 1;
            self.log(world, number, "--", "cut in the middle of a line");
        }
        if broken || sent.is_err() {
            self.close(world, number);
        }
    }

    fn refuse(&self, world: &mut World, number: usize, why: &str) {
        self.send(world, number, why);
        self.close(world, number);
    }

    /// A client's line.
    fn take(&self, world: &mut World, number: usize, line: &str) {
        self.log(world, number, "C>", line);
        let Some(client) = world.clients.get_mut(&number) else { return };
        match client.state {
            State::Protocol => {
                if !line.starts_with("e1 ") {
                    return self.refuse(world, number, "Error: invalid response");
                }
                client.analysis = line.split(' ').any(|word| word == "genmove_analyze");
                client.state = State::Username;
                if client.analysis && !self.options.analysis {
                    world.events.violations.push("analysis was not offered".into());
                }
                self.send(world, number, "username");
            }
            State::Username => {
                if !(3..=18).contains(&line.len()) {
                    return self.refuse(world, number, "Error: the name has a bad length");
                }
                client.name = line.to_owned();
                client.state = State::Password;
                self.send(world, number, "password");
            }
            State::Password => {
                let name = client.name.clone();
                let known = world.passwords.entry(name.clone()).or_insert(line.to_owned());
                if known != line {
                    return self.refuse(world, number, "Sorry, password doesn't match");
                }
                self.log_in(world, number, &name);
            }
            State::Genmove => self.on_move(world, number, line),
            State::GameOver if line == "ready" => client.state = State::Waiting,
            // A name that was asked for again.
            State::Ok if self.options.odd && line == client.name => {}
            // A move that crossed the end of the game.
            State::GameOver if line.split(' ').count() < 3 => {}
            state => {
                let violation = format!("{}: {line:?} in the state {state:?}", client.name);
                world.events.violations.push(violation);
            }
        }
    }

    fn log_in(&self, world: &mut World, number: usize, name: &str) {
        let earlier = world.clients.iter().find(|(other, client)| {
            **other != number && client.name == name && client.state as u8 >= State::Waiting as u8
        });
        if let Some((&earlier, _)) = earlier {
            self.refuse(
                world,
                earlier,
                "info another login is being attempted using this user name",
            );
        }
        if let Some(client) = world.clients.get_mut(&number) {
            client.state = State::Waiting;
        }
        let running = world.running.iter().position(|game| game.names.iter().any(|n| n == name));
        if let Some(index) = running {
            self.set_up(world, number, index);
        }
    }

    /// Sends the game so far, and asks for a move where one is due.
    fn set_up(&self, world: &mut World, number: usize, index: usize) {
        let game = &world.running[index];
        let rated =
            |name: &String| if self.options.odd { name.clone() } else { format!("{name}(1500?)") };
        let mut line = format!(
            "setup {} {}  {} {} {} {}",
            game.id,
            self.options.size,
            self.options.komi,
            self.options.main,
            rated(&game.names[1]),
            rated(&game.names[0])
        );
        for (mv, left) in &game.moves {
            line += &format!(" {mv} {left}");
        }
        if let Some(client) = world.clients.get_mut(&number) {
            client.state = State::Ok;
        }
        self.send(world, number, &line);
        self.ask(world, index, Some(number));
    }

    /// Asks whoever is to move, if it is there (and is `only` this one).
    fn ask(&self, world: &mut World, index: usize, only: Option<usize>) {
        let game = &world.running[index];
        let color = game.board.to_play();
        let left = game.left[color.index()]
            - game.since.elapsed().as_millis() as i64 * i64::from(only.is_some());
        let name = game.names[color.index()].clone();
        let Some(number) = find(world, &name) else { return };
        if only.is_some_and(|only| only != number) {
            return;
        }
        if let Some(client) = world.clients.get_mut(&number) {
            client.state = State::Genmove;
        }
        if self.options.odd {
            self.send(world, number, "username");
        }
        self.send(world, number, &format!("genmove {} {left}", color.letter()));
        if self.options.abort_at.is_some_and(|at| world.running[index].moves.len() == at) {
            self.finish(world, index, "Abort", "by the administrator");
        }
    }

    fn on_move(&self, world: &mut World, number: usize, line: &str) {
        let client = &world.clients[&number];
        let (name, analysis) = (client.name.clone(), client.analysis);
        if self.options.odd && line == name {
            return;
        }
        let Some(index) = world.running.iter().position(|game| game.names.contains(&name)) else {
            world.events.violations.push(format!("{name}: a move without a game"));
            return;
        };
        let (word, told) = line.split_once(' ').unwrap_or((line, ""));
        if !told.is_empty() {
            world.events.analysed += 1;
            if let Err(why) = check_analysis(told, self.options.size) {
                world.events.violations.push(format!("{name}: {why}: {told:.200}"));
            }
            if !analysis {
                world.events.violations.push(format!("{name}: analysis without agreement"));
            }
        }
        if let Some(client) = world.clients.get_mut(&number) {
            client.state = State::Ok;
        }
        let game = &mut world.running[index];
        let color = game.board.to_play();
        let used = game.since.elapsed().as_millis() as i64 - self.options.gift;
        game.left[color.index()] -= used.max(0);
        let left = game.left[color.index()];
        let won = if color == Color::Black { "W" } else { "B" };
        if left < 0 {
            return self.finish(world, index, &format!("{won}+Time"), "");
        }
        if word.eq_ignore_ascii_case("resign") {
            return self.finish(world, index, &format!("{won}+Resign"), "");
        }
        let mv = match word.to_ascii_lowercase() {
            word if word.starts_with("pa") => Some(Move::Pass),
            word => word.parse().ok().map(Move::Play),
        };
        if mv.is_none_or(|mv| game.board.play(color, mv).is_err()) {
            return self.finish(world, index, &format!("{won}+Illegal"), word);
        }
        let sent = if self.options.odd { word.to_ascii_uppercase() } else { word.to_owned() };
        game.moves.push((word.to_owned(), left));
        game.since = Instant::now();
        let (opponent, passes) = (game.names[color.other().index()].clone(), game.board.passes());
        let lead = game.board.score(&Statuses::all_alive());
        world.events.moves += 1;
        if let Some(other) = find(world, &opponent) {
            self.send(world, other, &format!("play {} {sent} {left}", color.letter()));
        }
        if passes >= 2 {
            return self.finish(world, index, &result(lead), "");
        }
        self.ask(world, index, None);
    }

    fn finish(&self, world: &mut World, index: usize, result: &str, text: &str) {
        let game = world.running.remove(index);
        let [black, white] = game.names;
        for name in [&black, &white] {
            if let Some(number) = find(world, name) {
                if let Some(client) = world.clients.get_mut(&number) {
                    client.state = State::GameOver;
                }
                self.send(world, number, &format!("gameover 2026-01-01 {result} {text}"));
            }
        }
        world.events.results.push((game.id, white, black, result.to_owned()));
    }

    /// Clocks, and pairing.
    fn tick(&self) {
        let mut world = self.world();
        while let Some(index) = world.running.iter().position(|game| {
            let used = game.since.elapsed().as_millis() as i64 - self.options.gift;
            used > game.left[game.board.to_play().index()]
        }) {
            let late = world.running[index].board.to_play();
            let won = if late == Color::Black { "W" } else { "B" };
            self.finish(&mut world, index, &format!("{won}+Time"), "");
        }
        if world.begun >= self.options.games {
            return;
        }
        let mut waiting: Vec<(String, usize)> = world
            .clients
            .iter()
            .filter(|(_, client)| client.state == State::Waiting)
            .map(|(number, client)| (client.name.clone(), *number))
            .collect();
        waiting.sort();
        let [(one, first), (two, second), ..] = &waiting[..] else { return };
        world.begun += 1;
        let id = self.options.first_id + world.begun - 1;
        let names = if id.is_multiple_of(2) {
            [one.clone(), two.clone()]
        } else {
            [two.clone(), one.clone()]
        };
        let mut board = Game::new(self.options.size, self.options.size).expect("a board");
        board.set_rules(Rules::CHINESE);
        board.set_komi(self.options.komi);
        world.running.push(Running {
            id,
            names,
            board,
            moves: Vec::new(),
            left: [self.options.main; 2],
            since: Instant::now(),
        });
        let index = world.running.len() - 1;
        // Whoever is set up second is asked last: both know the game before its first move.
        for number in [*first, *second] {
            if let Some(client) = world.clients.get_mut(&number) {
                client.state = State::Ok;
            }
            let quiet = world.running[index].names.clone();
            let line = self.setup_line(&world.running[index], &quiet);
            self.send(&mut world, number, &line);
        }
        self.ask(&mut world, index, None);
    }

    fn setup_line(&self, game: &Running, names: &[String; 2]) -> String {
        let rated =
            |name: &String| if self.options.odd { name.clone() } else { format!("{name}(1500?)") };
        format!(
            "setup {} {} {} {} {} {}",
            game.id,
            self.options.size,
            self.options.komi,
            self.options.main,
            rated(&names[1]),
            rated(&names[0])
        )
    }
}

/// What viewers can read.
fn check_analysis(text: &str, size: u8) -> Result<(), String> {
    let told: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let share = |value: &serde_json::Value| {
        value.is_null() || value.as_f64().is_some_and(|share| (0.0..=1.0).contains(&share))
    };
    if !share(&told["winrate"]) {
        return Err("a winrate that is none".into());
    }
    for mv in told["moves"].as_array().unwrap_or(&Vec::new()) {
        if !mv["move"].is_string() || !share(&mv["winrate"]) || !share(&mv["prior"]) {
            return Err("a move that is none".into());
        }
    }
    match told["ownership"].as_str() {
        Some(owners) if owners.len() != usize::from(size) * usize::from(size) => {
            Err("owners of another board".into())
        }
        _ => Ok(()),
    }
}
