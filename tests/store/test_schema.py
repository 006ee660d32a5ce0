"""The schema files say what the tables say, and a database knows which schema it has."""

from __future__ import annotations

import pytest

from recall.errors import NewerStoreError, StoreError
from recall.store import tables, upkeep
from recall.store.database import Database
from recall.store.migrations import MIGRATIONS, SCHEMA, migrate

NOW = 1_800_000_000_000


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_schema_files_are_what_the_tables_declare(dialect):
    """Regenerate with: python -c "from recall.store import tables; print(tables.ddl('sqlite'), end='')"."""
    assert (SCHEMA / f"{dialect}.sql").read_text() == tables.ddl(dialect)


def test_backups_copy_every_table_and_column():
    declared = {table.name: [c.name for c in table.columns] for table in tables.SQLModel.metadata.sorted_tables}
    copied = {name: columns.split(", ") for name, columns in upkeep.TABLES}
    assert {name: sorted(columns) for name, columns in copied.items()} == {
        name: sorted(columns) for name, columns in declared.items()
    }
    booleans = {
        column.name
        for table in tables.SQLModel.metadata.sorted_tables
        for column in table.columns
        if column.type.python_type is bool
    }
    assert booleans == upkeep.BOOLEANS


def test_opening_twice_migrates_once(url):
    first, second = Database(url), Database(url)
    try:
        assert migrate(first, NOW) == [name for name, _ in MIGRATIONS]
        assert migrate(second, NOW) == []
    finally:
        first.close()
        second.close()


def test_a_later_step_runs_on_an_older_database(database):
    added = (*MIGRATIONS, ("9999-note", lambda db: db.execute("ALTER TABLE card ADD COLUMN note_to_self VARCHAR")))
    assert migrate(database, NOW, added) == ["9999-note"]
    assert database.execute("SELECT note_to_self FROM card").fetchall() == []


def test_a_step_that_fails_leaves_the_database_as_it_was(database):
    def fails(db: Database) -> None:
        db.execute("ALTER TABLE card ADD COLUMN half VARCHAR")
        db.execute("SELECT no_such_column FROM card")

    with pytest.raises(StoreError):
        migrate(database, NOW, (*MIGRATIONS, ("9999-fails", fails)))
    with pytest.raises(StoreError):
        database.execute("SELECT half FROM card")
    assert migrate(database, NOW) == []


def test_a_newer_database_is_refused(database):
    database.execute("INSERT INTO migration (name, applied_at) VALUES (?, ?)", ("2099-future", NOW))
    with pytest.raises(NewerStoreError, match="2099-future"):
        migrate(database, NOW)


def test_a_database_of_another_program_is_refused(tmp_path):
    other = Database(f"sqlite:///{tmp_path / 'anki.db'}")
    other.execute("CREATE TABLE notes (id INTEGER)")
    with pytest.raises(StoreError, match="another program"):
        migrate(other, NOW)
    other.close()


@pytest.mark.parametrize(
    ("said", "mend"),
    [
        ('connection failed: FATAL:  role "nobody" does not exist', "check user, password and name of the database"),
        ("connection failed: Connection refused", "is the server running?"),
    ],
)
def test_a_server_that_refuses_is_told_from_one_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, said: str, mend: str
) -> None:
    psycopg = pytest.importorskip("psycopg")

    def connect(*_: object, **__: object) -> None:
        raise psycopg.OperationalError(said)

    monkeypatch.setattr(psycopg, "connect", connect)
    with pytest.raises(StoreError) as raised:
        Database("postgresql://nobody:secret@127.0.0.1/none")
    assert raised.value.mend == mend
    assert "secret" not in str(raised.value)
