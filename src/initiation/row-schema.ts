/**
 * The one schema of a row: each column with the reader of its cells. Rules between columns are in row-rules.ts.
 */
import { type Problem, problem } from "../faults/index.ts";
import { type ColumnName, columnNames, feePolicies } from "../model/columns.ts";
import { type Cell, ownText, type Unseen } from "../model/index.ts";
import { readDay } from "./day-reader.ts";
import type { InitiationPolicy } from "./policy.ts";
import {
  amountReader,
  choiceReader,
  isProblem,
  type Reader,
  readAddressText,
  readBoolean,
  readCallbackUrl,
  readUuid,
  referenceReader,
  textReader,
  wholeNumberReader,
} from "./readers.ts";
import { shownText } from "./shown-text.ts";

type ColumnReaders = ReturnType<typeof columnReaders>;

/** A row's values; undefined where the cell is empty or could not be read. */
export type RowValues = {
  readonly [Name in ColumnName]: Exclude<ReturnType<ColumnReaders[Name]>, Problem> | undefined;
};

export interface RowReading {
  readonly values: RowValues;
  readonly problems: ReadonlyMap<ColumnName, Problem>;
}

/** The header's own words for a column, for messages. */
export type Label = (column: ColumnName) => string;

/** Bounds of what a person means: 1 sat/vb is the usual relay minimum, and fees have never stood near 5,000. */
const FEE_RATE_MIN_SAT_PER_VBYTE = 1;
const FEE_RATE_MAX_SAT_PER_VBYTE = 5000;

const NAME_LENGTH_MAX = 255;
const CUSTOMER_LENGTH_MAX = 500;

/**
 * How spreadsheet programs write error cells, and numbers too wide for their column, into CSV: #REF! is #BEZUG! in German and #¡REF! in
 * Spanish, #N/A is #NV and #N/D. LibreOffice has numbers for others: Err:502.
 */
const ERROR_TEXT = /^(?:#(?:[¡¿]?[\p{L}_/0]+[!?]|\p{L}\/\p{L}|NV|#+)|Err:\d{3})$/u;

const NO_PROBLEMS: ReadonlyMap<ColumnName, Problem> = new Map();

const NO_VALUES = Object.fromEntries(columnNames.map((name) => [name, undefined])) as RowValues;

/**
 * A reader of whole rows for one file, whose columns stand at `positions`. `cellAt` gives the cell of a column, a formula already
 * replaced by its saved result. Its answer has the values that could be read and the problem of each column that could not, so
 * that the rules between columns still judge a row with a mistake.
 */
export function rowReader(
  policy: InitiationPolicy,
  positions: ReadonlyMap<ColumnName, number>,
  label: Label,
): (cellAt: (position: number, column: ColumnName) => Cell) => RowReading {
  const readers: Readonly<Record<ColumnName, Reader<unknown>>> = columnReaders(policy);
  const columns = columnNames.flatMap((name) => {
    const position = positions.get(name);
    if (position === undefined) return [];
    const read = cellReader(label(name), readers[name]);
    return [{ name, position, read: MOSTLY_DIFFERENT.has(name) ? read : remembering(read) }];
  });
  return (cellAt) => {
    // All rows' values have one shape, also where cells are empty: objects that grow member by member take several times as long.
    const values: Record<ColumnName, unknown> = { ...NO_VALUES };
    let problems: Map<ColumnName, Problem> | undefined;
    for (const { name, position, read } of columns) {
      const result = read(cellAt(position, name));
      if (isProblem(result)) problems = (problems ?? new Map<ColumnName, Problem>()).set(name, result);
      else values[name] = result;
    }
    return { values: values as RowValues, problems: problems ?? NO_PROBLEMS };
  };
}

function columnReaders({ referencePattern, numberFormat }: InitiationPolicy) {
  const name = textReader(NAME_LENGTH_MAX);
  return {
    reference: referenceReader(referencePattern.maxLength, referencePattern.allowed),
    amount: amountReader(numberFormat),
    currency: name,
    destinationAddress: readAddressText,
    destinationAccountId: readUuid,
    accountId: name,
    username: name,
    customerId: textReader(CUSTOMER_LENGTH_MAX, "several"),
    callbackUrl: readCallbackUrl,
    feePolicy: choiceReader(feePolicies),
    customFeeRate: wholeNumberReader(FEE_RATE_MIN_SAT_PER_VBYTE, FEE_RATE_MAX_SAT_PER_VBYTE),
    subtractFee: readBoolean,
    verifyBalance: readBoolean,
    useCoinConsolidation: readBoolean,
    batchingAllowed: readBoolean,
    orderCodeName: name,
    generalLedgerName: name,
    generalLedgerProject: name,
    generalLedgerDistribution: name,
    payOn: readDay,
  } satisfies Record<ColumnName, Reader<unknown>>;
}

type ReadCell<Value> = (cell: Cell) => Value | Problem | undefined;

function cellReader<Value>(label: string, reader: Reader<Value>): ReadCell<Value> {
  return (cell) => {
    if (cell.kind === "empty" || (cell.kind === "text" && isBlank(cell.text))) return undefined;
    if (cell.kind === "error" || (cell.kind === "text" && ERROR_TEXT.test(cell.text)))
      return problem("CELL_IS_ERROR", { text: shownText(cell.text) });
    if (cell.kind === "formula") return problem("FORMULA_WITHOUT_VALUE", {});
    return cell.unseen === undefined ? reader(cell, label) : unseenValue(cell, cell.unseen, label);
  };
}

function unseenValue({ text }: Cell, unseen: Unseen, field: string): Problem {
  const params = { field, text: shownText(text) };
  return unseen === "format"
    ? problem("VALUE_SHOWN_OTHERWISE", params)
    : problem("VALUE_UNSEEN", { ...params, look: LOOKS[unseen] });
}

const LOOKS: Readonly<Record<Exclude<Unseen, "format">, string>> = {
  colour: "in the colour of the ground",
  size: "in letters that are too small to be read",
  repeated: "repeated by the alignment `Fill` until the cell is full",
  raised: "with digits that are raised or lowered, like those of a footnote",
};

/** Columns in which hardly any text comes twice. */
const MOSTLY_DIFFERENT: ReadonlySet<ColumnName> = new Set(["reference", "amount", "destinationAddress"]);

/** Of one column; a file that has more different ones gains little from any. */
const REMEMBERED_TEXTS_MAX = 1000;

/** What a column repeats in row after row is read once. */
function remembering<Value>(read: ReadCell<Value>): ReadCell<Value> {
  const results = new Map<string, Value | Problem | undefined>();
  // Most columns repeat the row above, and to compare two texts takes less than to look one up.
  let above = "";
  let resultAbove: Value | Problem | undefined;
  return (cell) => {
    if (cell.kind !== "text" || cell.unseen !== undefined) return read(cell);
    if (cell.text === above && resultAbove !== undefined) return resultAbove;
    above = cell.text;
    resultAbove = results.get(above);
    if (resultAbove !== undefined) return resultAbove;
    if (results.size >= REMEMBERED_TEXTS_MAX) return read(cell);
    // What is remembered is read from a text of its own, so that no value holds on to the file's text around it.
    const own = ownText(above);
    resultAbove = read({ kind: "text", text: own });
    results.set(own, resultAbove);
    return resultAbove;
  };
}

function isBlank(text: string): boolean {
  return text === "" || text.trim() === "";
}
