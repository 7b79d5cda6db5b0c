//! The files that networks come in: KataGo's, and those that `tesuji train network` makes, of which one ships inside the program.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, ensure};
use go_network::{Kernels, Network, NetworkFile};
use go_patterns::knowledge::Library;
use go_patterns::network::own::{self, OwnFile};

/// What the network inside the program is called.
pub const OWN_NETWORK: &str = "built-in";
/// No file of our own is longer.
const MAX_OWN_NETWORK: u64 = 64 << 20;

/// A network's file, read and not yet packed for a processor.
pub enum AnyNetworkFile {
    /// One of KataGo's.
    Katago(NetworkFile),
    /// One of our own, which asks the predictors of moves too.
    Own(OwnFile),
}

impl AnyNetworkFile {
    /// Reads the one inside the program (`built-in`), or that of a file.
    ///
    /// # Errors
    /// When the file cannot be read, or holds no network that this program can use.
    pub fn open(name: &Path) -> Result<AnyNetworkFile> {
        if name.as_os_str() == OWN_NETWORK {
            return Ok(AnyNetworkFile::Own(OwnFile::built_in()?));
        }
        let mut begin = Vec::new();
        // What is wrong with the file is told below.
        let _ = File::open(name).and_then(|file| file.take(8).read_to_end(&mut begin));
        if !own::is_own(&begin) {
            return Ok(AnyNetworkFile::Katago(NetworkFile::open(name)?));
        }
        let mut bytes = Vec::new();
        File::open(name)?.take(MAX_OWN_NETWORK).read_to_end(&mut bytes)?;
        Ok(AnyNetworkFile::Own(OwnFile::read(&bytes)?))
    }

    /// What is in it but for the predictor's weights.
    pub fn file(&self) -> &NetworkFile {
        match self {
            AnyNetworkFile::Katago(file) => file,
            AnyNetworkFile::Own(own) => &own.file,
        }
    }

    /// Its network, packed for the kernels that are best here, or for these.
    pub fn network(&self, kernels: Option<Kernels>, library: &Arc<Library>) -> Network {
        match self {
            AnyNetworkFile::Katago(file) => match kernels {
                None => Network::with_best_kernels(file),
                Some(kernels) => Network::new(file, kernels),
            },
            AnyNetworkFile::Own(own) => own.network(kernels, library),
        }
    }
}

/// The network inside the program (`built-in`), or that of a file, one of KataGo's or one that `tesuji train network` made.
///
/// # Errors
/// As [`AnyNetworkFile::open`], and when its weights overflow.
pub fn open_network(name: &Path, library: &Arc<Library>) -> Result<Network> {
    let network = AnyNetworkFile::open(name)?.network(None, library);
    ensure!(!network.overflows(), "its weights are too large: what comes out of it are no numbers");
    Ok(network)
}
