//! The page: plain HTML, CSS and JavaScript modules, as they are, inside the program.

/// A file of the page: what kind it is, and its text.
pub fn file(path: &str) -> Option<(&'static str, &'static str)> {
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    let file = match path {
        "/" => ("text/html; charset=utf-8", include_str!("index.html")),
        "/base.css" => ("text/css; charset=utf-8", crate::page::BASE),
        "/style.css" => ("text/css; charset=utf-8", include_str!("style.css")),
        "/icon.svg" => ("image/svg+xml", include_str!("icon.svg")),
        "/main.js" => (SCRIPT, include_str!("main.js")),
        "/link.js" => (SCRIPT, include_str!("link.js")),
        "/dom.js" => (SCRIPT, include_str!("dom.js")),
        "/home.js" => (SCRIPT, include_str!("home.js")),
        "/game.js" => (SCRIPT, include_str!("game.js")),
        "/board.js" => (SCRIPT, include_str!("board.js")),
        "/marks.js" => (SCRIPT, include_str!("marks.js")),
        "/games.js" => (SCRIPT, include_str!("games.js")),
        "/go.js" => (SCRIPT, include_str!("go.js")),
        "/connect6.js" => (SCRIPT, include_str!("connect6.js")),
        "/amazons.js" => (SCRIPT, include_str!("amazons.js")),
        "/panels.js" => (SCRIPT, include_str!("panels.js")),
        "/input.js" => (SCRIPT, include_str!("input.js")),
        "/keys.js" => (SCRIPT, include_str!("keys.js")),
        "/score.js" => (SCRIPT, include_str!("score.js")),
        "/sound.js" => (SCRIPT, include_str!("sound.js")),
        "/words.js" => (SCRIPT, include_str!("words.js")),
        "/review.js" => (SCRIPT, include_str!("review.js")),
        "/watch.js" => (SCRIPT, include_str!("watch.js")),
        _ => return None,
    };
    Some(file)
}
