"""`python -m recall`."""

import sys

from recall.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
