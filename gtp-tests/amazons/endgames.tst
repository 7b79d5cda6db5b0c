# Endgames of 5x5 with one or two winning moves; all moves of each were solved, by the solver that the tests check
# against trying everything.
tesuji-param genmove_form algebraic
amazons-position O*.*.|*O..*|XO*X*|X*.*.|O*.*X white
10 reg_genmove white
#? [d3-c4/c5|d3-d4/c4]
amazons-position O.*O.|O**X.|.*.*O|**X*.|*XX.* white
20 reg_genmove white
#? [c1-d1/e2|c2-d1/e2]
amazons-position ..*OX|*O*.O|*.O.*|*.X**|*X*.X white
30 reg_genmove white
#? [b1-b2/b3]
amazons-position ..*O.|O*OX.|X..*.|*.X.X|*O*** white
40 reg_genmove white
#? [e2-e4/e5|e2-e5/e4]
amazons-position .*.O*|*.*.O|O.*XO|***.X|X..X. white
50 reg_genmove white
#? [d3-d4/d2]
amazons-position O.*OX|.*X.*|*..*O|*O*X.|*X.** white
60 reg_genmove white
#? [c4-b5/c4]
amazons-position ..X*O|O.**O|..**.|*O*.X|.XX.. black
70 reg_genmove black
#? [a4-b4/b5|a4-b5/b4]
amazons-position ...*.|O*X*.|*O*O.|X*O*X|***.X white
80 reg_genmove white
#? [e2-e4/e3]
amazons-position .*..O|O*O**|*.**.|*X*X.|XO*X. white
90 reg_genmove white
#? [b2-b3/b2]
amazons-position O**..|O*X*.|..*O.|**..*|XX.XO white
100 reg_genmove white
#? [b1-c2/d2|b1-c2/b3]
