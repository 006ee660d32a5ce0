"""Queries over cards: the conditions of `recall.model.query` as one statement, words through the full-text index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from recall.model.card import CardId
from recall.model.query import (
    AllOf,
    AnyOf,
    Is,
    Named,
    Node,
    Not,
    Number,
    Operator,
    Past,
    Text,
)
from recall.model.review import DAY_MS, CardState
from recall.store.database import Database, Row, first_id_of
from recall.store.index import words_of
from recall.store.states import STATE_COLUMNS, state_from


@dataclass(frozen=True, slots=True)
class Today:
    """What the conditions about time and memory are weighed against."""

    day: int
    """The study day that it is."""
    offset_min: int
    rollover_hour: int
    leech_threshold: int
    elapsed_at: Callable[[float], float]
    """Days in units of stability after which retrievability has fallen to the given value."""
    now_ms: int


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card that a query found."""

    id: CardId
    deck: str
    kind: str
    title: str
    tags: tuple[str, ...]
    state: CardState


@dataclass(slots=True)
class _Statement:
    """A condition as SQL with its parameters."""

    sql: str
    parameters: list[object]


def find(database: Database, query: Node, today: Today, limit: int | None = 50) -> list[FoundCard]:
    """The first *limit* cards that *query* holds for; by deck and position, or as the text index gives them.

    Whole words come before words that only begin so: to gather every word with a common beginning takes as long as
    the collection is large, and is not needed where whole words fill the list.
    """
    whole = _find(database, query, today, limit, prefix=False)
    if limit is None or len(whole) < limit:
        seen = {card.id for card in whole}
        if _has_prefixes(query):
            begun = _find(database, query, today, limit, prefix=True)
            whole += [card for card in begun if card.id not in seen]
    return whole[:limit]


def _find(database: Database, query: Node, today: Today, limit: int | None, *, prefix: bool) -> list[FoundCard]:
    columns = ", ".join(f"s.{column.strip()}" for column in STATE_COLUMNS.split(","))
    wanted = f"c.id, c.deck, c.kind, c.title, c.tags, {columns}"
    statement = _select(database, query, today, wanted, ordered=True, prefix=prefix)
    if limit is not None:
        statement.sql += " LIMIT ?"
        statement.parameters.append(limit)
    return [_found(row) for row in database.execute(statement.sql, statement.parameters)]


def _found(row: Row) -> FoundCard:
    tags = tuple(row[4].strip(",").split(",")) if row[4] else ()
    return FoundCard(row[0], row[1], row[2], row[3], tags, state_from(row[5:]))


def _has_prefixes(node: Node) -> bool:
    match node:
        case Text(_, phrase):
            return not phrase
        case Not(inner):
            return _has_prefixes(inner)
        case AllOf(nodes) | AnyOf(nodes):
            return any(_has_prefixes(inner) for inner in nodes)
        case Named() | Is() | Number() | Past():
            return False


def count(database: Database, query: Node, today: Today) -> int:
    """How many cards *query* holds for."""
    statement = _select(database, query, today, "count(*)", ordered=False, prefix=True)
    return database.execute(statement.sql, statement.parameters).fetchone()[0]


def _select(database: Database, query: Node, today: Today, columns: str, *, ordered: bool, prefix: bool) -> _Statement:
    nodes = query.nodes if isinstance(query, AllOf) else (query,)
    terms = [node for node in nodes if isinstance(node, Text) and words_of(node.text)]
    rest = [node for node in nodes if node not in terms]
    writer = _Writer(database.dialect, today, prefix=prefix)
    source, parameters = "card c", []
    if terms:
        # The text index leads: its first hits are the answer, whatever the size of the collection.
        matches = [writer.match(term) for term in terms]
        if database.dialect == "sqlite":
            source = "content_text f CROSS JOIN content t ON t.pk = f.rowid JOIN card c ON c.note = t.note"
            where = "content_text MATCH ?"
            parameters = [" AND ".join(matches)]
        else:
            source = "content_text f JOIN content t ON t.pk = f.pk JOIN card c ON c.note = t.note"
            where = "f.words @@ to_tsquery('simple', ?)"
            parameters = [" & ".join(f"({match})" for match in matches)]
    else:
        where = "1 = 1"
    condition = writer.condition(AllOf(tuple(rest)))
    if not _asks_for_orphans(query):
        condition.sql += " AND c.missing_since IS NULL"
    order = " ORDER BY c.deck, c.position" if ordered and not terms else ""
    return _Statement(
        f"SELECT {columns} FROM {source} JOIN card_state s ON s.card_id = c.id"
        f" WHERE {where} AND {condition.sql}{order}",
        [*parameters, *condition.parameters],
    )


def _asks_for_orphans(node: Node) -> bool:
    match node:
        case Is(standing):
            return standing == "orphan"
        case Not(inner):
            return _asks_for_orphans(inner)
        case AllOf(nodes) | AnyOf(nodes):
            return any(_asks_for_orphans(inner) for inner in nodes)
        case Text() | Named() | Number() | Past():
            return False


class _Writer:
    """Writes conditions for one dialect and one moment."""

    def __init__(self, dialect: str, today: Today, *, prefix: bool) -> None:
        self._dialect = dialect
        self._prefix = prefix
        self._sqlite = dialect == "sqlite"
        self._today = today
        self._like = "LIKE" if self._sqlite else "ILIKE"

    def match(self, term: Text) -> str:
        """*term* in the words of the text index's own query language."""
        words = words_of(term.text).split()
        prefix = self._prefix and not term.phrase
        if self._sqlite:
            return f'"{" ".join(words)}"{"*" if prefix else ""}'
        return " <-> ".join(words) + (":*" if prefix else "")

    def condition(self, node: Node) -> _Statement:
        match node:
            case Text():
                return self._text(node)
            case Named():
                return self._named(node)
            case Is():
                return self._is(node)
            case Number():
                return self._number(node)
            case Past():
                return self._past(node)
            case Not(inner):
                # What is excluded is excluded in both passes.
                found = _Writer(self._dialect, self._today, prefix=True).condition(inner)
                return _Statement(f"NOT ({found.sql})", found.parameters)
            case AllOf(nodes):
                return self._joined(nodes, " AND ", "1 = 1")
            case AnyOf(nodes):
                return self._joined(nodes, " OR ", "1 = 0")

    def _joined(self, nodes: tuple[Node, ...], word: str, nothing: str) -> _Statement:
        parts = [self.condition(node) for node in nodes]
        if not parts:
            return _Statement(nothing, [])
        sql = word.join(f"({part.sql})" for part in parts)
        return _Statement(f"({sql})", [value for part in parts for value in part.parameters])

    def _text(self, node: Text) -> _Statement:
        if not words_of(node.text):
            # Only signs, such as "≤": they are in no word index.
            return _Statement(
                "c.note IN (SELECT t.note FROM content t WHERE t.text LIKE ? ESCAPE '\\')", [f"%{_escaped(node.text)}%"]
            )
        if self._sqlite:
            inner = "SELECT rowid FROM content_text WHERE content_text MATCH ?"
        else:
            inner = "SELECT f.pk FROM content_text f WHERE f.words @@ to_tsquery('simple', ?)"
        return _Statement(f"c.note IN (SELECT t.note FROM content t WHERE t.pk IN ({inner}))", [self.match(node)])

    def _named(self, node: Named) -> _Statement:
        pattern = _escaped(node.pattern).replace("*", "%")
        like = f"{self._like} ? ESCAPE '\\'"
        match node.field:
            case "deck":
                return _Statement(f"c.deck {like} OR c.deck {like}", [pattern, f"{pattern}/%"])
            case "tag":
                if node.pattern.lower() == "none":
                    return _Statement("c.tags = ''", [])
                return _Statement(f"c.tags {like}", [f"%,{pattern},%"])
            case "kind":
                return _Statement(f"c.kind {like}", [pattern])
            case "id":
                return _Statement(f"c.id {like} OR c.note {like}", [pattern, pattern])

    def _is(self, node: Is) -> _Statement:
        today = self._today
        awake = "NOT s.suspended AND NOT s.absent"
        match node.standing:
            case "due":
                return _Statement(
                    f"s.state > 0 AND {awake} AND s.buried_until <= ?"
                    " AND s.due <= CASE WHEN s.state = 2 THEN ? ELSE ? END",
                    [today.day, today.day * DAY_MS, today.now_ms],
                )
            case "new":
                return _Statement("s.state = 0", [])
            case "learning":
                return _Statement("s.state IN (1, 3)", [])
            case "review":
                return _Statement("s.state = 2", [])
            case "suspended":
                return _Statement("s.suspended", [])
            case "buried":
                return _Statement("s.buried_until > ?", [today.day])
            case "leech":
                return _Statement("? > 0 AND s.lapses >= ?", [today.leech_threshold, today.leech_threshold])
            case "marked":
                return _Statement("s.marked", [])
            case "orphan":
                return _Statement("c.missing_since IS NOT NULL", [])
            case "measured":
                return _Statement("c.kind = 'measured'", [])
            case "stale":
                # A measured card without a measurement of this machine has nothing to be judged against.
                return _Statement(
                    "c.kind = 'measured' AND NOT EXISTS (SELECT 1 FROM measurement m WHERE m.status = 'ok')", []
                )

    def _number(self, node: Number) -> _Statement:
        operator = _sql_operator(node.operator)
        match node.field:
            case "s":
                return _Statement(f"s.state > 0 AND s.stability {operator} ?", [node.value])
            case "d":
                return _Statement(f"s.state > 0 AND s.difficulty {operator} ?", [node.value])
            case "lapses":
                return _Statement(f"s.state > 0 AND s.lapses {operator} ?", [node.value])
            case "reps":
                return _Statement(f"s.state > 0 AND s.reps {operator} ?", [node.value])
            case "due":
                instant = f"(s.due + {self._local_ms()}) / {DAY_MS}"
                day = f"CASE WHEN s.state = 2 THEN s.due / {DAY_MS} ELSE {instant} END"
                return _Statement(f"s.state > 0 AND ({day}) - {self._today.day} {operator} ?", [node.value])
            case "r":
                return self._retrievability(node)

    def _retrievability(self, node: Number) -> _Statement:
        # R falls with time, so R < x means that more time went by than it takes to fall to x.
        turned: dict[Operator, str] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "<>"}
        elapsed = f"({self._today.now_ms} - s.last_review) / {float(DAY_MS)}"
        if node.value <= 0:
            # It never gets there.
            return _Statement(f"s.state > 0 AND {'1 = 1' if node.operator in ('>', '>=', '!=') else '1 = 0'}", [])
        return _Statement(
            f"s.state > 0 AND {elapsed} {turned[node.operator]} s.stability * ?", [self._today.elapsed_at(node.value)]
        )

    def _past(self, node: Past) -> _Statement:
        operator = _sql_operator(node.operator)
        if node.field == "added":
            day = f"(c.first_seen + {self._local_ms()}) / {DAY_MS}"
            return _Statement(f"{self._today.day} - {day} {operator} ?", [node.days])
        hours = self._today.rollover_hour * 3_600_000
        day = f"(r.rated_at + r.offset_min * 60000 - {hours}) / {DAY_MS}"
        sql = f"SELECT r.card_id FROM review r WHERE r.voided IS NULL AND {self._today.day} - {day} {operator} ?"
        parameters: list[object] = [node.days]
        if node.operator in ("<", "<=", "="):
            # Ids rise with time, so old rows need not be looked at; two days to spare for zones.
            sql += " AND r.id >= ?"
            parameters.append(max(0, first_id_of(int((self._today.day - node.days - 2) * DAY_MS))))
        if node.rating is not None:
            sql += " AND r.rating = ?"
            parameters.append(int(node.rating))
        return _Statement(f"c.id IN ({sql})", parameters)

    def _local_ms(self) -> int:
        return self._today.offset_min * 60_000 - self._today.rollover_hour * 3_600_000


def _sql_operator(operator: Operator) -> str:
    return "<>" if operator == "!=" else operator


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
