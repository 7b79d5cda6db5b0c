"""Writing a network as a file of KataGo's, version 12, that the engine reads."""

import gzip
import io

import numpy as np
import torch


def write(model, name):
    """The bytes of the file, gzipped, and the predictor's factors, which such files have no place for."""
    out = io.BytesIO()

    def line(*words):
        out.write("".join(f"{word}\n" for word in words).encode())

    def row(numbers):
        out.write(b"@BIN@")
        out.write(np.ascontiguousarray(numbers, "<f4").tobytes())
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

    channels = model.config["channels"]
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
    return gzip.compress(out.getvalue(), 6, mtime=0), model.predictor.detach().tolist()
