//! Reading: what is accepted, what is refused, and what is said about it.

use game_record::{
    Color, ErrorKind, Games, Limits, Margin, Outcome, Placement, Point, Record, SgfWriter, Size,
    Step, Tree,
};
use proptest::prelude::*;

fn read(text: &str) -> Record {
    let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
    Record::read(&game).unwrap()
}

fn errors(file: &[u8]) -> Vec<String> {
    Games::new(file)
        .filter_map(|game| game.and_then(|game| Record::read(&game)).err())
        .map(|error| error.to_string())
        .collect()
}

#[test]
fn komi_is_read_as_programs_and_servers_write_it() {
    for (text, komi) in [
        ("6.5", Some(6.5)),
        ("6,5", Some(6.5)),
        ("-3.5", Some(-3.5)),
        ("0", Some(0.0)),
        ("12", Some(12.0)),
        // The Fox server: stones and points, in hundredths.
        ("375", Some(7.5)),
        ("325", Some(6.5)),
        ("650", Some(6.5)),
        ("550", Some(5.5)),
        ("375.0", Some(375.0)),
        ("2000", Some(2000.0)),
        ("nan", None),
        ("six", None),
        ("", None),
    ] {
        let record = read(&format!("(;SZ[19]KM[{text}];B[aa])"));
        assert_eq!(record.header.komi, komi, "{text}");
        // What is written is read as the same.
        let mut writer = SgfWriter::new();
        writer.begin_game(1, record.size).header(&record.header).end_game();
        assert_eq!(read(&writer.finish()).header.komi, komi, "{text}");
    }
}

#[test]
fn reads_a_header_setup_and_moves() {
    let record = read(
        "\u{feff}junk (mail) ( ;GM[1]FF[4]SZ[13:9]KM[6.5]HA[2]RU[Japanese]PB[Black\\] Name]BR[3d]DT[2001-02-03]RE[W+12.5]\
         AB[aa][cc:de]AW[mi]AE[aa]PL[W]\n;W[bb]C[a (;comment\\])\\]];B[];B[tt]AB[ab])",
    );
    assert_eq!(record.size, Size { columns: 13, rows: 9 });
    assert_eq!(record.header.komi, Some(6.5));
    assert_eq!(record.header.handicap, Some(2));
    assert_eq!(record.header.black.name, "Black] Name");
    assert_eq!(record.header.result, Some(Outcome::Win(Color::White, Margin::Points(12.5))));
    assert_eq!(record.header.to_play, Some(Color::White));
    assert_eq!(record.setup.len(), 1 + 6 + 1 + 1);
    assert_eq!(record.setup.last(), Some(&Placement { point: Point::new(0, 0), stone: None }));
    let points: Vec<_> = record.moves().map(|play| play.point).collect();
    assert_eq!(points, [Some(Point::new(1, 1)), None, None]);
    assert!(record.has_late_setup());
    assert!(matches!(record.steps[2], Step::Setup(_)));
}

#[test]
fn who_moves_next_is_told_in_any_node_without_a_move() {
    let record = read("(;SZ[9];AB[aa]AW[bb]PL[W])");
    assert_eq!((record.header.to_play, record.steps.len()), (Some(Color::White), 0));
    let record = read("(;SZ[9]PL[B];B[ee]PL[B];AW[bb]PL[B];PL[x])");
    assert_eq!(record.header.to_play, Some(Color::Black));
    assert_eq!(record.steps.len(), 3);
    assert_eq!(record.steps[2], Step::ToPlay(Color::Black));
    let mut sgf = SgfWriter::new();
    sgf.record(&record);
    assert_eq!(read(&sgf.finish()), record);
}

#[test]
fn a_setup_is_written_with_each_point_once() {
    let record = read("(;SZ[9];AE[aa];AB[aa][bb][bb];AW[bb]AB[cc];AE[cc])");
    let mut sgf = SgfWriter::new();
    sgf.record(&record);
    let written = sgf.finish();
    assert_eq!(written, "(;GM[1]FF[4]CA[UTF-8]SZ[9]AB[aa]AW[bb]AE[cc])\n");
    let stones = |record: &Record| {
        let placed = record.setup.iter().map(|placed| (placed.point, placed.stone));
        placed.collect::<std::collections::HashMap<_, _>>()
    };
    assert_eq!(stones(&read(&written)), stones(&record));
}

#[test]
fn tt_is_a_point_on_boards_that_have_it() {
    let record = read("(;SZ[21];B[tt];W[uu];B[])");
    let points: Vec<_> = record.moves().map(|play| play.point).collect();
    assert_eq!(points, [Some(Point::new(19, 19)), Some(Point::new(20, 20)), None]);
}

#[test]
fn results_are_read_or_kept_as_they_stand() {
    let win = |color, margin| Outcome::Win(color, margin);
    for (text, outcome) in [
        ("B+R", win(Color::Black, Margin::Resignation)),
        ("W+Resign", win(Color::White, Margin::Resignation)),
        ("W+Time", win(Color::White, Margin::Time)),
        ("B+F", win(Color::Black, Margin::Forfeit)),
        ("B+", win(Color::Black, Margin::Unstated)),
        ("B+1/2", Outcome::Unknown("B+1/2".into())),
        ("0", Outcome::Draw),
        ("Void", Outcome::Void),
        ("?", Outcome::Unknown("?".into())),
        ("W+NaN", Outcome::Unknown("W+NaN".into())),
    ] {
        assert_eq!(Outcome::from_sgf(text), outcome, "{text}");
    }
}

#[test]
fn names_are_decoded_as_ca_says_or_as_latin1() {
    let name = |file: &[u8]| {
        let game = Games::new(file).next().unwrap()?;
        Record::read(&game).map(|record| record.header.black.name)
    };
    assert_eq!(name("(;PB[呉清源])".as_bytes()).unwrap(), "呉清源");
    assert_eq!(name(b"(;PB[Andr\xe9])").unwrap(), "André");
    assert_eq!(name(b"(;CA[gb2312]PB[\xce\xe2\xc7\xe5\xd4\xb4])").unwrap(), "吴清源");
    // The second byte of U+8868 in Shift_JIS is a backslash; of U+30FC, an opening bracket.
    assert_eq!(name(b"(;CA[Shift_JIS]PB[\x95\x5c]C[\x81\x5b])").unwrap(), "表");
    // Katakana of half the width have one byte there, and nothing behind it is theirs.
    assert_eq!(name(b"(;CA[Shift_JIS]PB[\xba\xde])").unwrap(), "ｺﾞ");
    // It is also known without a tag, by characters that follow one another; brackets are hidden in it as well.
    let untagged = b"(;PB[\x8d\xe2\x93c\x89h\x92j]PW[\x83\x8b\x81\x5b\x83\x5c];B[aa]C[\x95\x5c\x95\x5c];W[bb])";
    assert_eq!(name(untagged).unwrap(), "坂田栄男");
    let game = Games::new(untagged).next().unwrap().unwrap();
    let record = Record::read(&game).unwrap();
    assert_eq!((&*record.header.white.name, record.moves().count()), ("ルーソ", 2));
    for (bytes, latin) in [
        (&b"(;PB[\xc9l\xe8ve \xe9l\xe8ve])"[..], "Élève élève"),
        (b"(;PB[It\x92s \xc5ngstr\xf6m\x92s])", "It\u{92}s Ångström\u{92}s"),
        (b"(;PB[\xce\xe2\xc7\xe5\xd4\xb4])", "ÎâÇåÔ´"),
    ] {
        assert_eq!(name(bytes).unwrap(), latin);
    }
    // Tags outlive conversions; but pairs of bytes that could be UTF-8 too are what they are said to be.
    assert_eq!(name("(;CA[gb2312]PB[呉清源]PW[x])".as_bytes()).unwrap(), "呉清源");
    assert_eq!(name("(;CA[Big5]PB[王·立誠]PW[x])".as_bytes()).unwrap(), "王·立誠");
    assert_eq!(name(b"(;CA[gb2312]PB[\xc4\xa3])").unwrap(), "模");
    // What the next game says is not said of this one.
    assert_eq!(name(b"(;PB[Andr\xe9])\n(;CA[UTF-8]PB[x])").unwrap(), "André");
    assert_eq!(
        name(b"(;CA[UTF-8]PB[Andr\xe9])").unwrap_err().kind,
        ErrorKind::BadEncoding("UTF-8".into())
    );
    assert_eq!(
        name(b"(;CA[klingon]PB[Andr\xe9])").unwrap_err().kind,
        ErrorKind::UnknownCharset("klingon".into())
    );
    assert_eq!(name(b"(;CA[klingon]PB[Andre])").unwrap(), "Andre");
    assert_eq!(name(b"\xff\xfe(\0;\0").unwrap_err().kind, ErrorKind::WideText);
}

#[test]
fn no_move_is_hidden_by_a_comment_in_another_encoding_than_is_said() {
    for charset in ["GB2312", "GBK", "GB18030", "Big5", "Shift_JIS", "UTF-8"] {
        for comment in ["妙", "妙手", "妙手好", "妙手好棋。", "é"] {
            let record = read(&format!("(;SZ[9]CA[{charset}];B[ee]C[{comment}];W[gc];B[cc])"));
            assert_eq!(record.moves().count(), 3, "{charset}, {comment}");
        }
    }
}

#[test]
fn errors_name_what_and_where() {
    assert_eq!(errors(b""), ["game 1, line 1, byte 0: no game found"]);
    assert_eq!(errors(b"no game here ()"), ["game 1, line 1, byte 0: no game found"]);
    assert_eq!(
        errors(b"(;SZ[9]\n;B[aa]\n;W[jj])\n\n(;SZ[0])(;SZ[19];B[ss])(;SZ[13]AB[nn])"),
        [
            "game 1, line 3, byte 15: W[jj] is not a point of a 9 board",
            "game 2, line 5, byte 25: bad board size '0'",
            "game 4, line 5, byte 48: AB[nn] is not a point of a 13 board",
        ]
    );
    assert_eq!(
        errors(b"(;B[aa](;W[bb])"),
        ["game 1, line 1, byte 15: the game is cut short: it is not closed by ')'"]
    );
    assert_eq!(errors(b"(;B[aa]()W[bb])"), ["game 1, line 1, byte 8: a variation without a node"]);
    assert_eq!(errors(b"(;B;W[aa])"), ["game 1, line 1, byte 2: property B has no value"]);
    assert_eq!(errors(b"(;B[aa]!;W[aa])"), ["game 1, line 1, byte 7: unexpected '!'"]);
    // It would be the first node's, and what the variation says too.
    assert_eq!(errors(b"(;SZ[9](;B[aa])C[x])"), ["game 1, line 1, byte 15: unexpected 'C'"]);
}

#[test]
fn what_is_only_drawn_or_said_refuses_no_record() {
    let plain = read("(;SZ[9]AB[cc];B[aa];W[bb])");
    for marked in [
        "(;SZ[9]AB[cc]AW[]AE[];B[aa]TR[zz]LB[xx:1][];W[bb]TB[aa:zz]DD[])",
        "(;SZ[9]AB[cc]C;B[aa]TR\nLB;W[bb]N)",
    ] {
        assert_eq!(read(marked), plain, "{marked}");
    }
    // What changes the position does.
    for (bad, why) in [
        ("(;SZ[9]AB[zz];B[aa])", "AB[zz] is not a point of a 9 board"),
        ("(;SZ[9];B[aa];W[zz]TR[aa])", "W[zz] is not a point of a 9 board"),
        ("(;SZ[9]AB;B[aa])", "property AB has no value"),
    ] {
        assert!(errors(bad.as_bytes())[0].ends_with(why), "{bad}");
    }
}

#[test]
fn a_cut_game_does_not_take_the_next_with_it() {
    for cut in
        ["(;GM[1];B[aa];W[b", "(;GM[1];B[aa];W[bb]", "(;GM[1];B[aa](;W[bb];", "(;GM[1];B[aa];W"]
    {
        let file = format!("(;GM[1];B[cc])\n{cut}\n(;GM[1]SZ[9];B[dd])\n(;GM[1];B[ee])");
        // As servers write it.
        for file in [file.replace("(;", "(;\n"), file.replace("(;GM[1]", "(;AP[x]GM[1]"), file] {
            let found: Vec<_> = Games::new(file.as_bytes())
                .map(|game| game.and_then(|game| Record::read(&game)).is_ok())
                .collect();
            assert_eq!(found, [true, false, true, true], "{file}");
        }
    }
}

#[test]
fn bombs_are_refused() {
    let nests = "(;".repeat(200_000);
    assert!(errors(nests.as_bytes())[0].ends_with("variations are nested more than 1000 deep"));
    let nodes = format!("({})", ";".repeat(2_000_001));
    assert!(errors(nodes.as_bytes())[0].ends_with("more than 2000000 nodes in one game"));
    let stones = ["[aa:ZZ]".repeat(370), "[aa:ZZ];AB".repeat(369) + "[aa:ZZ]"];
    for stones in stones {
        let refused = errors(format!("(;SZ[52]AB{stones};B[aa])").as_bytes());
        assert!(refused[0].ends_with("more than 1000000 stones are set up in one game"));
    }
    let limits = Limits { bytes: 10, ..Limits::default() };
    let error = Games::with_limits(b"(;C[a long comment])", limits).next().unwrap().unwrap_err();
    assert_eq!(error.kind, ErrorKind::TooLong(10));
    // A main line of a million nodes is long, not deep.
    let line = format!("({})", ";B[]".repeat(1_000_000));
    assert_eq!(read(&line).moves().count(), 1_000_000);
}

/// Each of these was once searched through to the end of the file.
#[test]
fn a_file_of_unclosed_texts_is_read_in_time() {
    let file = "(;GM[1]SZ[9]C[a\n".repeat(100_000);
    let games: Vec<bool> = Games::new(file.as_bytes()).map(|game| game.is_ok()).collect();
    assert_eq!(games, vec![false; 100_000]);
}

#[test]
fn variations_and_raw_values() {
    let game =
        Games::new(b"(;GM[11]AP[x];W[j9l11](;B[a](;W[b])(;W[c]))(;B[d]))").next().unwrap().unwrap();
    let tree = Tree::parse(&game).unwrap();
    assert_eq!(tree.len(), 6);
    let line: Vec<_> =
        tree.main_line().skip(1).map(|node| node.value("W").or(node.value("B")).unwrap()).collect();
    assert_eq!(line, ["j9l11", "a", "b"]);
    let first = tree.node(tree.node(Tree::ROOT).children().next().unwrap());
    let children: Vec<_> = first.children().map(|id| tree.node(id).value("B").unwrap()).collect();
    assert_eq!(children, ["a", "d"]);
    for id in first.children() {
        assert_eq!(tree.node(id).parent(), Some(first.id()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = errors(&bytes);
    }

    #[test]
    fn anything_like_a_game_is_read_or_refused(text in r"(\(|\)|;|\[|\]|\\|B|W|AB|SZ|GM|CA|C|aa|tt|:|9|\n|\(;GM\[1\]|é|\x{81}|gbk){0,60}") {
        let _ = errors(text.as_bytes());
        let latin: Vec<u8> = text.chars().map(|char| char as u32 as u8).collect();
        let _ = errors(&latin);
        let limits = Limits { nesting: 3, nodes: 5, bytes: 20 };
        for game in Games::with_limits(&latin, limits).flatten() {
            let _ = Tree::parse(&game);
        }
    }

    #[test]
    fn a_damaged_game_is_read_or_refused(at in 0usize..120, byte in any::<u8>()) {
        let mut bytes = b"(;GM[1]FF[4]CA[Shift_JIS]SZ[9]KM[7]AB[aa:cc]PL[W];W[dd](;B[ee]C[x\\]y];W[])(;B[ff]LB[aa:1][bb:2]))\n(;SZ[9];B[aa])".to_vec();
        let at = at.min(bytes.len() - 1);
        bytes[at] = byte;
        let _ = errors(&bytes);
        bytes.truncate(at);
        let _ = errors(&bytes);
    }
}
