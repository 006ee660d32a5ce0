"""`recall completion`: scripts that complete commands, options and deck names, made from the parsers themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

EXAMPLES = """examples:
  recall completion bash > ~/.local/share/bash-completion/completions/recall
  recall completion zsh > "${fpath[1]}/_recall"
  recall completion fish > ~/.config/fish/completions/recall.fish"""

SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")


def run(arguments: argparse.Namespace) -> int:
    scripts = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    print(scripts[arguments.shell](list(_commands())), end="")
    return 0


class _Option(NamedTuple):
    name: str
    about: str
    takes: str
    """What its argument is: empty for none, else its metavar."""


class _Completed(NamedTuple):
    command: str
    about: str
    options: tuple[_Option, ...]
    words: tuple[str, ...]
    """The words that may stand as its argument."""
    takes: str
    """Metavar of its argument."""


def _commands() -> Iterator[_Completed]:
    from recall.cli.main import COMMANDS, command_parser

    for name, command in COMMANDS.items():
        options: list[_Option] = []
        words: list[str] = []
        takes = ""
        for action in command_parser(name)._actions:  # pyright: ignore[reportPrivateUsage] - argparse lists them nowhere else
            about = "" if action.help is None or action.help.startswith("==") else action.help
            if not action.option_strings:
                words += [str(choice) for choice in action.choices or ()]
                takes = takes or str(action.metavar or "")
                continue
            argument = "" if action.nargs == 0 else str(action.metavar or "VALUE")
            options += [_Option(option, about, argument) for option in action.option_strings if option.startswith("--")]
        if name == "config":
            from recall.settings.keys import KEYS

            words += list(KEYS)
        yield _Completed(name, command.about, tuple(options), tuple(words), takes)


_DECKS = "recall decks --names 2>/dev/null"
"""Deck names, one a line; fast, and silent when there is nothing to read."""


def _is_deck(takes: str) -> bool:
    return takes in ("DECK", "D")


def _is_file(takes: str) -> bool:
    return takes in ("PATH", "FILE")


def _bash(commands: list[_Completed]) -> str:
    cases: list[str] = []
    for one in commands:
        valued = "|".join(option.name for option in one.options if option.takes and not _is_deck(option.takes))
        decks = "|".join(option.name for option in one.options if _is_deck(option.takes))
        lines = [f"        {one.command})"]
        if decks:
            lines.append(f'            case "$before" in {decks}) _recall_decks; return ;; esac')
        if valued:
            lines.append(f'            case "$before" in {valued}) compopt -o default; return ;; esac')
        options = " ".join(option.name for option in one.options)
        lines.append(
            f'            case "$word" in -*) COMPREPLY=($(compgen -W "{options}" -- "$word")); return ;; esac'
        )
        if _is_deck(one.takes):
            lines.append("            _recall_decks")
        elif _is_file(one.takes):
            lines.append("            compopt -o default")
        elif one.words:
            lines.append(f'            COMPREPLY=($(compgen -W "{" ".join(one.words)}" -- "$word"))')
        lines.append("            ;;")
        cases.append("\n".join(lines))
    names = " ".join(one.command for one in commands)
    return f"""# bash completion of recall
_recall_decks() {{
    local IFS=$'\\n'
    COMPREPLY=($(compgen -W "$({_DECKS} | sed 's/[\\\\" $`]/\\\\&/g')" -- "$word"))
}}

_recall() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" command="" at
    COMPREPLY=()
    for ((at = 1; at < COMP_CWORD; at++)); do
        case "${{COMP_WORDS[at]}}" in
            --database) ((at++)) ;;
            -*) ;;
            *) command="${{COMP_WORDS[at]}}"; break ;;
        esac
    done
    case "$command" in
        "") COMPREPLY=($(compgen -W "{names} --help --version --plain --database" -- "$word")) ;;
{chr(10).join(cases)}
    esac
}}

complete -F _recall recall
"""


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _zsh(commands: list[_Completed]) -> str:
    def escaped(text: str) -> str:
        return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")

    def argument(takes: str, words: tuple[str, ...]) -> str:
        if _is_deck(takes):
            return "deck:_recall_decks"
        if _is_file(takes):
            return "file:_files"
        return f"{takes.lower()}:({' '.join(words)})" if words else f"{takes.lower()}: "

    cases: list[str] = []
    for one in commands:
        specs = [
            _quoted(
                f"{option.name}[{escaped(option.about)}]" + (f":{argument(option.takes, ())}" if option.takes else "")
            )
            for option in one.options
        ]
        if one.takes or one.words:
            specs.append(_quoted(f"*:{argument(one.takes, one.words)}"))
        cases.append(f"        {one.command}) _arguments {' '.join(specs)} ;;")
    described = " ".join(_quoted(f"{one.command}:{escaped(one.about)}") for one in commands)
    return f"""#compdef recall
# zsh completion of recall
_recall_decks() {{
    local -a decks
    decks=(${{(f)"$({_DECKS})"}})
    compadd -a decks
}}

_recall() {{
    local curcontext="$curcontext" state line
    local -a commands
    commands=({described})
    _arguments -C '--help[show help]' '--version[print the version]' '--plain[lines instead of the app]' \\
        '--database[where the reviews are]:url: ' '1:command:->command' '*::argument:->argument'
    case "$state" in
        command) _describe command commands ;;
        argument)
        case "$words[1]" in
{chr(10).join(cases)}
        esac ;;
    esac
}}

if [ "$funcstack[1]" = "_recall" ]; then _recall "$@"; else compdef _recall recall; fi
"""


def _fish(commands: list[_Completed]) -> str:
    lines = ["# fish completion of recall", "complete -c recall -f"]
    for option, about in (
        ("version", "print the version"),
        ("help", "show help"),
        ("plain", "lines instead of the app"),
    ):
        lines.append(f"complete -c recall -n __fish_use_subcommand -l {option} -d {_quoted(about)}")
    for one in commands:
        lines.append(f"complete -c recall -n __fish_use_subcommand -a {one.command} -d {_quoted(one.about)}")
        here = f"complete -c recall -n '__fish_seen_subcommand_from {one.command}'"
        for option in one.options:
            argument = ""
            if _is_deck(option.takes):
                argument = f" -x -a '({_DECKS})'"
            elif option.takes:
                argument = " -r -F" if _is_file(option.takes) else " -x"
            lines.append(f"{here} -l {option.name[2:]}{argument} -d {_quoted(option.about)}")
        if _is_deck(one.takes):
            lines.append(f"{here} -a '({_DECKS})'")
        elif _is_file(one.takes):
            lines.append(f"{here} -F")
        elif one.words:
            lines.append(f"{here} -a {_quoted(' '.join(one.words))}")
    return "\n".join(lines) + "\n"
