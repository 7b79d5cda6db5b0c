//! Game records: reading and writing SGF safely.
