//! The rules of Go and how a game is searched.
