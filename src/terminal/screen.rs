//! The terminal: keys in, a whole screen out.

use std::io::{self, Write};
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::{cursor, execute, queue, terminal};

/// A key that matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A letter of a line.
    Char(char),
    /// Takes the last letter back.
    Backspace,
    /// Ends a line.
    Enter,
    /// Moves the cursor: columns to the right, rows up.
    Arrow(i8, i8),
    /// Stops what is going on.
    Escape,
    /// Ctrl-C or Ctrl-D.
    Leave,
    /// The window has another size.
    Resized,
}

/// The terminal, which is as it was once this is dropped.
pub struct Screen {
    /// Whether it shows colours. `NO_COLOR` is what people set who want none.
    pub colours: bool,
}

impl Screen {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// When it cannot be.
    pub fn open() -> io::Result<Screen> {
        terminal::enable_raw_mode()?;
        execute!(io::stdout(), terminal::EnterAlternateScreen)?;
        let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Ok(Screen { colours })
    }

    /// Shows these lines, with the typing cursor at the end of the last.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn show(&self, lines: &[String]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        queue!(out, cursor::Hide, cursor::MoveTo(0, 0))?;
        for (number, line) in lines.iter().enumerate() {
            if number > 0 {
                out.write_all(b"\r\n")?;
            }
            out.write_all(line.as_bytes())?;
            queue!(out, terminal::Clear(terminal::ClearType::UntilNewLine))?;
        }
        queue!(out, terminal::Clear(terminal::ClearType::FromCursorDown), cursor::Show)?;
        out.flush()
    }

    /// The next key, if one comes in time.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn key(&self, patience: Duration) -> io::Result<Option<Key>> {
        if !event::poll(patience)? {
            return Ok(None);
        }
        Ok(match event::read()? {
            // Windows tells of keys that are let go of, too.
            Event::Key(key) if key.kind != KeyEventKind::Release => read_key(key),
            Event::Resize(..) => Some(Key::Resized),
            _ => None,
        })
    }
}

fn read_key(key: KeyEvent) -> Option<Key> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('c' | 'd') if control => Key::Leave,
        // A line end as programs write it, where a person's key sends a carriage return.
        KeyCode::Char('j') if control => Key::Enter,
        KeyCode::Char(letter) if !control => Key::Char(letter),
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Enter => Key::Enter,
        KeyCode::Left => Key::Arrow(-1, 0),
        KeyCode::Right => Key::Arrow(1, 0),
        KeyCode::Up => Key::Arrow(0, 1),
        KeyCode::Down => Key::Arrow(0, -1),
        KeyCode::Esc => Key::Escape,
        _ => return None,
    })
}

impl Drop for Screen {
    fn drop(&mut self) {
        // There is nobody to tell any more.
        let _ = execute!(io::stdout(), terminal::LeaveAlternateScreen, cursor::Show);
        let _ = terminal::disable_raw_mode();
    }
}
