# With everything settled a player passes after a pass, and does not fill in.
loadsgf settled.sgf
play w pass
10 reg_genmove b
#? [pass]
kata-set-rules japanese
20 reg_genmove b
#? [pass]
