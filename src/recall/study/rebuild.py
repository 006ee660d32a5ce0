"""Fold the log of whole decks anew: after a setting changed, for a check, or to mend states that differ from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from recall.model.card import CardId
from recall.model.options import Options
from recall.model.review import Act
from recall.schedule.fold import Cards, States, fold_all
from recall.schedule.plan import card_seed
from recall.schedule.replay import replay
from recall.store import columns
from recall.store.log import logged_events, logged_reviews

if TYPE_CHECKING:
    from recall.store.columns import Collection
    from recall.study.study import Study

FLOAT_TOLERANCE = 1e-9
"""Relative difference up to which two memory states are the same: the two folds add in another order."""


def folded(study: Study, collection: Collection) -> States:
    """The states of the cards of *collection* by the present options of their decks."""
    decks = sorted(set(collection.decks))
    options: list[Options] = []
    index_of: dict[str, int] = {}
    for deck in decks:
        option = study.settings.options(deck)
        if option not in options:
            options.append(option)
        index_of[deck] = options.index(option)
    cards = Cards(
        seed=np.fromiter((card_seed(card) for card in collection.cards), np.uint64, len(collection.cards)),
        options=np.fromiter((index_of[deck] for deck in collection.decks), np.int64, len(collection.decks)),
    )
    # Events that change memory or due day stand among the reviews; these few cards are replayed one by one.
    moved = {event.card for event in collection.events if event.act in (Act.FORGET, Act.SET_DUE)}
    still = [event for event in collection.events if event.act not in (Act.FORGET, Act.SET_DUE)]
    states = fold_all(collection.reviews, cards, options, still, study.rollover_hour)
    for position in moved:
        card = collection.cards[position]
        reviews, events = logged_reviews(study.database, card), logged_events(study.database, card)
        option = options[int(cards.options[position])]
        state = replay(card, reviews, events, option, study.rollover_hour)
        for field in fields(States):
            getattr(states, field.name)[position] = getattr(state, field.name)
    return states


def differing(study: Study, decks: Sequence[str] | None = None) -> tuple[list[CardId], States, list[int]]:
    """All cards of *decks*, the states that their log gives, and the indices of those stored otherwise."""
    # Of one moment: a rating that comes in between is no difference.
    with study.database.snapshot():
        collection = columns.load(study.database, decks)
        right = folded(study, collection)
        stored = columns.stored_states(study.database, decks)
    differs = np.zeros(len(collection.cards), np.bool_)
    for field in fields(States):
        ours = cast("NDArray[np.float64]", getattr(right, field.name))
        theirs = cast("NDArray[np.float64]", getattr(stored, field.name))
        if ours.dtype.kind == "f":
            differs |= ~np.isclose(ours, theirs, rtol=FLOAT_TOLERANCE, atol=0.0)
        else:
            differs |= ours != theirs
    return collection.cards, right, np.flatnonzero(differs).tolist()


def rebuild(study: Study, decks: Sequence[str] | None = None) -> list[CardId]:
    """Store what the log gives, and return the cards whose stored state was another."""
    with study.database.transaction():
        cards, right, wrong = differing(study, decks)
        columns.write(study.database, cards, right, wrong)
    return [cards[position] for position in wrong]
