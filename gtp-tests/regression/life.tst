# The vital point of three in a row decides whether a group lives.
loadsgf three.sgf
10 reg_genmove w
#? [B1]
20 reg_genmove b
#? [B1]
