/** Files that cannot be read, or whose layout is not understood. */
import { entriesOf, text } from "./entry.ts";

export const fileFaults = entriesOf("correct-file", {
  FILE_NOT_FOUND: {
    message: "there is no file {path}",
    fix: "Check the path; `ls` in the folder shows what is there.",
    next: "correct-usage",
  },
  ARCHIVED_FILE_MISSING: {
    message: "the archived file of batch {batch} is missing or changed, so its answer is not written: {path}",
    fix: "Restore it from a backup or from its sender.",
    next: "needs-person",
  },
  FILE_IS_FOLDER: {
    message: "{path} is a folder, not a file",
    fix: "Name one CSV or XLSX file in it.",
    next: "correct-usage",
  },
  FILE_UNREADABLE: {
    message: "{path} cannot be read: {reason}",
    fix: "Check the file's permissions, and that the disk or share is connected.",
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
    fix: "Only treasury can raise the limit, with `files.limits`.",
  },
  UPLOADS_TOO_LARGE: {
    message: "your files that wait for a signature or came back have more than {limit} MB together",
    fix: "Sign or repair these files, sign out and in again, and send in less at a time.",
  },
  FILE_CHANGED: {
    message: "the file was changed while it was read",
    fix: "Wait until the program that writes it has finished, then drop or name it again.",
    next: "will-retry",
  },
  FILE_NAME_IS_SECRET: {
    message: "the name of the file, or of its folder, seems to hold a private key; it is not repeated here",
    fix: "If it is a private key, treat it as stolen: move its funds, and delete every copy. Rename the file.",
  },
  FILE_NAME_UNUSABLE: {
    message: "the file is not taken in, because its name {reason}",
    reasons: {
      nul: "has a NUL character",
      missing: "is missing",
      controls: "has control characters",
      encoding: "is not written in UTF-8",
      long: "has {bytes} bytes, and at most {bytesMax} leave room for the names of its answers",
    },
    fix: "Give the file a shorter name of ordinary letters, and drop it again.",
  },
  FILE_ALREADY_KNOWN: {
    message: "exactly this file was sent in before: {earlier}",
    fix:
      "Nothing is paid again. Send new rows in as a new file. An operator pays refused or failed payments " +
      "again; the file of results lists them.",
  },
  FILE_NOT_REPAIRABLE: {
    message: "the file cannot be repaired here: {reason}",
    reasons: {
      taken: "it became batch {batch}",
      unkept:
        "it is not in the archive as it was sent; what cannot be read or holds a private key is not kept",
      unread: "its cells were not read",
      secret: "it holds a private key, and is not shown",
      newer: "a newer file of this name was taken in since",
      repaired: "it was repaired, and became {became}",
      known: "every row of it was sent in before",
      line: "line {line} was sent in before",
      ragged: "a row has not as many cells as there are names of columns",
      "hidden-line": "line {line} is hidden",
      "hidden-column": 'the column "{column}" is hidden',
      formula: "{cell} is a formula, which only a spreadsheet program calculates again",
      changes: "more than {cellsMax} cells were changed",
      altered: "{cell} would be changed by it",
    },
    fix: "Correct it, or its answer, in a spreadsheet program and send it in again. Nothing was changed.",
  },
  BATCH_UNCHANGED: {
    message: "the payments are the same, row by row, as those of batch {batch}, which was rejected",
    fix: "Correct what it was rejected for. If nothing was wrong, change the order of the rows.",
  },
  CSV_MALFORMED: {
    message: "this is not valid CSV: {reason}",
    fix: "Check the quotes and the number of columns on this line; save the sheet as CSV again.",
  },
  ENCODING_INVALID: {
    message: "there are bytes that are not valid {encoding}",
    fix: "Save the file as CSV (UTF-8), or have treasury set `files.encoding`.",
  },
  ENCODING_GUESSED: {
    message: 'the file is not UTF-8; as Windows-1252 this reads "{text}"',
    fix: "If {text} is wrong, save the file as CSV (UTF-8). If it is right, treasury can set `files.encoding`.",
  },
  XLSX_MALFORMED: {
    message: "the workbook cannot be read: {reason}",
    fix: "Open it in a spreadsheet program and save it again as an Excel workbook (.xlsx).",
  },
  WORKBOOK_READER_FAILED: {
    message: "the reader of workbooks could not start: {reason}",
    fix: "Nothing is wrong with the file. Have the operator allow Paydrop more open files, threads or memory.",
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
    message: "the workbook has macros",
    fix:
      "Save it as an Excel workbook without macros (.xlsx), or have treasury set `files.macros: read`. Paydrop " +
      "never runs macros.",
  },
  WORKBOOK_IS_ACTIVE: {
    message: "the workbook holds {what}, which fetches, sends or runs something when it is opened",
    fix:
      "Replace such a formula by its value and such a picture by an inserted one; remove such a link, " +
      "connection or object. Then drop the file again.",
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
    fix: 'Keep one of them, or have treasury set the one to read, such as `files.sheet: "{sheet}"`.',
  },
  HEADER_NOT_FOUND: {
    message: "no line{sheets} has the columns of a payout file: reference, amount and destinationAddress",
    fix:
      "Write a line of column names above the payouts. Or have treasury set `files.columns` or " +
      "`files.sheet`.",
  },
  COLUMN_MISSING: {
    message: "no column clearly holds the {what}; columns not read: {columns}",
    fix: text(
      'Rename the column that holds it to "{name}". Or have an approver run',
      '`paydrop layout accept FILE --column "HEADING={column}"`, or treasury set `"{heading}": {column}` under',
      "`files.columns`.",
    ),
  },
  COLUMN_UNCLEAR: {
    message: "several columns may hold the {what}: {columns}",
    fix: text(
      'Rename the right one to "{name}". Or have an approver run',
      '`paydrop layout accept FILE --column "HEADING={column}"`, or treasury set `"{heading}": {column}` under',
      "`files.columns`.",
    ),
  },
  HEADER_REPEATED: {
    message: "this line has other column names than the line above the payouts",
    fix: "Delete this line if the columns stay the same; otherwise move the second table to a separate file.",
  },
  PAYOUT_ABOVE_HEADER: {
    message: "this line holds a payout, but stands above the column names, where nothing is paid",
    fix: "Move the line of the column names above all payouts.",
  },
  FILE_HAS_NO_ROWS: {
    message: "there is a header, but no payout below it",
    fix: "Add at least one row and drop the file again.",
  },
  FILE_HAS_NO_NEW_ROWS: {
    message: "all {rows} rows of this correction were accepted before",
    fix: "If payouts are missing, add them; otherwise there is nothing to do.",
  },
  CONTROL_TOTAL_DIFFERS: {
    message: "{declared} has no destination and is not the sum of the payments, which is {found}",
    fix:
      "If it is a payment, fill in its destination. If it is a total, find the payment that is missing, " +
      "doubled or changed; a SUM ignores amounts stored as text.",
  },
  CONTROL_TOTAL_UNREADABLE: {
    message: 'the line "{text}" of the totals file cannot be read',
    fix: "Write only sums and the number of rows, such as `Rows: 40` and `Total BTC: 1.5`.",
  },
  CONTROL_TOTAL_UNPROVEN: {
    message: "the total cannot be compared: the amount or currency in line {line} is not known",
    fix: "Correct that line first.",
  },
  CONTROL_TOTAL_MISSING: {
    message: "no line has the sum of all payments, and `files.controlTotals.required` asks for it",
    fix: "Add a last line with the sum below the amounts, or a totals file beside this file.",
  },
  SENDER_AMBIGUOUS: {
    message: "the file's name matches the patterns of several senders: {senders}",
    fix: "Rename the file, or have treasury change `files.senders` so that only one `match` fits.",
  },
  TOTALS_FILE_DIFFERS: {
    message: "the totals file declares {declared}, but the payments total {found}",
    fix: "Find the payment that is missing, doubled or changed. Correct the totals file only if it is wrong.",
  },
  TOTALS_FILE_UNCLEAR: {
    message: "this payout file has several totals files: {files}",
    fix: "Keep only the totals file that belongs to it, or rename the other payout file of this name.",
  },
  INBOX_ENTRY_NOT_A_FILE: {
    message: "it is {what}, and only files are taken",
    fix: "Put the file itself there.",
    next: "needs-person",
  },
  FILE_NOT_MOVABLE: {
    message: "the file, or its totals file, cannot be moved out of the inbox: {reason}",
    fix:
      "Close the file. Or have the operator allow Paydrop's user to move files there; a sticky bit on the " +
      "folder forbids it.",
    next: "will-retry",
  },
  ROW_HIDDEN: {
    message: "this row is hidden but holds values",
    fix: "Show the row if it is to be paid, or delete it.",
  },
  COLUMN_HIDDEN: {
    message: "the column {column} is hidden in the spreadsheet",
    fix: "Show the column (unhide it) or delete it.",
  },
  SHEET_HIDDEN: {
    message: "the hidden sheet {sheet} holds payouts",
    fix: "Show the sheet if it is to be paid, or delete it.",
  },
});
