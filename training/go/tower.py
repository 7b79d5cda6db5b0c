#!/usr/bin/env python3
"""How many positions a second PyTorch learns from on one core: forward and backward passes of the trunk of the network of
6 blocks of 64 channels, 256 positions of 9x9 at a time. `training/amazons/examples/tower.rs` does the same with burn."""

import time

import torch
import torch.nn.functional as F

POSITIONS, CHANNELS, BLOCKS = 256, 64, 6


def main():
    torch.set_num_threads(1)
    layers = [torch.nn.Conv2d(22, CHANNELS, 5, padding=2, bias=False)]
    layers += [torch.nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, bias=False) for _ in range(2 * BLOCKS)]
    first, *others = (layer.to(memory_format=torch.channels_last) for layer in layers)
    planes = torch.full((POSITIONS, 22, 9, 9), 0.5).to(memory_format=torch.channels_last)
    for halves in (False, True):
        for _ in range(4):
            began = time.monotonic()
            with torch.autocast("cpu", torch.bfloat16, enabled=halves, cache_enabled=False):
                x = F.relu(first(planes))
                for inner, outer in zip(others[::2], others[1::2]):
                    x = F.relu(x + outer(F.relu(inner(x))))
                loss = x.float().square().mean()
            loss.backward()
            kind = "bfloat16" if halves else "float32"
            print(f"{kind}: {POSITIONS / (time.monotonic() - began):.0f} positions a second")


if __name__ == "__main__":
    main()
