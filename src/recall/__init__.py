"""recall: spaced repetition and derivations for the terminal."""
