"""What is to be made small, and what is told of how far it is."""

import torch
import torch.nn.functional as F

SCORE = 20.0


def parts(said, wanted, played_share):
    """The parts of the loss, each a mean over the batch."""
    policy, outcome, misc, owners = said
    logits = policy.masked_fill(wanted["taken"], -1e9)
    chances = F.log_softmax(logits, 1)
    # In records the move that was played counts beside what the teacher expects.
    share = (played_share * wanted["record"] * wanted["known"])[:, None]
    target = (1 - share) * wanted["policy"] + share * wanted["played"]
    moves = -(target * chances).sum(1).mean()
    win, loss = wanted["outcome"].unbind(1)
    chance = torch.stack([win, loss, (1 - win - loss).clamp(min=0)], 1)
    value = -(chance * F.log_softmax(outcome, 1)).sum(1).mean()
    mean, spread, lead = (wanted["score"] / SCORE).unbind(1)
    score = F.smooth_l1_loss(misc[:, 0], mean, beta=0.5)
    score = score + F.smooth_l1_loss(misc[:, 2], lead, beta=0.5)
    score = score + 0.5 * F.smooth_l1_loss(F.softplus(misc[:, 1]), spread, beta=0.5)
    owner = F.binary_cross_entropy_with_logits(2 * owners, (wanted["owners"] + 1) / 2)
    return {"policy": moves, "value": value, "score": score, "owners": owner}


WEIGHTS = {"policy": 1.0, "value": 1.2, "score": 0.6, "owners": 1.5}


def total(found):
    return sum(WEIGHTS[name] * loss for name, loss in found.items())


def measures(said, wanted):
    """Sums over the batch of what is watched, and how many positions each is of."""
    policy, outcome, misc, owners = said
    logits = policy.masked_fill(wanted["taken"], -1e9)
    chances = F.log_softmax(logits, 1)
    count = len(policy)
    best = logits.argmax(1)
    known = wanted["known"]
    hit = wanted["played"].gather(1, best[:, None])[:, 0] * known
    within = wanted["played"].gather(1, logits.topk(5, 1).indices).sum(1) * known
    likely = (wanted["played"] * chances).sum(1) * known
    agree = (best == wanted["policy"].argmax(1)).float()
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
