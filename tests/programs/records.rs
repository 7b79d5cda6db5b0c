//! Every record of the shared collections can be gone on with.

use std::sync::atomic::{AtomicUsize, Ordering};

use game_record::{Games, Record};
use go_engine::Game;
use tesuji::go::record::replay;

#[test]
fn all_collections_load() {
    let Some(data) = test_support::shared("data") else { return };
    let mut files = Vec::new();
    for folder in
        ["go19/pro", "go19/tygem-pro", "go19/tom-9d", "go9/cgos", "go9/ogs-dan", "go9/pro"]
    {
        for entry in std::fs::read_dir(data.join(folder)).unwrap() {
            files.push(entry.unwrap().path());
        }
    }
    let (next, games) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let like = Game::new(19, 19).unwrap();
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let bytes = std::fs::read(file).unwrap();
                    for (number, text) in Games::new(&bytes).enumerate() {
                        let record = Record::read(&text.unwrap()).unwrap();
                        let game = replay(&record, None, &like).unwrap_or_else(|error| {
                            panic!("{}, game {}: {error}", file.display(), number + 1)
                        });
                        assert_eq!(game.moves().len(), record.moves().count());
                        games.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert_eq!(games.into_inner(), 60_427 + 13_972 + 48_296 + 3_359 + 7_269 + 452);
}
