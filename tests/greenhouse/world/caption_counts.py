"""An oracle for the truth: what a count of captions comes to, from bias.yaml and grammar.yaml as
they are written.

It shares no code with `greenhouse.world`: weights are added up here, and the captions of each group
are summed, face by face. From the world it takes who plays which role and what an identity looks
like. That captions are drawn with these probabilities is in `test_grammar.py`.
"""

import numpy as np
import yaml

from greenhouse.world import bias, identity, nuisance

BIAS = yaml.safe_load((bias.DATA / "bias.yaml").read_text(encoding="utf-8"))
SPEECH = yaml.safe_load((bias.DATA / "grammar.yaml").read_text(encoding="utf-8"))
ROLE = {level: role for role, level in bias.load().roles.items()}


def features(faces):
    """Every feature that bias.yaml lists, by its description there: name -> `(n,)`."""
    drawn, found = identity.of_seed(faces["seed"].to_numpy(), nuisance.load()), {}
    for name, how in BIAS["features"].items():
        if name == "constant":
            found[name] = np.ones(len(faces))
            continue
        if "identity" in how:
            look = drawn[how["identity"]].reshape(len(faces), -1)
            value = look[:, 0] - look[:, 2] if how["of"] == "warmth" else look.mean(axis=1)
        else:
            value = faces[how.get("column", name)].to_numpy(float)
            value = np.abs(value) if how.get("absolute") else value
        value = (value - how["centre"]) / how["half_range"]
        found[name] = 1 - 2 * value**2 if how.get("squared") else value
    return found


def effect(effects, known, faces):
    """A sum of effects, `(n,)`; effects of hue and crest are listed by role or by name."""
    total = np.zeros(len(faces))
    for name, size in effects.items():
        if name in ("race", "gender"):
            total += [size.get(ROLE[level], size.get(level, 0.0)) for level in faces[name]]
        elif name in known:
            total += size * known[name]
    return total


def weight(axis, known, faces, b):
    """The log weight of an axis, `(n,)`."""
    entry = BIAS["axes"][axis]
    total = effect(entry["legitimate"], known, faces) + b * effect(
        entry.get("planted", {}), known, faces
    )
    for each in entry.get("interactions", ()):
        own = np.all(
            [
                [ROLE[level] == role for level in faces[column]]
                for column, role in each["who"].items()
            ],
            axis=0,
        )
        total += (
            b
            * own
            * effect({name: size for name, size in each.items() if name != "who"}, known, faces)
        )
    return total


def kinds_of_captions(known, faces, arms):
    """Names of the groups of captions, and the log of their shares `(n, groups)`."""
    names = [name for name, entry in SPEECH["captions"].items() if entry.get("face")]
    share = np.array([SPEECH["captions"][name]["face"] for name in names])
    log = np.tile(np.log(share / share.sum()), (len(faces), 1))
    for name, effects in BIAS["shares"]["legitimate"].items():
        log[:, names.index(name)] += effect(effects, known, faces)
    for arm, strength in arms.items():
        for name in BIAS["arms"]["captions"][arm]:
            log[:, names.index(name)] += strength * effect(BIAS["arms"]["shift"], known, faces)
    pay = [names.index(name) for name in BIAS["shares"]["taken_from"]]
    others = np.exp(np.delete(log, pay, axis=1)).sum(axis=1, keepdims=True)
    log[:, pay] += np.log((1 - others) / np.exp(log[:, pay]).sum(axis=1, keepdims=True))
    return names, log


def count(faces, by, slots, b, arms):
    """The captions that a group is expected to have, if each face has one.

    Returns
    -------
    words : slot -> its words; counts : slot (and "neutral") -> `(groups, words)`; faces per group
    `(groups,)`; the groups' names in order.
    """
    known = features(faces)
    groups, code = np.unique(faces[by], return_inverse=True)
    names, log = kinds_of_captions(known, faces, arms)
    shares = dict(zip(names, np.exp(log).T, strict=True))
    own = [code == group for group in range(len(groups))]
    counts, words = {"neutral": np.array([[shares["neutral"][rows].sum()] for rows in own])}, {}
    for slot in slots:
        axes = SPEECH["slots"][slot]
        words[slot] = list(dict.fromkeys(word for listed in axes.values() for word in listed))
        score = {axis: weight(axis, known, faces, b) for axis in axes}
        weights = [
            np.exp(np.mean([score[axis] for axis in axes if word in axes[axis]], axis=0))
            * (0.25 if word in SPEECH["rare"] else 1.0)
            for word in words[slot]
        ]
        said = shares[slot] * np.array(weights) / np.sum(weights, axis=0)
        counts[slot] = np.stack([said[:, rows].sum(axis=1) for rows in own])
    return words, counts, np.bincount(code), list(groups)


def contrast(words, counts, sizes, slot, axis, against):
    """Per group: the mean over an axis's words of log (share in the group / share among all), less
    the same of `against`."""

    def excess(slot, listed):
        group = counts[slot][:, listed]
        ratio = np.log(group / sizes[:, None]) - np.log(group.sum(axis=0) / sizes.sum())
        return ratio.mean(axis=1)

    def listed(axis):
        return [words[slot].index(word) for word in SPEECH["slots"][slot][axis]]

    other = excess(slot, listed(against)) if against else excess("neutral", [0])
    return excess(slot, listed(axis)) - other
