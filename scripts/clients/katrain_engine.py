#!/usr/bin/env python3
"""KaTrain's own engine and game classes, without its window, attached to `tesuji analysis`.

    pip install katrain
    scripts/clients/katrain_engine.py target/release/tesuji GAME.sgf

A whole game is reviewed, queries are ended early, and the game is changed while its queries are open. Anything that KaTrain
logs as an error, or a position that is left without analysis, ends the script with 1.
"""

import os
import sys
import time
import traceback
import types

os.environ.setdefault("KIVY_NO_ARGS", "1")
os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")

from katrain.core.base_katrain import KaTrainBase  # noqa: E402
from katrain.core.constants import OUTPUT_ERROR, OUTPUT_KATAGO_STDERR  # noqa: E402
from katrain.core.engine import KataGoEngine  # noqa: E402
from katrain.core.game import Game, KaTrainSGF  # noqa: E402
from pysgf import Move  # noqa: E402

sys.excepthook = lambda *error: traceback.print_exception(*error, file=sys.stdout)  # kivy takes the other
program, record = sys.argv[1:3]
problems = []


class Headless(KaTrainBase):
    def log(self, message, level=0):
        if level in (OUTPUT_ERROR, OUTPUT_KATAGO_STDERR):
            problems.append(str(message))
            print("LOG:", message)

    def __call__(self, message, *args, **kwargs):
        problems.append(f"{message} {args}")
        print("CALL:", message, args)

    controls = types.SimpleNamespace(set_status=lambda *_args, **_kwargs: None)
    pondering = False

    def update_state(self, *_args, **_kwargs):
        pass


def expect(holds, what):
    if not holds:
        problems.append(what)
        print("WRONG:", what)


def settle():
    """Waits until nothing is asked any more; what is left open after a minute will never be answered."""
    end = time.time() + 60
    while not engine.is_idle() and time.time() < end:
        time.sleep(0.05)
    expect(engine.is_idle(), f"{engine.queries_remaining()} queries are not answered")


def nodes(game):
    return list(game.root.nodes_in_tree)


katrain = Headless(force_package_config=True, debug_level=0)
config = dict(katrain.config("engine"))
config.update(backend="custom", altcommand=f"exec {program} analysis", max_visits=100, fast_visits=25, max_time=8.0)
engine = KataGoEngine(katrain, config)
tree = lambda: KaTrainSGF.parse_file(record)  # noqa: E731

# A quick look at a whole game.
began = time.time()
game = Game(katrain, engine, move_tree=tree(), analyze_fast=True)
game.analyze_all_nodes(analyze_fast=True)
settle()
left_out = [node for node in nodes(game) if not node.analysis_complete]
expect(not left_out, f"{len(left_out)} positions have no analysis")
print(f"a quick look at {len(nodes(game))} positions: {time.time() - began:.1f} s")

# A review in depth.
began = time.time()
game.analyze_all_nodes()
settle()
left_out = [node for node in nodes(game) if not node.analysis_complete]
expect(not left_out, f"{len(left_out)} positions have no analysis in depth")
print(f"a review of {len(nodes(game))} positions at 100 visits: {time.time() - began:.1f} s")
lost = [(node.points_lost or 0, node.depth, node.move) for node in nodes(game) if node.move]
for points, depth, move in sorted(lost, key=lambda one: -one[0])[:3]:
    print(f"  move {depth}, {move}: lost {points:.1f} points")
last = nodes(game)[-1]
expect(last.ownership and len(last.ownership) == 361, "no owners")
expect(last.policy and len(last.policy) == 362, "no policy")
expect(all(0 <= node.winrate <= 1 for node in nodes(game)), "a chance beyond 0 to 1")

# Other questions that its buttons ask.
for mode in ("equalize", "alternative", "sweep", "extra"):
    game.set_current_node(nodes(game)[60])
    began = time.time()
    game.analyze_extra(mode)
    settle()
    print(f"{mode}: {time.time() - began:.1f} s")
game.region_of_interest = [0, 8, 10, 18]
game.analyze_extra("extra")
settle()
game.region_of_interest = None

# Queries that are ended early, by position and all.
game.analyze_all_nodes()
time.sleep(0.3)
for node in nodes(game)[::2]:
    engine.terminate_queries(node)
game.reset_current_analysis()
engine.terminate_queries()
game.analyze_extra("ponder")
katrain.pondering = True
game.current_node.analyze(engine, ponder=True)
time.sleep(1)
before = game.current_node.analysis["root"]["visits"] if game.current_node.analysis_exists else 0
expect(before > 100, f"pondering made {before} visits in a second")
engine.stop_pondering()

# Another game while queries are open, twice.
game.analyze_all_nodes()
time.sleep(0.3)
engine.on_new_game()
game = Game(katrain, engine, move_tree=tree(), analyze_fast=True)
time.sleep(0.2)
engine.on_new_game()
small = Game(katrain, engine, game_properties={"SZ": "9", "KM": "7", "RU": "chinese"})
small.play(Move.from_gtp("E5", player="B"))
settle()
time.sleep(0.3)
expect(small.current_node.analysis_complete, "the new game has no analysis")
engine.shutdown(finish=True)

# The same program in the place of KataGo's, with the files that KaTrain names.
config.update(backend="local", katago=os.path.abspath(program))
engine = KataGoEngine(katrain, config)
game = Game(katrain, engine, game_properties={"SZ": "13", "HA": "2", "RU": "aga"})
settle()
time.sleep(0.3)
expect(game.current_node.analysis_complete, "in KataGo's place it gives no analysis")
engine.shutdown(finish=True)
problems = [problem for problem in problems if "it goes on without a network" not in problem]
print(f"{len(problems)} problems")
sys.exit(1 if problems else 0)
