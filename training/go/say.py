#!/usr/bin/env python3
"""What the network of a checkpoint says of the first positions of a file, as JSON: for comparison with the engine.

    python3 say.py CHECKPOINT FILE COUNT
"""

import json
import sys

import numpy as np
import torch

from model import Network, Shape
from samples import batch, rows_of


def main():
    checkpoint, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    state = torch.load(checkpoint, map_location="cpu")
    model = Network(Shape(**state["shape"]))
    model.load_state_dict(state["mean"])
    model.eval()
    side = int(np.fromfile(path, "<u4", 4)[3])
    wanted = batch(rows_of(path, side)[:count], side)
    with torch.no_grad():
        policy, outcome, misc, owners = model(wanted["planes"], wanted["numbers"], torch.zeros_like(wanted["expected"]))
    print(json.dumps([
        {"policy": p[0], "experts": p[1], "outcome": o, "misc": m, "owners": w}
        for p, o, m, w in zip(policy.tolist(), outcome.tolist(), misc.tolist(), owners.tolist())
    ]))


if __name__ == "__main__":
    main()
