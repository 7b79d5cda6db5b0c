//! What an evaluation came to, in tables of text.

use std::fmt::{Display, Formatter, Result};

use super::Evaluation;
use super::evaluate::Row;
use super::measure::{BINS, Lives, REGIONS, Sums, moves};

/// A column group of the first tables: its title, and the figure of some positions.
type Figure = (&'static str, fn(&Sums) -> f64);
const FIGURES: [Figure; 4] = [
    ("points called right, percent", |sums| 100.0 * sums.right()),
    ("mean squared error of a point's owner", Sums::squared),
    ("mean error of the score, points", Sums::error),
    ("leader called right, percent", |sums| 100.0 * sums.leader()),
];

impl Display for Evaluation {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "{} games", self.games)?;
        table(f, self.side, &self.rows)?;
        regions(f, &self.rows)?;
        for (name, lives) in &self.lives {
            writeln!(
                f,
                "\nchains by their safety ({name}), and how many of them stood at the end"
            )?;
            write!(f, "{lives}")?;
        }
        if let Some((count, rows)) = &self.searched {
            writeln!(f, "\n\n{count} games, with a search")?;
            table(f, self.side, rows)?;
        }
        Ok(())
    }
}

fn table(f: &mut Formatter<'_>, side: u8, rows: &[Row]) -> Result {
    for (title, figure) in FIGURES {
        write!(f, "\n{title}\n{:16}", "after moves")?;
        for moves in moves(side) {
            write!(f, " {moves:>7}")?;
        }
        writeln!(f, " {:>7} {:>7}", "all", "us")?;
        for Row { name, sums } in rows {
            write!(f, "{name:16}")?;
            for sums in sums {
                write!(f, " {:>7.2}", figure(sums))?;
            }
            let all = Sums::total(sums);
            writeln!(f, " {:>7.2} {:>7.1}", figure(&all), all.microseconds())?;
        }
    }
    write!(f, "\n{:16}", "positions")?;
    for sums in rows.first().iter().flat_map(|row| &row.sums) {
        write!(f, " {:>7}", sums.positions())?;
    }
    writeln!(f)
}

fn regions(f: &mut Formatter<'_>, rows: &[Row]) -> Result {
    write!(f, "\npoints called right by region, percent\n{:16}", "lines")?;
    for region in ["1-2", "3-4", "5-"] {
        write!(f, " {region:>7}")?;
    }
    writeln!(f)?;
    for Row { name, sums } in rows {
        let all = Sums::total(sums);
        write!(f, "{name:16}")?;
        for region in 0..REGIONS {
            write!(f, " {:>7.2}", 100.0 * all.region(region))?;
        }
        writeln!(f)?;
    }
    Ok(())
}

impl Display for Lives {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "{:>9} {:>8} {:>9} {:>8}", "safety", "chains", "called %", "lived %")?;
        let width = 64 / BINS;
        for bin in 0..BINS {
            let chains = self.chains[bin];
            let share = |of: f64| 100.0 * of / chains.max(1.0);
            writeln!(
                f,
                "{:>6}-{:<2} {chains:>8} {:>9.1} {:>8.1}",
                bin * width,
                (bin + 1) * width,
                share(self.called[bin]),
                share(self.lived[bin])
            )?;
        }
        Ok(())
    }
}
