/** The part of paydrop.yaml about reading payout files: in general, and for senders with a layout of their own. */
import { z } from "zod";
import { columnNames } from "../model/columns.ts";
import { findCustodyAccount, singleByteEncodings } from "../model/index.ts";
import { refuse, unique } from "./refinements.ts";
import { callbackUrl } from "./service-schema.ts";

const numberFormat = z.enum(["auto", "1,234.56", "1.234,56", "1 234,56", "1'234.56"]);

/** For CSV files that are not UTF-8. */
const encoding = z.enum(singleByteEncodings);

/** The sender's own headers: header to field, or `ignore` for one that is named like a field but is not. */
const columns = z.record(z.string(), z.enum([...columnNames, "ignore"]));

/** Values for columns that a file does not have. */
const defaults = z.strictObject({
  username: z.string().min(1).optional(),
  callbackUrl: callbackUrl.optional(),
  /** One name or id for all, or one per currency. */
  custodyAccount: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  feePolicy: z.enum(["SLOW", "NORMAL", "FAST"]).optional(),
  verifyBalance: z.boolean().optional(),
  generalLedgerName: z.string().optional(),
  generalLedgerProject: z.string().optional(),
  generalLedgerDistribution: z.string().optional(),
});

const atMost = z.int().min(1).optional();

/** Limits per file; the defaults are in src/readers/file-limits.ts. */
const limits = z.strictObject({
  bytesMax: atMost,
  inflatedBytesMax: atMost,
  sharedStringsBytesMax: atMost,
  smallPartBytesMax: atMost,
  rowsMax: atMost,
  columnsMax: atMost,
  rowCharactersMax: atMost,
  workerHeapMebibytesMax: atMost,
});

const controlTotals = z.strictObject({
  /** Whether a file that declares no control totals is rejected. */
  required: z.boolean().default(false),
});

/** The order of day, month and year in dates that can be read in two. */
const dateFormat = z.enum(["DD/MM/YYYY", "MM/DD/YYYY", "YYYY/MM/DD"]);

/** What happens to a calculated amount with more decimals than its currency; by default it is refused. */
const roundCalculated = z.enum(["half-even"]);

/** A sender's own layout; anything left out is as for everybody. */
const sender = z
  .strictObject({
    /** Also the name of the sender's folder in the outbox, if they have a folder of their own. */
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "expected a name that can be a folder's, such as acme"),
    /** A folder for this sender's files only; taken in like the inbox. */
    folder: z.string().min(1).optional(),
    /** The person on the roster who alone can put files into that folder. */
    submitter: z.string().min(1).optional(),
    /** Or a pattern for their file names: `*` matches any characters, `?` one; case-insensitive. */
    match: z.string().min(1).optional(),
    columns: columns.default({}),
    numberFormat: numberFormat.optional(),
    encoding: encoding.optional(),
    sheet: z.string().optional(),
    defaults: defaults.default({}),
    dateFormat: dateFormat.optional(),
    roundCalculated: roundCalculated.optional(),
    controlTotals: z.strictObject({ required: z.boolean().optional() }).default({}),
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
  /** Of what is written into the folders, and of folders that are created; whatever the umask. */
  modes: z.strictObject({ file: mode("0640"), folder: mode("0750") }).prefault({}),
  onBadRow: z.enum(["reject-file", "reject-row"]).default("reject-file"),
  numberFormat: numberFormat.default("auto"),
  encoding: encoding.optional(),
  dateFormat: dateFormat.optional(),
  roundCalculated: roundCalculated.optional(),
  sheet: z.string().optional(),
  macros: z.enum(["refuse", "read"]).default("refuse"),
  limits: limits.default({}),
  /** A file in the inbox is taken in once two looks of ours, so far apart, have seen the same file; 0: at once. */
  quietSeconds: z.int().min(0).default(5),
  columns: columns.default({}),
  controlTotals: controlTotals.prefault({}),
  defaults: defaults.default({}),
  senders: z
    .array(sender)
    // A name is also a folder's.
    .superRefine(unique(["name", "match"], "is another sender's, too", (text) => text.toLowerCase()))
    .default([]),
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
