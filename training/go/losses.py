"""What is to be made small, and what is told of how far it is."""

import torch
import torch.nn.functional as F

SCORE = 20.0


def parts(said, wanted):
    """The parts of the loss, each a mean over the positions of the batch that it is known for."""
    policy, outcome, misc, owners = said
    labelled = wanted["labelled"]

    def mean_of(loss):
        return (loss * labelled).sum() / labelled.sum().clamp(min=1)

    def near(found, meant):
        return F.smooth_l1_loss(found, meant, beta=0.5, reduction="none")

    chances = F.log_softmax(policy.masked_fill(wanted["taken"][:, None], -1e9), 2)
    moves = mean_of(-(wanted["policy"] * chances[:, 0]).sum(1))
    # Experts' moves are those of records.
    likely = (wanted["played"] * chances[:, 1]).sum(1) * wanted["record"] * wanted["known"]
    experts = -likely.sum() / wanted["record"].sum().clamp(min=1)
    win, loss = wanted["outcome"].unbind(1)
    chance = torch.stack([win, loss, (1 - win - loss).clamp(min=0)], 1)
    value = mean_of(-(chance * F.log_softmax(outcome, 1)).sum(1))
    mean, spread, lead = (wanted["score"] / SCORE).unbind(1)
    score = near(misc[:, 0], mean) + near(misc[:, 2], lead) + 0.5 * near(F.softplus(misc[:, 1]), spread)
    owner = F.binary_cross_entropy_with_logits(2 * owners, (wanted["owners"] + 1) / 2, reduction="none").mean(1)
    score, owner = mean_of(score), mean_of(owner)
    return {"policy": moves, "experts": experts, "value": value, "score": score, "owners": owner}


def ask(said, wanted):
    """Puts a teacher's word in place of what positions were labelled with, but for those that a search was asked about."""
    for name, label in labels(said, wanted).items():
        searched = wanted["searched"].view([-1] + [1] * (label.dim() - 1))
        wanted[name] = torch.where(searched, wanted[name], label)


def reordered(said, order):
    """What is said of a board, its points in another order."""
    policy, outcome, misc, owners = said
    area = owners.shape[1]
    return torch.cat([policy[:, :, :area][:, :, order], policy[:, :, area:]], 2), outcome, misc, owners[:, order]


WEIGHTS = {"policy": 1.0, "experts": 0.6, "value": 1.2, "score": 0.6, "owners": 1.5}


def total(found):
    return sum(WEIGHTS[name] * loss for name, loss in found.items())


def labels(said, wanted):
    """What a teacher says, in the form that positions have it in."""
    policy, outcome, misc, owners = said
    chances = policy[:, 0].masked_fill(wanted["taken"], -1e9).softmax(1)
    spread = F.softplus(misc[:, 1])
    return {
        "policy": chances, "outcome": outcome[:, :2].softmax(1), "owners": owners.tanh(),
        "score": SCORE * torch.stack([misc[:, 0], spread, misc[:, 2]], 1), "labelled": torch.ones_like(chances[:, 0]),
    }


def measures(said, wanted):
    """Sums over the batch of what is watched, and how many positions each is of."""
    policy, outcome, misc, owners = said
    all_logits = policy.masked_fill(wanted["taken"][:, None], -1e9)
    known, labelled = wanted["known"], wanted["labelled"]
    count = labelled.sum()
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
    agree, divergence, lead, owner = (measure * labelled for measure in (agree, divergence, lead, owner))
    return {
        "first": (hit.sum(), known.sum()),
        "within_five": (within.sum(), known.sum()),
        "log_likelihood": (likely.sum(), known.sum()),
        "agrees": (agree.sum(), count),
        "divergence": (divergence.sum(), count),
        "value_error": (((value - teacher).square() * labelled).sum(), count),
        "lead_error": (lead.sum(), count),
        "owner_error": (owner.sum(), count),
    }
