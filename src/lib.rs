//! The front of Tesuji: protocol, commands and tools around the engines.
