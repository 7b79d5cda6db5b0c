# Small boards have known best moves: 5x5 is all Black's from the centre, and so is 3x3.
boardsize 5
clear_board
komi 24.5
10 reg_genmove b
#? [C3]

boardsize 3
clear_board
komi 0
20 reg_genmove b
#? [B2]

# Nobody opens on the edge of a larger board.
boardsize 9
clear_board
komi 7.5
30 reg_genmove b
#? [[C-G][3-7]]
