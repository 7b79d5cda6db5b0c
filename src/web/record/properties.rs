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

/// Adds what a node has beside a move to what is kept, unless there is one of that name. What old records repeat in a node,
/// `LB[aa:1]LB[bb:2]`, is one with all values.
pub fn keep(kept: &mut Vec<Property>, node: &Node) {
    let before = kept.len();
    for property in node.properties() {
        // Small letters of a name are left out, as FF[3] had them.
        let name: String = property.ident.chars().filter(char::is_ascii_uppercase).collect();
        if name.is_empty() || OWN.contains(&&*name) {
            continue;
        }
        let values: String = property.values.iter().map(|value| format!("[{value}]")).collect();
        match kept.iter().position(|other| other.name == name) {
            Some(at) if at >= before => kept[at].values += &values,
            Some(_) => {}
            None => kept.push(Property { name, values }),
        }
    }
}
