//! Network files: what is written is read, and whatever is broken, foreign or hostile is refused at once and by name.

use flate2::Compression;
use flate2::write::GzEncoder;
use go_network::{NetworkError, NetworkFile, sample};
use std::io::Write;
use std::time::{Duration, Instant};

fn error(bytes: &[u8]) -> String {
    let start = Instant::now();
    let error = NetworkFile::read(bytes).expect_err("this is no network").to_string();
    assert!(start.elapsed() < Duration::from_secs(1), "{error} took {:?}", start.elapsed());
    error
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The sample with some bytes of its file exchanged for others.
fn changed(version: u32, from: &str, to: &str) -> Vec<u8> {
    let bytes = sample::network(version, 1).write();
    let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).expect(from);
    [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
}

#[test]
fn all_versions_are_read_as_they_were_written() {
    for version in 8..=17 {
        let network = sample::network(version, u64::from(version));
        assert_eq!(NetworkFile::read(&network.write()[..]).unwrap(), network);
        assert_eq!(NetworkFile::read(&network.write_gzip()[..]).unwrap(), network);
        assert!((5_000..40_000).contains(&network.parameters()));
    }
}

#[test]
fn numbers_may_be_text() {
    let network = sample::network(10, 3);
    let mut text = Vec::new();
    let bytes = network.write();
    let mut at = 0;
    let mut rows: Vec<usize> = Vec::new();
    // Every row of numbers in binary becomes one of words; how long rows are is known from the ones that follow.
    while at < bytes.len() {
        if bytes[at..].starts_with(b"@BIN@") {
            let from = at + 5;
            let mut to = from;
            // A row ends where a line's end and then a word, a row or the file's end follow.
            while !(bytes[to] == b'\n'
                && (to - from).is_multiple_of(4)
                && (to + 1 == bytes.len()
                    || bytes[to + 1..].starts_with(b"@BIN@")
                    || bytes[to + 1..].starts_with(b"layer")
                    || bytes[to + 1..].starts_with(b"ordinary")
                    || bytes[to + 1..].starts_with(b"gpool")
                    || bytes[to + 1..].starts_with(b"nested")
                    || bytes[to + 1..].starts_with(b"policy")
                    || bytes[to + 1..].starts_with(b"value")))
            {
                to += 1;
            }
            rows.push((to - from) / 4);
            for four in bytes[from..to].chunks_exact(4) {
                let number = f32::from_le_bytes(four.try_into().unwrap());
                text.extend(format!("{number:e} ").bytes());
            }
            text.push(b'\n');
            at = to + 1;
        } else {
            text.push(bytes[at]);
            at += 1;
        }
    }
    assert_eq!(rows.iter().sum::<usize>(), network.parameters());
    assert_eq!(NetworkFile::read(&gzip(&text)[..]).unwrap(), network);
}

#[test]
fn every_cut_is_refused() {
    let bytes = sample::network(15, 1).write();
    for length in (0..bytes.len() - 1).step_by(211).chain(bytes.len() - 6..bytes.len() - 1) {
        error(&bytes[..length]);
    }
    let packed = gzip(&bytes);
    for length in (0..packed.len()).step_by(1009).chain(packed.len() - 9..packed.len()) {
        error(&packed[..length]);
    }
    let cut = error(&bytes[..bytes.len() / 2]);
    assert!(cut.contains("the trunk, block") && cut.contains("cut off"), "{cut}");
}

#[test]
fn damage_is_seen_by_gzip_s_own_sums() {
    let packed = sample::network(8, 1).write_gzip();
    for at in (0..packed.len()).step_by(307) {
        // The header's time, flags and system mean nothing.
        if (4..10).contains(&at) {
            continue;
        }
        let mut damaged = packed.clone();
        damaged[at] ^= 0x10;
        error(&damaged);
    }
    let mut twice = packed.clone();
    twice.extend_from_slice(&packed);
    assert!(error(&twice).contains("goes on after the last layer"));
}

#[test]
fn foreign_files_are_called_so() {
    let many: Vec<u8> =
        (0..1_000_000u32).flat_map(|n| n.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect();
    let zeros = vec![0; 1_000_000];
    let spaces = vec![b' '; 1_000_000];
    let long = vec![b'a'; 1_000_000];
    for foreign in [
        &b""[..],
        b"(;GM[1]FF[4]SZ[19];B[pd];W[dd])",
        b"#!/bin/sh\nexit 0\n",
        b"<html><body>404 not found</body></html>",
        &many,
        &zeros,
        &spaces,
        &long,
    ] {
        for bytes in [foreign.to_vec(), gzip(foreign)] {
            let error = error(&bytes);
            assert!(error.contains("no network file of KataGo's"), "{error}");
        }
    }
}

#[test]
fn what_is_not_known_is_named() {
    for (version, from, to, expected) in [
        (8, "sample-8-1\n8\n", "sample\n7\n", "networks of version 7"),
        (8, "sample-8-1\n8\n", "sample\n18\n", "networks of version 18"),
        (8, "\n22\n19\n", "\n21\n19\n", "input planes: 21, and should be 22"),
        (15, "ACTIVATION_MISH", "ACTIVATION_GELU", "activations \"ACTIVATION_GELU\""),
        (15, "gpool_block", "transformer_attention_block", "\"transformer_attention_block\""),
        (15, "\n1.0\n", "\n-1.0\n", "multiplier above 0"),
        (9, "\n5\n5\n22\n20\n1\n1\n", "\n5\n5\n22\n20\n2\n1\n", "dilation 2"),
        (9, "\n5\n5\n22\n20\n1\n1\n", "\n4\n5\n22\n20\n1\n1\n", "kernels of even sides (4)"),
        (
            9,
            "\n5\n5\n22\n20\n1\n1\n",
            "\n5\n5\n23\n20\n1\n1\n",
            "input channels: 23, and should be 22",
        ),
    ] {
        let error = match from {
            // The multiplier is written as it is.
            "\n1.0\n" => error(&changed(version, "\n20.0\n", to)),
            _ => error(&changed(version, from, to)),
        };
        assert!(error.contains(expected), "{error}");
    }
    let human = error(&changed(15, "\n0\n0\n0\n0\n0\n0\n0\n0\n", "\n1\n0\n0\n0\n0\n0\n0\n0\n"));
    assert!(human.contains("human"), "{human}");
    let strict = changed(15, "\n0\n0\n0\n0\n0\n0\n0\n0\n", "\n0\n1\n0\n0\n0\n0\n0\n0\n");
    assert!(NetworkFile::read(&strict[..]).unwrap().strict_pass_alive);
}

#[test]
fn numbers_that_are_none_are_refused() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut network = sample::network(15, 1);
        network.trunk.conv.weights[1234] = bad;
        let error = error(&network.write());
        assert!(error.contains("convolution of the planes \"layer1\""), "{error}");
        assert!(error.contains("number 1234 is not finite"), "{error}");
    }
    let mut network = sample::network(15, 1);
    network.trunk.tip.norm.variance[0] = -1.0;
    error(&network.write());
}

#[test]
fn enormous_sizes_are_refused_before_memory_is_taken() {
    for huge in ["1000000000000", "18446744073709551615", "99999999999999999999999", "-1", "4096"] {
        let conv = format!("\n5\n5\n22\n{huge}\n1\n1\n");
        error(&changed(9, "\n5\n5\n22\n20\n1\n1\n", &conv));
        let side = format!("\n{huge}\n5\n22\n20\n1\n1\n");
        error(&changed(9, "\n5\n5\n22\n20\n1\n1\n", &side));
    }
    let blocks = error(&changed(9, "trunk\n3\n", "trunk\n1000000\n"));
    assert!(blocks.contains("the number of blocks is 1000000, and should be 1 to 400"), "{blocks}");
}

/// A file that never ends: reading it has to stop by itself.
struct Endless(Vec<u8>, usize);

impl std::io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        for byte in buffer.iter_mut() {
            *byte = self.0[self.1 % self.0.len()];
            self.1 += 1;
        }
        Ok(buffer.len())
    }
}

#[test]
fn a_million_layers_end_at_the_bound() {
    // Blocks of one channel, one after another and one in another.
    let norm = |channels: usize| {
        let row = |number: f32| {
            let mut bytes = b"@BIN@".to_vec();
            (0..channels).for_each(|_| bytes.extend(number.to_le_bytes()));
            bytes.push(b'\n');
            bytes
        };
        [format!("n\n{channels}\n0.1\n0\n0\n").into_bytes(), row(0.0), row(1.0), b"a\n".to_vec()]
            .concat()
    };
    let conv = |side: usize, inputs: usize| {
        let mut bytes = format!("c\n{side}\n{side}\n{inputs}\n1\n1\n1\n@BIN@").into_bytes();
        (0..side * side * inputs).for_each(|_| bytes.extend(0.5f32.to_le_bytes()));
        bytes.push(b'\n');
        bytes
    };
    let start = |blocks: usize| {
        let mut bytes = format!("x\n8\n22\n19\nt\n{blocks}\n1\n1\n1\n0\n1\n").into_bytes();
        bytes.extend(conv(1, 22));
        bytes.extend(b"m\n19\n1\n@BIN@");
        bytes.extend([0; 76]);
        bytes.push(b'\n');
        bytes
    };
    let ordinary =
        [b"ordinary_block\nb\n".to_vec(), norm(1), conv(1, 1), norm(1), conv(1, 1)].concat();
    let nested = [b"nested_bottleneck_block\nb\n400\n".to_vec(), norm(1), conv(1, 1)].concat();
    for (blocks, block) in [(400, &ordinary), (400, &nested)] {
        let start = start(blocks);
        let file = std::io::Read::chain(&start[..], Endless(block.clone(), 0));
        let clock = Instant::now();
        let error = NetworkFile::read(file).expect_err("it never ends").to_string();
        assert!(clock.elapsed() < Duration::from_secs(1), "{error}");
    }
}

#[test]
fn a_bomb_is_refused_while_it_is_small() {
    // A convolution that is as large as any may be, all of it zeros: a quarter of a gigabyte in a few hundred kilobytes.
    let start = b"x\n8\n22\n19\nt\n1\n4096\n1\n1\n0\n1\nc\n15\n15\n22\n4096\n1\n1\n@BIN@";
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(start).unwrap();
    let zeros = vec![0; 1 << 20];
    for _ in 0..90 {
        encoder.write_all(&zeros).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 1 << 20);
    let error = error(&bomb);
    assert!(error.contains("expands to more than"), "{error}");
    // Gzip in gzip is no network, and is not unpacked twice.
    self::error(&gzip(&bomb));
}

#[test]
fn files_are_named_that_cannot_be_read() {
    let missing = NetworkFile::open("/nowhere/to/be/found.bin.gz".as_ref()).unwrap_err();
    assert!(matches!(missing, NetworkError::Io { .. }));
    assert_eq!(missing.to_string(), "cannot read /nowhere/to/be/found.bin.gz");
    let folder = NetworkFile::open(env!("CARGO_MANIFEST_DIR").as_ref()).unwrap_err();
    let why = std::error::Error::source(&folder).unwrap().to_string();
    assert!(why.contains("directory"), "{folder}: {why}");
}
