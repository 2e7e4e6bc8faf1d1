#!/bin/sh
# Converts files of the corpus by LibreOffice: libreoffice_files.sh FOLDER (Debian: libreoffice-calc).
set -eu
files=$1
out=$files/libreoffice
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# convert SOURCE FORMAT TARGET
convert() {
  soffice -env:UserInstallation="file://$work/profile" --headless --convert-to "$2" --outdir "$work/out" "$1" >/dev/null 2>&1
  mv "$work/out/"* "$out/$3"
}

# What a person opens in Calc and saves as a workbook.
convert "$files/exceljs/every-kind.xlsx" 'xlsx:Calc MS Excel 2007 XML' every-kind.xlsx
convert "$files/excel/shared-strings.xlsx" 'xlsx:Calc MS Excel 2007 XML' payouts.xlsx
convert "$files/excel/formulas.xlsx" 'xlsx:Calc MS Excel 2007 XML' formulas.xlsx
convert "$files/excel/numbers.xlsx" 'xlsx:Calc MS Excel 2007 XML' numbers.xlsx
convert "$files/excel/dates-1904.xlsx" 'xlsx:Calc MS Excel 2007 XML' dates-1904.xlsx
convert "$files/excel/hidden-row.xlsx" 'xlsx:Calc MS Excel 2007 XML' hidden-row.xlsx
convert "$files/excel/hidden-column.xlsx" 'xlsx:Calc MS Excel 2007 XML' hidden-column.xlsx
convert "$files/excel/merged-rows.xlsx" 'xlsx:Calc MS Excel 2007 XML' merged-rows.xlsx
convert "$files/excel/hidden-payout-sheet.xlsx" 'xlsx:Calc MS Excel 2007 XML' hidden-payout-sheet.xlsx
convert "$files/excel/escaped-text.xlsx" 'xlsx:Calc MS Excel 2007 XML' escaped-text.xlsx

# Typed into Calc, kept as .ods, then saved as a workbook.
convert "$files/exceljs/every-kind.xlsx" ods every-kind.ods
mv "$out/every-kind.ods" "$work/every-kind.ods"
convert "$work/every-kind.ods" 'xlsx:Calc MS Excel 2007 XML' from-ods.xlsx
convert "$files/excel/shared-strings.xlsx" 'xlsm:Calc MS Excel 2007 VBA XML' macro-enabled.xlsm

# Text: the numbers are delimiter, quote, encoding (76 UTF-8, 1 Windows-1252, 65535 UTF-16), first line, columns, language,
# quote all texts, detect numbers, as shown.
convert "$files/excel/shared-strings.xlsx" 'csv:Text - txt - csv (StarCalc):44,34,76,1' comma-utf-8.csv
convert "$files/excel/shared-strings.xlsx" 'csv:Text - txt - csv (StarCalc):59,34,1,1' semicolon-windows-1252.csv
convert "$files/excel/shared-strings.xlsx" 'csv:Text - txt - csv (StarCalc):9,34,65535,1' tab-utf-16.csv
convert "$files/excel/shared-strings.xlsx" 'csv:Text - txt - csv (StarCalc):124,34,76,1,,0,true,false,false' pipe-all-quoted.csv
convert "$files/exceljs/every-kind.xlsx" 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,2' every-kind.csv

# Other formats under a wrong name.
convert "$files/excel/shared-strings.xlsx" xls excel-97.xlsx
convert "$files/excel/shared-strings.xlsx" ods open-document.xlsx
convert "$files/excel/shared-strings.xlsx" html web-page.xls
convert "$files/excel/shared-strings.xlsx" pdf portable-document.xlsx
