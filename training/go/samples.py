"""Positions in the files of `tesuji selfplay`, as rows of bytes; patterns/src/network/sample.rs tells their form."""

import pathlib
import sys

import numpy as np
import torch

MAGIC = b"TSJ-GOSM"
VERSION = 1
HEADER = 32
PLANES = 22
NUMBERS = 19
MOVES = 24
# Where positions come from, in the names of their files; "validation" are records that are kept back.
KINDS = ("games", "records", "searches")
# What `origin` says of records, and of positions that a search was asked about.
RECORD, SEARCHED = 0, 3
# Files that the positions of a step are drawn from, where files are not all in one.
FILES = 16


def fields(side):
    """Where each part of a row lies, and what its numbers are."""
    area = side * side
    parts = [
        ("planes", torch.uint8, PLANES * ((area + 7) // 8)), ("numbers", torch.float32, NUMBERS),
        ("moves", torch.int16, MOVES), ("chances", torch.int16, MOVES), ("played", torch.int16, 1),
        ("outcome", torch.float32, 2), ("score", torch.float32, 3), ("result", torch.int8, 1),
        ("origin", torch.uint8, 1), ("turn", torch.int16, 1), ("owners", torch.int8, area),
        ("expected", torch.uint8, area),
    ]
    found, at = {}, 0
    for name, kind, count in parts:
        size = count * torch.empty(0, dtype=kind).element_size()
        found[name] = (at, at + size, kind)
        at += size
    return found, at


def rows_of(path, side):
    """The rows of a file, mapped into memory."""
    head = np.fromfile(path, "<u4", 8)
    length = fields(side)[1]
    if len(head) < 8 or head[:2].tobytes() != MAGIC:
        sys.exit(f"{path} is no file of positions, or is damaged; remove it, and the same selfplay makes it again")
    if head[2] != VERSION or head[3] != side or head[4] != length:
        sys.exit(f"{path} has no positions of {side}x{side} of this version")
    count = int(head[5])
    size, wanted = pathlib.Path(path).stat().st_size, HEADER + count * length
    if size != wanted:
        sys.exit(f"{path} is damaged: {size} bytes, and {wanted} are expected; remove it, and the same selfplay makes it again")
    if not count:
        return torch.empty(0, length, dtype=torch.uint8)
    # Mapped so that nothing is written back, whatever is done to the tensor.
    return torch.from_numpy(np.memmap(path, "u1", "c", HEADER, (count, length)))


class Held:
    """Rows in the memory of a graphics processor, with room for as many again."""

    def __init__(self, device):
        self.device, self.room, self.count = device, None, 0

    def add(self, rows):
        needed = self.count + len(rows)
        if self.room is None or needed > len(self.room):
            room = torch.empty(2 * needed, rows.shape[1], dtype=torch.uint8, device=self.device)
            room[:self.count] = self.rows()
            self.room = room
        self.room[self.count:needed] = rows.to(self.device)
        self.count = needed

    def rows(self):
        return self.room[:self.count] if self.count else 0


class Samples:
    """All positions of one side of the board in a folder: mapped, or in the memory of a graphics processor."""

    def __init__(self, folder, side, kinds=KINDS, device="cpu"):
        self.side, self.device = side, torch.device(device)
        self.files = []
        self.held = Held(self.device)
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
                rows = rows_of(path, self.side)
                if not len(rows):
                    continue
                if self.device.type == "cpu":
                    self.files.append(rows)
                else:
                    self.held.add(rows)
                    self.files = [self.held.rows()]

    def __len__(self):
        return sum(len(file) for file in self.files)

    def draw(self, count, random):
        """So many positions, from a few files each."""
        weights = np.array([len(file) for file in self.files], float)
        chosen = random.choice(len(self.files), min(FILES, count, len(self.files)), p=weights / weights.sum())
        parts = np.array_split(np.arange(count), len(chosen))
        indices = [torch.from_numpy(random.integers(0, len(self.files[file]), len(part))) for file, part in zip(chosen, parts)]
        return torch.cat([self.files[file][rows.to(self.device)] for file, rows in zip(chosen, indices)])

    def all(self, most):
        """The first positions of all files, evenly."""
        each = max(1, most // max(1, len(self.files)))
        return torch.cat([file[:: max(1, len(file) // each)][:each] for file in self.files])


def turn(maps, symmetry):
    """Boards turned and mirrored in one of eight ways."""
    if symmetry & 1:
        maps = maps.flip(2)
    if symmetry & 2:
        maps = maps.flip(3)
    return maps.transpose(2, 3) if symmetry & 4 else maps


def orders(side):
    """The points of a board in the order of each of the eight ways to turn it."""
    points = torch.arange(side * side).view(1, 1, side, side)
    return torch.stack([turn(points, symmetry).flatten() for symmetry in range(8)])


def batch(rows, side, order=None):
    """What goes in and what should come out, as tensors; turned as `order`, one of `orders`, says."""
    count, area = len(rows), side * side
    places = fields(side)[0]

    def part(name):
        start, end, kind = places[name]
        return rows[:, start:end].contiguous().view(kind)

    bits = torch.arange(8, device=rows.device, dtype=torch.uint8)
    planes = part("planes").view(count, PLANES, -1, 1).bitwise_right_shift(bits).bitwise_and(1)
    planes = planes.flatten(2)[:, :, :area].view(count, PLANES, side, side).float()
    expected = (part("expected").float() / -10).clamp(min=-12.0)
    # Whole numbers of 16 bits have no sign in the files.
    unsigned = {name: part(name).long() & 0xFFFF for name in ("moves", "chances", "played", "turn")}
    chances = unsigned["chances"].float()
    policy = torch.zeros(count, area + 1, device=rows.device)
    policy.scatter_add_(1, unsigned["moves"].clamp(max=area), chances)
    # Records may be without a teacher's word.
    total = policy.sum(1, keepdim=True)
    policy = policy / total.clamp(min=1)
    played = unsigned["played"]
    one = torch.zeros(count, area + 1, device=rows.device).scatter_(1, played.clamp(max=area), 1.0)
    owners = part("owners").float() / 127
    # A stone, or a ko ban: nobody plays there. Records may break the rules.
    taken = (planes[:, 1:2] + planes[:, 2:3] + planes[:, 6:7]).flatten(1)
    barred = torch.cat([taken, torch.zeros(count, 1, device=rows.device)], 1).gather(1, played.clamp(max=area))
    known = (played <= area) & (barred == 0)

    def turned(points):
        points = points.reshape(count, -1, area)
        return (points if order is None else points[:, :, order]).view(count, -1, side, side)

    return {
        "planes": turned(planes).contiguous(memory_format=torch.channels_last),
        "numbers": part("numbers"),
        "expected": turned(expected).flatten(1),
        "policy": torch.cat([turned(policy[:, :area]).flatten(1), policy[:, area:]], 1),
        "played": torch.cat([turned(one[:, :area]).flatten(1), one[:, area:]], 1),
        "known": known[:, 0].float(),
        "record": (part("origin")[:, 0] == RECORD).float(),
        "searched": part("origin")[:, 0] == SEARCHED,
        "labelled": (total[:, 0] > 0).float(),
        "taken": torch.cat([turned(taken).flatten(1), torch.zeros(count, 1, device=rows.device)], 1) > 0,
        "outcome": part("outcome"),
        "score": part("score"),
        "owners": turned(owners).flatten(1),
    }
