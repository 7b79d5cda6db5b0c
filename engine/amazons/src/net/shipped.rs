//! The network inside the program.

use super::file;
use super::resnet::{ResNet, ResNetSize};
use std::sync::{Arc, OnceLock};

/// The network inside the program, as [`file`] keeps it.
const SHIPPED_BYTES: &[u8] = include_bytes!("../../weights/resnet.net");

impl ResNet {
    /// The network inside the program.
    pub fn shipped() -> Arc<ResNet> {
        static SHIPPED: OnceLock<Arc<ResNet>> = OnceLock::new();
        let read = || match file::network(SHIPPED_BYTES) {
            Ok(file::Net::ResNet(network)) => Arc::new(*network),
            // The tests hold that this cannot be; an untrained network says what the evaluation says.
            _ => {
                let first = ResNet::first_parameters(ResNetSize::SHIPPED, 1);
                ResNet::new(ResNetSize::SHIPPED, &first)
                    .map(Arc::new)
                    .unwrap_or_else(|_| unreachable!())
            }
        };
        SHIPPED.get_or_init(read).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_network_can_be_read() {
        let (architecture, parameters) = file::read(SHIPPED_BYTES).expect("a network");
        assert_eq!(architecture, file::Architecture::ResNet(ResNet::shipped().size()));
        assert_eq!(
            ResNet::new(ResNet::shipped().size(), &parameters).as_ref(),
            Ok(&*ResNet::shipped())
        );
    }
}
