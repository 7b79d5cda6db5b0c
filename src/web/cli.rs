//! The command line of `web`.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args;

use super::hub::Hub;
use super::security::Access;
use super::{WebGame, room, server, watch};
use crate::output::note;
use crate::program::Run;
use crate::session::Game;

/// Options of `web`, after those of a session.
#[derive(Args, Debug)]
pub struct WebArgs<P: Args> {
    /// Port to listen on; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 6660)]
    port: u16,

    /// Does not open a browser, and does not end with the last page
    #[arg(long)]
    no_open: bool,

    /// Address to listen on. Beyond this machine whoever knows the link that is printed can play and use its processors
    #[arg(long, value_name = "ADDRESS", hide_short_help = true, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,

    /// Folder of a match to be watched; may be given several times
    #[arg(long, value_name = "DIR")]
    watch: Vec<PathBuf>,

    /// How the engine plays. Board, rules, komi and strength are what the page offers first for a new game
    #[command(flatten)]
    play: P,
}

/// The options of a session from which the games of a server are made.
pub trait Hosted {
    /// The game.
    type Game: Game;

    /// How sessions of it are made.
    ///
    /// # Errors
    /// When what they need cannot be read.
    fn web_game(&self) -> Result<WebGame<Self::Game>>;
}

impl<P: Args + Hosted> Run for WebArgs<P> {
    fn run(&self) -> Result<ExitCode> {
        let game = self.play.web_game()?;
        let matches = watch::Matches::new(&self.watch)?;
        let reviews = game.reviews.clone();
        let about = super::hub::About {
            title: P::Game::TITLE,
            side: P::Game::SIDE,
            offer: game.offer.clone(),
        };
        let open = move |id: &str, start, changed| room::open(id, &game, start, changed);
        let hub = Hub::new(about, Box::new(open), matches);
        let listener =
            std::net::TcpListener::bind((self.listen, self.port)).with_context(|| {
                format!(
                    "cannot listen on {} port {}; --port 0 takes a free one",
                    self.listen, self.port
                )
            })?;
        let access = Access::new(listener.local_addr()?);
        let link = access.link();
        note(format_args!("{} on {link} (Ctrl-C ends)", P::Game::NAME));
        if let Some(link) = access.link_from_outside() {
            note(format_args!("from other machines of the network: {link}"));
        }
        let opened = !self.no_open && browse(&link);
        server::run(listener, Arc::new(access), Arc::new(hub), opened)?;
        reviews.stop_all();
        Ok(ExitCode::SUCCESS)
    }
}

/// Opens the browser; whether that could be begun.
fn browse(link: &str) -> bool {
    match open::that_detached(link) {
        Ok(()) => true,
        Err(why) => {
            note(format_args!("cannot open a browser ({why}); open the link yourself"));
            false
        }
    }
}
