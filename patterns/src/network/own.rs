//! The network that ships inside the program: a network file of KataGo's form, and how much the predictor's word counts
//! beside it in each of its two policies, of which the first means to win and the second says what experts would play.

use crate::file::{FileError, Reader, Writer};
use crate::knowledge::Library;
use crate::learned::NETWORK;
use crate::predict::features::Position;
use crate::predict::predictor::Scratch;
use go_engine::Color;
use go_engine::board::{Board, Site};
use go_network::{
    AnyLayout, Kernels, MoveModel, MoveReader, Network, NetworkError, NetworkFile, Numbers,
};
use std::fmt;
use std::sync::Arc;

const KIND: &[u8; 8] = b"TSJ-GONW";
const VERSION: u32 = 1;
/// It is taught on boards of this side and larger ones.
const MIN_SIDE: u8 = 9;

/// Why a file holds no network of ours.
#[derive(Debug, thiserror::Error)]
pub enum OwnNetworkError {
    /// The frame is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// The network in it is.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// A network file with the predictor's weights: the contents of our own file. `network` is one of KataGo's form, gzipped.
pub fn to_bytes(network: &[u8], predictor: [f32; 2]) -> Vec<u8> {
    let mut writer = Writer::new(KIND, VERSION);
    predictor.into_iter().for_each(|weight| writer.float(weight));
    writer.bytes(network);
    writer.finish()
}

/// Whether bytes begin as such a file does.
pub fn is_own(bytes: &[u8]) -> bool {
    bytes.starts_with(KIND)
}

/// What is in such a file.
#[derive(Debug)]
pub struct OwnFile {
    /// The network itself.
    pub file: NetworkFile,
    /// How much the predictor's word counts beside it, in each policy.
    pub predictor: [f32; 2],
}

impl OwnFile {
    /// Reads it.
    ///
    /// # Errors
    /// When the bytes are no such file.
    pub fn read(bytes: &[u8]) -> Result<OwnFile, OwnNetworkError> {
        let mut reader = Reader::open(bytes, KIND, VERSION)?;
        let predictor = [reader.float()?, reader.float()?];
        Ok(OwnFile { file: NetworkFile::read(reader.rest())?, predictor })
    }

    /// The one that ships inside the program.
    ///
    /// # Errors
    /// Never with an undamaged program.
    pub fn built_in() -> Result<OwnFile, OwnNetworkError> {
        OwnFile::read(NETWORK)
    }

    /// The bytes of that one.
    pub fn built_in_bytes() -> &'static [u8] {
        NETWORK
    }

    /// Its network, packed for these kernels: without a word for whole numbers wherever there are vectors, since it was taught
    /// with that in mind. It asks the library's predictors.
    pub fn network(&self, kernels: Option<Kernels>, library: &Arc<Library>) -> Network {
        let level = simd::level();
        let numbers = if level == simd::Level::SCALAR { Numbers::Float } else { Numbers::Int16 };
        let kernels = kernels.unwrap_or(Kernels { level, numbers });
        let model = Arc::new(Predictors(Arc::clone(library)));
        Network::new(&self.file, kernels)
            .with_move_model(self.predictor, model)
            .with_min_side(MIN_SIDE)
    }
}

/// The predictors of moves, as a network asks them.
#[derive(Clone)]
struct Predictors(Arc<Library>);

impl fmt::Debug for Predictors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Predictors").finish_non_exhaustive()
    }
}

impl MoveModel for Predictors {
    fn reader(&self) -> Box<dyn MoveReader> {
        Box::new(Asking { predictors: self.clone(), scratch: Scratch::default() })
    }
}

/// A thread that asks them.
struct Asking {
    predictors: Predictors,
    scratch: Scratch,
}

impl fmt::Debug for Asking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asking").finish_non_exhaustive()
    }
}

impl MoveReader for Asking {
    fn policy(
        &mut self,
        board: AnyLayout<'_>,
        mover: Color,
        last: [Site; 2],
        tell: &mut dyn FnMut(Site, f32),
    ) {
        match board {
            AnyLayout::Up9(board) => self.expect_on(board, mover, last, tell),
            AnyLayout::Up13(board) => self.expect_on(board, mover, last, tell),
            AnyLayout::Up19(board) => self.expect_on(board, mover, last, tell),
        }
    }
}

impl Asking {
    fn expect_on<const N: usize, const W: usize>(
        &mut self,
        board: &Board<N, W>,
        mover: Color,
        last: [Site; 2],
        tell: &mut dyn FnMut(Site, f32),
    ) {
        let side = board.width().max(board.height());
        let Some(predictor) = self.predictors.0.predictor(side) else { return };
        let found = predictor.predict(Position { board, mover, last }, &mut self.scratch);
        for (&site, &chance) in found.moves().iter().zip(found.probabilities()) {
            tell(site, chance);
        }
    }
}
