//! An example for each command, shown under its help.

use clap::Command;

/// Programs with the words of a command, and what is typed. `*` stands for every program, and `PROGRAM` for its name.
const EXAMPLES: &[(&str, &str, &[&str])] = &[
    ("*", "", &["PROGRAM     # play on this terminal, or answer another program's GTP"]),
    (
        "*",
        "completions",
        &["PROGRAM completions bash > ~/.local/share/bash-completion/completions/PROGRAM"],
    ),
    ("*", "man", &["PROGRAM man --dir ~/.local/share/man/man1"]),
    ("*", "bench", &["PROGRAM bench"]),
    (
        "*",
        "web",
        &["PROGRAM web             # a board in the browser", "PROGRAM web --no-open --port 8000"],
    ),
    (
        "tesuji",
        "match",
        &[
            "tesuji match -s 9 -g 100 -e \"tesuji --playouts 1000\" -e \"gnugo --mode gtp --level 8\"",
            "tesuji match tournament.toml",
        ],
    ),
    ("tesuji", "match check", &["tesuji match check -s 9 -e tesuji -e \"gnugo --mode gtp\""]),
    ("tesuji", "match report", &["tesuji match report match-tesuji-gnugo"]),
    ("tesuji", "tune", &["tesuji tune tuning.toml"]),
    (
        "tesuji",
        "cgos",
        &[
            "tesuji cgos --server HOST:6867 --user MyEngine --password-file pw -- tesuji --threads 4",
        ],
    ),
    ("tesuji", "doctor", &["tesuji doctor"]),
    (
        "tesuji",
        "analysis",
        &["tesuji analysis --network none   # then one query a line, as KaTrain sends them"],
    ),
    ("tesuji", "review", &["tesuji review game.sgf", "tesuji review games/ --out reviews"]),
    ("tesuji", "estimate", &["tesuji estimate game.sgf --move 100 --svg game.svg"]),
    ("tesuji", "network", &["tesuji network g170-b6c96.bin.gz --sgf game.sgf --move 40"]),
    ("tesuji", "eval", &["tesuji eval games/"]),
    (
        "tesuji",
        "selfplay",
        &["tesuji selfplay --teacher g170-b6c96.bin.gz --out positions --games 1000"],
    ),
    ("tesuji", "train", &["tesuji train patterns games/ --out frequencies.bin"]),
    ("tesuji", "train patterns", &["tesuji train patterns games/ --out frequencies.bin"]),
    (
        "tesuji",
        "train moves",
        &["tesuji train moves games/ --out moves19.bin --share 1 --shapes 600000"],
    ),
    ("tesuji", "train bradley-terry", &["tesuji train bradley-terry games/ --out strengths.bin"]),
    ("tesuji", "train joseki", &["tesuji train joseki games/ --out joseki.bin"]),
    (
        "tesuji",
        "train network",
        &[
            "tesuji train network --data positions/learned --validation positions/validation --out network",
        ],
    ),
    ("tesuji", "train influence", &["tesuji train influence games/ --out influence.bin"]),
    ("tesuji", "patterns", &["tesuji patterns show game.sgf --move 40"]),
    ("tesuji", "patterns stats", &["tesuji patterns stats games/"]),
    ("tesuji", "patterns eval", &["tesuji patterns eval games/"]),
    ("tesuji", "patterns show", &["tesuji patterns show game.sgf --move 40"]),
    ("tesuji", "joseki", &["tesuji joseki show game.sgf --move 12"]),
    ("tesuji", "joseki code", &["tesuji joseki code game.sgf --move 12"]),
    ("tesuji", "joseki stats", &["tesuji joseki stats games/"]),
    ("tesuji", "joseki eval", &["tesuji joseki eval games/"]),
    ("tesuji", "joseki show", &["tesuji joseki show game.sgf --move 12"]),
    ("tesuji", "joseki export", &["tesuji joseki export --out joseki.sgf"]),
    ("tesuji", "book", &["tesuji book show E5"]),
    ("tesuji", "book make", &["tesuji book make --size 9 --komi 7 --entries 2000 --out book.bin"]),
    ("tesuji", "book show", &["tesuji book show E5 C4 G6"]),
    ("tesuji-connect6", "solve", &["tesuji-connect6 solve game.sgf --stones 30"]),
    ("tesuji-connect6", "train", &["tesuji-connect6 train --games games.tsv --output weights.bin"]),
    ("tesuji-connect6", "selfplay", &["tesuji-connect6 selfplay --games 1000 --output games.tsv"]),
    (
        "tesuji-connect6",
        "duel",
        &["tesuji-connect6 duel --first visits=400 --second visits=200 --games 20"],
    ),
    ("tesuji-amazons", "solve", &["tesuji-amazons solve game.sgf --turns 40"]),
    ("tesuji-amazons", "perft", &["tesuji-amazons perft 2 --position 5"]),
    ("tesuji-amazons", "selfplay", &["tesuji-amazons selfplay --games 1000 --output games.txt"]),
    (
        "tesuji-amazons",
        "train-weights",
        &["tesuji-amazons train-weights --games games.txt --output weights.txt"],
    ),
    (
        "tesuji-amazons",
        "samples",
        &["tesuji-amazons samples --games games.txt --output samples.csv"],
    ),
    ("tesuji-amazons", "eval", &["tesuji-amazons eval --games games.txt"]),
];

/// The command line with the examples in it.
pub fn with_examples(command: Command, program: &str) -> Command {
    add(command, program, "")
}

fn add(mut command: Command, program: &str, words: &str) -> Command {
    let row =
        EXAMPLES.iter().find(|(of, which, _)| (*of == program || *of == "*") && *which == words);
    if let Some((.., lines)) = row {
        let heading = if lines.len() == 1 { "Example:" } else { "Examples:" };
        let lines: Vec<String> =
            lines.iter().map(|line| format!("  {}", line.replace("PROGRAM", program))).collect();
        let help = format!("{heading}\n{}", lines.join("\n"));
        command = match command.get_after_help().map(ToString::to_string) {
            Some(more) => command.after_help(format!("{help}\n\n{more}")),
            None => command.after_help(help),
        };
    }
    let words = words.to_owned();
    command.mut_subcommands(move |command| {
        let path = format!("{words} {}", command.get_name());
        add(command, program, path.trim())
    })
}

/// What is wrong with a command line: an example that does not parse, a command without any, one whose short help is longer
/// than a screen, and one that knows `--visits` and not `--playouts`, or the other way round.
pub fn faults(command: &Command) -> Vec<String> {
    let mut faults = Vec::new();
    let mut command = command.clone();
    command.build();
    visit(&command, &mut faults, &command);
    faults
}

fn visit(command: &Command, faults: &mut Vec<String>, whole: &Command) {
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let mut examples = 0;
    for line in help.lines().filter(|line| line.starts_with("  tesuji")) {
        examples += 1;
        let line = line.split(['#', '>']).next().unwrap_or_default();
        let words = shlex::split(line).unwrap_or_default();
        if let Err(error) = whole.clone().try_get_matches_from(words) {
            faults.push(format!("{name}: the example {line:?}: {error}"));
        }
    }
    if examples == 0 {
        faults.push(format!("{name}: no example"));
    }
    let height = command.clone().render_help().to_string().lines().count();
    if height > MAX_ROWS {
        faults.push(format!("{name}: -h has {height} rows"));
    }
    for (word, other) in [("visits", "playouts"), ("playouts", "visits")] {
        let asked = command.get_arguments().find(|arg| arg.get_long() == Some(word));
        if asked.is_some_and(|arg| !arg.get_all_aliases().unwrap_or_default().contains(&other)) {
            faults.push(format!("{name}: --{word} is not known as --{other}"));
        }
    }
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        if command.get_name() != "help" {
            visit(command, faults, whole);
        }
    }
}

/// Rows of a screen.
const MAX_ROWS: usize = 40;
