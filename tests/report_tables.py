"""The cells of the tables in Markdown that training and validation report."""


def rows_of_tables(text, title):
    """Return the cells of every row of the tables with this title."""
    found = [line.split("|")[2:-1] for line in text.splitlines() if line.startswith(f"| {title} |")]
    return [[cell.strip() for cell in cells] for cells in found]


def cells_of(text, title):
    """Return the cells of the one row of the tables with this title."""
    (cells,) = rows_of_tables(text, title)
    return cells
