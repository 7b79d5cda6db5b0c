# Nothing is fought for: whoever has more moves left wins, and wastes none.
amazons-position X....|*****|O...* w
10 amazons-solve
#? [White wins, .*\n.*]
# A region that cannot be filled: whichever arm the queen enters, the other is cut off.
amazons-position .*.**.*.|*X****O*|******** w
20 amazons-regions
#? [(?:.*\n)*TEXT White has 1 moves of its own, Black has 1 moves of its own; 0 squares are fought for]
30 amazons-solve
#? [White loses, .*]
amazons-position .*.**.*.|*X****O*|******** b
40 amazons-solve
#? [Black loses, .*]
# On 4x4 the second player wins.
boardsize 4
50 amazons-solve
#? [White loses, .*]
