"""``manue problems``: a problem book as a page of exercises."""

import argparse

from manue.agents.manue import Manue
from manue.agents.registry import make_agent
from manue.commands.options import add_language, path
from manue.commands.outputs import check_outputs, check_page
from manue.errors import UsageError
from manue.progress import progress
from manue.review.page import write_page
from manue.review.problem_book import DEFAULT_BOOK, load_book
from manue.review.problems_page import problems_data


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "book",
        metavar="BOOK",
        type=path,
        nargs="?",
        default=DEFAULT_BOOK,
        help="a problem book: a folder of JSON files, or one of them (default: the one of the package)",
    )
    parser.add_argument("-o", "--output", metavar="PAGE.html", type=path, required=True, help="page to write")
    parser.add_argument(
        "--agent", default="manue", metavar="SPEC", help="whose numbers are shown, manue or manue:OPTIONS"
    )
    add_language(parser, "page and output (default: English, and on the page the browser's)")


def run(options: argparse.Namespace) -> int:
    """Let the agent value every option of every problem, and write the page."""
    agent = make_agent(options.agent)
    if not isinstance(agent, Manue):
        raise UsageError(f"--agent {options.agent}: only manue values every option of a problem")
    check_outputs([options.output], [options.book])
    check_page(options.output)
    book = load_book(options.book)
    title = None if options.book == DEFAULT_BOOK else options.book.name
    with progress("problems", len(book)) as advance:
        data = problems_data(book, agent.explaining(), title=title, step=advance)
    write_page(options.output, data, options.lang)
    return 0
