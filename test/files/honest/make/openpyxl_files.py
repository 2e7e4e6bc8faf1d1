"""Writes books by openpyxl: python3 openpyxl_files.py BOOKS.json FOLDER (Debian: python3-openpyxl)."""

import datetime
import json
import pathlib
import sys

from openpyxl import Workbook
from openpyxl.utils import get_column_letter


def value(cell):
    if isinstance(cell, str):
        return cell or None
    if "n" in cell:
        return float(cell["n"]) if "." in cell["n"] else int(cell["n"])
    if "d" in cell:
        return datetime.date.fromisoformat(cell["d"])
    return "=" + cell["f"]


def write(book, folder):
    made = Workbook()
    made.remove(made.active)
    for each in book["sheets"]:
        sheet = made.create_sheet(each["name"])
        for cells in each["rows"]:
            sheet.append([value(cell) for cell in cells])
        for column in range(1, sheet.max_column + 1):
            sheet.column_dimensions[get_column_letter(column)].width = 24
    first = made.worksheets[0]
    header = book["headerLine"]
    first.freeze_panes = f"A{header + 1}"
    last = book["payments"][-1][0]
    first.auto_filter.ref = f"A{header}:{get_column_letter(first.max_column)}{last}"
    made.save(folder / book["file"])


if __name__ == "__main__":
    for book in json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")):
        write(book, pathlib.Path(sys.argv[2]))
