"""The plain network of MaskablePPO in NumPy: one tower of layers for the policy, one for the value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checkpoints import CheckpointError
from .policy_file import Arrays, PolicyFile

Float = NDArray[np.float32]


def _relu(x: Float) -> None:
    np.maximum(x, 0, out=x)


def _tanh(x: Float) -> None:
    np.tanh(x, out=x)


#: By name, as a header has it: each works in place.
ACTIVATIONS: dict[str, Callable[[Float], None]] = {"relu": _relu, "tanh": _tanh}
#: The towers, by what the policy's state calls them: their hidden layers, and the last one.
POLICY, VALUE = ("mlp_extractor.policy_net", "action_net"), ("mlp_extractor.value_net", "value_net")


class MlpNumpy:
    """Maps observations to logits and to values.

    Args:
        file: of a network ``mlp``.

    Raises:
        CheckpointError: arrays or a header that no such network has.
    """

    def __init__(self, file: PolicyFile) -> None:
        about, network = file.about, file.about.network
        policy, value = (_sizes(file, network.get(tower)) for tower in ("policy", "value"))
        activation = network.get("activation")
        if activation not in ACTIVATIONS:
            known = ", ".join(ACTIVATIONS)
            raise CheckpointError(f"{file.source}: activation {activation!r} is unknown; known: {known}")
        seen = about.observation_size
        file.check_shapes({**_shapes(POLICY, seen, policy, about.num_actions), **_shapes(VALUE, seen, value, 1)})
        self._activate = ACTIVATIONS[activation]
        self._policy = _layers(file.arrays, _names(POLICY, len(policy)))
        self._value = _layers(file.arrays, _names(VALUE, len(value)))

    def logits(self, observation: Float) -> Float:
        """Return (m, num_actions) for (m, observation_size) scaled observations."""
        return self._through(self._policy, observation)

    def values(self, observation: Float) -> Float:
        """Return (m,) values."""
        return self._through(self._value, observation)[:, 0]

    def _through(self, layers: Sequence[tuple[Float, Float]], x: Float) -> Float:
        *hidden, (weight, bias) = layers
        for weights, biases in hidden:
            x = x @ weights
            x += biases
            self._activate(x)
        made: Float = x @ weight
        made += bias
        return made


def _sizes(file: PolicyFile, sizes: Any) -> list[int]:
    if not isinstance(sizes, list) or not all(type(size) is int and size > 0 for size in sizes):
        raise CheckpointError(f"{file.source}: its header is damaged: layers {sizes!r}, expected a list of sizes")
    return sizes


def _names(tower: tuple[str, str], hidden: int) -> list[str]:
    """Return what the policy's state calls a tower's layers; between two there is an activation."""
    return [f"{tower[0]}.{2 * layer}" for layer in range(hidden)] + [tower[1]]


def _shapes(tower: tuple[str, str], seen: int, hidden: Sequence[int], out: int) -> dict[str, tuple[int, ...]]:
    sizes = [seen, *hidden, out]
    shapes: dict[str, tuple[int, ...]] = {}
    for layer, name in enumerate(_names(tower, len(hidden))):
        shapes |= {f"{name}.weight": (sizes[layer + 1], sizes[layer]), f"{name}.bias": (sizes[layer + 1],)}
    return shapes


def _layers(arrays: Arrays, names: Sequence[str]) -> list[tuple[Float, Float]]:
    """Return each layer's weights, (inputs, outputs), and biases."""
    return [(np.ascontiguousarray(arrays[f"{name}.weight"].T), arrays[f"{name}.bias"]) for name in names]
