//! A page's side of a web board, without a browser: a server that is started, and the connection of a page.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use super::common::PATIENCE;

/// A program that serves, and where.
pub struct Server {
    pub child: Child,
    pub host: String,
    /// What stands behind the host in its link.
    pub query: String,
}

impl Server {
    pub fn start(program: &str, options: &[&str]) -> Server {
        let mut child = Command::new(program)
            .args(["web", "--no-open", "--port", "0", "--threads", "1"])
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stderr.take().unwrap());
        output.read_line(&mut line).unwrap();
        // It is read on, so that the program can go on writing.
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        let link = line.split_once("http://").unwrap_or_else(|| panic!("{line}")).1;
        let link = link.split_whitespace().next().unwrap();
        let (host, query) = link.split_once('/').unwrap();
        Server { child, host: host.to_owned(), query: query.to_owned() }
    }

    pub fn go() -> Server {
        Server::start(env!("CARGO_BIN_EXE_tesuji"), &["--network", "none"])
    }

    /// Sends what is given as it is, and gives the whole answer.
    pub fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // It may have refused and closed before everything is written.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub fn get(&self, path: &str, host: &str, more: &str) -> String {
        self.raw(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n"))
    }

    pub fn post(&self, path: &str, body: &str) -> String {
        let (host, length) = (&self.host, body.len());
        self.raw(&format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        ))
    }

    pub fn try_page(&self, origin: &str) -> Result<Page, Box<tungstenite::Error>> {
        let mut request =
            format!("ws://{}/live", self.host).into_client_request().map_err(Box::new)?;
        if !origin.is_empty() {
            request.headers_mut().insert("Origin", origin.parse().unwrap());
        }
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Page { socket, number: 0 }),
            Err(tungstenite::HandshakeError::Failure(why)) => Err(Box::new(why)),
            Err(tungstenite::HandshakeError::Interrupted(_)) => panic!("no answer"),
        }
    }

    pub fn page(&self) -> Page {
        self.try_page(&format!("http://{}", self.host)).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page's connection.
pub struct Page {
    pub socket: WebSocket<TcpStream>,
    pub number: u64,
}

impl Page {
    pub fn hear(&mut self) -> Value {
        loop {
            match self.socket.read().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    pub fn send(&mut self, mut request: Value) -> u64 {
        self.number += 1;
        request["id"] = self.number.into();
        self.socket.send(Message::Text(request.to_string().into())).unwrap();
        self.number
    }

    /// The answer to a request, or what was wrong.
    pub fn try_ask(&mut self, request: Value) -> Result<Value, String> {
        let id = self.send(request);
        loop {
            let message = self.hear();
            if message["id"] == id {
                return match message["type"].as_str() {
                    Some("answer") => Ok(message["data"].clone()),
                    _ => Err(message["error"].as_str().unwrap().to_owned()),
                };
            }
        }
    }

    pub fn ask(&mut self, request: Value) -> Value {
        let told = request.to_string();
        self.try_ask(request).unwrap_or_else(|why| panic!("{told}: {why}"))
    }

    /// The next message that something is true of.
    pub fn until(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            let message = self.hear();
            if is_wanted(&message) {
                return message;
            }
        }
        panic!("waited in vain");
    }

    pub fn begin(&mut self, setup: Value) -> (String, Value) {
        let game =
            self.ask(json!({"do": "new", "setup": setup}))["game"].as_str().unwrap().to_owned();
        let snapshot = self.ask(json!({"do": "open", "game": game}));
        (game, snapshot)
    }

    pub fn play(&mut self, steps: &[&str]) -> Result<Value, String> {
        self.try_ask(json!({"do": "play", "steps": steps}))
    }

    pub fn snapshot(&mut self) -> Value {
        self.ask(json!({"do": "snapshot"}))
    }

    /// The state of the game once something is true of it. It is asked for: what is told by itself may have come before the
    /// answer to a request, and be passed over.
    pub fn until_state(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            let state = self.snapshot();
            if is_wanted(&state) {
                return state;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("waited in vain");
    }
}

const PEOPLE: &str = "[{}, {}]";

pub fn people(size: u8) -> Value {
    json!({"size": size, "players": serde_json::from_str::<Value>(PEOPLE).unwrap()})
}
