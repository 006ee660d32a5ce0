"""recall: spaced repetition and derivations for the terminal."""

# Here and not asked of the installed distribution: that look-up costs more than the rest of `recall --version`.
__version__ = "0.1.0"
