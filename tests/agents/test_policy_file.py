"""Files of networks: what is written is read; what is damaged, foreign or changed is told by what is wrong with it."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.checkpoints import CheckpointError
from agents.policies.numpy_policy import NumpyPolicy
from agents.policies.policy_file import FORMAT, VERSION, PolicyFile, checksum_of
from tablezoo import Batch
from tablezoo.layout import Layout
from tablezoo.plain_npz import pack
from tablezoo.registration import find_game

from .policies import fresh_file

GAME = find_game("mustang")


@pytest.fixture(scope="module")
def file() -> PolicyFile:
    return fresh_file("mustang", [2, 3])


@pytest.fixture
def path(file: PolicyFile, tmp_path: Path) -> Path:
    path = tmp_path / "mustang-2-3.npz"
    file.save(path)
    return path


def write(path: Path, file: PolicyFile, arrays: dict[str, Any] | None = None, **header: Any) -> None:
    """Write a file whose header, where nothing else is said, fits its arrays."""
    arrays = dict(file.arrays) if arrays is None else arrays
    told = {"format": FORMAT, "version": VERSION, **asdict(file.about), "checksum": checksum_of(arrays)}
    path.write_bytes(pack({**told, **header}, arrays))


def refused(path: Path) -> str:
    with pytest.raises(CheckpointError) as raised:
        NumpyPolicy.load(path, GAME)
    message = str(raised.value)
    assert message.startswith(f"{path}: ")
    assert message.count(str(path)) == 1
    return message.removeprefix(f"{path}: ")


def test_what_is_written_is_read(file: PolicyFile, path: Path) -> None:
    again = PolicyFile.load(path)
    assert again.about == file.about
    assert again.arrays.keys() == file.arrays.keys()
    for name, array in file.arrays.items():
        assert again.arrays[name].dtype == np.float32
        assert np.array_equal(again.arrays[name], array)
    assert NumpyPolicy.load(path).name == "mustang-2-3"


def test_the_same_network_is_the_same_bytes(file: PolicyFile, path: Path) -> None:
    backwards = replace(file, arrays=dict(reversed(list(file.arrays.items()))))
    assert backwards.to_bytes() == path.read_bytes()
    assert list(path.parent.iterdir()) == [path]


def test_a_file_says_what_it_is(file: PolicyFile) -> None:
    about = file.about
    assert (about.game, about.observation_size, about.num_actions) == ("mustang_v0", 526, 169)
    assert about.network == {"kind": "mlp", "activation": "relu", "policy": [32, 24], "value": [32, 24]}
    assert about.players == [2, 3]
    assert about.command.startswith("python -m agents.train mustang --players 2-3 --opponent greedy --steps ")
    assert re.fullmatch(r"[0-9a-f]{64}", about.checksum)
    assert file.to_bytes().count(b"pickle") == 0


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no policy, or damaged: not an .npz"),
        (b"hello", "no policy, or damaged: not an .npz"),
        (b"PK\x03\x04 and no more", "no policy, or damaged: not an .npz"),
    ],
)
def test_what_is_no_npz(path: Path, data: bytes, words: str) -> None:
    path.write_bytes(data)
    assert refused(path) == words


def test_what_is_not_there(tmp_path: Path) -> None:
    for odd in (tmp_path / "nowhere.npz", tmp_path):
        assert refused(odd) == "not there; expected a policy (.npz), as python -m agents.export writes it"


def test_other_archives(path: Path) -> None:
    np.savez(path, a=np.zeros(3))
    assert refused(path) == "no policy: it has no header"
    np.savez(path, header=np.array([print, 1], object))
    assert "allow_pickle=False" in refused(path)
    np.savez(path, header=np.frombuffer(b"{no JSON", np.uint8))
    assert refused(path).startswith("its header is damaged: Expecting property name")
    np.savez(path, header=np.frombuffer(b"[" * 100_000, np.uint8))
    assert refused(path).startswith("its header is damaged: ")
    np.savez(path, header=np.frombuffer(b"[1]", np.uint8))
    assert refused(path) == "its header is damaged: expected a JSON object"
    Batch(GAME, 2, seed=0).save(path)
    assert refused(path) == "no policy, but an .npz of something else"


def test_a_damaged_file_is_never_loaded_wrongly(file: PolicyFile, path: Path) -> None:
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for place in rng.integers(len(whole), size=60):
        damaged = bytearray(whole)
        damaged[place] ^= 0x55
        path.write_bytes(bytes(damaged))
        try:
            again = PolicyFile.load(path)
        except CheckpointError:
            continue
        assert again.about == file.about  # a byte that says nothing: of a time, or of another system's attributes
        assert checksum_of(again.arrays) == file.about.checksum
    for size in (len(whole) // 3, len(whole) - 30):
        path.write_bytes(whole[:size])
        assert refused(path).startswith("no policy, or damaged: ")


def test_arrays_that_were_changed(file: PolicyFile, path: Path) -> None:
    arrays = {**file.arrays, "action_net.bias": file.arrays["action_net.bias"] + 1}
    write(path, file, arrays, checksum=file.about.checksum)
    assert refused(path) == "its arrays do not match the checksum in its header: it was changed"


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ({"version": 2}, "written in format version 2; this is version 1"),
        ({"format": "x"}, "no policy, but an .npz of something else"),
        ({"game": 3}, "its header is damaged: game: expected str, got 3"),
        ({"players": "2"}, "its header is damaged: players: expected list[int], got '2'"),
        ({"players": []}, "its header is damaged: players: expected counts of 1 or more, got []"),
        ({"players": [0]}, "its header is damaged: players: expected counts of 1 or more, got [0]"),
        ({"steps": None}, "its header is damaged: steps: expected int, got None"),
        ({"network": {"kind": "cnn"}}, "its network is 'cnn'; this version knows mlp and horses"),
        ({"network": {}}, "its network is None; this version knows mlp and horses"),
        (
            {"network": {"kind": "mlp", "policy": [0], "value": [], "activation": "relu"}},
            "its header is damaged: layers [0], expected a list of sizes",
        ),
        (
            {"network": {"kind": "mlp", "policy": [32, 24], "value": [32, 24], "activation": "gelu"}},
            "activation 'gelu' is unknown; known: relu, tanh",
        ),
        ({"game": "stabletimes_v0"}, "trained for stabletimes_v0, not for mustang_v0"),
        ({"game": "mustang_v1"}, "trained for mustang_v1, not for mustang_v0"),
        (
            {"observation_layout": "0123", "tablezoo": "0.0.7"},
            f"trained on another layout of observations, that of tablezoo 0.0.7 (0123, 526 entries); here mustang_v0 "
            f"has {GAME.observation_layout.digest()}, 526 entries",
        ),
        (
            {"num_actions": 168, "tablezoo": "0.0.7"},
            f"trained on another layout of actions, that of tablezoo 0.0.7 ({GAME.action_layout.digest()}, 168 "
            f"entries); here mustang_v0 has {GAME.action_layout.digest()}, 169 entries",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_headers_that_do_not_fit(file: PolicyFile, path: Path, header: dict[str, Any], words: str) -> None:
    write(path, file, **header)
    assert refused(path) == words


def test_a_header_without_a_key(file: PolicyFile, path: Path) -> None:
    told = {"format": FORMAT, "version": VERSION, **asdict(file.about)}
    del told["seed"]
    path.write_bytes(pack(told, dict(file.arrays)))
    assert refused(path) == "its header is damaged: seed: expected int, got nothing"


def test_arrays_that_do_not_fit(file: PolicyFile, path: Path) -> None:
    arrays = dict(file.arrays)
    bias = arrays.pop("action_net.bias")
    write(path, file, {**arrays, "extra": bias})
    assert refused(path) == "its arrays are not those of a network 'mlp'; missing: action_net.bias; unknown: extra"
    write(path, file, {**arrays, "action_net.bias": bias[:5]})
    assert refused(path) == "action_net.bias is float32 of (5,), expected float32 of (169,)"
    write(path, file, {**arrays, "action_net.bias": bias.astype(np.float64)})
    assert refused(path) == "action_net.bias is float64 of (169,), expected float32 of (169,)"
    write(path, file, {**arrays, "action_net.bias": np.full_like(bias, np.nan)})
    assert refused(path) == "action_net.bias holds numbers that are not finite"


def test_the_horses_network_has_its_own_arrays(path: Path) -> None:
    horses = fresh_file("stabletimes", [2])
    arrays = {name: array for name, array in horses.arrays.items() if name != "mlp_extractor.deck"}
    write(path, horses, arrays)
    with pytest.raises(CheckpointError, match=r"not those of a network 'horses'; missing: mlp_extractor\.deck$"):
        NumpyPolicy.load(path)


def test_a_game_that_is_not_here(file: PolicyFile, path: Path) -> None:
    write(path, file, game="mustag_v0")
    with pytest.raises(
        CheckpointError, match=r"trained for mustag_v0: unknown game 'mustag'; did you mean 'mustang'\?"
    ):
        NumpyPolicy.load(path)


def test_a_digest_tells_layouts_apart() -> None:
    parts = GAME.observation_layout.parts
    same = Layout([replace(part, about="in other words", labels=None) for part in parts])
    assert same.digest() == GAME.observation_layout.digest()
    others = [
        Layout([*parts[1:], parts[0]]),
        Layout([replace(parts[0], high=2), *parts[1:]]),
        Layout([replace(parts[0], name="sitting"), *parts[1:]]),
        Layout([replace(parts[0], shape=(5, 1)), *parts[1:]]),
    ]
    assert len({same.digest(), *(other.digest() for other in others)}) == 5
