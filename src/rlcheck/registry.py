"""Short names for what can be plugged in; each is imported when it is first asked for.

Adding a variant is one line in `KNOWN`.
"""

from __future__ import annotations

import importlib
from typing import Any

from rlcheck.errors import ConfigurationError, MissingExtra, UnknownName

KNOWN: dict[str, dict[str, str]] = {
    "learner": {
        "count-based": "rlcheck.learners.count_based:CountBased",
        "cross-entropy": "rlcheck.learners.cross_entropy:CrossEntropy",
        "diverse": "rlcheck.learners.diverse:Diverse",
        "dqn": "rlcheck.learners.dqn:Dqn",
        "impala": "rlcheck.frontends.agents.rllib:Impala",
        "monte-carlo": "rlcheck.learners.monte_carlo:MonteCarlo",
        "mutate": "rlcheck.learners.mutate:Mutate",
        "portfolio": "rlcheck.learners.portfolio:Portfolio",
        "rarity": "rlcheck.learners.rarity:Rarity",
        "recurrent": "rlcheck.learners.recurrent:Recurrent",
        "sarsa-lambda": "rlcheck.learners.sarsa_lambda:SarsaLambda",
        "swarm": "rlcheck.learners.swarm:Swarm",
        "uniform": "rlcheck.learners.uniform:Uniform",
        "zest": "rlcheck.learners.zest:Zest",
    },
    "abstraction": {
        "call-stack": "rlcheck.abstractions.call_stack:CallStack",
        "call-tree": "rlcheck.abstractions.call_tree:CallTree",
        "frames": "rlcheck.abstractions.call_tree:Frames",
        "sequence": "rlcheck.abstractions.sequence:Sequence",
        "spans": "rlcheck.abstractions.spans:Spans",
    },
    "reward": {
        "combine": "rlcheck.rewards.combine:Combine",
        "coverage": "rlcheck.rewards.coverage:Coverage",
        "failure": "rlcheck.rewards.failure:Failure",
        "new-branches": "rlcheck.rewards.new_branches:NewBranches",
        "novelty": "rlcheck.rewards.novelty:Novelty",
        "validity": "rlcheck.rewards.validity:Validity",
    },
    "characteristic": {
        "branches": "rlcheck.characteristics:Branches",
        "identity": "rlcheck.characteristics:identity",
        "path": "rlcheck.characteristics:Path",
        "size": "rlcheck.characteristics:size",
        "trace": "rlcheck.characteristics:Trace",
    },
}

#: What `None` stands for.
DEFAULTS = {
    "learner": "diverse",
    "abstraction": "call-tree",
    "reward": "novelty",
    "characteristic": "identity",
}

#: The extra that brings an optional package.
EXTRAS = {
    "greenlet": "gym",
    "gymnasium": "gym",
    "hypothesis": "hypothesis",
    "numpy": "numpy",
    "ray": "ray",
    "rich": "cli",
    "torch": "torch",
}


def names(kind: str) -> list[str]:
    """The registered names of a kind: `learner`, `abstraction`, `reward` or `characteristic`."""
    return sorted(KNOWN[kind])


def load(kind: str, name: str) -> Any:
    """The class or function registered under a name."""
    try:
        path = KNOWN[kind][name]
    except KeyError:
        raise UnknownName(_unknown(kind, name)) from None
    module, _, attribute = path.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError as error:
        raise missing_extra(f"{kind}={name!r}", error) from error


def make(kind: str, spec: Any) -> Any:
    """An instance from a name, a class, an object or None (the default)."""
    if spec is None:
        spec = DEFAULTS[kind]
    if isinstance(spec, str):
        spec = load(kind, spec)
    return spec() if isinstance(spec, type) else spec


def coverage_needed(**specs: Any) -> str | None:
    """What the most demanding of them looks at: "path", "counts", or None for no branches at all."""
    parts = [load(kind, spec) if isinstance(spec, str) else spec for kind, spec in specs.items()]
    needed = {getattr(part, "coverage", None) for part in parts}
    return next((what for what in ("path", "counts") if what in needed), None)


def check_name(kind: str, spec: Any) -> None:
    """Raise when `spec` is a name and not registered; nothing is imported."""
    if isinstance(spec, str) and spec not in KNOWN[kind]:
        raise UnknownName(_unknown(kind, spec))


def missing_extra(what: str, error: ModuleNotFoundError) -> Exception:
    """The error to raise when `what` needs a package that is not installed."""
    package = (error.name or "").partition(".")[0]
    if package not in EXTRAS:
        return error
    return MissingExtra(f"{what} needs {package}. Install it with: pip install 'rlcheck[{EXTRAS[package]}]'")


def check_methods(kind: str, thing: Any, methods: tuple[str, ...]) -> None:
    """Raise when `thing` lacks one of the methods that its kind must have."""
    for method in methods:
        if not callable(getattr(thing, method, None)):
            raise ConfigurationError(
                f"{kind}={thing!r} has no method {method}(). Give a name ({', '.join(names(kind))})"
                f" or an object with {', '.join(m + '()' for m in methods)}."
            )


def _unknown(kind: str, name: str) -> str:
    import difflib  # Slow to load, and needed only here.

    known = names(kind)
    # The beginning of a name is closer to it than a name with the same letters.
    close = [one for one in known if one.startswith(name)] or difflib.get_close_matches(name, known, n=1)
    hint = f" Did you mean {close[0]!r}?" if name and close else ""
    return f"{kind}={name!r} is not known.{hint} Known: {', '.join(map(repr, known))}."
