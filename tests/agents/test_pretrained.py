"""Pretrained policies: picked by the number of players, named on command lines, and played without torch."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

from agents import pretrained
from agents.checkpoints import CheckpointError
from agents.evaluate import main, versus
from agents.opponents import parse_agent, parse_opponents
from agents.players import span_of, told_players
from agents.policies.numpy_policy import NumpyPolicy
from agents.policies.policy_file import PolicyFile
from agents.pretrained import ByPlayers, available, load
from tablezoo import Policy
from tablezoo.policies import Pool
from tablezoo.registration import find_game
from tablezoo.seats import SeatGames

from .policies import fresh_file, views_at

ROOT = Path(__file__).parents[2]
COMING_ALONG = [(game, variant) for game, variants in available().items() for variant in variants]
MOST = 5_000_000
"""Bytes that a game's files may take together."""
FILES = {
    "mustang-2": ("mustang", [2]),
    "mustang-2-5": ("mustang", [2, 3, 4, 5]),
    "stabletimes-1": ("stabletimes", [1]),
    "stabletimes-2-4": ("stabletimes", [2, 3, 4]),
    "fable-2": ("fable", [2]),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pretrained")
    for seed, (name, (game, players)) in enumerate(FILES.items()):
        fresh_file(game, players, seed).save(folder / f"{name}.npz")
    (folder / "README.md").write_text("")
    (folder / "Odd.npz").write_bytes(b"")
    return folder


@pytest.fixture
def folder(written: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(pretrained, "FOLDER", written)
    return written


# --- what comes along -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "variant"), COMING_ALONG)
def test_a_file_that_comes_along_plays_and_has_its_card(game: str, variant: str) -> None:
    policy = load(game, variant)
    assert isinstance(policy, NumpyPolicy)
    views = views_at(find_game(game), policy.about.players)
    assert views.action_mask[np.arange(len(views)), policy.act(views)].all()
    card = (pretrained.FOLDER / f"{game}-{variant}.md").read_text(encoding="utf-8")
    assert policy.about.checksum in card
    pictures = re.findall(r"\]\(([^)/]+\.png)\)", card)
    assert all((pretrained.FOLDER / picture).is_file() for picture in pictures)


def test_what_comes_along_is_small() -> None:
    assert (pretrained.FOLDER / "README.md").is_file()
    for game in find_games():
        assert sum(file.stat().st_size for file in pretrained.FOLDER.glob(f"{game}-*")) <= MOST


def find_games() -> list[str]:
    return [path.name.removesuffix("_env") for path in ROOT.glob("*_env")]


# --- loading ----------------------------------------------------------------------------------------------------------


def test_available_lists_what_is_there(folder: Path) -> None:
    assert available() == {"fable": ["2"], "mustang": ["2", "2-5"], "stabletimes": ["1", "2-4"]}


def test_each_number_of_players_is_played_by_the_file_trained_for_it(folder: Path) -> None:
    policy = load("mustang")
    assert isinstance(policy, ByPlayers)
    assert isinstance(policy, Policy)
    assert policy.players == [2, 3, 4, 5]
    assert [policy.of(count).name for count in policy.players] == ["mustang-2", *["mustang-2-5"] * 3]
    solo = load("stabletimes")
    assert isinstance(solo, ByPlayers)
    assert [solo.of(count).name for count in solo.players] == ["stabletimes-1", *["stabletimes-2-4"] * 3]


@pytest.mark.parametrize(("game", "counts"), [("mustang", [2, 3, 5]), ("stabletimes", [1, 2, 4])])
def test_views_of_all_numbers_of_players_are_shared_out(folder: Path, game: str, counts: list[int]) -> None:
    policy = load(game)
    assert isinstance(policy, ByPlayers)
    views = views_at(find_game(game), counts)
    probabilities, values = policy.probabilities(views), policy.values(views)
    for count in counts:
        mine = views.num_players == count
        alone = policy.of(count)
        np.testing.assert_allclose(probabilities[mine], alone.probabilities(views)[mine], rtol=0, atol=1e-6)
        np.testing.assert_allclose(values[mine], alone.values(views)[mine], rtol=1e-4, atol=1e-5)
    assert views.action_mask[np.arange(len(views)), policy.act(views)].all()
    likeliest = load(game, deterministic=True).act(views)
    assert np.array_equal(likeliest, probabilities.argmax(axis=1))


def test_a_variant_plays_what_it_is_asked(folder: Path) -> None:
    policy = load("mustang", "2", deterministic=True)
    assert isinstance(policy, NumpyPolicy)
    assert (policy.name, policy.about.players, policy.deterministic) == ("mustang-2", [2], True)
    views = views_at(find_game("mustang"), 5)
    assert views.action_mask[np.arange(len(views)), policy.act(views)].all()


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_is_loaded(folder: Path, kind: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = load(kind(folder / "fable-2.npz"))
    assert (policy.name, policy.game) == ("fable-2", find_game("fable"))
    (tmp_path / "mine.npz").write_bytes((folder / "fable-2.npz").read_bytes())
    monkeypatch.chdir(tmp_path)
    assert load(kind("mine.npz")).name == "mine"


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (("mustag",), ValueError, "unknown game 'mustag'; did you mean 'mustang'?"),
        (("mustang", "2-6"), ValueError, "no pretrained policy '2-6' of Mustang; did you mean '2-5'?"),
        (("mustang", "solo"), ValueError, "no pretrained policy 'solo' of Mustang; known: 2, 2-5"),
        (("mustang", ""), ValueError, "no pretrained policy '' of Mustang; known: 2, 2-5"),
        (("a/b.npz", "2"), ValueError, "a/b.npz with variant '2': a file has no variants"),
        (("a/b.npz",), CheckpointError, "a/b.npz: not there; expected a policy (.npz), as python -m agents.export"),
        (("a/b",), CheckpointError, "a/b: not there; expected a policy (.npz), as python -m agents.export"),
    ],
)
def test_what_cannot_be_loaded(folder: Path, words: tuple[str, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        load(*words)
    assert str(raised.value).startswith(message)


def test_a_game_without_files(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fable-2.npz").write_bytes((folder / "fable-2.npz").read_bytes())
    monkeypatch.setattr(pretrained, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=r"^no pretrained policy of Mustang; there are: fable 2$"):
        load("mustang")
    monkeypatch.setattr(pretrained, "FOLDER", tmp_path / "nowhere")
    with pytest.raises(ValueError, match=r"^no pretrained policy of Mustang; there is none of any game$"):
        load("mustang")


def test_a_number_of_players_that_no_file_was_trained_for(folder: Path) -> None:
    policy = load("fable")
    message = (
        "no pretrained policy of Fable was trained for 4 players; there are fable-2 (2 players); one of them by name "
        "plays all the same, as in pretrained:VARIANT"
    )
    views = views_at(find_game("fable"), [2, 4], lanes=4, decisions=3)
    for ask in (policy.act, policy.values):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            ask(views)


def test_a_file_under_another_games_name(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mustang-2.npz").write_bytes((folder / "fable-2.npz").read_bytes())
    monkeypatch.setattr(pretrained, "FOLDER", tmp_path)
    with pytest.raises(CheckpointError, match=r"mustang-2\.npz: trained for fable_v0, not for mustang_v0$"):
        load("mustang")


def test_numbers_of_players_in_words() -> None:
    assert [span_of(players) for players in ([2], [2, 3], [2, 3, 4, 5], [2, 4])] == ["2", "2-3", "2-5", "2,4"]
    assert [told_players(players) for players in ([1], [2], [1, 2])] == ["1 player", "2 players", "1-2 players"]


# --- on command lines -------------------------------------------------------------------------------------------------


def test_agents_are_named_on_command_lines(folder: Path) -> None:
    game = find_game("mustang")
    assert parse_agent("pretrained", game, 4).name == "pretrained"
    assert parse_agent("pretrained:2-5", game).name == "mustang-2-5"
    assert parse_agent(str(folder / "mustang-2.npz"), game).name == "mustang-2"
    opponents = parse_opponents("pretrained,greedy", game, 3)
    assert [policy.name for policy in opponents] == ["pretrained", "greedy"]
    pool = parse_opponents(f"pool:pretrained:2,{folder / 'mustang-2-5.npz'}", game, 2)
    assert [policy.name for policy in pool.policies] == ["mustang-2", "mustang-2-5"]


def test_environments_know_them_by_name() -> None:
    env = gym.make("tablezoo/Mustang-v0", num_players=3, opponents=["pretrained:2-5", "search:20"])
    _, info = env.reset(seed=0)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        over = terminated or truncated
    assert info["opponents"] == ["mustang-2-5", "search:20"]


@pytest.mark.parametrize("name", ["pretrained", "search", "flat:7"])
def test_a_name_is_one_policy_for_all_seats(name: str) -> None:
    games = SeatGames(find_game("mustang"), 8, [2, 5], opponents=Pool([name, "greedy", name]))
    first, second = games.policies
    assert (first.name.partition(":")[0], second.name) == (name.partition(":")[0], "greedy")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pretrained:7", "no pretrained policy '7' of Mustang; known: 2, 2-5"),
        ("search:much", "agent 'search:much' has no budget that can be used"),
        ("serach:20", "unknown policy 'serach:20'"),
    ],
)
def test_names_that_environments_do_not_know(name: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        SeatGames(find_game("mustang"), 8, 2, opponents=name)


def test_evaluates_what_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agents = ["pretrained", "pretrained:2", str(folder / "mustang-2-5.npz"), "random"]
    assert main(["mustang", "--agents", *agents, "--deals", "2", "--threads", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["pretrained", "mustang-2", "mustang-2-5", "random"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("mustang --agents pretrained:3", "no pretrained policy '3' of Mustang; known: 2, 2-5"),
        ("mustang --agents pretrained:", "no pretrained policy '' of Mustang; known: 2, 2-5"),
        ("mustang --agents pretraind", "unknown policy 'pretraind'; did you mean 'pretrained'? (a path would do "
         "too: of a run's folder, a checkpoint or an .npz)"),
        ("fable --agents pretrained greedy --players 3", "no pretrained policy of Fable was trained for 3 players; "
         "there are fable-2 (2 players); one of them by name plays all the same, as in pretrained:VARIANT"),
        ("mustang --agents FOLDER/fable-2.npz", "FOLDER/fable-2.npz: trained for fable_v0, not for mustang_v0"),
        ("mustang --agents FOLDER/Odd.npz", "FOLDER/Odd.npz: no policy, or damaged: not an .npz"),
        ("mustang --agents nowhere.npz", "nowhere.npz: not there; expected a policy (.npz), as python -m agents.export "
         "writes it"),
    ],
)  # fmt: skip
def test_errors_are_a_line(folder: Path, words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.replace("FOLDER", str(folder)).split()) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", f"error: {message.replace('FOLDER', str(folder))}\n")


def test_results_name_the_network_that_played(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["mustang", "--agents", "pretrained", "greedy", "--players", "3", "--deals", "3", "--threads", "1"]
    assert main([*words, "--json", "--note", "a try"]) == 0
    row = json.loads(capsys.readouterr().out)
    checksum = PolicyFile.load(folder / "mustang-2-5.npz").about.checksum
    assert [agent["checksum"] for agent in row["agents"]] == [checksum, None, None]
    assert [agent["agent"] for agent in row["agents"]] == ["pretrained", "greedy", "greedy"]
    assert (row["game"], row["players"], row["deals"], row["games"], row["seed"]) == ("mustang_v0", 3, 3, 9, 0)
    assert row["command"] == f"python -m agents.evaluate {' '.join(words)} --json --note 'a try'"
    assert row["note"] == "a try"
    same = versus(find_game("mustang"), load("mustang"), "greedy", 3, deals=3, seed=0)
    assert row["agents"][0]["win_rate"] == list(same.win_rate())
    assert row["agents"][0]["mean_score"] == list(same.mean_score())


# --- without what training needs --------------------------------------------------------------------------------------

BLOCKED = ["torch", "stable_baselines3", "sb3_contrib", "matplotlib", "tqdm", "tensorboard", "rich"]

PLAY = """
import sys
class Block:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError("blocked: " + name, name=name)
sys.meta_path.insert(0, Block())

from pathlib import Path
from agents import evaluate, pretrained
pretrained.FOLDER = Path({folder!r})
from tablezoo.registration import find_game
for name, variants in pretrained.available().items():
    for variant in variants:
        assert pretrained.load(name, variant).name == name + "-" + variant
    policy = pretrained.load(name)
    for players in policy.players:
        result = evaluate.play_match(find_game(name), [policy] * players, deals=2, seed=1, max_turns=12)
        assert result.games == 2 * players
    print("played", name, policy.players)
players = str(policy.players[0])
sys.exit(evaluate.main([name, "--agents", "pretrained", "random", "--players", "2", "--deals", "2", "--threads", "1"]))
"""


def test_plays_without_what_training_needs(written: Path) -> None:
    code = PLAY.format(blocked=BLOCKED, folder=str(written))
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = done.stdout.splitlines()
    assert told[:3] == ["played fable [2]", "played mustang [2, 3, 4, 5]", "played stabletimes [1, 2, 3, 4]"]
    assert told[3] == "Stable Times, 2 players, 2 deals, 4 games, all seats rotated"
