//! What the network said of positions, so that none is asked of twice: the same position comes about in several orders of
//! moves, and in the searches of the moves to come.

use super::utility::Value;
use crate::rules::NetworkRules;
use std::sync::{Arc, Mutex};

/// What a network says of a position, with the symmetry it was asked in undone.
#[derive(Debug)]
pub(super) struct Evaluated {
    /// The likely moves with their chances, the likeliest first: points row by row from the top, then a pass.
    pub policy: Box<[(u16, f32)]>,
    pub value: Value,
    /// Whose each point will be, in the same order: from -127, White's, to 127, Black's.
    pub ownership: Box<[i8]>,
}

impl Evaluated {
    /// Ownership as a number from -1 to 1 is kept.
    pub fn pack_owner(owner: f32) -> i8 {
        (owner.clamp(-1.0, 1.0) * 127.0).round() as i8
    }

    pub fn unpack_owner(owner: i8) -> f32 {
        f32::from(owner) / 127.0
    }
}

/// Bytes of an entry with all moves of a 19x19 board.
const ENTRY_BYTES: usize = 4096;
/// The most entries: more would hardly be found again.
const MAX_ENTRIES: usize = 1 << 20;

type Slot = Mutex<Option<(u64, Arc<Evaluated>)>>;

/// Entries by the keys of positions: a newer one takes the place of an older one.
#[derive(Debug)]
pub(super) struct Cache {
    slots: Box<[Slot]>,
    /// What else the entries rest on: the rules.
    rules: Option<NetworkRules>,
}

impl Cache {
    /// A cache of about so many bytes.
    pub fn new(bytes: usize) -> Cache {
        let entries = (bytes / ENTRY_BYTES).clamp(1 << 8, MAX_ENTRIES).next_power_of_two() / 2;
        Cache { slots: (0..entries).map(|_| Slot::default()).collect(), rules: None }
    }

    fn slot(&self, key: u64) -> &Slot {
        &self.slots[key as usize & (self.slots.len() - 1)]
    }

    /// What is known of a position.
    pub fn get(&self, key: u64) -> Option<Arc<Evaluated>> {
        let slot = self.slot(key).lock().ok()?;
        slot.as_ref().filter(|(known, _)| *known == key).map(|(_, entry)| entry.clone())
    }

    /// Remembers what was said of a position.
    pub fn insert(&self, key: u64, entry: Arc<Evaluated>) {
        if let Ok(mut slot) = self.slot(key).lock() {
            *slot = Some((key, entry));
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for slot in &mut self.slots {
            *slot = Slot::default();
        }
    }

    /// Keeps what was said under these rules alone.
    pub fn retain(&mut self, rules: NetworkRules) {
        if self.rules.replace(rules).is_some_and(|known| known != rules) {
            self.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::Rules;

    fn entry(win: f32) -> Arc<Evaluated> {
        let value = Value { win, ..Value::default() };
        Arc::new(Evaluated { policy: Box::default(), value, ownership: Box::default() })
    }

    #[test]
    fn the_newest_of_each_place_is_found_under_its_own_key_and_rules() {
        let mut cache = Cache::new(1 << 20);
        let places = cache.slots.len() as u64;
        cache.retain(Rules::CHINESE.into());
        cache.insert(5, entry(0.25));
        assert_eq!(cache.get(5).map(|e| e.value.win), Some(0.25));
        assert!(cache.get(5 + places).is_none());
        cache.insert(5 + places, entry(0.75));
        assert!(cache.get(5).is_none() && cache.get(5 + places).is_some());
        cache.retain(Rules::CHINESE.into());
        assert!(cache.get(5 + places).is_some());
        cache.retain(Rules::JAPANESE.into());
        assert!(cache.get(5 + places).is_none());
    }

    #[test]
    fn owners_are_kept_to_a_hundredth() {
        for owner in [-1.0, -0.503, 0.0, 0.25, 1.0] {
            let kept = Evaluated::unpack_owner(Evaluated::pack_owner(owner));
            assert!((kept - owner).abs() < 0.005, "{owner} {kept}");
        }
    }
}
