/** Rows that cannot become an instruction. The texts address the person who made the spreadsheet. */
import { entriesOf } from "./entry.ts";

export const rowFaults = entriesOf("correct-file", {
  ROW_IS_NOTE: {
    message: 'the line holds nothing but "{text}": no amount and no destination',
    fix: "If it is a note, delete the line, or write it above the column names; if it is of another table, move that to another sheet or file; if it is a payout, complete it.",
  },
  ROW_IS_EXAMPLE: {
    message: "this is still the template's example row, not a payment",
    fix: "Replace it with a payment of your own, or delete the row.",
  },
  ROW_NOT_TO_BE_PAID: {
    message: '"{text}" in the column "{field}" tells who reads the row not to pay it',
    fix: "Delete the row, or clear the cell if it is to be paid. If the column speaks of something else, have treasury exclude it (`files.columns`: `ignore`).",
  },
  FILE_NOT_TO_BE_PAID: {
    message: '"{text}" tells who reads the file not to pay it',
    fix: "Delete those words once it is to be paid, or put what is to be paid into a file of its own.",
  },
  ROW_SAID_PAID: {
    message: '"{text}" stands in the column "{field}", which does not keep the row from being paid',
    fix: "Delete the row if it was paid in another way; nothing to do if the word speaks of something else.",
  },
  VALUE_MISSING: {
    message: "{field} is empty",
    fix: "Fill in {field}.",
  },
  VALUE_TOO_LONG: {
    message: "{field} has {found} characters, more than {limit}",
    fix: "Shorten it to at most {limit} characters.",
  },
  VALUE_HAS_CONTROL_CHARACTER: {
    message: "{field} holds an invisible character ({escaped})",
    fix: "Type the value again instead of pasting it.",
  },
  VALUE_IS_SECRET: {
    message: "{field} seems to hold a private key; it is not repeated here",
    fix: "Treat the key as stolen: move its funds. Then clear the cell, and delete every copy of this file.",
  },
  VALUE_SHOWN_OTHERWISE: {
    message: "{field} holds {text}, but the cell's number format shows another text, or none",
    fix: "Format the cell as text, or a day as a date such as 2026-11-30, and correct it if it then shows something that you did not mean.",
  },
  VALUE_UNSEEN: {
    message:
      "{field} holds {text}, {appearance}, so a person who looks at the spreadsheet does not see what would be read",
    fix: "Give the cell an ordinary font in a colour that stands out from its background (clear its formats, or type the value again), and check the value.",
  },
  CELL_IS_ERROR: {
    message: "the cell shows the spreadsheet error {text}",
    fix: "Repair the formula, or type the value.",
  },
  FORMULA_WITHOUT_VALUE: {
    message: "the cell holds a formula whose result was not saved",
    fix: "Open the file in a spreadsheet program, let it calculate and save it, or type the value.",
  },
  FORMULA_RESULT_USED: {
    message: "the cell holds a formula; the result saved in the file, {text}, was used",
    fix: "Nothing to do if {text} is right; to be sure, type the value in place of the formula.",
  },
  VALUE_KIND_WRONG: {
    message: "{field} is a {found} cell, but should be {expected}",
    fix: "Format the cell as text and type the value again.",
  },
  AMOUNT_UNREADABLE: {
    message: 'the amount "{text}" is not in plain digits such as 0.05',
    fix: "Write plain digits with a point: 0.05. No sign, no currency, no words, no quotes.",
  },
  AMOUNT_AMBIGUOUS: {
    message: 'the amount "{text}" can be read as {first} or as {second}',
    fix: "Write it with a point and without thousands marks, or have treasury declare `files.numberFormat`.",
  },
  AMOUNT_SEPARATOR_UNDECLARED: {
    message: 'the amount "{text}" has marks other than a decimal point; it reads as {reading}',
    fix: "Write {reading}, or have treasury declare `files.numberFormat` if the whole file is written like this.",
  },
  AMOUNT_FORMAT_DIFFERS: {
    message: 'the amount "{text}" is not written in the declared number format {format}',
    fix: "Write it like {format}, or have treasury correct `files.numberFormat`.",
  },
  AMOUNT_FORMATS_MIXED: {
    message:
      'the amount "{text}" may mean {first} or {second}: other amounts of this file are written with a decimal comma',
    fix: "Write all amounts with a decimal point, or have treasury declare `files.numberFormat`; until then nothing in the file is accepted.",
  },
  AMOUNT_POINT_UNCLEAR: {
    message:
      'the amount "{text}" may mean {first} or {second}: the columns are separated by semicolons, as in countries where a point marks thousands, and no other amount in this file shows what its points mean',
    fix: "Write it with other decimals ({first}0) or without the point ({second}), or have treasury declare `files.numberFormat`; until then nothing in the file is accepted.",
  },
  AMOUNT_HAS_EXPONENT: {
    message: 'the amount "{text}" is written with an exponent',
    fix: "Write all digits: 0.0125 instead of 1.25E-02. In a spreadsheet, give the whole column the number format 0.00000000 first, and check the amounts.",
  },
  AMOUNT_NOT_POSITIVE: {
    message: "the amount {text} is not above zero",
    fix: "A payout needs an amount above zero; delete the row if nothing is to be paid.",
  },
  AMOUNT_TOO_PRECISE: {
    message: "the amount {text} has {found} decimals, but {currency} has {scale}",
    fix: "Write at most {scale} decimals, in a spreadsheet as a text cell or by ROUND(..., {scale}) in its formula; Paydrop never rounds for you.",
  },
  AMOUNT_PRECISION_LOST: {
    message: "the number cell {text} holds more digits than a spreadsheet number can keep",
    fix: "Format the cell as text and type all digits.",
  },
  AMOUNT_SHOWN_OTHERWISE: {
    message: "the cell holds the number {text}, but is formatted for {unit}, not for {currency}",
    fix: "Give the cell a number format without a unit, and correct the amount if it then shows another one.",
  },
  AMOUNT_MAY_BE_CUT: {
    message:
      'the file ends after "{text}" without a line break, and {others}: copying it may have been interrupted',
    fix: "Copy the file again. If the amount is right, add a line break.",
  },
  FILE_HAS_OPEN_END: {
    message:
      'the file ends after "{text}" without a line break; if copying it was interrupted, the rest of that value is missing',
    fix: "Nothing to do if the value is complete. Otherwise have the payment recalled, and submit it in a new file, under another reference.",
  },
  AMOUNT_IN_OTHER_UNIT: {
    message:
      '"{text}" is written beside the amounts, but they are read as whole coins: 0.5 as 0.5 BTC, never as 0.5 mBTC',
    fix: "Write the amounts in whole coins, and delete those words.",
  },
  CURRENCY_NOT_READ: {
    message:
      '"{text}" is written where no currency is read, and the amounts themselves name none: they would be paid in {currency}',
    fix: "Say where it is read in which currency the amounts are: in a column `currency`, or in the name of theirs, `Amount ({currency})`. A column that speaks of something else can be excluded by treasury (`files.columns`: `ignore`).",
  },
  AMOUNT_SHOWN_ROUNDED: {
    message: "the cell shows {shown}, but holds {text}",
    fix: "Let the cell show all its decimals, or round the amount itself; then check that it is what is to be paid.",
  },
  AMOUNT_OVER_LIMIT: {
    message: "{amount} is above the limit of {limit} {scope}",
    fix: "Split the payment, or have treasury raise `{key}` in the configuration.",
  },
  CURRENCY_UNKNOWN: {
    message: 'the currency "{text}" is not known',
    fix: "Use one of: {allowed}.",
  },
  CURRENCY_SCALE_UNKNOWN: {
    message: "the number of decimals of {currency} is not configured",
    fix: "Have treasury set `currencies.{currency}` to that number.",
  },
  CURRENCY_DIFFERS: {
    message:
      "the currency {currency} is not that of the custody account {custodyAccount}, which is {expected}",
    fix: "Correct the currency, or name a custody account in {currency}.",
  },
  CURRENCY_WITHOUT_LIMIT: {
    message: "no limit is configured for {currency}, so nothing in it may be paid",
    fix: "Have treasury set `limits.perRow.{currency}`, `limits.perFile.{currency}` and `limits.perDay.{currency}`.",
  },
  USERNAME_DIFFERS: {
    message: 'it would be paid in the name of "{found}" as user of the service, not of {expected}',
    fix: "Nothing to do if {found} is a user of the service whose one-time codes are used; give the column another name if it holds the payee's user names.",
  },
  CUSTODY_ACCOUNT_UNKNOWN: {
    message: 'there is no custody account "{text}" in the configuration',
    fix: "Use one of: {allowed}{suggestion}. If the column holds other accounts, such as those of your ledger, give it another name.",
  },
  CUSTODY_ACCOUNT_AMBIGUOUS: {
    message: "several custody accounts hold {currency}: {allowed}",
    fix: "Add a column `accountId` that names one of them.",
  },
  UUID_MALFORMED: {
    message: '{field} "{text}" is not a UUID',
    fix: "Copy it as the service shows it: 8-4-4-4-12 hexadecimal digits.",
  },
  URL_MALFORMED: {
    message: '{field} "{text}" is not an http or https URL',
    fix: "Write the whole address, beginning with https://.",
  },
  URL_HAS_CREDENTIALS: {
    message: "{field} holds a user name or a password; it is not repeated here",
    fix: "Remove everything between // and @.",
  },
  URL_HAS_QUERY: {
    message: "{field} has a query or a fragment, to which no path can be appended; it is not repeated here",
    fix: 'Remove everything from the "?" or "#" on.',
  },
  CHOICE_UNKNOWN: {
    message: '{field} "{text}" is not one of the allowed values',
    fix: "Use one of: {allowed}{suggestion}. If the column is one of your own, give it another name.",
  },
  BOOLEAN_UNREADABLE: {
    message: '{field} "{text}" is neither yes nor no',
    fix: "Write true or false (yes or no).",
  },
  INTEGER_UNREADABLE: {
    message: '{field} "{text}" is not a whole number from {minimum} to {maximum}',
    fix: "Write digits only.",
  },
  DATE_HAS_TIME: {
    message: '{field} "{text}" includes a time, which may fall on another day elsewhere',
    fix: "Write only the day, such as 2026-11-30. In a spreadsheet, type it again: the cell may hold a time that it does not show.",
  },
  DATE_UNREADABLE: {
    message: '{field} "{text}" is not a day written as 2026-11-30',
    fix: "Write it as 2026-11-30, or in a workbook format the cell as a date.",
  },
  DATE_AMBIGUOUS: {
    message: '{field} "{text}" can be read as {first} or as {second}',
    fix: "Write {first} or {second}, or in a workbook format the cell as a date.",
  },
  PAY_ON_PAST: {
    message: "{field} {text} is before today, {today}",
    fix: "Nothing to do if it is to be paid at once; otherwise correct the date.",
  },
  CUSTOM_FEE_RATE_MISSING: {
    message: "feePolicy is CUSTOM, but customFeeRate is empty",
    fix: "Fill in customFeeRate in sat/vb, or choose SLOW, NORMAL or FAST.",
  },
  CUSTOM_FEE_RATE_UNUSED: {
    message: "customFeeRate is given, but feePolicy is {feePolicy}",
    fix: "Set feePolicy to CUSTOM, or clear customFeeRate.",
  },
  FIELD_BITCOIN_ONLY: {
    message: "{field} applies to Bitcoin accounts only, and this account holds {currency}",
    fix: "Clear {field} in this row.",
  },
  REFERENCE_REPEATED: {
    message: 'the reference "{reference}" is also in line {earlier} of this file',
    fix: "Give every payout a reference of its own; delete the row if it is the same payment.",
  },
  REFERENCE_USED: {
    message: 'the reference "{reference}" was used before: {earlier}',
    fix: "It is not paid again. If this is another payment, give it another reference. If it corrects one that was not sent yet, have treasury withdraw that one first, and submit the file again. If it corrects one that was refused or failed, ask treasury first, and give this one another reference.",
  },
  REFERENCE_WITHDRAWN_BEFORE: {
    message: 'the payment "{reference}" was withdrawn before it was sent: {earlier}',
    fix: "Nothing to do if it is to be paid now: it awaits approval again. Otherwise delete the row.",
  },
  ROW_ACCEPTED_BEFORE: {
    message: "this row was accepted before: {earlier}",
    fix: "Nothing to do: it is not taken in again. If it was withdrawn and is to be paid after all, submit it in another file.",
  },
  ROW_CHANGED_AFTER_ACCEPTANCE: {
    message: 'the row "{reference}" was accepted before with other contents: {earlier}',
    fix: "It is not paid again, and the change has no effect. Restore what was accepted, or give another payment another reference.",
  },
  REFERENCE_MALFORMED: {
    message: 'the reference "{text}" does not have the form {pattern}',
    fix: "Use only the characters that this form allows: unless treasury has set another one, letters from A to Z, digits and . _ / -, beginning with a letter or a digit. Spaces, # and : are none of them.",
  },
});
