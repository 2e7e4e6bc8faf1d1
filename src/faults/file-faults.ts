/** Files that cannot be read, or whose layout is not understood. */
import { entriesOf } from "./entry.ts";

export const fileFaults = entriesOf("correct-file", {
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
    fix: "A file may not have more. Only treasury can raise the limit: `files.limits` in the configuration.",
  },
  UPLOADS_TOO_LARGE: {
    message:
      "what you have sent in since you signed in, and what waits for your signature or came back of it, has more than {limit} MB",
    fix: "Sign or repair what is there; then sign out and in again, and send in less at a time.",
  },
  FILE_CHANGED: {
    message: "the file was changed while it was read",
    fix: "Wait until the program that writes it has finished, then drop or name it again.",
    next: "will-retry",
  },
  FILE_NAME_IS_SECRET: {
    message:
      "the name of the file, or of a folder that it lies in, seems to hold a private key; it is not repeated here",
    fix: "If it is a private key, treat it as stolen: move its funds, rename the file, and delete every copy under this name. If it is none, give the file another name.",
  },
  FILE_NAME_UNUSABLE: {
    message: "the file is not taken in, because its name {reason}",
    fix: "Give the file a shorter name of ordinary letters, and drop it again.",
  },
  FILE_ALREADY_KNOWN: {
    message: "exactly this file was sent in before: {earlier}",
    fix: "Nothing is paid again. Only rows that are new can be sent in, as a new file; rejected payments can be sent in again in a changed file. What was refused or failed is paid again by an operator: the file of results says which, and as what.",
  },
  FILE_NOT_REPAIRABLE: {
    message: "the file cannot be repaired here: {reason}",
    fix: "Correct it, or its answer, in a spreadsheet program and send it in again. Nothing was changed.",
  },
  BATCH_UNCHANGED: {
    message: "the payments are, row by row, those of batch {batch}, which was rejected",
    fix: "Correct what it was rejected for. If nothing was wrong with it, change the order of the rows, so that its approval has a digest of its own.",
  },
  CSV_MALFORMED: {
    message: "this is not valid CSV: {reason}",
    fix: "Check the quotes and the number of columns on this line; save the sheet as CSV again.",
  },
  ENCODING_INVALID: {
    message: "there are bytes that are not valid {encoding}",
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
  READERS_DISAGREE: {
    message: 'two programs read this cell differently: "{ours}" and "{theirs}"',
    fix: "Type the value again, or copy the rows into a new workbook and save that as .xlsx.",
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
    fix: 'Keep one of them, or have treasury name the one to read in the configuration, such as `files.sheet: "{sheet}"`.',
  },
  HEADER_NOT_FOUND: {
    message: "no line{sheets} has the columns of a payout file: reference, amount and destinationAddress",
    fix: "Write one line with the names of the columns above the payouts, or have treasury declare your own names (`files.columns`), or the sheet to read (`files.sheet`).",
  },
  COLUMN_MISSING: {
    message: "no column is certain to hold the {what}; not read: {columns}",
    fix: 'Call the column that holds it "{name}"; or have an approver decide (`paydrop layout accept FILE --column "HEADING={column}"`), or treasury add it under `files.columns` in the configuration, such as `"{heading}": {column}`.',
  },
  COLUMN_UNCLEAR: {
    message: "each of these columns may hold the {what}: {columns}",
    fix: 'Call the one that is meant "{name}"; or have an approver decide (`paydrop layout accept FILE --column "HEADING={column}"`), or treasury add it under `files.columns` in the configuration, such as `"{heading}": {column}`.',
  },
  HEADER_REPEATED: {
    message:
      "this line has names of columns, but not those of the line above the payouts; below it the columns may mean something else",
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
    message: "{declared} has no destination and is not what the payments come to: {found}",
    fix: "If it is a total, find the payment that is missing, doubled or changed; a SUM in a spreadsheet leaves out amounts that are kept as text. If it is a payment, fill in its destination.",
  },
  CONTROL_TOTAL_UNREADABLE: {
    message: 'the line "{text}" of the totals file cannot be read',
    fix: "Write nothing but sums and the number of rows, such as `Rows: 40` and `Total BTC: 1.5`.",
  },
  CONTROL_TOTAL_UNPROVEN: {
    message: "the total cannot be compared, because the amount or currency in line {line} is not known",
    fix: "Correct that line first.",
  },
  CONTROL_TOTAL_MISSING: {
    message: "no line has the sum of all payments, and `files.controlTotals.required` asks for it",
    fix: "Add a last line with the sum below the amounts, or a totals file beside this file.",
  },
  SENDER_AMBIGUOUS: {
    message: "the file's name matches the patterns of several senders: {senders}",
    fix: "Rename the file, or have `files.senders` changed so that only one `match` matches it.",
  },
  TOTALS_FILE_DIFFERS: {
    message: "the totals file declares {declared}, but the payments come to {found}",
    fix: "Find the payment that is missing, doubled or changed; correct the totals file only if it is the one that is wrong.",
  },
  TOTALS_FILE_UNCLEAR: {
    message: "it is unclear which totals file belongs to which payout file: {what}",
    fix: "Keep one totals file for each payout file, and rename both so that only the two share a name.",
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
    fix: "Show the row (clear the filter, or unhide it) if it is to be paid, or delete it.",
  },
  COLUMN_HIDDEN: {
    message: "the column {column} is hidden in the spreadsheet",
    fix: "Show the column (unhide it), so that everybody sees what is paid, or delete it.",
  },
  SHEET_HIDDEN: {
    message: "the hidden sheet {sheet} holds payouts",
    fix: "Show the sheet if it is to be paid, or delete it.",
  },
});
