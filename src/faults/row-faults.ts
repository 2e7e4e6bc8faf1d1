/** Rows that cannot become an instruction. The texts address the person who made the spreadsheet. */
import { entriesOf } from "./entry.ts";

export const rowFaults = entriesOf("correct-file", {
  ROW_IS_EXAMPLE: {
    message: "this is still the template's example row, not a payment",
    fix: "Replace it with a payment of your own, or delete the row.",
  },
  VALUE_MISSING: {
    message: "{field} is empty",
    fix: "Fill in {field}.",
  },
  VALUE_IS_SECRET: {
    message: "{field} seems to hold a private key; it is not repeated here",
    fix:
      "If it is a private key, treat it as stolen: move its funds, and delete every copy of this file. " +
      "Otherwise write the value differently.",
  },
  VALUE_SHOWN_OTHERWISE: {
    message: '{field} holds "{text}", but {how}',
    fix: "Type the value again in a plain cell (a day as 2026-11-30), or delete the row.",
  },
  CELL_IS_ERROR: {
    message: "the cell shows the spreadsheet error {text}",
    fix: "Repair the formula, or type the value.",
  },
  FORMULA_WITHOUT_VALUE: {
    message: "the cell holds a formula whose result was not saved",
    fix: "Open the file in a spreadsheet program, let it calculate and save it, or type the value.",
  },
  VALUE_MALFORMED: {
    message: '{field} "{text}" is not {expected}',
    fix: "Write {expected}. If the column means something else, rename it.",
  },
  AMOUNT_UNREADABLE: {
    message: 'the amount "{text}" is not in plain digits such as 0.05',
    fix: "Write plain digits with a point: 0.05. No sign, no words, no quotes.",
  },
  AMOUNT_FORMAT_DIFFERS: {
    message: 'the amount "{text}" is not written like the others of its column: {format}',
    fix: "Write it like {format}, or have treasury set `files.numberFormat`.",
  },
  AMOUNT_FORMATS_MIXED: {
    message: 'the separator in the amount "{text}" is unclear: its column fits two formats, or none',
    fix:
      "Write all amounts with a decimal point and no thousands separators, or have treasury set " +
      "`files.numberFormat`.",
  },
  AMOUNT_HAS_EXPONENT: {
    message: 'the amount "{text}" is written with an exponent',
    fix:
      "Write all digits: 0.0125 instead of 1.25E-02. In a spreadsheet, give the column the number format " +
      "0.00000000 first, then check the amounts.",
  },
  AMOUNT_NOT_POSITIVE: {
    message: "the amount {text} is not above zero",
    fix: "A payout needs an amount above zero; delete the row if nothing is to be paid.",
  },
  AMOUNT_TOO_PRECISE: {
    message: "the amount {text} has {found} decimals, but {currency} has {scale}",
    fix: "Write at most {scale} decimals; Paydrop never rounds for you.",
  },
  AMOUNT_NOT_ROUNDED: {
    message:
      "the calculated amount {text} has {found} decimals, but {currency} has {scale}; rounded it is {rounded}",
    fix: "Use ROUND(..., {scale}) in its formula, or have treasury set `files.roundCalculated: half-even`.",
  },
  AMOUNT_ROUNDED: {
    message: "the calculated amount {text} was rounded to {rounded}",
    fix: "Nothing to do if {rounded} is to be paid; otherwise round it in its formula.",
  },
  AMOUNT_PRECISION_LOST: {
    message: "the number {text} has more digits than a spreadsheet keeps",
    fix: "Format the cell as text and type all digits.",
  },
  AMOUNT_SHOWN_OTHERWISE: {
    message: "the cell holds the number {text} in {unit}, not in {currency}",
    fix: "Write the amount in {currency}, without another unit in the cell or in its number format.",
  },
  AMOUNT_IN_OTHER_UNIT: {
    message:
      '"{text}" is written beside the amounts, which are read as whole coins (0.5 is 0.5 BTC, never 0.5 mBTC)',
    fix: "Write the amounts in whole coins, and delete those words.",
  },
  CURRENCY_NOT_READ: {
    message: '"{text}" names another currency, but the amounts name none and would be paid in {currency}',
    fix: "Name the currency of the amounts in a column `currency` or in their heading, such as `Amount ({currency})`.",
  },
  AMOUNT_NAMES_OTHER_CURRENCY: {
    message: 'the amounts are headed "{text}", which names {named}, but would be paid in {currency}',
    fix: "Write amounts and heading in {currency}, or correct the currency of the rows.",
  },
  AMOUNT_SHOWN_ROUNDED: {
    message: "the cell shows {shown}, but holds {text}",
    fix: "Show all decimals of the cell, or round the amount itself. Then check that the amount is right.",
  },
  AMOUNT_OVER_LIMIT: {
    message: "{amount} is above the limit of {limit} {scope}",
    fix: "Only treasury can raise the limit, with `{key}` in the configuration.",
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
    message: "the currency is {currency}, but the custody account {custodyAccount} holds {expected}",
    fix: "Correct the currency, or name a custody account in {currency}.",
  },
  CURRENCY_WITHOUT_LIMIT: {
    message: "{currency} has no limits, so nothing in it may be paid",
    fix: "Have treasury set `limits.perRow.{currency}`, `limits.perFile.{currency}` and `limits.perDay.{currency}`.",
  },
  USERNAME_DIFFERS: {
    message: 'the row names the service user "{found}" instead of {expected}',
    fix: "Nothing to do if one-time codes of {found} are used. If the column holds user names of payees, rename it.",
  },
  CUSTODY_ACCOUNT_UNKNOWN: {
    message: 'there is no custody account "{text}" in the configuration',
    fix: "Use one of: {allowed}{suggestion}. If the column holds other accounts, such as ledger accounts, rename it.",
  },
  CUSTODY_ACCOUNT_AMBIGUOUS: {
    message: "several custody accounts hold {currency}: {allowed}",
    fix: "Add a column `accountId` that names one of them.",
  },
  URL_NOT_PLAIN: {
    message: "{field} holds a user name, a password, a query or a fragment; it is not repeated here",
    fix: "Remove everything between // and @, and from the first ? or # on.",
  },
  DATE_AMBIGUOUS: {
    message: '{field} "{text}" can be read as {first} or as {second}',
    fix: "Write {first} or {second}, or in a workbook format the cell as a date.",
  },
  PAY_ON_PAST: {
    message: "{field} {text} is before today, {today}",
    fix: "Nothing to do if it is to be paid at once; otherwise correct the date.",
  },
  PAY_ON_DAY_OFF: {
    message: "{field} {text} is a day off, so it is paid on the next working day, {day}",
    fix: "Nothing to do, or write an earlier working day.",
  },
  CUSTOM_FEE_RATE_UNFIT: {
    message: "feePolicy is {feePolicy}, but customFeeRate is {found}",
    fix: "Fill in customFeeRate, in sat/vb, if feePolicy is CUSTOM. Otherwise leave it empty.",
  },
  FIELD_BITCOIN_ONLY: {
    message: "{field} is for Bitcoin accounts only; this one holds {currency}",
    fix: "Clear {field} in this row.",
  },
  REFERENCE_REPEATED: {
    message: 'the reference "{reference}" is also in line {earlier} of this file',
    fix: "Delete the row if it is the same payment. Give it a new reference only if it is a different payment.",
  },
  REFERENCE_USED: {
    message: 'the reference "{reference}" belongs to {other}: {earlier}',
    fix:
      "This row is not paid. If it corrects a payment that was not sent, have an approver reject that one " +
      "and send this file in again. Otherwise delete the row; an operator pays refused or failed payments " +
      "again. Ask treasury before giving it a new reference.",
  },
  ROW_SENT_BEFORE: {
    message: "this payment was sent in before: {earlier}",
    fix:
      "It is not paid again: delete the row. If the payment was refused or failed, an operator pays it " +
      "again.",
  },
  REFERENCE_WITHDRAWN_BEFORE: {
    message: 'the payment "{reference}" came in another file before, and was not sent: {earlier}',
    fix: "Nothing to do if it is to be paid now: it awaits approval again. Otherwise delete the row.",
  },
  ROW_ACCEPTED_BEFORE: {
    message: "this row was accepted before: {earlier}",
    fix:
      "Nothing to do: it is not taken in again. If it was rejected and is to be paid, send it in with " +
      "another file.",
  },
  ROW_CHANGED_AFTER_ACCEPTANCE: {
    message: 'the row "{reference}" was accepted before with other contents: {earlier}',
    fix:
      "It is not paid again. Restore what was accepted, or delete the row. Ask treasury before giving it a " +
      "new reference.",
  },
  REFERENCE_MALFORMED: {
    message: 'the reference "{text}" cannot be used: {wrong}',
    fix: "Correct the reference; `reference.pattern` of treasury may restrict it.",
  },
});
