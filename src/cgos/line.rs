//! The connection to the server: lines in, lines out.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

/// How long an address may take to answer.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// How long a line may take to be handed to the system.
const WRITE_LIMIT: Duration = Duration::from_secs(10);
/// After so long without traffic the system looks whether the other side is still there.
const KEEPALIVE: Duration = Duration::from_secs(60);
/// A longer line than this is no line of the protocol.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// What a connection brings.
#[derive(Debug)]
pub enum Arrival {
    /// It stands.
    Connected(TcpStream),
    /// A whole line, without its end.
    Line(String),
    /// It is gone, or never came: why.
    Closed(String),
}

/// Connects to `server`, `HOST:PORT`, in a thread of its own, and hands over what comes. Everything is made by `wrap` into
/// what the channel takes; the thread ends with the connection, or when nobody takes anything any more.
pub fn open<T: Send + 'static>(
    server: &str,
    events: Sender<T>,
    wrap: impl Fn(Arrival) -> T + Send + 'static,
) {
    let server = server.to_owned();
    let send = move |arrival| events.send(wrap(arrival)).is_ok();
    thread::spawn(move || {
        let stream = match connect(&server) {
            Ok(stream) => stream,
            Err(error) => {
                send(Arrival::Closed(format!("cannot connect to {server}: {error}")));
                return;
            }
        };
        let Ok(writer) = stream.try_clone() else {
            send(Arrival::Closed("the connection cannot be shared".to_owned()));
            return;
        };
        if !send(Arrival::Connected(writer)) {
            return;
        }
        let mut reader = BufReader::new(stream);
        loop {
            match read_line(&mut reader) {
                Ok(line) => {
                    if !send(Arrival::Line(line)) {
                        return;
                    }
                }
                Err(error) => {
                    send(Arrival::Closed(error.to_string()));
                    return;
                }
            }
        }
    });
}

/// The first address of the server that answers.
fn connect(server: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::other("the name has no address");
    for address in server.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT_LIMIT) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                stream.set_write_timeout(Some(WRITE_LIMIT))?;
                let keepalive = socket2::TcpKeepalive::new().with_time(KEEPALIVE);
                socket2::SockRef::from(&stream).set_tcp_keepalive(&keepalive)?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// A line without its end. Half a line at the end of the connection is none.
fn read_line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    reader.take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
    match line.pop() {
        Some(b'\n') => Ok(String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned()),
        Some(_) if line.len() as u64 + 1 == MAX_LINE_BYTES => {
            Err(io::Error::other("a line of more than a megabyte"))
        }
        Some(_) => Err(io::Error::other("the server broke off in the middle of a line")),
        None => Err(io::Error::other("the server closed the connection")),
    }
}

/// Sends a line in one piece: servers take what a packet holds for one message.
///
/// # Errors
/// When the connection is gone.
pub fn send(stream: &mut TcpStream, line: &str) -> io::Result<()> {
    stream.write_all(format!("{line}\n").as_bytes())
}

/// Ends the connection; its thread ends with it.
pub fn close(stream: &TcpStream) {
    // It may be gone already.
    let _ = stream.shutdown(Shutdown::Both);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_a_newline_and_are_bounded() {
        let mut text: &[u8] = b"one\r\n\n\xff\x00two\nhalf";
        assert_eq!(read_line(&mut text).unwrap(), "one");
        assert_eq!(read_line(&mut text).unwrap(), "");
        assert_eq!(read_line(&mut text).unwrap(), "\u{fffd}\0two");
        assert!(read_line(&mut text).unwrap_err().to_string().contains("middle"));
        assert!(read_line(&mut text).unwrap_err().to_string().contains("closed"));
        let long = vec![b'x'; 2 << 20];
        assert!(read_line(&mut &long[..]).unwrap_err().to_string().contains("megabyte"));
    }
}
