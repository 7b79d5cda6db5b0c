"""What is to be made small, and what is told of how far it is."""

import torch
import torch.nn.functional as F

SCORE = 20.0


def parts(said, wanted):
    """The parts of the loss, each a mean over the batch."""
    policy, outcome, misc, owners = said
    chances = F.log_softmax(policy.masked_fill(wanted["taken"][:, None], -1e9), 2)
    moves = -(wanted["policy"] * chances[:, 0]).sum(1).mean()
    # Experts' moves are those of records.
    likely = (wanted["played"] * chances[:, 1]).sum(1) * wanted["record"] * wanted["known"]
    experts = -likely.sum() / wanted["record"].sum().clamp(min=1)
    win, loss = wanted["outcome"].unbind(1)
    chance = torch.stack([win, loss, (1 - win - loss).clamp(min=0)], 1)
    value = -(chance * F.log_softmax(outcome, 1)).sum(1).mean()
    mean, spread, lead = (wanted["score"] / SCORE).unbind(1)
    score = F.smooth_l1_loss(misc[:, 0], mean, beta=0.5)
    score = score + F.smooth_l1_loss(misc[:, 2], lead, beta=0.5)
    score = score + 0.5 * F.smooth_l1_loss(F.softplus(misc[:, 1]), spread, beta=0.5)
    owner = F.binary_cross_entropy_with_logits(2 * owners, (wanted["owners"] + 1) / 2)
    return {"policy": moves, "experts": experts, "value": value, "score": score, "owners": owner}


WEIGHTS = {"policy": 1.0, "experts": 0.6, "value": 1.2, "score": 0.6, "owners": 1.5}


def total(found):
    return sum(WEIGHTS[name] * loss for name, loss in found.items())


def measures(said, wanted):
    """Sums over the batch of what is watched, and how many positions each is of."""
    policy, outcome, misc, owners = said
    all_logits = policy.masked_fill(wanted["taken"][:, None], -1e9)
    count = len(policy)
    known = wanted["known"]
    logits = all_logits[:, 1]
    hit = wanted["played"].gather(1, logits.argmax(1)[:, None])[:, 0] * known
    within = wanted["played"].gather(1, logits.topk(5, 1).indices).sum(1) * known
    likely = (wanted["played"] * F.log_softmax(logits, 1)).sum(1) * known
    logits = all_logits[:, 0]
    chances = F.log_softmax(logits, 1)
    agree = (logits.argmax(1) == wanted["policy"].argmax(1)).float()
    divergence = (wanted["policy"] * (wanted["policy"].clamp(min=1e-9).log() - chances)).sum(1)
    said_value = outcome.softmax(1)
    value = said_value[:, 0] - said_value[:, 1]
    teacher = wanted["outcome"][:, 0] - wanted["outcome"][:, 1]
    lead = (SCORE * misc[:, 2] - wanted["score"][:, 2]).abs()
    owner = (owners.tanh() - wanted["owners"]).square().mean(1)
    return {
        "first": (hit.sum(), known.sum()),
        "within_five": (within.sum(), known.sum()),
        "log_likelihood": (likely.sum(), known.sum()),
        "agrees": (agree.sum(), count),
        "divergence": (divergence.sum(), count),
        "value_error": ((value - teacher).square().sum(), count),
        "lead_error": (lead.sum(), count),
        "owner_error": (owner.sum(), count),
    }
