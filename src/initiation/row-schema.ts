/** The schema of a row: the reader of each column's cells. Rules between columns are in row-rules.ts. */
import { isProblem, type Problem, problem } from "../faults/index.ts";
import { type ColumnName, columnNames, feePolicies } from "../model/columns.ts";
import { type Cell, EMPTY_CELL, type Unseen } from "../model/index.ts";
import { shownText } from "../model/shown-text.ts";
import type { InitiationPolicy } from "./policy.ts";
import {
  amountReader,
  choiceReader,
  type Reader,
  readAddressText,
  readBoolean,
  readCallbackUrl,
  readDay,
  readUuid,
  referenceReader,
  textReader,
  wholeNumberReader,
} from "./readers.ts";
import { remembered } from "./remembered.ts";

type ColumnReaders = ReturnType<typeof columnReaders>;

/** A row's values; undefined if the cell is empty or could not be read. */
export type RowValues = {
  readonly [Name in ColumnName]: Exclude<ReturnType<ColumnReaders[Name]>, Problem> | undefined;
};

export interface RowReading {
  readonly values: RowValues;
  readonly problems: ReadonlyMap<ColumnName, Problem>;
}

/** A column's header as written, for messages. */
export type Label = (column: ColumnName) => string;

/** Plausible bounds: 1 sat/vB is the usual relay minimum, and fees have never been near 5,000. */
const FEE_RATE_MIN_SAT_PER_VBYTE = 1;
const FEE_RATE_MAX_SAT_PER_VBYTE = 5000;

const NAME_LENGTH_MAX = 255;
const CUSTOMER_LENGTH_MAX = 500;

/**
 * How spreadsheet programs export error cells and numbers too wide for their column: #REF! is #BEZUG! in German and
 * #¡REF! in Spanish, #N/A is #NV and #N/D. LibreOffice also writes numbered errors: Err:502.
 */
const ERROR_TEXT = /^(?:#(?:[¡¿]?[\p{L}_/0]+[!?]|\p{L}\/\p{L}|NV|#+)|Err:\d{3})$/u;

const NO_PROBLEMS: ReadonlyMap<ColumnName, Problem> = new Map();

const NO_VALUES = Object.fromEntries(columnNames.map((name) => [name, undefined])) as RowValues;

/**
 * Returns a reader of whole rows for one file, whose columns are at `positions`. `cellAt` returns the cell of a column,
 * with a formula already replaced by its saved result. The reading contains the values that could be read and one
 * problem per column that could not, so that the rules between columns can still check the rest.
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
    // All value objects get the same shape: objects that grow member by member are several times slower.
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
    : problem("VALUE_UNSEEN", { ...params, appearance: APPEARANCES[unseen] });
}

const APPEARANCES: Readonly<Record<Exclude<Unseen, "format">, string>> = {
  colour: "in the colour of the background",
  size: "in letters that are too small to be read",
  repeated: "repeated by the alignment `Fill` until the cell is full",
  raised: "with digits that are raised or lowered, like those of a footnote",
};

/** Columns in which texts rarely repeat. */
const MOSTLY_DIFFERENT: ReadonlySet<ColumnName> = new Set(["reference", "amount", "destinationAddress"]);

/**
 * Caches a reader's results. The cell of the row above is asked for first: where a column repeats it, it is the same
 * object.
 */
function remembering<Value>(read: ReadCell<Value>): ReadCell<Value> {
  const readText = remembered((text) => read({ kind: "text", text }));
  let above: Cell = EMPTY_CELL;
  let resultAbove = read(above);
  return (cell) => {
    if (cell === above) return resultAbove;
    above = cell;
    resultAbove = cell.kind !== "text" || cell.unseen !== undefined ? read(cell) : readText(cell.text);
    return resultAbove;
  };
}

function isBlank(text: string): boolean {
  return text === "" || text.trim() === "";
}
