/**
 * The one schema of a row: each column with what its cell may be. Flat, so that it stays cheap; rules between columns are
 * in row-rules.ts.
 */
import { z } from "zod";
import { invariant, type Problem, problem } from "../faults/index.ts";
import { type ColumnName, columnNames, feePolicies } from "../model/columns.ts";
import type { Cell } from "../model/index.ts";
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

/** A row's values; undefined where the cell is empty. */
export type RowValues = z.output<ReturnType<typeof rowSchema>>;

/** A cell per column, formulas already replaced by their saved results; absent columns are empty cells. */
export type RowCells = Readonly<Record<ColumnName, Cell>>;

export interface RowReading {
  readonly values: Partial<RowValues>;
  readonly problems: ReadonlyMap<ColumnName, Problem>;
}

/** The header's own words for a column, for messages. */
export type Label = (column: ColumnName) => string;

/** Bounds of what a person means: 1 sat/vb is the usual relay minimum, and fees have never stood near 5,000. */
const FEE_RATE_MIN_SAT_PER_VBYTE = 1;
const FEE_RATE_MAX_SAT_PER_VBYTE = 5000;

const NAME_LENGTH_MAX = 255;
const CUSTOMER_LENGTH_MAX = 500;

/** How spreadsheet programs write error cells, and numbers too wide for their column, into CSV. */
const ERROR_TEXT = /^#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|#+)$/;

const NO_PROBLEMS: ReadonlyMap<ColumnName, Problem> = new Map();

/**
 * A reader of whole rows for one file. It gives the values that could be read and the problem of each column that could
 * not, so that the rules between columns still judge a row with a mistake.
 */
export function rowReader(policy: InitiationPolicy, label: Label): (cells: RowCells) => RowReading {
  const schema = rowSchema(policy, label);
  return (cells) => {
    const parsed = schema.safeParse(cells);
    return parsed.success ? { values: parsed.data, problems: NO_PROBLEMS } : readByColumn(schema, cells);
  };
}

function rowSchema({ referencePattern, numberFormat }: InitiationPolicy, label: Label) {
  const column = <Value>(name: ColumnName, reader: Reader<Value>) => columnSchema(label(name), reader);
  const name = textReader(NAME_LENGTH_MAX);
  return z.object({
    reference: column("reference", referenceReader(referencePattern.maxLength, referencePattern.allowed)),
    amount: column("amount", amountReader(numberFormat)),
    currency: column("currency", name),
    destinationAddress: column("destinationAddress", readAddressText),
    destinationAccountId: column("destinationAccountId", readUuid),
    accountId: column("accountId", name),
    username: column("username", name),
    customerId: column("customerId", textReader(CUSTOMER_LENGTH_MAX, "several")),
    callbackUrl: column("callbackUrl", readCallbackUrl),
    feePolicy: column("feePolicy", choiceReader(feePolicies)),
    customFeeRate: column(
      "customFeeRate",
      wholeNumberReader(FEE_RATE_MIN_SAT_PER_VBYTE, FEE_RATE_MAX_SAT_PER_VBYTE),
    ),
    subtractFee: column("subtractFee", readBoolean),
    verifyBalance: column("verifyBalance", readBoolean),
    useCoinConsolidation: column("useCoinConsolidation", readBoolean),
    batchingAllowed: column("batchingAllowed", readBoolean),
    orderCodeName: column("orderCodeName", name),
    generalLedgerName: column("generalLedgerName", name),
    generalLedgerProject: column("generalLedgerProject", name),
    generalLedgerDistribution: column("generalLedgerDistribution", name),
    payOn: column("payOn", readDay),
  } satisfies Record<ColumnName, z.ZodType>);
}

/** A cell's schema around its reader; the catalogue's problem travels in the issue. */
function columnSchema<Value>(label: string, reader: Reader<Value>) {
  return z.transform((cell: Cell, context): Value | undefined => {
    if (cell.kind === "empty" || (cell.kind === "text" && isBlank(cell.text))) return undefined;
    const result = readCell(cell, label, reader);
    if (!isProblem(result)) return result;
    context.issues.push({ code: "custom", input: cell.kind, params: { problem: result } });
    return undefined;
  });
}

function readCell<Value>(
  cell: Exclude<Cell, { kind: "empty" }>,
  label: string,
  reader: Reader<Value>,
): Value | Problem {
  if (cell.kind === "error" || (cell.kind === "text" && ERROR_TEXT.test(cell.text)))
    return problem("CELL_IS_ERROR", { text: shownText(cell.text) });
  if (cell.kind === "formula") return problem("FORMULA_WITHOUT_VALUE", {});
  return reader(cell, label);
}

/** The slow way of a row with a mistake: zod keeps no values of an object that failed. */
function readByColumn(schema: ReturnType<typeof rowSchema>, cells: RowCells): RowReading {
  const values: Record<string, unknown> = {};
  const problems = new Map<ColumnName, Problem>();
  for (const name of columnNames) {
    const parsed = schema.shape[name].safeParse(cells[name]);
    if (parsed.success) values[name] = parsed.data;
    else problems.set(name, problemIn(parsed.error));
  }
  return { values, problems };
}

function problemIn(error: z.ZodError): Problem {
  const [issue] = error.issues;
  const found: unknown = issue?.code === "custom" ? issue.params?.["problem"] : undefined;
  invariant(isProblem(found), "a column's schema refused a cell without a problem of the catalogue");
  return found;
}

function isBlank(text: string): boolean {
  return text === "" || text.trim() === "";
}
