//! The rules of the Game of the Amazons and how a game is searched.
