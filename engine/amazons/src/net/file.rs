//! The bytes in which Amazons' networks are kept: [`nn::file`] with the letters `TSJAMNET` and the kinds 0, the residual
//! network, and 1, the patent's two networks.

pub use nn::file::{FileError, checksum};

use super::ParameterError;
use super::patent::{Kind, Network};
use super::resnet::{ResNet, ResNetSize};
use nn::file::{Form, Format};

/// The version is 2 since the residual network's numbers are cut off and its value is made otherwise.
const FORMAT: Format = Format { letters: *b"TSJAMNET", version: 2 };
/// More blocks or channels than any network that makes sense.
const MAX_SIZE: u32 = 1024;

/// A network of either kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Net {
    /// The residual one.
    ResNet(Box<ResNet>),
    /// The patent's Move-Net and Arrow-Net.
    Patent(Box<[Network; 2]>),
}

/// What parameters belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// A residual network.
    ResNet(ResNetSize),
    /// The patent's networks, Move-Net's parameters first, then Arrow-Net's, the shared ones in both.
    Patent,
}

impl Architecture {
    /// Weights and biases.
    pub fn parameters(self) -> usize {
        match self {
            Architecture::ResNet(size) => size.parameters(),
            Architecture::Patent => Kind::Move.parameters() + Kind::Arrow.parameters(),
        }
    }

    /// The network of these parameters.
    ///
    /// # Errors
    /// When their number is not the network's, or one is not finite.
    pub fn network(self, parameters: &[f32]) -> Result<Net, ParameterError> {
        nn::parameters::check(parameters, self.parameters())?;
        Ok(match self {
            Architecture::ResNet(size) => Net::ResNet(Box::new(ResNet::new(size, parameters)?)),
            Architecture::Patent => {
                let (queen, arrow) = parameters.split_at(Kind::Move.parameters());
                let queen = Network::new(Kind::Move, queen)?;
                Net::Patent(Box::new([queen, Network::new(Kind::Arrow, arrow)?]))
            }
        })
    }

    fn form(self) -> Form {
        match self {
            Architecture::ResNet(size) => {
                Form { kind: 0, blocks: size.blocks as u32, channels: size.channels as u32 }
            }
            Architecture::Patent => Form { kind: 1, blocks: 0, channels: 0 },
        }
    }

    fn of(form: Form) -> Option<Architecture> {
        match (form.kind, form.blocks, form.channels) {
            (0, blocks @ 0..=MAX_SIZE, channels @ 1..=MAX_SIZE) => {
                let (blocks, channels) = (blocks as usize, channels as usize);
                Some(Architecture::ResNet(ResNetSize { blocks, channels }))
            }
            (1, 0, 0) => Some(Architecture::Patent),
            _ => None,
        }
    }
}

/// The bytes of parameters.
pub fn write(architecture: Architecture, parameters: &[f32]) -> Vec<u8> {
    FORMAT.write(architecture.form(), parameters)
}

/// What parameters bytes hold, and of what.
///
/// # Errors
/// What is wrong with the bytes.
pub fn read(bytes: &[u8]) -> Result<(Architecture, Vec<f32>), FileError> {
    let count = |form| Architecture::of(form).map(Architecture::parameters);
    let (form, parameters) = FORMAT.read(bytes, count)?;
    let architecture = Architecture::of(form).ok_or(FileError::Form(form))?;
    Ok((architecture, parameters))
}

/// The network that bytes hold.
///
/// # Errors
/// What is wrong with the bytes.
pub fn network(bytes: &[u8]) -> Result<Net, FileError> {
    let (architecture, parameters) = read(bytes)?;
    Ok(architecture.network(&parameters)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_read_back() {
        let size = ResNetSize { blocks: 1, channels: 4 };
        let (architecture, parameters) =
            (Architecture::ResNet(size), ResNet::first_parameters(size, 5));
        let bytes = write(architecture, &parameters);
        assert_eq!(read(&bytes), Ok((architecture, parameters.clone())));
        assert_eq!(network(&bytes), Ok(architecture.network(&parameters).expect("a network")));
        for (blocks, channels) in [(0, 0), (1, 1025), (1025, 1)] {
            let form = Form { kind: 0, blocks, channels };
            assert_eq!(read(&FORMAT.write(form, &[])), Err(FileError::Form(form)));
        }
    }

    #[test]
    fn numbers_that_are_none_are_refused() {
        let size = ResNetSize { blocks: 0, channels: 1 };
        let mut parameters = ResNet::first_parameters(size, 5);
        parameters[3] = f32::INFINITY;
        let bytes = write(Architecture::ResNet(size), &parameters);
        assert_eq!(network(&bytes), Err(FileError::Parameters(ParameterError::NotFinite(3))));
    }
}
