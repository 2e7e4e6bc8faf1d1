"""Compares the expectations of workbooks with what openpyxl and LibreOffice read: python3 second_opinion.py FOLDER.

Prints a line for every cell in which they differ, and for every file that is read by one of them only. What is printed is
looked into by a person, and stands as `secondOpinion` in the expectation where the programs disagree.
"""

import csv
import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

from openpyxl import load_workbook
from openpyxl.utils import get_column_letter

warnings.simplefilter("ignore")

# Comma, quote, UTF-8, from line 1, texts quoted, values instead of what is shown, all sheets.
CSV_OF_ALL_SHEETS = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,false,false,false,-1"


def main(folder):
    expectations = {}
    for path in sorted(folder.glob("*/*.xls*")):
        if path.suffix != ".json":
            expectations[path] = json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))
    for path, expectation in expectations.items():
        for line in by_openpyxl(path, expectation):
            print(f"{path.parent.name}/{path.name}: openpyxl: {line}")
    read = {path: each for path, each in expectations.items() if "reading" in each}
    for path, line in by_libreoffice(read):
        print(f"{path.parent.name}/{path.name}: LibreOffice: {line}")


def by_openpyxl(path, expectation):
    reading = expectation.get("reading")
    try:
        book = load_workbook(path, data_only=True)
        sheet = book[reading["sheet"]] if reading is not None else None
    except Exception as error:  # whatever it throws, it does not read the file
        if reading is not None:
            yield f"does not read it ({type(error).__name__}: {error})"
        return
    if reading is None:
        yield f"reads it; expected {expectation['refusal']['code']}"
        return
    for row in reading["rows"]:
        for column, words in enumerate(row["cells"], start=1):
            other = in_words(sheet.cell(row["line"], column))
            if comparable(words) != other:
                yield f"{get_column_letter(column)}{row['line']}: {other!r} instead of {words!r}"


def in_words(cell):
    value = cell.value
    if value is None or (isinstance(value, str) and value.strip() == ""):
        return "empty"
    if cell.data_type == "e":
        return f"error {value}"
    if isinstance(value, bool):
        return f"boolean {str(value).lower()}"
    if isinstance(value, (int, float)):
        return f"number {float(value) + 0.0!r}"
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return f"date {value.isoformat()}".removesuffix("T00:00:00")
    return f"text {value}"


def comparable(words):
    """openpyxl gives results without saying that they are those of formulas, and numbers as doubles."""
    if words.startswith("formula without result"):
        return "empty"
    words = without_flaw(words.removeprefix("formula "))
    if words.startswith("number "):
        return f"number {float(words.removeprefix('number ')) + 0.0!r}"
    return "empty" if words.strip() == "text" else words


def without_flaw(words):
    return re.sub(r" \((?:merged|struck out|in parts|shown otherwise)\)$", "", words)


def by_libreoffice(expectations):
    with tempfile.TemporaryDirectory() as work:
        names = {}
        for number, path in enumerate(expectations):
            copy = pathlib.Path(work) / f"file{number}.xlsx"
            copy.write_bytes(path.read_bytes())
            names[path] = copy
        profile = f"-env:UserInstallation=file://{work}/profile"
        command = ["soffice", profile, "--headless", "--convert-to", CSV_OF_ALL_SHEETS, "--outdir", work]
        subprocess.run([*command, *names.values()], check=False, capture_output=True)
        for path, expectation in expectations.items():
            reading = expectation["reading"]
            written = pathlib.Path(work) / f"{names[path].stem}-{reading['sheet']}.csv"
            if not written.exists():
                yield path, "does not read it"
                continue
            with open(written, encoding="utf-8", newline="") as file:
                lines = list(csv.reader(file))
            for row in reading["rows"]:
                cells = lines[row["line"] - 1] if row["line"] <= len(lines) else []
                for column, words in enumerate(row["cells"]):
                    text = cells[column] if column < len(cells) else ""
                    if not same_text(words, text):
                        yield path, f"{get_column_letter(column + 1)}{row['line']}: {text!r} instead of {words!r}"


def same_text(words, text):
    """Whether a text of a CSV can be that of the cell; it says no kinds, and dates as the locale en-US has them."""
    words = without_flaw(words.removeprefix("formula "))
    kind, _, value = words.partition(" ")
    if kind in ("empty", "without") or value.strip() == "":
        return kind == "without" or text.strip() == ""
    if kind == "number":
        try:
            return abs(float(value) - float(text)) <= abs(float(value)) * 1e-14
        except ValueError:
            return False
    if kind == "date":
        iso = re.sub(r"^(\d\d)/(\d\d)/(?:20)?(\d\d)\b", r"20\3-\1-\2", text)
        iso = re.sub(r" [AP]M$", "", iso).replace(" ", "T").removesuffix("T00:00:00")
        return iso in (value, value.removesuffix(":00"))
    if kind == "boolean":
        return text.lower() == value
    return text.replace("\r\n", "\n") == value.replace("\r\n", "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
