/** Files that cannot be read, or whose layout is not understood. */
import { entriesOf } from "./entry.ts";

export const fileFaults = entriesOf("correct-file", {
  INTAKE_UNDER_WAY: {
    message: "another process is taking files in",
    fix: "Nothing to do: the next run takes in what it leaves. If it died on another machine, this takes a minute and a half.",
    next: "will-retry",
  },
  FILE_NOT_FOUND: {
    message: "there is no file {path}",
    fix: "Check the path; `ls` in the folder shows what is there.",
    next: "correct-usage",
  },
  ARCHIVED_FILE_MISSING: {
    message:
      "the file of batch {batch} is not in the archive as it was taken in, so its answer is not written: {path}",
    fix: "Put exactly that file there, from a backup or from its sender; `paydrop status {batch}` shows what became of each payment.",
    next: "needs-person",
  },
  FILE_IS_FOLDER: {
    message: "{path} is a folder, not a file",
    fix: "Name one CSV or XLSX file in it.",
    next: "correct-usage",
  },
  FILE_UNREADABLE: {
    message: "{path} cannot be read: {reason}",
    fix: "Check the file's permissions and that the disk or share is there.",
    next: "correct-usage",
  },
  FILE_EMPTY: {
    message: "the file is empty",
    fix: "Save the spreadsheet again and drop the new file.",
  },
  FILE_FORMAT_UNKNOWN: {
    message: "the file is neither CSV nor XLSX: {found}",
    fix: "Save it as CSV (UTF-8) or as an Excel workbook (.xlsx) and submit it again.",
  },
  FILE_TOO_LARGE: {
    message: "the file has {found} {unit}; the limit is {limit}",
    fix: "Split it into several files, or raise the limit under `files.limits` in the configuration.",
  },
  FILE_CHANGED: {
    message: "the file was changed while it was read",
    fix: "Wait until the program that writes it has finished, then drop or name it again.",
    next: "will-retry",
  },
  FILE_NAME_IS_SECRET: {
    message:
      "the name of the file, or of a folder that it lies in, seems to hold a private key; it is not repeated here",
    fix: "Treat the key as stolen: move its funds. Then rename the file, and delete every copy under this name.",
  },
  FILE_NAME_UNUSABLE: {
    message: "the file is not taken in, because its name {reason}",
    fix: "Give the file a shorter name of ordinary letters, and drop it again.",
  },
  FILE_ALREADY_KNOWN: {
    message: "exactly this file was submitted before as {earlier} on {when}",
    fix: "Nothing was paid again. For other payments, submit another file; withdrawn payments can be submitted again in a changed file. What was refused or failed is sent or paid again by treasury: the file of results says which, and as what.",
  },
  BATCH_UNCHANGED: {
    message: "the payments are, row by row, those of batch {batch}, which was withdrawn",
    fix: "Correct what it was withdrawn for. If nothing was wrong with it, change the order of the rows, or the reference of a single one, so that its approval has a digest of its own.",
  },
  CSV_MALFORMED: {
    message: "this is not valid CSV: {reason}",
    fix: "Check the quotes and the number of columns on this line; save the sheet as CSV again.",
  },
  ENCODING_INVALID: {
    message: "the bytes at offset {offset} are not valid {encoding}",
    fix: "Save the file as CSV (UTF-8), or have treasury declare the encoding that the program writes as `files.encoding`.",
  },
  ENCODING_GUESSED: {
    message: 'the file is not UTF-8 and was read as Windows-1252, in which this is "{text}"',
    fix: "Nothing to do if {text} is right; this warning ends once treasury declares `files.encoding: windows-1252`. If {text} is wrong, save the file as CSV (UTF-8), or have the right `files.encoding` declared.",
  },
  XLSX_MALFORMED: {
    message: "the workbook cannot be read: {reason}",
    fix: "Open it in a spreadsheet program and save it again as an Excel workbook (.xlsx).",
  },
  WORKBOOK_READER_FAILED: {
    message: "the workbook was not read, because the thread that reads workbooks could not start: {reason}",
    fix: "Nothing is wrong with the file. Let this process have more open files, threads or memory; the next run reads it.",
    next: "will-retry",
  },
  XLSX_REFUSED: {
    message: "the workbook is refused for safety: {reason}",
    fix: "Copy the rows into a new workbook and save that as .xlsx.",
  },
  WORKBOOK_HAS_MACROS: {
    message: "the workbook can run macros",
    fix: "Save it as an Excel workbook without macros (.xlsx), or set `files.macros: read` in the configuration; Paydrop never runs any.",
  },
  WORKBOOK_IS_ACTIVE: {
    message:
      "the workbook holds {what}, with which it fetches, sends or runs something on the machine of whoever opens it",
    fix: "Put the value in the place of such a formula (copy it, paste as values), insert such a picture itself, remove such a link, connection or object, and drop the file again.",
  },
  FILE_ENCRYPTED: {
    message: "the file is protected by a password",
    fix: "Open it in the spreadsheet program, save it without a password, and drop that file.",
  },
  SHEET_NOT_FOUND: {
    message: "there is no sheet {sheet}; the workbook has {sheets}",
    fix: "Name the sheet as it is called in the workbook.",
  },
  SHEET_AMBIGUOUS: {
    message: "several visible sheets look like payouts: {sheets}",
    fix: "Keep one of them, or name it in `files.sheet` of the configuration.",
  },
  HEADER_NOT_FOUND: {
    message: "no line has the columns of a payout file; needed: {needed}{closest}",
    fix: "Call the columns that hold these so, in one line above the payouts, and add those that are missing; or have treasury declare your own names for them (`files.columns`).",
  },
  COLUMN_MISSING: {
    message: "the column {column} is missing",
    fix: "Call the column that holds it `{column}`, or add one with a value in every row; or have treasury declare your own name for it (`files.columns`).",
  },
  COLUMN_REPEATED: {
    message: "the columns {columns} all mean {field}",
    fix: "Keep the one that is meant, and give the others names of their own, or have treasury exclude them (`files.columns`: `ignore`).",
  },
  AMOUNT_COLUMN_UNCLEAR: {
    message: "each of the columns {columns} may hold what is to be paid, and they do not agree in every row",
    fix: "Call the one that is to be paid `Amount (BTC)`, with its currency, and the other by what it is, such as `Net` or `Invoice total`. Treasury can also exclude it (`files.columns`: `ignore`).",
  },
  COLUMN_MISSPELLED: {
    message:
      "the column {column} is not a payout column and is passed through unread; did you mean `{meant}`?",
    fix: "Rename it to `{meant}` if that is what it holds; nothing to do if it is a column of your own.",
  },
  COLUMN_DISGUISED: {
    message:
      "the column {column} is written with letters of another alphabet; it looks like `{meant}`, and would be passed through unread",
    fix: "Type its name anew if it holds that; call it otherwise if it is a column of your own.",
  },
  HEADER_REPEATED: {
    message: "this line repeats the column names; below it they may mean something else",
    fix: "Delete this line if the columns go on as above; put another table in a file of its own.",
  },
  PAYOUT_ABOVE_HEADER: {
    message: "this line holds a payout, but stands above the column names, where nothing is paid",
    fix: "Move the line of the column names above all payouts; sorting a sheet may have moved it.",
  },
  FILE_HAS_NO_ROWS: {
    message: "there is a header, but no payout below it",
    fix: "Add at least one row and drop the file again.",
  },
  FILE_HAS_NO_NEW_ROWS: {
    message: "all {rows} rows of this correction were accepted before",
    fix: "Nothing to do if nothing is missing; otherwise add the payouts that are.",
  },
  CONTROL_TOTAL_DIFFERS: {
    message: "the file declares {declared}, but its rows come to {found}",
    fix: "Find the payout that is missing, doubled or changed; correct the control total only if it is the one that is wrong. A spreadsheet's SUM leaves out amounts that are kept as text.",
  },
  CONTROL_TOTAL_UNREADABLE: {
    message: 'the control total "{text}" cannot be read: {reason}',
    fix: "Write it as `Rows` and `Total BTC` with the number beside each, or delete the line if it is no control total.",
  },
  CONTROL_TOTAL_INCOMPLETE: {
    message: "the file declares control totals, but not {missing}",
    fix: "Add a line `Total` with it below those rows, or delete the control totals.",
  },
  CONTROL_TOTAL_WITHOUT_CURRENCY: {
    message: "the control total {sum} does not say which currency it is in, and the file pays {currencies}",
    fix: "Write one line of totals for each currency: `Total BTC` with the sum of the BTC amounts, and so on.",
  },
  CONTROL_TOTAL_UNNAMED: {
    message: "the last line has no destination, and its amount is the sum of all others: {sum}",
    fix: "Write `Total` beside it if it is a control total (treasury can add your word for it to `files.controlTotals.sumWords`); complete it if it is a payout.",
  },
  LINE_NOT_COMPARED: {
    message: 'the line "{label}" is neither a payout nor a control total; nothing was compared with it',
    fix: "Nothing to do if it is an average or the like; complete it if it is a payout.",
  },
  PAYOUT_NAMED_TOTAL: {
    message:
      'the row "{reference}" has an amount and a destination, so it may be a payout or a control total',
    fix: "Clear its destination if it is a control total; give it another reference if it is a payout.",
  },
  CONTROL_TOTAL_UNPROVEN: {
    message:
      "the control totals cannot be compared, because amount and currency of line {line} are not known",
    fix: "Correct that line first.",
  },
  CONTROL_TOTAL_MISSING: {
    message:
      "the file declares no {missing}, and `files.controlTotals.required` asks for both sums and row count",
    fix: "Add a last line `Total` with the sum below the amounts and the number of rows beside it, such as `40 rows`.",
  },
  SENDER_AMBIGUOUS: {
    message: "the file's name matches the patterns of several senders: {senders}",
    fix: "Rename the file, or have `files.senders` changed so that only one `match` matches it.",
  },
  TOTALS_FILE_TWICE: {
    message: "there are two totals files: {first} and {second}",
    fix: "Keep one of them.",
  },
  TOTALS_FILE_SHARED: {
    message: "the totals file may be about any of {files}, so none of them is taken",
    fix: "Rename it and its payout file, so that only the two share a name.",
  },
  INBOX_ENTRY_NOT_A_FILE: {
    message: "it is {what}, and only files are taken",
    fix: "Put the file itself there.",
    next: "needs-person",
  },
  FILE_NOT_MOVABLE: {
    message: "the file, or its totals file, cannot be moved out of the inbox: {reason}",
    fix: "Close it, or give the account that Paydrop runs as the right to move files of others there (a folder with the sticky bit denies it).",
    next: "will-retry",
  },
  ROW_HIDDEN: {
    message: "this row is hidden in the spreadsheet but holds values",
    fix: "Show the row (clear the filter, unhide it, make it higher, unfreeze the panes) if it is to be paid, or delete it.",
  },
  ROW_STRUCK_OUT: {
    message: "a value of this row is struck out in the spreadsheet",
    fix: "Delete the row if it is not to be paid; remove the strikethrough if it is.",
  },
  CONDITIONAL_FORMAT_HIDES: {
    message:
      "a conditional format of the cells {range} {effect}; Paydrop does not calculate whether its rule applies",
    fix: "Remove that rule (in Excel: Home, Conditional Formatting, Manage Rules), then delete the rows that are not to be paid and check what the cells show.",
  },
  CELLS_COVERED: {
    message: "a picture, a chart or a shape lies over the cells {range}, so nobody sees what they hold",
    fix: "Move it beside the rows or delete it, and check the values beneath.",
  },
  COLUMN_HIDDEN: {
    message: "the column {column} is hidden in the spreadsheet",
    fix: "Show the column (unhide it, make it wider, unfreeze the panes), so that everybody sees what is paid, or delete it.",
  },
  SHEET_NOT_READ: {
    message:
      "{sheets} numbers beside addresses, but no line with the columns of a payout file; nothing there was read",
    fix: "Nothing to do if nothing there is to be paid; otherwise put its rows below those of {sheet}, or drop it as a file of its own.",
  },
  SHEET_HIDDEN: {
    message: "the hidden sheet {sheet} holds payouts",
    fix: "Show the sheet if it is to be paid, or delete it.",
  },
  CELLS_MERGED: {
    message: "the cells {range} are merged, so it is unclear which row their value belongs to",
    fix: "Unmerge them and fill in the value of every row.",
  },
  CELL_WITHOUT_COLUMN: {
    message: 'the value "{text}" is in a column that has no name in the header',
    fix: "Name the column in the header line, or clear the cell.",
  },
});
