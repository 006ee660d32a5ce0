"""Whatever is done in sessions, in whatever order: states are what the log gives, and all of it can be taken back."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from databases import DIALECTS, fresh_url
from learner import Learner, all_states, assert_folded, at_home, qa
from recall.model.review import NEW_STATE, Rating
from recall.study.session import Session

DECK = (
    "\n".join(qa(number) for number in range(4))
    + "\nC: A warp is [32]{width} threads in [lockstep]{how}.\nid: warp\n\n"
    + qa("both", extra="reverse: And the other way?\n")
)
OPTIONS = "new_per_day = 4\nleech_threshold = 2\n[deck.gpu]\nbury_siblings = false\nleech_action = 'suspend'\n"

Step = tuple[str, int]
steps = st.one_of(
    st.tuples(st.just("rate"), st.sampled_from([1, 1, 2, 3, 4])),
    st.tuples(st.just("undo"), st.integers(1, 3)),
    st.tuples(st.just("redo"), st.integers(1, 3)),
    st.tuples(st.sampled_from(["suspend", "bury", "mark", "forget", "reveal", "reload"]), st.just(0)),
    st.tuples(st.just("set_due"), st.integers(0, 60)),
    st.tuples(st.just("minutes"), st.sampled_from([1, 9, 11, 600, -90])),
    st.tuples(st.just("days"), st.sampled_from([1, 3, 40, -400])),
    st.tuples(st.sampled_from(["restart", "cram", "early"]), st.just(0)),
    st.tuples(st.sampled_from(["more_new", "ahead", "weakest"]), st.integers(1, 3)),
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose database has read the decks, and the decks beside it."""
    place = tmp_path_factory.mktemp("sessions")
    with pytest.MonkeyPatch.context() as patch:
        at_home(patch, place / "home")
        learner = Learner(place / "home", place / "decks", "sqlite")
        learner.configure(OPTIONS)
        learner.write("gpu", DECK)
        learner.write("other", qa("other") + "\n" + qa("more"))
        learner.open()
        learner.close()
    return place


@contextmanager
def learner_of(template: Path) -> Generator[Learner]:
    """A fresh learner with the decks of *template*."""
    with tempfile.TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as patch:
        home = Path(directory) / "home"
        shutil.copytree(template / "home", home)
        at_home(patch, home)
        learner = Learner(home, template / "decks", "sqlite")
        yield learner
        learner.close()


def do(learner: Learner, session: Session, step: Step) -> Session:
    """One step; what needs a shown card is passed over without one."""
    what, number = step
    shown = session.shown is not None
    match what:
        case "rate" if shown:
            states = [button.state for button in session.buttons()]
            assert session.rate(Rating(number)).state.due == states[number - 1].due
        case "undo" | "redo":
            for _ in range(number):
                getattr(session, what)()
        case "suspend" | "bury" | "forget" if shown:
            getattr(session, what)()
        case "mark" if shown:
            session.toggle_mark()
        case "set_due" if shown:
            session.set_due(number)
        case "reveal":
            session.reveal()
        case "reload" if shown:
            assert session.reload() == ()
        case "minutes":
            learner.clock.pass_by(minutes=number)
            session.resume()
        case "days":
            learner.clock.pass_by(days=number)
            session.resume()
        case "restart" | "cram" | "early":
            session.close()
            session = learner.open(follow=False).session(cram=what == "cram", ahead=what == "early")
        case "more_new" | "ahead" | "weakest":
            getattr(session, what)(number)
        case _:
            pass
    counts = session.counts
    assert min(counts.due, counts.new, counts.again, counts.reviewed) >= 0
    assert (session.phase == "done") == (session.shown is None)
    return session


def go_and_come_back(learner: Learner, stream: Sequence[Step]) -> None:
    """Do it all, take it all back, do it all again."""
    study = learner.open(follow=False)
    start = all_states(study)
    assert set(start.values()) == {NEW_STATE}
    session = study.session()
    for step in stream:
        session = do(learner, session, step)
    assert_folded(study)
    # What the stream took back at its end would be done again, too.
    while session.redo():
        pass
    end = all_states(study)
    assert_folded(study)

    taken_back = 0
    while (undone := session.undo()) is not None:
        taken_back += 1
        assert taken_back <= 3 * len(stream) + 3, undone
    assert all_states(study) == start
    assert session.counts.reviewed == 0
    assert study.database.execute("SELECT count(*) FROM review WHERE voided IS NULL").fetchone()[0] == 0

    done_again = 0
    while session.redo() is not None:
        done_again += 1
    assert done_again == taken_back
    assert all_states(study) == end
    assert_folded(study)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(steps, max_size=25))
def test_all_is_taken_back_and_done_again(template: Path, stream: list[Step]) -> None:
    with learner_of(template) as learner:
        go_and_come_back(learner, stream)


@pytest.mark.slow
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(steps, max_size=60))
def test_all_is_taken_back_and_done_again_at_length(template: Path, stream: list[Step]) -> None:
    with learner_of(template) as learner:
        go_and_come_back(learner, stream)


@pytest.mark.parametrize("dialect", DIALECTS[1:])
def test_all_is_taken_back_on_the_other_database(
    dialect: str, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(20260302)
    kinds = ["rate"] * 8 + ["undo", "redo", "suspend", "bury", "mark", "forget", "set_due", "minutes", "days", "cram"]
    numbers = {"rate": (1, 4), "undo": (1, 3), "redo": (1, 3), "set_due": (0, 60), "minutes": (1, 90), "days": (1, 40)}
    stream = [(kind, draw.randint(*numbers.get(kind, (0, 0)))) for kind in draw.choices(kinds, k=60)]
    at_home(monkeypatch, tmp_path / "home")
    with fresh_url(dialect, tmp_path) as url:
        learner = Learner(tmp_path / "home", template / "decks", url)
        learner.configure(OPTIONS)
        learner.open()
        go_and_come_back(learner, stream)
        learner.close()
