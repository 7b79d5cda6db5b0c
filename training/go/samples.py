"""Positions in the files of `tesuji selfplay`, mapped into memory; patterns/src/network/sample.rs tells their form."""

import pathlib

import numpy as np
import torch

HEADER = 32
MOVES = 24


def record_type(side):
    area = side * side
    return np.dtype([
        ("planes", "u1", (22, (area + 7) // 8)),
        ("numbers", "<f4", 19),
        ("moves", "<u2", MOVES),
        ("chances", "<u2", MOVES),
        ("played", "<u2"),
        ("outcome", "<f4", 2),
        ("score", "<f4", 3),
        ("result", "i1"),
        ("origin", "u1"),
        ("turn", "<u2"),
        ("owners", "i1", area),
        ("expected", "u1", area),
    ])


class Samples:
    """All positions of one side of the board in a folder."""

    def __init__(self, folder, side, kinds=("games", "records")):
        self.side = side
        self.files = []
        self.seen = set()
        self.folder, self.kinds = pathlib.Path(folder), kinds
        self.refresh()

    def refresh(self):
        """Takes files that came since."""
        for kind in self.kinds:
            for path in sorted(self.folder.glob(f"{self.side}-{kind}-*.bin")):
                if path in self.seen:
                    continue
                self.seen.add(path)
                head = np.fromfile(path, "<u4", 8)
                kind_of = record_type(self.side)
                if bytes(head[:2].tobytes()) != b"TSJ-GOSM" or head[4] != kind_of.itemsize:
                    raise ValueError(f"{path} has no positions of this version")
                if head[5]:
                    shape = (int(head[5]),)
                    self.files.append(np.memmap(path, kind_of, "r", HEADER, shape))

    def __len__(self):
        return sum(len(file) for file in self.files)

    def draw(self, count, random, files=16):
        """So many positions, from a few files each."""
        weights = np.array([len(file) for file in self.files], float)
        chosen = random.choice(len(self.files), min(files, count), p=weights / weights.sum())
        parts = np.array_split(np.arange(count), len(chosen))
        return np.concatenate([
            self.files[file][np.sort(random.integers(0, len(self.files[file]), len(part)))]
            for file, part in zip(chosen, parts)
        ])

    def all(self, most):
        """The first positions of all files, evenly."""
        each = max(1, most // max(1, len(self.files)))
        return np.concatenate([file[:: max(1, len(file) // each)][:each] for file in self.files])


def turn(maps, symmetry):
    """Boards turned and mirrored in one of eight ways."""
    if symmetry & 1:
        maps = maps.flip(2)
    if symmetry & 2:
        maps = maps.flip(3)
    return maps.transpose(2, 3) if symmetry & 4 else maps


def batch(records, side, symmetry=0):
    """What goes in and what should come out, as tensors."""
    count, area = len(records), side * side
    planes = np.unpackbits(records["planes"], axis=2, count=area, bitorder="little")
    planes = torch.from_numpy(planes).float().view(count, 22, side, side)
    expected = -torch.from_numpy(records["expected"].astype(np.float32)) / 10
    expected = expected.clamp(min=-12.0).view(count, 1, side, side)
    policy = np.zeros((count, area + 1), np.float32)
    rows = np.arange(count)[:, None]
    moves = np.minimum(records["moves"], area)
    np.add.at(policy, (rows, moves), records["chances"].astype(np.float32))
    policy /= policy.sum(1, keepdims=True)
    policy = torch.from_numpy(policy)
    played = torch.from_numpy(records["played"].astype(np.int64))
    known = (played <= area).float()
    one = torch.zeros(count, area + 1).scatter_(1, played.clamp(max=area)[:, None], 1.0)
    owners = torch.from_numpy(records["owners"].astype(np.float32)) / 127
    # A stone, or a ko ban: nobody plays there.
    taken = planes[:, 1:2] + planes[:, 2:3] + planes[:, 6:7]
    maps = [planes, expected, policy[:, :area].view(count, 1, side, side),
            one[:, :area].view(count, 1, side, side), owners.view(count, 1, side, side), taken]
    planes, expected, points, one_points, owners, taken = (turn(m, symmetry) for m in maps)
    passes = torch.zeros(count, 1)
    return {
        "planes": planes.contiguous(memory_format=torch.channels_last),
        "numbers": torch.from_numpy(records["numbers"].copy()),
        "expected": expected.flatten(1),
        "policy": torch.cat([points.flatten(1), policy[:, area:]], 1),
        "played": torch.cat([one_points.flatten(1), one[:, area:]], 1),
        "known": known,
        "record": torch.from_numpy((records["origin"] == 0).astype(np.float32)),
        "taken": torch.cat([taken.flatten(1), passes], 1) > 0,
        "outcome": torch.from_numpy(records["outcome"].copy()),
        "score": torch.from_numpy(records["score"].copy()),
        "result": torch.from_numpy(records["result"].astype(np.int64)),
        "owners": owners.flatten(1),
        "turn": torch.from_numpy(records["turn"].astype(np.int64)),
    }
