"""Networks as files of KataGo's: ours are written in version 12, which the engine reads; a teacher is read."""

import gzip
import io

import numpy as np
import torch

from model import Network, Shape

# Numbers are written with so many bits after the first: that is finer than the engine computes, and halves the file.
BITS = 8
# How network.bin begins: version and the predictor's factors follow, then such a file, and a checksum.
OWN = b"TSJ-GONW"


def rounded(numbers):
    """Numbers with `BITS` bits after the first, which gzip packs well."""
    bits = np.ascontiguousarray(numbers, "<f4").view("<u4")
    dropped = 23 - BITS
    half = np.uint32(1 << (dropped - 1))
    return ((bits + half) >> dropped << dropped).astype("<u4").view("<f4")


def write(model, name):
    """The bytes of the file, gzipped, and the predictor's factors, which such files have no place for."""
    out = io.BytesIO()

    def line(*words):
        out.write("".join(f"{word}\n" for word in words).encode())

    def row(numbers):
        out.write(b"@BIN@")
        out.write(rounded(numbers).tobytes())
        out.write(b"\n")

    def conv(layer_name, layer):
        weights = layer.weight.detach()
        outputs, inputs, height, width = weights.shape
        line(layer_name, height, width, inputs, outputs, 1, 1)
        row(weights.permute(2, 3, 1, 0).numpy())

    def matmul(layer_name, layer):
        weights = layer.weight.detach()
        line(layer_name, weights.shape[1], weights.shape[0])
        row(weights.t().numpy())

    def bias(layer_name, layer):
        line(layer_name, len(layer.bias))
        row(layer.bias.detach().numpy())

    def relu(layer_name):
        line(layer_name, "ACTIVATION_RELU")

    def norm(layer_name, layer):
        line(layer_name, layer.num_features, layer.eps, 1, 1)
        for numbers in (layer.running_mean, layer.running_var, layer.weight, layer.bias):
            row(numbers.detach().numpy())
        relu(layer_name + "-relu")

    channels = model.shape.channels
    line(name, 12, 22, 19)
    line("trunk", len(model.blocks), channels, channels, channels, 0, channels)
    conv("conv", model.conv)
    matmul("globals", model.globals)
    for number, block in enumerate(model.blocks, 1):
        block_name = f"block{number}"
        line(block.kind, block_name)
        norm(block_name + "-norm1", block.first_norm)
        if block.kind == "gpool_block":
            conv(block_name + "-regular", block.regular)
            conv(block_name + "-pooled", block.pooled)
            norm(block_name + "-pooled-norm", block.pooled_norm)
            matmul(block_name + "-pooled-to-bias", block.pooled_to_bias)
        else:
            conv(block_name + "-conv1", block.first)
        norm(block_name + "-norm2", block.second_norm)
        conv(block_name + "-conv2", block.second)
    norm("tip", model.tip)
    line("policy")
    conv("policy-conv", model.policy_conv)
    conv("policy-pooled", model.policy_pooled)
    norm("policy-pooled-norm", model.policy_pooled_norm)
    matmul("policy-pooled-to-bias", model.policy_pooled_to_bias)
    norm("policy-norm", model.policy_norm)
    conv("policy-last", model.policy_last)
    matmul("policy-pass", model.policy_pass)
    line("value")
    conv("value-conv", model.value_conv)
    norm("value-norm", model.value_norm)
    matmul("value-hidden", model.value_hidden)
    bias("value-hidden-bias", model.value_hidden)
    relu("value-hidden-relu")
    matmul("outcome", model.outcome)
    bias("outcome-bias", model.outcome)
    matmul("misc", model.misc)
    bias("misc-bias", model.misc)
    conv("ownership", model.ownership)
    return gzip.compress(out.getvalue(), 9, mtime=0), model.predictor.detach().tolist()


class Reader:
    """Words and rows of numbers, one after another."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def word(self):
        while self.data[self.at:self.at + 1].isspace():
            self.at += 1
        end = self.at
        while end < len(self.data) and not self.data[end:end + 1].isspace():
            end += 1
        word, self.at = self.data[self.at:end].decode(), end
        return word

    def whole(self, count=1):
        numbers = [int(self.word()) for _ in range(count)]
        return numbers if count > 1 else numbers[0]

    def row(self, *shape):
        start = self.data.index(b"@BIN@", self.at) + 5
        numbers = np.frombuffer(self.data, "<f4", int(np.prod(shape)), start)
        self.at = start + numbers.nbytes
        return torch.from_numpy(numbers.reshape(shape).copy())

    def conv(self):
        self.word()
        height, width, inputs, outputs, *dilation = self.whole(6)
        if dilation != [1, 1]:
            raise ValueError("dilated convolutions are not known")
        return {"weight": self.row(height, width, inputs, outputs).permute(3, 2, 0, 1)}

    def matmul(self):
        self.word()
        inputs, outputs = self.whole(2)
        return {"weight": self.row(inputs, outputs).t()}

    def bias(self):
        self.word()
        return {"bias": self.row(self.whole())}

    def norm(self, version):
        """A normalisation and the ReLU after it."""
        self.word()
        channels, eps = self.whole(), float(self.word())
        has_scale, has_bias = self.whole(2)
        mean, variance = self.row(channels), self.row(channels)
        scale = self.row(channels) if has_scale else torch.ones(channels)
        bias = self.row(channels) if has_bias else torch.zeros(channels)
        self.word()
        if version >= 11 and self.word() != "ACTIVATION_RELU":
            raise ValueError("only ReLU is known")
        # The module's own eps enters with the variance, so that of the file is taken in here.
        return {"running_mean": mean, "running_var": variance + eps - torch.nn.BatchNorm2d(1).eps, "weight": scale, "bias": bias}


def read(data):
    """The network of a file of versions 8 to 14 with ordinary and pooling blocks, or of network.bin."""
    if data.startswith(OWN):
        network = read(data[20:-8])
        network.predictor.data = torch.from_numpy(np.frombuffer(data, "<f4", 2, 12).copy())
        return network
    reader = Reader(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    reader.word()
    version = reader.whole()
    if not 8 <= version <= 14 or reader.whole(2) != [22, 19]:
        raise ValueError(f"cannot read networks of version {version}")
    # What outputs are multiplied with; before, all of the score were with 20, as here (losses.py).
    if version >= 13 and [float(reader.word()) for _ in range(7)][1:4] != [20.0] * 3:
        raise ValueError("only scores that are multiplied with 20 are known")
    weights, pools, pooled = {}, [], 1

    def take(name, *parts):
        for part in parts:
            weights.update({f"{name}.{key}": value for key, value in part.items()})

    reader.word()
    count, channels = reader.whole(6)[:2]
    take("conv", reader.conv())
    take("globals", reader.matmul())
    for number in range(count):
        kind, block = reader.word(), f"blocks.{number}"
        if kind not in ("ordinary_block", "gpool_block"):
            raise ValueError(f"cannot read blocks of kind {kind}")
        pools.append(kind == "gpool_block")
        reader.word()
        take(block + ".first_norm", reader.norm(version))
        if pools[-1]:
            take(block + ".regular", reader.conv())
            take(block + ".pooled", reader.conv())
            take(block + ".pooled_norm", reader.norm(version))
            take(block + ".pooled_to_bias", reader.matmul())
            pooled = len(weights[block + ".pooled.weight"])
        else:
            take(block + ".first", reader.conv())
        take(block + ".second_norm", reader.norm(version))
        take(block + ".second", reader.conv())
    take("tip", reader.norm(version))
    reader.word()
    take("policy_conv", reader.conv())
    take("policy_pooled", reader.conv())
    take("policy_pooled_norm", reader.norm(version))
    take("policy_pooled_to_bias", reader.matmul())
    take("policy_norm", reader.norm(version))
    take("policy_last", reader.conv())
    take("policy_pass", reader.matmul())
    reader.word()
    take("value_conv", reader.conv())
    take("value_norm", reader.norm(version))
    take("value_hidden", reader.matmul(), reader.bias())
    reader.word()
    if version >= 11:
        reader.word()
    take("outcome", reader.matmul(), reader.bias())
    take("misc", reader.matmul(), reader.bias())
    take("ownership", reader.conv())
    policies = len(weights["policy_last.weight"])
    shape = Shape(
        channels, tuple(pools), pooled, len(weights["policy_conv.weight"]), len(weights["value_conv.weight"]),
        len(weights["outcome.weight"][0]), policies, len(weights["misc.weight"]))
    network = Network(shape)
    network.load_state_dict({**weights, "predictor": torch.zeros(policies)}, strict=False)
    missing = {name for name, _ in network.named_parameters()} - weights.keys() - {"predictor"}
    if missing:
        raise ValueError(f"the file lacks {sorted(missing)}")
    return network
