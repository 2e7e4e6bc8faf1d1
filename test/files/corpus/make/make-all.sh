#!/bin/sh
# Makes every file of the corpus anew, beside the expectations that stay: see README.md for what must be installed.
set -eu
here=$(dirname "$0")
files=$here/../files
node "$here/handmade-files.ts"
python3 "$here/openpyxl_files.py" "$files"
python3 "$here/xlsxwriter_files.py" "$files"
python3 "$here/python_csv_files.py" "$files"
sh "$here/libreoffice_files.sh" "$files"
sh "$here/gnumeric_files.sh" "$files"
