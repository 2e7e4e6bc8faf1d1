"""Writes what openpyxl makes of payouts: python3 openpyxl_files.py FOLDER (Debian: python3-openpyxl)."""

import datetime
import json
import pathlib
import sys

from openpyxl import Workbook, load_workbook
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table

HERE = pathlib.Path(__file__).parent
TABLE = json.loads((HERE / "payouts.json").read_text(encoding="utf-8"))


def typed(values):
    """Amounts as floats, days as dates."""
    *texts, day = values
    cells = [float(text) if column == 2 else text for column, text in enumerate(texts)]
    return [*cells, datetime.date.fromisoformat(day) if day else None]


def fill(sheet, convert=typed):
    sheet.append(TABLE["header"])
    for values in TABLE["rows"]:
        sheet.append(convert(values))


def book(convert=typed, **options):
    made = Workbook(**options)
    sheet = made.active if made.active is not None else made.create_sheet()
    sheet.title = "Payouts"
    fill(sheet, convert)
    return made, sheet


def write_files(folder):
    folder.mkdir(parents=True, exist_ok=True)

    made, _ = book()
    made.save(folder / "payouts.xlsx")

    made, _ = book(write_only=True)
    made.save(folder / "write-only.xlsx")

    made, sheet = book(lambda values: list(values))
    for cells in sheet.iter_rows(min_row=2):
        for cell in cells:
            cell.number_format = "@"
    made.save(folder / "all-text.xlsx")

    made, sheet = book()
    made.epoch = CALENDAR_MAC_1904
    made.save(folder / "dates-1904.xlsx")

    made, sheet = book()
    made.iso_dates = True
    made.save(folder / "iso-dates.xlsx")

    made, sheet = book()
    for line in range(2, 5):
        sheet.cell(line, 3).value = f"=H{line}*1"
    made.save(folder / "formulas.xlsx")

    made, sheet = book()
    sheet.row_dimensions[3].hidden = True
    made.save(folder / "hidden-row.xlsx")

    made, sheet = book()
    sheet.column_dimensions["E"].hidden = True
    made.save(folder / "hidden-column.xlsx")

    made, sheet = book()
    sheet.merge_cells("E2:E3")
    made.save(folder / "merged-rows.xlsx")

    made, sheet = book()
    sheet.insert_rows(1, 2)
    sheet["A1"] = "Payroll of November"
    sheet["A1"].font = Font(bold=True)
    sheet.merge_cells("A1:G1")
    sheet["F4"].hyperlink = "https://payee.example.com"
    sheet["F5"].comment = Comment("please check", "Ana")
    choices = DataValidation(type="list", formula1='"treasury-btc,savings-btc"')
    choices.add("E4:E100")
    sheet.add_data_validation(choices)
    sheet.freeze_panes = "A4"
    made.create_chartsheet("Chart")
    made.create_sheet("Notes", 0)["A1"] = "nothing to pay here"
    made.save(folder / "title-comment-and-chart.xlsx")

    made, sheet = book()
    sheet.protection.set_password("secret")
    made.security.workbookPassword = "secret"
    made.security.lockStructure = True
    made.save(folder / "protected-sheet.xlsx")

    made, sheet = book()
    sheet.add_table(Table(displayName="Payouts", ref="A1:G4"))
    made.save(folder / "table.xlsx")

    made, sheet = book()
    for line, code in enumerate(["[$-409]00000", "#,##0", "0.00E+00"], 2):
        sheet.cell(line, 1, 4208).number_format = code
    made.save(folder / "names-in-number-cells.xlsx")

    made, sheet = book()
    for line, code in enumerate(["-0.00", "0.00000000", "0.00"], 2):
        sheet.cell(line, 3).number_format = code
    sheet.cell(2, 7).number_format = "mmm yyyy"
    sheet.cell(3, 7).number_format = "d-mmm"
    sheet.append(["Total", None, 0.35000546])
    sheet.cell(5, 3).number_format = '0.00000000 "mBTC"'
    made.save(folder / "shown-otherwise.xlsx")

    made, sheet = book()
    for column, value in enumerate([True, datetime.datetime(2026, 12, 1, 12, 30), datetime.time(8, 15), "#N/A", "=1/0", " spaces "]):
        sheet.cell(1, 8 + column).value = f"extra {column + 1}"
        sheet.cell(2, 8 + column).value = value
    made.save(folder / "every-kind.xlsx")


def rewrite_excel(source, target):
    """Opened and saved again: openpyxl keeps formulas and loses their results."""
    load_workbook(source).save(target)


if __name__ == "__main__":
    files = pathlib.Path(sys.argv[1])
    write_files(files / "openpyxl")
    rewrite_excel(files / "excel" / "formulas.xlsx", files / "openpyxl" / "excel-formulas-saved-again.xlsx")
