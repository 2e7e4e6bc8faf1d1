/** The part of paydrop.yaml about reading payout files: in general, and for senders with a layout of their own. */
import { z } from "zod";
import { columnNames } from "../model/columns.ts";
import { findCustodyAccount, LEARNT, readDueRule, singleByteEncodings } from "../model/index.ts";
import { mailAddress } from "./notices-schema.ts";
import { refuse, unique } from "./refinements.ts";
import { callbackUrl } from "./service-schema.ts";

const numberFormat = z.enum(["auto", "1,234.56", "1.234,56", "1 234,56", "1'234.56"]);

/** For CSV files that are not UTF-8. */
const encoding = z.enum(singleByteEncodings);

/** The sender's own headers: header to field, or `ignore` for one that is named like a field but is not. */
const columns = z.record(z.string(), z.enum([...columnNames, "ignore"]));

/** Values for columns that a file does not have. */
const defaults = z.strictObject({
  username: z.string().min(1).optional().describe("The service's user, in place of `service.username`."),
  callbackUrl: callbackUrl.optional().describe("In place of `service.callbackUrl`."),
  custodyAccount: z
    .union([z.string(), z.record(z.string(), z.string())])
    .optional()
    .describe("The custody account that pays, by name or UUID: one, or one per currency."),
  feePolicy: z.enum(["SLOW", "NORMAL", "FAST"]).optional().describe("How fast a payment is confirmed."),
  verifyBalance: z
    .boolean()
    .optional()
    .describe("Whether the service checks the balance when it creates a payout."),
  generalLedgerName: z.string().optional().describe("What is booked: the key in the chart of accounts."),
  generalLedgerProject: z.string().optional().describe("The project that it is booked to."),
  generalLedgerDistribution: z.string().optional().describe("The cost centre or other distribution."),
});

const atMost = z.int().min(1).optional();

/** Limits per file; the defaults are in src/readers/file-limits.ts. */
const limits = z.strictObject({
  bytesMax: atMost.describe("The size of a file."),
  inflatedBytesMax: atMost.describe("The size of a workbook's parts, unpacked."),
  sharedStringsBytesMax: atMost.describe("The size of a workbook's shared texts."),
  smallPartBytesMax: atMost.describe("The size of any other part that is read whole."),
  rowsMax: atMost.describe("Rows."),
  columnsMax: atMost.describe("Columns."),
  rowCharactersMax: atMost.describe("Characters in one row."),
  workerHeapMebibytesMax: atMost.describe("Memory of the thread that reads a workbook, in MiB."),
});

const controlTotals = z.strictObject({
  required: z.boolean().default(false).describe("Rejects a file that states no total of all its payments."),
});

/** The order of day, month and year in dates that can be read in two ways. */
const dateFormat = z.enum(["DD/MM/YYYY", "MM/DD/YYYY", "YYYY/MM/DD"]);

/** The rounding of a calculated amount with more decimals than its currency; by default it is refused. */
const roundCalculated = z.enum(["half-even"]);

/** A sender's own layout; settings that it leaves out are the general ones. */
const sender = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "expected a name that can be a folder's, such as acme")
      .describe("The sender's name, and their folder in the outbox."),
    folder: z
      .string()
      .min(1)
      .optional()
      .describe("A folder for this sender's files only; taken in like the inbox."),
    submitter: z
      .string()
      .min(1)
      .optional()
      .describe("The person on the roster who alone can write to that folder."),
    match: z
      .string()
      .min(1)
      .optional()
      .describe("In place of a folder, a pattern for file names (`*`, `?`)."),
    mail: mailAddress.optional().describe("Where they hear that a file was accepted or came back."),
    columns: columns.default({}).describe("As `files.columns`, as are the following keys."),
    numberFormat: numberFormat.optional().describe("As `files.numberFormat`."),
    encoding: encoding.optional().describe("As `files.encoding`."),
    sheet: z.string().optional().describe("As `files.sheet`."),
    defaults: defaults.default({}).describe("As `files.defaults`."),
    dateFormat: dateFormat.optional().describe("As `files.dateFormat`."),
    roundCalculated: roundCalculated.optional().describe("As `files.roundCalculated`."),
    controlTotals: z
      .strictObject({ required: z.boolean().optional().describe("As `files.controlTotals.required`.") })
      .default({}),
    due: z
      .string()
      .refine(
        (text) => text === LEARNT || readDueRule(text) !== undefined,
        'expected a day of the month such as "25th", "last working day", a day of the week such as "Friday", or ' +
          '"learnt"',
      )
      .optional()
      .describe(
        "The day by whose end a file comes: `25th`, `last working day`, `Friday`, or `learnt` from the last files.",
      ),
    graceHours: z
      .int()
      .min(0)
      .max(240)
      .default(0)
      .describe("Hours after `due` before a missing file is reported."),
  })
  .refine(({ folder, submitter }) => submitter === undefined || folder !== undefined, {
    path: ["submitter"],
    error: "only a folder of its own has a submitter",
  })
  .refine(({ folder, match }) => (folder === undefined) !== (match === undefined), {
    message: "expected either `folder` or `match`",
  });

/** As for chmod, in quotes: YAML reads 0640 as a number. */
const mode = (written: string) =>
  z
    .string()
    .regex(/^[0-7]{3,4}$/, 'expected the mode as for chmod, in quotes, such as "0640"')
    .default(written)
    .transform((octal) => Number.parseInt(octal, 8));

export const files = z.strictObject({
  modes: z
    .strictObject({
      file: mode("0640").describe("Of written files, as for chmod, in quotes."),
      folder: mode("0750").describe("Of folders that are created."),
    })
    .prefault({}),
  onBadRow: z
    .enum(["reject-file", "reject-row"])
    .default("reject-file")
    .describe("One bad row rejects the file, or comes back alone."),
  numberFormat: numberFormat.default("auto").describe("How amounts are written; `auto`: as fits every cell."),
  encoding: encoding
    .optional()
    .describe("Of CSV files that are not UTF-8; otherwise Windows-1252, with a warning."),
  dateFormat: dateFormat.optional().describe("Where days fit two orders."),
  roundCalculated: roundCalculated
    .optional()
    .describe("Rounds calculated amounts with too many decimals, which are refused otherwise."),
  sheet: z.string().optional().describe("The sheet that is read, where several hold payouts."),
  macros: z
    .enum(["refuse", "read"])
    .default("refuse")
    .describe("Workbooks with macros are refused, or read; none is ever run."),
  limits: limits.default({}).describe("What one file may need; the defaults are for 100,000 rows."),
  quietSeconds: z.int().min(0).default(5).describe("Two looks so far apart must see the same file; 0: one."),
  columns: columns.default({}).describe("Column names of your own: name to column, or `ignore`."),
  controlTotals: controlTotals.prefault({}).describe("Sums that a file states of itself."),
  defaults: defaults.default({}).describe("Values for empty cells and missing columns."),
  senders: z
    .array(sender)
    // A name is also a folder's.
    .superRefine(unique(["name", "match"], "is another sender's, too", (text) => text.toLowerCase()))
    .default([])
    .describe("Layouts by folder or file name; without a key, as for everybody."),
});

type Files = z.output<typeof files>;

/** The parts of the configuration against which defaults are checked. */
interface Surroundings {
  readonly files: Files;
  readonly custodyAccounts: readonly {
    readonly name: string;
    readonly id: string;
    readonly currency: string;
  }[];
}

/** Default custody accounts must exist, and hold the currency for which they are the default. */
export function refuseUnfittingDefaults(
  { files, custodyAccounts }: Surroundings,
  context: z.RefinementCtx,
): void {
  const layouts = files.senders.map((sender, index) => ({ ...sender, path: ["senders", index] }));
  for (const { path, defaults: given } of [{ path: [], defaults: files.defaults }, ...layouts])
    for (const { below, text, currency } of defaultCustody(given.custodyAccount)) {
      const held = findCustodyAccount(text, custodyAccounts)?.currency;
      const at = ["files", ...path, "defaults", "custodyAccount", ...below];
      if (held === undefined) refuse(context, at, `there is no custody account ${text}`);
      else if (currency !== undefined && held !== currency)
        refuse(context, at, `the custody account ${text} holds ${held}`);
    }
}

function defaultCustody(given: string | Readonly<Record<string, string>> | undefined) {
  if (given === undefined) return [];
  if (typeof given === "string") return [{ below: [], text: given, currency: undefined }];
  return Object.entries(given).map(([currency, text]) => ({ below: [currency], text, currency }));
}
