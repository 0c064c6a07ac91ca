"""What counts as an action: integers of every kind, and nothing that merely looks like one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo.errors import IllegalActionError

_PLAIN = (int, np.int64)


def as_action(action: Any, num_actions: int) -> int:
    """Return one action as an int.

    Args:
        action: an int, a NumPy integer, a 0-d integer array or a 0-d integer torch tensor.
        num_actions: the size of the action space.

    Raises:
        TypeError: the value is no integer (a bool, a float, a string, an array with a dimension).
        IllegalActionError: the integer is negative or not below ``num_actions``.
    """
    if type(action) not in _PLAIN:
        action = _integer(action, num_actions)
    if not 0 <= action < num_actions:
        raise IllegalActionError(f"action {action} is out of range: expected an integer from 0 to {num_actions - 1}")
    return int(action)


def _integer(action: Any, num_actions: int) -> int:
    if isinstance(action, (int, np.integer)) and not isinstance(action, bool):
        return int(action)
    wanted = f"expected one integer from 0 to {num_actions - 1}"
    shape = getattr(action, "shape", None)
    if shape is None or not hasattr(action, "dtype"):
        raise TypeError(f"action {action!r} is of type {type(action).__name__}; {wanted}")
    if len(shape) > 0:
        raise TypeError(f"action {action!r} has shape {tuple(shape)}; {wanted}, without a dimension")
    if not _is_integer_dtype(action.dtype):
        raise TypeError(f"action {action!r} has dtype {action.dtype}; {wanted}")
    return int(action)


def _is_integer_dtype(dtype: Any) -> bool:
    if isinstance(dtype, np.dtype):
        return bool(np.issubdtype(dtype, np.integer))
    name = str(dtype).removeprefix("torch.")
    return name.startswith(("int", "uint"))


def as_actions(actions: Any, count: int) -> NDArray[np.int64]:
    """Return a batch of actions as a contiguous (count,) int64 array.

    Raises:
        TypeError: not integers, or not of shape (count,).
    """
    if isinstance(actions, (list, tuple)) and any(isinstance(action, (bool, np.bool_)) for action in actions):
        raise TypeError(f"actions have dtype bool; expected integers of shape ({count},)")
    try:
        array = np.asarray(actions)
    except ValueError as error:
        raise TypeError(f"actions {actions!r} have no one shape; expected integers of shape ({count},)") from error
    if array.dtype == np.int64 and array.shape == (count,):
        return np.ascontiguousarray(array)
    if array.dtype.kind not in "iu":
        raise TypeError(f"actions have dtype {array.dtype}; expected integers of shape ({count},)")
    if array.shape != (count,):
        raise TypeError(f"actions have shape {array.shape}; expected ({count},), one for each game stepped")
    if array.dtype == np.uint64:
        array = np.minimum(array, np.uint64(np.iinfo(np.int64).max))
    return np.ascontiguousarray(array, dtype=np.int64)
