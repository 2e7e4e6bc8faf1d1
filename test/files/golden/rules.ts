/**
 * Why today's reader makes something else of a file than the one whose verdicts `old-verdicts.jsonl` keeps: the
 * rules of docs/files.md by the names under which `changed-verdicts.jsonl` lists the files.
 */
export const RULES: Readonly<Record<string, string>> = {
  shown:
    "what was not used of a file (columns, notes, sections, the name of a sheet, texts outside its cells) is shown and waits for a person",
  "columns by content": "a column without a known name is found by its cells, or asked for with those it could be",
  "columns first": "a file of which a column is not found has that problem alone",
  "own name": "among several columns the interface's own name decides; the others are shown",
  "columns unclear": "among several columns with amounts neither of two deciding names is preferred",
  "currency by content": "a column whose cells are all currency codes or units is the currency",
  "one format": "the amounts and dates of a column are read in the one format that fits every cell",
  "total by sum": "an amount without a valid destination that equals its section or the file is a total, whatever it is called",
  "payment by structure":
    "an amount with a valid destination is a payment whatever it is called, and one without that equals no sum is a payment with its problem",
  references: "a reference is any text that the service keeps, without spaces at its ends and repeated ones",
  appearance:
    "colours, sizes, conditional formats and what lies over cells are not judged: the approver sees the rows, " +
    "and which conditional formats strike out",
  "cell by cell": "merged, struck-out, hidden and partly raised cells are problems of their rows, where they are read",
  "one sheet": "one sheet is read, the only one with a payout table",
  "two readers": "what the second reader reads otherwise is refused, and what it cannot open waits for a person",
  "whole record": "a CSV with a record that csv-parse cannot read is refused whole, also one with quotes inside bare cells",
  "swallowed row": "a cell whose line break is followed by as many separators as the header has is a swallowed row",
  "no vocabulary": "yes and no are read as the interface and spreadsheet programs in English write them",
  "fewer faults": "one fault stands for several that say the same of another kind of value",
  "amount's own words":
    "the heading of the amounts names the coin of the rows or nothing; another currency or unit is refused with that column",
  "titles asked": "a title, or the name of a sheet or file, that names another currency or unit is asked about",
  "numbers of their own": "a column of numbers that is not read says the currency of its own numbers, and is shown",
  "unit not said":
    "amounts without decimals under no coin, or all with three digits behind a mark, are asked about, each time",
  "unknown to the chart": "a ledger value that the chart of accounts does not know is asked about",
  "own references": "where no column holds references each payment gets one of ours, which is asked about",
  "hidden sheets": "a hidden sheet with payouts beside a visible one is listed and asked about",
  XBT: "XBT is BTC",
  "lines of zeros": "lines of nothing but zeros and formulas without a result are empty",
  places: "the same fault is reported at another place, or refuses the file instead of rejecting it",
};

/** Those by which a file that came back may be paid without a question. */
export const PAYING_RULES: ReadonlySet<string> = new Set([
  "columns by content",
  "one format",
  "total by sum",
  "payment by structure",
  "references",
  "appearance",
  "XBT",
  "lines of zeros",
]);
