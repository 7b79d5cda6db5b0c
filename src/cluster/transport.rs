//! How messages go from rank to rank.

use anyhow::Result;

/// One rank's side of what carries messages. Nothing waits here, and a message may be lost.
pub trait Transport: Send {
    /// This rank's number, from 0.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn size(&self) -> usize;

    /// Sends a message to another rank; it is lost when that rank does not take any.
    fn send(&mut self, to: usize, message: Vec<u8>);

    /// A message that has come, and from whom.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;

    /// Whether the other ranks, rank 0 above all, can still be there.
    fn is_open(&self) -> bool;
}

/// Of what mpirun sets, how many processes it has started: Open MPI's word, and those of others.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"];

/// Whether this is one of several processes that mpirun has started.
fn is_under_mpirun() -> bool {
    let size = |name| std::env::var(name).ok().and_then(|size| size.trim().parse::<u32>().ok());
    SIZES.into_iter().find_map(size).is_some_and(|size| size > 1)
}

/// Joins the processes that mpirun has started; none where it has started no others.
///
/// # Errors
/// When MPI cannot be used, or this program was built without it.
#[cfg(feature = "mpi")]
pub fn connect() -> Result<Option<Box<dyn Transport>>> {
    if !is_under_mpirun() {
        return Ok(None);
    }
    Ok(Some(Box::new(super::mpi::Mpi::connect()?)))
}

/// The same where this program was built without MPI.
///
/// # Errors
/// Under mpirun.
#[cfg(not(feature = "mpi"))]
pub fn connect() -> Result<Option<Box<dyn Transport>>> {
    anyhow::ensure!(
        !is_under_mpirun(),
        "started by mpirun as one of several processes, but built without MPI: build it with `cargo build --release \
         --features mpi` (Debian: libopenmpi-dev, libclang-dev), or start it without mpirun"
    );
    Ok(None)
}
