"""Writes what XlsxWriter makes of payouts: python3 xlsxwriter_files.py FOLDER (Debian: python3-xlsxwriter)."""

import datetime
import json
import pathlib
import sys

from xlsxwriter import Workbook

HERE = pathlib.Path(__file__).parent
TABLE = json.loads((HERE / "payouts.json").read_text(encoding="utf-8"))
# Of these doubles XlsxWriter's 16 digits are not the shortest.
AMOUNTS = [0.07, 0.56, 0.69]


def write_files(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, amount_of in (("payouts", None), ("formulas", "=G{line}*2")):
        with Workbook(folder / f"{name}.xlsx") as book:
            book.set_properties({"created": datetime.datetime(2026, 11, 21)})
            sheet = book.add_worksheet("Payouts")
            sheet.write_row(0, 0, TABLE["header"])
            for index, (values, amount) in enumerate(zip(TABLE["rows"], AMOUNTS), 1):
                sheet.write_row(index, 0, values)
                if amount_of is None:
                    sheet.write_number(index, 2, amount)
                else:
                    sheet.write_formula(index, 2, amount_of.format(line=index + 1))


write_files(pathlib.Path(sys.argv[1]) / "xlsxwriter")
