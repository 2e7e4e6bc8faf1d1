#!/bin/sh
# Converts files of the corpus by Gnumeric: gnumeric_files.sh FOLDER (Debian: gnumeric).
set -eu
files=$1
out=$files/gnumeric
mkdir -p "$out"

# convert SOURCE TARGET OPTIONS...
convert() {
  source=$files/$1
  target=$out/$2
  shift 2
  ssconvert "$@" "$source" "$target" >/dev/null 2>&1
}

convert exceljs/every-kind.xlsx every-kind.xlsx -T Gnumeric_Excel:xlsx2
convert excel/shared-strings.xlsx payouts.xlsx -T Gnumeric_Excel:xlsx2
convert excel/shared-strings.xlsx payouts-first-edition.xlsx -T Gnumeric_Excel:xlsx
convert excel/numbers-as-text.xlsx numbers-as-text.xlsx -T Gnumeric_Excel:xlsx2
convert excel/formulas.xlsx formulas.xlsx -T Gnumeric_Excel:xlsx2
convert excel/dates-1904.xlsx dates-1904.xlsx -T Gnumeric_Excel:xlsx2
convert excel/hidden-column.xlsx hidden-column.xlsx -T Gnumeric_Excel:xlsx2
convert excel/merged-rows.xlsx merged-rows.xlsx -T Gnumeric_Excel:xlsx2

convert excel/shared-strings.xlsx comma.csv -T Gnumeric_stf:stf_csv
convert excel/shared-strings.xlsx pipe.txt -T Gnumeric_stf:stf_assistant -O 'separator=| format=raw'
convert excel/shared-strings.xlsx semicolon-windows-1252.csv -T Gnumeric_stf:stf_assistant -O 'separator=; eol=windows charset=CP1252 format=automatic'
convert excel/shared-strings.xlsx all-quoted-mac.csv -T Gnumeric_stf:stf_assistant -O 'quoting-mode=always eol=mac format=preserve'

# Other formats under a wrong name.
convert excel/shared-strings.xlsx excel-95.xlsx -T Gnumeric_Excel:excel_biff7
convert excel/shared-strings.xlsx gnumeric.xlsx -T Gnumeric_XmlIO:sax:0
convert excel/shared-strings.xlsx open-document.csv -T Gnumeric_OpenCalc:odf
