# A chain in atari is taken, or saved, where that decides the game.
loadsgf capture.sgf
10 reg_genmove b
#? [E8]
20 reg_genmove w
#? [E8]
