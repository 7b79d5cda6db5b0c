# Dead stones, seki and the final score.
boardsize 7
clear_board
komi 0.5
gogui-setup b C1 b C2 b C3 b C4 b C5 b C6 b C7 w D1 w D2 w D3 w D4 w D5 w D6 w D7 w F1 w F2 w F3 w F4 w F5 w F6 w F7 w A4
10 final_status_list dead
#? [A4]
20 final_status_list seki
#? []
30 final_score
#? [W\+7\.5]
kata-set-rules japanese
# Black: 14 points with A4, and a prisoner; White: 14; komi 0.5
40 final_score
#? [B\+0\.5]

# Both groups at the left share two liberties that neither can fill: seki.
loadsgf seki.sgf
50 final_status_list dead
#? []
60 final_status_list seki
#? [(?s).*B1.*]

# Both have passed though Black's wall has a gap at D5. It is Black's to fill, and costs no more than that point: 26 or 27 points to 36.
boardsize 9
clear_board
komi 5.5
kata-set-rules japanese
gogui-setup b D1 b D2 b D3 b D4 b D6 b D7 b D8 b D9 w E1 w E2 w E3 w E4 w E5 w E6 w E7 w E8 w E9
play b pass
play w pass
70 final_score
#? [W\+1[45]\.5]

# A finished game whose winner is to move: what lives unconditionally is alive, whatever a search of a won game neglects.
boardsize 6
clear_board
kata-set-rules chinese
komi 7.5
gogui-setup b A6 b C6 b D6 b F6 b A5 b B5 b C5 b D5 b E5 b F5 b A4 b B4 b C4 b D4 b E4 b F4 w A3 w B3 w C3 w D3 w E3 w F3 w A2 w C2 w D2 w F2 w A1 w B1 w C1 w D1 w E1 w F1
play w pass
play b pass
80 final_score
#? [W\+7\.5]
90 final_status_list dead
#? []
