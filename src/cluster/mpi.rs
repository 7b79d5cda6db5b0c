//! Messages by MPI. One thread makes all calls (`MPI_THREAD_FUNNELED`): point to point, none that waits, since a rank may be gone.
//!
//! Errors are answers here, not the end of the program, so that a rank that was killed takes no other with it; that `mpirun` does
//! not end them all is up to its own options (docs/clusters.md). The bindings' safe layer takes errors for granted or
//! panics, so the calls are the bare ones.

use std::collections::VecDeque;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use mpi::ffi;

use super::Transport;
use super::message::MAX_BYTES;

/// How long the thread waits for something to send before it looks for what has come.
const NAP: Duration = Duration::from_micros(500);
/// As often rank 0 shows that it is there, with a message of no bytes.
const SIGN_EVERY: Duration = Duration::from_secs(2);
/// When rank 0 was not heard for so long it is gone.
const MAX_SILENCE: Duration = Duration::from_secs(60);
/// Messages on their way to a rank, beyond which none is sent to it: what it does not take is lost.
const MAX_UNDER_WAY: usize = 16;
/// The longest that the end waits for the last messages to leave.
const LAST_SENDS: Duration = Duration::from_secs(1);
/// The longest that the program waits for the thread to end: MPI's own end may wait for a rank that is gone.
const END: Duration = Duration::from_secs(3);

/// A message that is under way for longer is to a rank that may be gone, and looked at no more often than this.
const OLD: Duration = Duration::from_millis(500);
const LOOK_EVERY: Duration = Duration::from_millis(250);

const TAG: i32 = 7;

/// A rank of an MPI job.
pub struct Mpi {
    rank: usize,
    size: usize,
    /// None when the thread is to end.
    outgoing: Option<Sender<(usize, Vec<u8>)>>,
    incoming: Receiver<(usize, Vec<u8>)>,
    is_open: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Mpi {
    /// Joins the job.
    ///
    /// # Errors
    /// When MPI does not start.
    pub fn connect() -> Result<Mpi> {
        let (outgoing, to_send) = channel();
        let (received, incoming) = channel();
        let (started, start) = channel();
        let is_open = Arc::new(AtomicBool::new(true));
        let open = Arc::clone(&is_open);
        let run = move || match Link::new() {
            Ok(mut link) => {
                let _ = started.send(Ok((link.rank, link.size)));
                link.run(&to_send, &received, &open);
            }
            Err(why) => {
                let _ = started.send(Err(why));
            }
        };
        let thread = std::thread::Builder::new().name("mpi".to_owned()).spawn(run)?;
        let (rank, size) = match start.recv() {
            Ok(Ok(numbers)) => numbers,
            Ok(Err(why)) => return Err(why),
            Err(_) => bail!("MPI does not start"),
        };
        let (outgoing, thread) = (Some(outgoing), Some(thread));
        Ok(Mpi { rank, size, outgoing, incoming, is_open, thread })
    }
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        if let Some(outgoing) = &self.outgoing {
            // The thread ends after this only.
            let _ = outgoing.send((to, message));
        }
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.incoming.try_recv().ok()
    }

    fn is_open(&self) -> bool {
        self.is_open.load(Relaxed)
    }
}

impl Drop for Mpi {
    /// Lets the last messages leave.
    fn drop(&mut self) {
        self.outgoing = None;
        let Some(thread) = self.thread.take() else { return };
        let began = Instant::now();
        while !thread.is_finished() && began.elapsed() < END {
            std::thread::sleep(NAP);
        }
        if thread.is_finished() {
            let _ = thread.join();
        }
    }
}

/// A message on its way, which MPI reads until it has left.
struct UnderWay {
    to: usize,
    since: Instant,
    request: ffi::MPI_Request,
    bytes: Vec<u8>,
}

/// What the thread has.
struct Link {
    comm: ffi::MPI_Comm,
    rank: usize,
    size: usize,
    under_way: VecDeque<UnderWay>,
    next_look: Instant,
    last_sign: Instant,
    heard: Instant,
}

fn check(code: i32, what: &str) -> Result<()> {
    ensure!(code == 0, "MPI: {what} fails with code {code}");
    Ok(())
}

impl Link {
    fn new() -> Result<Link> {
        let (mut provided, mut rank, mut size) = (0, 0, 0);
        // SAFETY: MPI is started once, by the only thread that ever calls it; without arguments, as the standard allows. The
        // communicator and the handler of errors are MPI's own and live as long as it does.
        let comm = unsafe {
            let threads = ffi::RSMPI_THREAD_FUNNELED;
            check(
                ffi::MPI_Init_thread(ptr::null_mut(), ptr::null_mut(), threads, &mut provided),
                "the start",
            )?;
            ensure!(provided >= threads, "this MPI does not know threads");
            let comm = ffi::RSMPI_COMM_WORLD;
            let handler = ptr::addr_of_mut!(ffi::ompi_mpi_errors_return).cast();
            check(
                ffi::MPI_Comm_set_errhandler(comm, ffi::MPI_Errhandler(handler)),
                "the handling of errors",
            )?;
            check(ffi::MPI_Comm_rank(comm, &mut rank), "the rank")?;
            check(ffi::MPI_Comm_size(comm, &mut size), "the number of ranks")?;
            comm
        };
        let now = Instant::now();
        Ok(Link {
            comm,
            rank: usize::try_from(rank)?,
            size: usize::try_from(size)?,
            under_way: VecDeque::new(),
            next_look: now,
            last_sign: now,
            heard: now,
        })
    }

    /// Sends and receives until nothing is left to be sent.
    fn run(
        &mut self,
        to_send: &Receiver<(usize, Vec<u8>)>,
        received: &Sender<(usize, Vec<u8>)>,
        open: &AtomicBool,
    ) {
        loop {
            match to_send.recv_timeout(NAP) {
                Ok((to, bytes)) => {
                    self.send(to, bytes);
                    to_send.try_iter().for_each(|(to, bytes)| self.send(to, bytes));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.complete();
            while let Some(message) = self.receive() {
                // Nobody may want it any more.
                let _ = received.send(message);
            }
            if self.rank == 0 && self.last_sign.elapsed() > SIGN_EVERY {
                self.last_sign = Instant::now();
                (1..self.size).for_each(|to| self.send(to, Vec::new()));
            }
            if self.rank > 0 && self.heard.elapsed() > MAX_SILENCE {
                open.store(false, Relaxed);
            }
        }
        let began = Instant::now();
        // Not for ranks that are gone.
        let is_new = |message: &UnderWay| message.since + OLD > began;
        while self.under_way.iter().any(is_new) && began.elapsed() < LAST_SENDS {
            self.complete();
            std::thread::sleep(NAP);
        }
        if open.load(Relaxed) {
            // SAFETY: this is the thread that started MPI. What is still under way is for ranks that are gone, and is kept
            // until the process ends.
            unsafe { ffi::MPI_Finalize() };
        }
        self.under_way.drain(..).for_each(std::mem::forget);
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        let before = self.under_way.iter().filter(|message| message.to == to).count();
        let Ok(len) = i32::try_from(bytes.len()) else { return };
        if before >= MAX_UNDER_WAY {
            return;
        }
        // SAFETY: the bytes are neither moved (they lie on the heap) nor changed nor freed before the request is complete.
        let (code, request) = unsafe {
            let mut request = ffi::RSMPI_REQUEST_NULL;
            let (start, kind) = (bytes.as_ptr().cast(), ffi::RSMPI_UINT8_T);
            let code = ffi::MPI_Isend(start, len, kind, to as i32, TAG, self.comm, &mut request);
            (code, request)
        };
        match code {
            0 => self.under_way.push_back(UnderWay { to, since: Instant::now(), request, bytes }),
            // As a lost message.
            _ => tracing::debug!("a message to rank {to} cannot be sent: code {code}"),
        }
    }

    /// Frees what has left. Messages leave in their order: where one has not, those behind it to the same rank are not looked at,
    /// and a rank that takes none for long is looked at seldom, since each look may take MPI its time.
    fn complete(&mut self) {
        let now = Instant::now();
        let is_time = now >= self.next_look;
        if is_time {
            self.next_look = now + LOOK_EVERY;
        }
        let mut waits = vec![false; self.size];
        self.under_way.retain_mut(|message| {
            let is_old = now - message.since > OLD;
            if waits[message.to] || is_old && !is_time {
                waits[message.to] = true;
                return true;
            }
            let mut done = 0;
            // SAFETY: the request is one that is not complete yet.
            let code =
                unsafe { ffi::MPI_Test(&mut message.request, &mut done, ffi::RSMPI_STATUS_IGNORE) };
            if code != 0 {
                // Whether MPI still reads them nobody knows: they are never freed.
                std::mem::forget(std::mem::take(&mut message.bytes));
            }
            waits[message.to] = code == 0 && done == 0;
            waits[message.to]
        });
    }

    /// A message that has come.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        loop {
            let (mut is_there, mut len) = (0, 0);
            // SAFETY: MPI writes what it finds to these places; a message is received only where one was found, into as many
            // bytes as it has.
            let (from, bytes) = unsafe {
                let mut message = std::mem::zeroed();
                let mut status: ffi::MPI_Status = std::mem::zeroed();
                let any = (ffi::RSMPI_ANY_SOURCE, TAG);
                let code = ffi::MPI_Improbe(
                    any.0,
                    any.1,
                    self.comm,
                    &mut is_there,
                    &mut message,
                    &mut status,
                );
                if code != 0 || is_there == 0 {
                    return None;
                }
                ffi::MPI_Get_count(&status, ffi::RSMPI_UINT8_T, &mut len);
                let mut bytes = vec![0u8; usize::try_from(len).ok()?];
                let code = ffi::MPI_Mrecv(
                    bytes.as_mut_ptr().cast(),
                    len,
                    ffi::RSMPI_UINT8_T,
                    &mut message,
                    ffi::RSMPI_STATUS_IGNORE,
                );
                (status.MPI_SOURCE, if code == 0 { bytes } else { Vec::new() })
            };
            if from == 0 {
                self.heard = Instant::now();
            }
            // One without bytes only shows that somebody is there.
            if !bytes.is_empty() && bytes.len() <= MAX_BYTES {
                return Some((usize::try_from(from).ok()?, bytes));
            }
        }
    }
}
