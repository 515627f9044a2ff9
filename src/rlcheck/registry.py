"""Short names for what can be plugged in; each is imported when it is first asked for.

Adding a variant is one line in `KNOWN`.
"""

from __future__ import annotations

import importlib
from typing import Any

from rlcheck.errors import MissingExtra, UnknownName

KNOWN: dict[str, dict[str, str]] = {
    "learner": {
        "diverse": "rlcheck.learners.diverse:Diverse",
        "dqn": "rlcheck.learners.deep.dqn:Dqn",
        "monte-carlo": "rlcheck.learners.monte_carlo:MonteCarlo",
        "portfolio": "rlcheck.learners.portfolio:Portfolio",
        "rarity": "rlcheck.learners.rarity:Rarity",
        "recurrent": "rlcheck.learners.deep.recurrent:Recurrent",
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
        "combine": "rlcheck.rewards:Combine",
        "coverage": "rlcheck.rewards:Coverage",
        "failure": "rlcheck.rewards:Failure",
        "new-branches": "rlcheck.rewards:NewBranches",
        "novelty": "rlcheck.rewards:Novelty",
        "validity": "rlcheck.rewards:Validity",
    },
    "characteristic": {
        "branches": "rlcheck.characteristics:Branches",
        "identity": "rlcheck.characteristics:Identity",
        "path": "rlcheck.characteristics:Path",
        "size": "rlcheck.characteristics:Size",
        "trace": "rlcheck.characteristics:Trace",
    },
}

#: Learners that are gone, and what to use instead.
RETIRED = {
    "count-based": "'rarity', or 'uniform', which covered as much",
    "cross-entropy": "'monte-carlo'",
    "impala": "rlcheck.frontends.agents.rllib.train(), which returns a learner",
    "mutate": "'zest' with coverage=()",
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
    "starlette": "dashboard",
    "torch": "torch",
    "uvicorn": "dashboard",
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


def check_name(kind: str, spec: Any) -> None:
    """Raise if `spec` is a name that is not registered; imports nothing."""
    if isinstance(spec, str) and spec not in KNOWN[kind]:
        raise UnknownName(_unknown(kind, spec))


def missing_extra(what: str, error: ModuleNotFoundError) -> Exception:
    """The error to raise when `what` needs a package that is not installed."""
    package = (error.name or "").partition(".")[0]
    if package not in EXTRAS:
        return error
    return MissingExtra(f"{what} needs {package}. Install it with: {install_command(EXTRAS[package])}")


def install_command(extra: str) -> str:
    """The command that installs an extra; rlcheck is not on PyPI."""
    return f"pip install '.[{extra}]' (in a clone of rlcheck)"


def _unknown(kind: str, name: str) -> str:
    if kind == "learner" and name in RETIRED:
        return f"learner={name!r} is no longer part of rlcheck. Use {RETIRED[name]}."
    import difflib  # Slow to load, and needed only here.

    known = names(kind)
    # The beginning of a name is closer to it than a name with the same letters.
    close = [one for one in known if one.startswith(name)] or difflib.get_close_matches(name, known, n=1)
    hint = f" Did you mean {close[0]!r}?" if name and close else ""
    return f"{kind}={name!r} is not known.{hint} Known: {', '.join(map(repr, known))}."
