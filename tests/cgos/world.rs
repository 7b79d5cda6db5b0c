//! What a server for tests is told, what it knows of clients and games, and what it saw.

use std::collections::HashMap;
use std::net::TcpStream;
use std::time::Instant;

use go_engine::Game;

/// What a server does.
#[derive(Clone, Debug)]
pub struct Options {
    pub size: u8,
    pub komi: f64,
    /// Milliseconds for a game, and those that each move is given for the network.
    pub main: i64,
    pub gift: i64,
    /// Games that are begun in all.
    pub games: usize,
    /// The number of the first one.
    pub first_id: usize,
    /// Whether analysis is offered.
    pub analysis: bool,
    /// The chance that a line is broken with a message, either way.
    pub cut: f64,
    pub seed: u64,
    /// Odd but allowed ways of speaking: CR LF, bytes one at a time, blanks, capitals, no ratings, unknown lines, names asked again.
    pub odd: bool,
    /// Takes connections and says nothing.
    pub mute: bool,
    /// Games are broken off by the server when it is asked for this move, as an administrator may.
    pub abort_at: Option<usize>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            size: 5,
            komi: 7.5,
            main: 60_000,
            gift: 250,
            games: usize::MAX,
            first_id: 1,
            analysis: true,
            cut: 0.0,
            seed: 1,
            odd: false,
            mute: false,
            abort_at: None,
        }
    }
}

/// What happened.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// Finished games: number, White, Black, result.
    pub results: Vec<(usize, String, String, String)>,
    pub violations: Vec<String>,
    pub cuts: usize,
    /// Moves that came with analysis.
    pub analysed: usize,
    pub moves: usize,
    /// Lines of the log.
    pub log: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum State {
    Protocol,
    Username,
    Password,
    Waiting,
    /// In a game, nothing is expected.
    Ok,
    Genmove,
    GameOver,
}

pub struct Client {
    pub stream: TcpStream,
    pub state: State,
    pub name: String,
    pub analysis: bool,
}

pub struct Running {
    pub id: usize,
    /// Black, then White.
    pub names: [String; 2],
    pub board: Game,
    pub moves: Vec<(String, i64)>,
    pub left: [i64; 2],
    pub since: Instant,
}

#[derive(Default)]
pub struct World {
    pub clients: HashMap<usize, Client>,
    pub passwords: HashMap<String, String>,
    pub running: Vec<Running>,
    pub begun: usize,
    pub events: Events,
}

/// The connection that somebody is logged in on.
pub fn find(world: &World, name: &str) -> Option<usize> {
    let logged_in =
        |client: &Client| client.name == name && client.state as u8 >= State::Waiting as u8;
    world.clients.iter().find(|(_, client)| logged_in(client)).map(|(number, _)| *number)
}
