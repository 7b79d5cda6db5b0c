//! What the tests share: games from words, rows of the shared data, and a checker of winning trees that knows
//! nothing of the engine's lines and windows.
#![allow(dead_code, reason = "every test file uses a part of it")]

use connect6_engine::tss::Plan;
use connect6_engine::tss::proof_tree::Kind;
use connect6_engine::{Board, Color, Game, MAX_SIDE, Point, Rules, Turn};

/// Numbers drawn the same way on every machine.
pub struct Random(pub u64);

impl Random {
    /// From 0 up to n, without it.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// A board with so many stones of either colour, and a whole turn of either side.
pub fn random_board(random: &mut Random, rules: Rules, count: usize) -> Game {
    let mut points: Vec<Point> = rules.points().collect();
    for i in (1..points.len()).rev() {
        points.swap(i, random.below(i + 1));
    }
    let stones: Vec<(Color, Point)> =
        points[..count].iter().map(|&at| (Color::BOTH[random.below(2)], at)).collect();
    Game::with_setup(rules, stones, Color::BOTH[random.below(2)]).unwrap()
}

/// The game after a turn of the side to move, which ends with the stone that wins.
pub fn after(game: &Game, turn: Turn) -> Game {
    let mut game = game.clone();
    game.play_turn(game.to_move().color, turn).unwrap();
    game
}

/// The rows of a tab-separated file of the shared data.
pub fn rows(path: &str) -> Vec<Vec<String>> {
    let Some(file) = test_support::shared(path) else { return Vec::new() };
    let bytes = std::fs::read(file).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    text.lines().skip(1).map(|row| row.split('\t').map(str::to_owned).collect()).collect()
}

/// A game from `j10 j9l11 ...`.
pub fn game(moves: &str) -> Game {
    let mut game = Game::new(Rules::CONNECT6);
    for word in moves.split_whitespace() {
        for point in points(word) {
            let color = game.to_move().color;
            game.play(color, point).unwrap();
        }
    }
    game
}

/// The points of a word such as `j9l11`.
pub fn points(word: &str) -> Vec<Point> {
    let mut points = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        let col = usize::from(rest.as_bytes()[0] - b'a');
        let row: usize = rest[1..1 + digits].parse().unwrap();
        points.push(Point::new(col, row - 1).unwrap());
        rest = &rest[1 + digits..];
    }
    points
}

/// A plain board of its own: colours by column and row.
#[derive(Clone)]
pub struct Plain {
    cells: [[Option<Color>; MAX_SIDE]; MAX_SIDE],
    rules: Rules,
}

impl Plain {
    pub fn of(board: &Board) -> Plain {
        let mut cells = [[None; MAX_SIDE]; MAX_SIDE];
        for p in board.rules().points() {
            cells[p.col()][p.row()] = board.get(p);
        }
        Plain { cells, rules: board.rules() }
    }

    fn get(&self, p: Point) -> Option<Color> {
        self.cells[p.col()][p.row()]
    }

    fn put(&mut self, color: Color, p: Point) {
        assert!(self.get(p).is_none(), "{p:?} is not empty");
        self.cells[p.col()][p.row()] = Some(color);
    }

    /// The empty points of every row of k points that holds no other colour and lacks at most `missing`.
    fn rows_lacking(&self, color: Color, missing: usize) -> Vec<Vec<Point>> {
        let (w, h, k) =
            (self.rules.width() as i32, self.rules.height() as i32, self.rules.k() as i32);
        let mut found = Vec::new();
        for col in 0..w {
            for row in 0..h {
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let (x, y) = (col + dx * (k - 1), row + dy * (k - 1));
                    if x < 0 || x >= w || y < 0 || y >= h {
                        continue;
                    }
                    let cells = (0..k).map(|i| {
                        Point::new((col + dx * i) as usize, (row + dy * i) as usize).unwrap()
                    });
                    let cells: Vec<Point> = cells.collect();
                    let empties: Vec<Point> =
                        cells.iter().copied().filter(|p| self.get(*p).is_none()).collect();
                    let own = cells.iter().filter(|p| self.get(**p) == Some(color)).count();
                    if own + empties.len() == k as usize && empties.len() <= missing {
                        found.push(empties);
                    }
                }
            }
        }
        found
    }

    pub fn has_row(&self, color: Color) -> bool {
        !self.rows_lacking(color, 0).is_empty()
    }

    fn empties(&self) -> Vec<Point> {
        self.rules.points().filter(|p| self.get(*p).is_none()).collect()
    }

    /// Every set of p points that leaves the attacker no row to complete, in which the second point of a
    /// set of two may be anywhere.
    fn defences(&self, attacker: Color) -> Vec<Vec<Point>> {
        let p = self.rules.p();
        let threats = self.rows_lacking(attacker, p);
        let mut defences = Vec::new();
        // A defence must hit the first threat; which points do is all that matters of the first stone.
        for &a in &threats[0] {
            let left: Vec<&Vec<Point>> = threats.iter().filter(|t| !t.contains(&a)).collect();
            match left.first() {
                None if p == 1 => defences.push(vec![a]),
                None => defences
                    .extend(self.empties().into_iter().filter(|b| *b != a).map(|b| vec![a, b])),
                Some(_) if p == 1 => {}
                Some(first) => {
                    let hits = first.iter().filter(|b| left.iter().all(|t| t.contains(b)));
                    defences.extend(hits.map(|&b| vec![a, b]));
                }
            }
        }
        defences
    }
}

/// Checks a whole winning tree against every defence; says what is wrong with it.
pub fn check(board: &Plain, attacker: Color, plan: &Plan) -> Result<(), String> {
    let mut after = board.clone();
    for p in plan.turn.stones() {
        if after.get(p).is_some() {
            return Err(format!("{p:?} is occupied"));
        }
        after.put(attacker, p);
    }
    if after.has_row(attacker) {
        return Ok(());
    }
    if plan.kind == Kind::Completes {
        return Err(format!("{:?} completes no row", plan.turn));
    }
    let p = board.rules.p();
    if !after.rows_lacking(!attacker, p).is_empty() {
        return Err(format!("after {:?} the defender completes a row", plan.turn));
    }
    if after.rows_lacking(attacker, p).is_empty() {
        return Err(format!("{:?} makes no threat", plan.turn));
    }
    for defence in after.defences(attacker) {
        let Some(next) = plan.answer(&defence) else {
            return Err(format!("after {:?} no answer to {defence:?}", plan.turn));
        };
        let mut replied = after.clone();
        defence.iter().for_each(|&p| replied.put(!attacker, p));
        check(&replied, attacker, next)?;
    }
    Ok(())
}
