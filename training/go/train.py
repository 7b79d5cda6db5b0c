#!/usr/bin/env python3
"""Teaches the network from positions of `tesuji selfplay`; the same command goes on where it stopped.

    python3 train.py --data DIR --validation DIR --out DIR [--steps N] ...

In the folder `--out` it keeps checkpoint.pt, curve.csv and, at each measurement, network.bin.gz with network.json
beside it.
"""

import argparse
import copy
import csv
import dataclasses
import functools
import json
import math
import os
import pathlib
import signal
import sys
import time

import numpy as np
import torch

import losses
import network_file
from model import Network, Shape
from repeated import Repeated
from samples import Samples, batch, orders

WATCHED = [(19, "records"), (19, "games"), (19, "searches"), (13, "games"), (13, "searches"), (9, "records"), (9, "games"),
           (9, "searches")]


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="folder of positions to learn from")
    parser.add_argument("--validation", required=True, help="folder of positions that are kept back")
    parser.add_argument("--out", required=True, help="folder for what is learned")
    parser.add_argument("--teacher", help="a network, KataGo's file, that is asked in place of what the positions' files say, but for those of searches")
    parser.add_argument("--start", help="a network whose weights it begins with, network.bin for one, normalised by fixed numbers")
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--channels", type=int, default=96)
    parser.add_argument("--steps", type=int, default=60_000)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="it ends after so many, or with its steps")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=1e-4, help="weight decay")
    parser.add_argument("--frozen-after", type=int, default=3000, help="steps after which normalisation is by fixed numbers")
    parser.add_argument("--shares", default="9:0.4,13:0.2,19:0.4", help="share of the steps for each side of the board")
    parser.add_argument("--searched", default="", help="for each side, share of the positions of a step that searches were asked about, 9:0.8 for one; as there are, if not given")
    parser.add_argument("--batches", default="9:256,13:128,19:96", help="positions of a step for each side")
    parser.add_argument("--every", type=int, default=1000, help="steps between two measurements")
    parser.add_argument("--look-every", type=int, default=1000, help="steps after which new files of positions are looked for")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    return parser.parse_args()


def table(text, kind):
    return {int(side): kind(number) for side, number in (part.split(":") for part in text.split(",") if part)}


def replace(path, data):
    """Writes a file beside, then renames it."""
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(data)
    os.replace(beside, path)


class Run:
    def __init__(self, args):
        self.args = args
        self.device = torch.device(args.device)
        self.out = pathlib.Path(args.out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.shares, self.batches = table(args.shares, float), table(args.batches, int)
        self.searched = table(args.searched, float)
        torch.manual_seed(args.seed)
        # Boards have three sizes, and batches one for each.
        torch.backends.cudnn.benchmark = True
        if args.start:
            args.frozen_after = 0
            self.model = self.on_device(network_file.read(pathlib.Path(args.start).read_bytes()))
        else:
            self.model = self.on_device(Network(Shape.of(args.blocks, args.channels)))
        self.mean = copy.deepcopy(self.model).requires_grad_(False)
        self.teacher = None
        if args.teacher:
            teacher = network_file.read(pathlib.Path(args.teacher).read_bytes())
            self.teacher = self.on_device(teacher).requires_grad_(False).eval()
        groups = [[], []]
        for parameter in self.model.parameters():
            groups[parameter.dim() > 1].append(parameter)
        self.optimizer = torch.optim.AdamW(
            [{"params": groups[0], "weight_decay": 0.0}, {"params": groups[1], "weight_decay": args.decay}],
            lr=args.rate, betas=(0.9, 0.99), **({"fused": True} if self.device.type == "cuda" else {}))
        # Gradients stay where they are, so that the work of a step can be repeated.
        self.parameters = list(self.model.parameters())
        self.gradients = [torch.zeros_like(parameter) for parameter in self.parameters]
        for parameter, gradient in zip(self.parameters, self.gradients):
            parameter.grad = gradient
        pairs = zip(self.mean.state_dict().values(), self.model.state_dict().values())
        self.averaged = list(zip(*(pair for pair in pairs if pair[0].dtype.is_floating_point)))
        self.orders = {side: orders(side).to(self.device) for side in self.shares}
        self.work = {}
        self.step, self.rows, self.sums, self.seconds = 0, [], {}, 0.0
        kept = self.out / "checkpoint.pt"
        if kept.exists():
            state = torch.load(kept, map_location=self.device)
            if state["shape"] != dataclasses.asdict(self.model.shape):
                sys.exit(f"{kept} is of a network of the shape {state['shape']}")
            self.model.load_state_dict(state["model"])
            self.mean.load_state_dict(state["mean"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.step, self.rows, self.seconds = state["step"], state["rows"], state["seconds"]
        # Positions that searches were asked about, and others.
        self.data = {side: [Samples(args.data, side, kinds, self.device) for kinds in (("searches",), ("games", "records"))]
                     for side in self.shares}
        self.watched = [(f"{kind}{side}", side, self.kept_back(side, kind)) for side, kind in WATCHED]

    def kept_back(self, side, kind):
        kinds = ("validation",) if kind == "records" else (kind,)
        samples = Samples(self.args.validation, side, kinds)
        return samples.all(2000).to(self.device) if samples.files else None

    def on_device(self, model):
        return model.to(self.device, memory_format=torch.channels_last)

    def progress(self):
        """The share of the training that is done."""
        return min(1.0, max(self.step / self.args.steps, self.seconds / 60 / self.args.minutes))

    def rate(self):
        """Rises over the first steps, and falls along a cosine."""
        begun = min(1.0, (self.step + 1) / 500)
        return self.args.rate * begun * max(0.02, 0.5 + 0.5 * math.cos(math.pi * self.progress()))

    def forward(self, model, wanted):
        with torch.autocast(self.device.type, torch.bfloat16, cache_enabled=False):
            return model(wanted["planes"], wanted["numbers"], wanted["expected"])

    def count(self, side):
        return sum(map(len, self.data[side]))

    def draw(self, side, random):
        """The positions of a step."""
        most, share = self.batches[side], len(self.data[side][0]) / self.count(side)
        if 0 < share < 1:
            share = self.searched.get(side, share)
        searched = round(most * share)
        parts = zip(self.data[side], (searched, most - searched))
        return torch.cat([samples.draw(count, random) for samples, count in parts if count])

    def gradients_of(self, side, rows, order, asked, back):
        """Leaves the gradients of a batch in the parameters, and gives the parts of its loss. The teacher is asked about
        the positions in another order of their points, so that what is learned is the mean over all orders."""
        wanted = batch(rows, side, order)
        if self.teacher:
            with torch.no_grad():
                said = self.forward(self.teacher, batch(rows, side, asked))
                losses.ask(losses.reordered(said, back), wanted)
        found = losses.parts(self.forward(self.model, wanted), wanted)
        torch._foreach_zero_(self.gradients)
        losses.total(found).backward()
        return torch.stack([found[name].detach() for name in losses.WEIGHTS])

    def advance(self):
        random = np.random.default_rng([self.args.seed, self.step])
        sides = [side for side in self.shares if self.count(side)]
        shares = np.array([self.shares[side] for side in sides])
        side = int(random.choice(sides, p=shares / shares.sum()))
        rows = self.draw(side, random)
        learns_norms = self.step < self.args.frozen_after
        if self.model.training != learns_norms:
            self.model.train(learns_norms)
        if (side, learns_norms) not in self.work:
            self.work[side, learns_norms] = Repeated(functools.partial(self.gradients_of, side))
        order, asked = (self.orders[side][number] for number in random.integers(8, size=2).tolist())
        found = self.work[side, learns_norms](rows, order, asked, asked.argsort()[order])
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        torch.nn.utils.clip_grad_norm_(self.parameters, 2.0)
        self.optimizer.step()
        self.step += 1
        share = min(0.999, self.step / (self.step + 50))
        means, now = self.averaged
        torch._foreach_mul_(means, share)
        torch._foreach_add_(means, now, alpha=1 - share)
        total, count = self.sums.get(side, (0.0, 0))
        self.sums[side] = (total + found, count + 1)

    def mean_losses(self):
        """The parts of the loss since the last measurement, by name. It ends where one is no number: nothing that comes of it is
        to be kept."""
        found = {}
        for side, (total, count) in sorted(self.sums.items()):
            for name, loss in zip(losses.WEIGHTS, (total / count).tolist()):
                found[f"train{side}_{name}"] = loss
        bad = [name for name, loss in found.items() if not math.isfinite(loss)]
        if bad:
            sys.exit(f"at step {self.step} {', '.join(bad)} is no number any more, and nothing is kept since the last measurement: "
                     "positions may be damaged, or --rate is too high")
        return found

    @torch.no_grad()
    def measure(self):
        """A row of the curve: losses since the last one, and what the mean of the weights does on kept positions."""
        row = {"step": self.step, "seconds": round(self.seconds)}
        row["predictor"], row["predictor_experts"] = self.mean.predictor.tolist()
        row.update(self.mean_losses())
        self.sums = {}
        self.mean.eval()
        for name, side, rows in self.watched:
            if rows is None:
                continue
            sums = {}
            for at in range(0, len(rows), 250):
                wanted = batch(rows[at:at + 250], side)
                for key, (total, count) in losses.measures(self.forward(self.mean, wanted), wanted).items():
                    before = sums.get(key, (0.0, 0.0))
                    sums[key] = (before[0] + float(total), before[1] + float(count))
            for key, (total, count) in sums.items():
                if count:
                    row[f"{name}_{key}"] = total / count
        self.rows.append(row)
        return row

    def save(self):
        beside = self.out / "checkpoint.pt.new"
        torch.save({
            "shape": dataclasses.asdict(self.model.shape), "model": self.model.state_dict(), "mean": self.mean.state_dict(),
            "optimizer": self.optimizer.state_dict(), "step": self.step, "rows": self.rows, "seconds": self.seconds,
        }, beside)
        os.replace(beside, self.out / "checkpoint.pt")
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        with open(self.out / "curve.csv.new", "w", newline="") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows({name: f"{value:.5g}" for name, value in row.items()} for row in self.rows)
        os.replace(self.out / "curve.csv.new", self.out / "curve.csv")
        shape = self.model.shape
        name = f"tesuji-b{len(shape.pools)}c{shape.channels}-s{self.step}"
        mean = copy.deepcopy(self.mean).cpu().eval()
        data, factors = network_file.write(mean, name)
        replace(self.out / "network.bin.gz", data)
        replace(self.out / "network.json", json.dumps({"name": name, "predictor": factors}).encode())


def main():
    args = options()
    torch.set_num_threads(args.threads)
    run = Run(args)
    stop = []
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.append(True))
    for side, (searched, others) in run.data.items():
        print(f"{side}x{side}: {len(searched)} positions of searches, {len(others)} others", flush=True)
    if not any(map(run.count, run.data)):
        sys.exit(f"there are no positions in {args.data}")
    began, before = time.monotonic(), run.progress()
    while run.progress() < 1 and not stop:
        started = time.monotonic()
        run.advance()
        run.seconds += time.monotonic() - started
        is_last = run.progress() == 1
        if run.step % args.every == 0 or is_last:
            row = run.measure()
            run.save()
            left = (time.monotonic() - began) / (run.progress() - before) * (1 - run.progress()) / 60
            told = {name: round(value, 4) for name, value in row.items() if not name.startswith("train")}
            print(f"step {run.step}, {left:.0f} minutes left: {told}", flush=True)
        if run.step % args.look_every == 0 and not is_last:
            for side in run.data.values():
                for data in side:
                    data.refresh()
    if stop:
        run.mean_losses()
        run.save()
        sys.exit("stopped; the same command goes on")


if __name__ == "__main__":
    main()
