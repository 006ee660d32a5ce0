"""The app on a study in memory, for a real terminal: `app_in_terminal.py home|review THEME REPORTS [crash]`.

Each rating is appended to REPORTS/ratings, so that a test sees what was stored.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from factories import FakeSession, FakeStudy, Rated, shown
from recall.model.review import Rating
from recall.tui.app import run_app
from recall.tui.surroundings import Surroundings

REPORTS = Path(sys.argv[3])


class LoggedSession(FakeSession):
    def rate(self, rating: Rating) -> Rated:
        if "crash" in sys.argv:
            raise ZeroDivisionError("a bug")
        rated = super().rate(rating)
        with (REPORTS / "ratings").open("a", encoding="utf-8") as log:
            log.write(f"{rating.name}\n")
        return rated

    def close(self) -> None:
        (REPORTS / "closed").touch()


def session() -> LoggedSession:
    return LoggedSession([shown(number) for number in range(1, 40)])


if __name__ == "__main__":
    study = FakeStudy(sessions=session)
    code = run_app(
        study,
        start="review" if sys.argv[1] == "review" else "home",
        session=session() if sys.argv[1] == "review" else None,
        theme=sys.argv[2],
        surroundings=Surroundings(copy_file=REPORTS / "copied"),
        report_directory=REPORTS,
    )
    sys.exit(code)
