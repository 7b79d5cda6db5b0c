//! The rules of Connect6 and its relatives, threats, and how a game is searched.
