"""The network, in the parts that KataGo's network files have (version 12), so that the engine reads it like any other.

A board has one size in a batch, so nothing is masked. Every normalisation is by batch at first and by fixed numbers
later (see train.py): boards of several sizes differ too much to share the statistics of their batches.
"""

import dataclasses

import torch
import torch.nn.functional as F
from torch import nn

PLANES = 22
GLOBALS = 19


def size_scale(area):
    """How the size of a board enters what is pooled."""
    return (area**0.5 - 14.0) / 10.0


def pool(x):
    """Means, means scaled by the board's size, and maxima of channels."""
    mean = x.mean((2, 3))
    return torch.cat([mean, mean * size_scale(x.shape[2] * x.shape[3]), x.amax((2, 3))], 1)


def pool_value(x):
    """Means, scaled by the board's size in three ways."""
    mean = x.mean((2, 3))
    scale = size_scale(x.shape[2] * x.shape[3])
    return torch.cat([mean, mean * scale, mean * (scale * scale - 0.1)], 1)


def conv(side, inputs, outputs):
    return nn.Conv2d(inputs, outputs, side, padding=side // 2, bias=False)


class Ordinary(nn.Module):
    """Two convolutions, each after a normalisation."""

    kind = "ordinary_block"

    def __init__(self, channels):
        super().__init__()
        self.first_norm = nn.BatchNorm2d(channels)
        self.first = conv(3, channels, channels)
        self.second_norm = nn.BatchNorm2d(channels)
        self.second = conv(3, channels, channels)

    def forward(self, x):
        out = self.first(F.relu(self.first_norm(x)))
        return x + self.second(F.relu(self.second_norm(out)))


class Pooling(nn.Module):
    """The same with a global pooling beside the first convolution."""

    kind = "gpool_block"

    def __init__(self, channels, pooled):
        super().__init__()
        regular = channels - pooled
        self.first_norm = nn.BatchNorm2d(channels)
        self.regular = conv(3, channels, regular)
        self.pooled = conv(3, channels, pooled)
        self.pooled_norm = nn.BatchNorm2d(pooled)
        self.pooled_to_bias = nn.Linear(3 * pooled, regular, bias=False)
        self.second_norm = nn.BatchNorm2d(regular)
        self.second = conv(3, regular, channels)

    def forward(self, x):
        out = F.relu(self.first_norm(x))
        bias = self.pooled_to_bias(pool(F.relu(self.pooled_norm(self.pooled(out)))))
        out = self.regular(out) + bias[:, :, None, None]
        return x + self.second(F.relu(self.second_norm(out)))


@dataclasses.dataclass(frozen=True)
class Shape:
    """How large the parts of a network are."""

    channels: int
    # Whether each block pools.
    pools: tuple
    pooled: int
    # Channels of the heads, policy and value.
    policy_head: int = 32
    value_head: int = 32
    hidden: int = 64
    # Who chooses moves: one who wants to win, and experts.
    policies: int = 2
    misc: int = 6

    @classmethod
    def of(cls, blocks, channels):
        """That of our own networks: every third block pools a quarter of its channels."""
        return cls(channels, tuple(number % 3 == 0 for number in range(1, blocks + 1)), channels // 4)


class Network(nn.Module):
    """Planes, numbers and the predictor's logarithms of chances in; logits and values out."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        channels, head, value_head = shape.channels, shape.policy_head, shape.value_head
        self.conv = conv(5, PLANES, channels)
        self.globals = nn.Linear(GLOBALS, channels, bias=False)
        self.blocks = nn.ModuleList(Pooling(channels, shape.pooled) if pools else Ordinary(channels) for pools in shape.pools)
        self.tip = nn.BatchNorm2d(channels)
        self.policy_conv = conv(1, channels, head)
        self.policy_pooled = conv(1, channels, head)
        self.policy_pooled_norm = nn.BatchNorm2d(head)
        self.policy_pooled_to_bias = nn.Linear(3 * head, head, bias=False)
        self.policy_norm = nn.BatchNorm2d(head)
        self.policy_last = conv(1, head, shape.policies)
        self.policy_pass = nn.Linear(3 * head, shape.policies, bias=False)
        self.value_conv = conv(1, channels, value_head)
        self.value_norm = nn.BatchNorm2d(value_head)
        self.value_hidden = nn.Linear(3 * value_head, shape.hidden)
        self.outcome = nn.Linear(shape.hidden, 3)
        self.misc = nn.Linear(shape.hidden, shape.misc)
        self.ownership = conv(1, value_head, 1)
        # How much the predictor's word counts; an untaught network repeats it.
        self.predictor = nn.Parameter(torch.ones(shape.policies))
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
        for block in self.blocks:
            nn.init.zeros_(block.second.weight)
        nn.init.zeros_(self.policy_last.weight)

    def forward(self, planes, numbers, expected):
        x = self.conv(planes) + self.globals(numbers)[:, :, None, None]
        for block in self.blocks:
            x = block(x)
        x = F.relu(self.tip(x))
        pooled = pool(F.relu(self.policy_pooled_norm(self.policy_pooled(x))))
        bias = self.policy_pooled_to_bias(pooled)
        out = F.relu(self.policy_norm(self.policy_conv(x) + bias[:, :, None, None]))
        logits = self.policy_last(out).flatten(2).float() + self.predictor[:, None] * expected[:, None]
        policy = torch.cat([logits, self.policy_pass(pooled).float()[:, :, None]], 2)
        out = F.relu(self.value_norm(self.value_conv(x)))
        owners = self.ownership(out).flatten(1).float()
        hidden = F.relu(self.value_hidden(pool_value(out)))
        return policy, self.outcome(hidden).float(), self.misc(hidden).float(), owners
