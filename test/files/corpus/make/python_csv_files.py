"""Writes what Python's csv module makes of payouts: python3 python_csv_files.py FOLDER."""

import csv
import json
import pathlib
import sys

TABLE = json.loads((pathlib.Path(__file__).parent / "payouts.json").read_text(encoding="utf-8"))


def write(path, encoding, dialect="excel", **options):
    with open(path, "w", encoding=encoding, newline="") as file:
        writer = csv.writer(file, dialect, **options)
        writer.writerow(TABLE["header"])
        writer.writerows(TABLE["rows"])


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1]) / "python-csv"
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "excel.csv", "utf-8")
    write(folder / "excel-with-mark.csv", "utf-8-sig")
    write(folder / "excel-tab.csv", "utf-8", "excel-tab")
    write(folder / "unix-all-quoted.csv", "utf-8", "unix")
    write(folder / "semicolons-windows-1252.csv", "cp1252", delimiter=";")
    write(folder / "tabs-utf-16.csv", "utf-16", "excel-tab")
    write(folder / "utf-16-big-endian-without-mark.csv", "utf-16-be")
    write(folder / "quote-nonnumeric.csv", "utf-8", quoting=csv.QUOTE_NONNUMERIC)
    write(folder / "backslash-escapes.csv", "utf-8", quoting=csv.QUOTE_NONE, escapechar="\\")
