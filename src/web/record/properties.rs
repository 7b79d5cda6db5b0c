//! Properties of a record that mean nothing here: dates, ranks, labels. They are kept and written back as they were.

use game_record::Node;

use crate::web::tree::Property;

/// Those that are written from what the game is. `AP` is the program's that made the file.
const OWN: [&str; 18] = [
    "AB", "AE", "AP", "AW", "B", "C", "CA", "FF", "GM", "HA", "KM", "PB", "PL", "PW", "RE", "RU",
    "SZ", "W",
];

/// Whether stones are put down or taken off in a node.
pub fn sets_up(node: &Node) -> bool {
    ["AB", "AW", "AE"].iter().any(|name| node.property(name).is_some())
}

/// Adds what a node has beside a move to what is kept, unless there is one of that name.
pub fn keep(kept: &mut Vec<Property>, node: &Node) {
    for property in node.properties() {
        // Small letters of a name are left out, as FF[3] had them.
        let name: String = property.ident.chars().filter(char::is_ascii_uppercase).collect();
        let is_known = OWN.contains(&&*name) || kept.iter().any(|other| other.name == name);
        if !name.is_empty() && !is_known {
            let values = property.values.iter().map(|value| format!("[{value}]")).collect();
            kept.push(Property { name, values });
        }
    }
}
