/** The part of paydrop.yaml that says how payout files are read: for all of them, and for senders with a layout of their own. */
import { resolve } from "node:path";
import { z } from "zod";
import { columnNames } from "../model/columns.ts";
import { findCustodyAccount, singleByteEncodings } from "../model/index.ts";
import { refuse, unique } from "./refinements.ts";
import { callbackUrl } from "./service-schema.ts";

const numberFormat = z.enum(["auto", "1,234.56", "1.234,56", "1 234,56", "1'234.56"]);

/** Of CSV files that are not UTF-8. */
const encoding = z.enum(singleByteEncodings);

/** The sender's own column names: header to field, or `ignore` for one that is called like a field and is none. */
const columns = z.record(z.string(), z.enum([...columnNames, "ignore"]));

/** Values for columns that a file leaves out. */
const defaults = z.strictObject({
  username: z.string().min(1).optional(),
  callbackUrl: callbackUrl.optional(),
  /** One name or id for all, or one for each currency. */
  custodyAccount: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  feePolicy: z.enum(["SLOW", "NORMAL", "FAST"]).optional(),
  verifyBalance: z.boolean().optional(),
  generalLedgerName: z.string().optional(),
  generalLedgerProject: z.string().optional(),
  generalLedgerDistribution: z.string().optional(),
});

const atMost = z.int().min(1).optional();

/** What one file may have at most; src/intake/file-limits.ts holds the defaults. */
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

const words = z.array(z.string().min(1));

const controlTotals = z.strictObject({
  /** Whether a file that declares no control totals is rejected. */
  required: z.boolean().default(false),
  /** The sender's own words for a sum and for a row count, besides the English ones. */
  sumWords: words.default([]),
  countWords: words.default([]),
});

/** A layout of their own; what it leaves out is as for everybody. */
const sender = z
  .strictObject({
    /** Also the name of their folder in the outbox, where they have a folder of their own. */
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "expected a name that can be a folder's, such as acme"),
    /** A folder that only they drop files in; taken in like the inbox. */
    folder: z.string().min(1).optional(),
    /** Or the names of their files: `*` stands for any characters, `?` for one, capitals count as small letters. */
    match: z.string().min(1).optional(),
    columns: columns.default({}),
    numberFormat: numberFormat.optional(),
    encoding: encoding.optional(),
    sheet: z.string().optional(),
    defaults: defaults.default({}),
    controlTotals: z
      .strictObject({
        required: z.boolean().optional(),
        sumWords: words.optional(),
        countWords: words.optional(),
      })
      .default({}),
  })
  .refine(({ folder, match }) => (folder === undefined) !== (match === undefined), {
    message: "expected either `folder` or `match`",
  });

export const files = z.strictObject({
  onBadRow: z.enum(["reject-file", "reject-row"]).default("reject-file"),
  numberFormat: numberFormat.default("auto"),
  encoding: encoding.optional(),
  sheet: z.string().optional(),
  macros: z.enum(["refuse", "read"]).default("refuse"),
  limits: limits.default({}),
  /** A file in the inbox is taken once it has been unchanged for so long. */
  quietSeconds: z.int().min(0).default(5),
  columns: columns.default({}),
  controlTotals: controlTotals.prefault({}),
  defaults: defaults.default({}),
  senders: z
    .array(sender)
    // A name is a folder's name, and one folder is one sender's.
    .superRefine(
      unique(["name", "folder", "match"], "is another sender's, too", (text) => text.toLowerCase()),
    )
    .default([]),
});

type Files = z.output<typeof files>;

/** The parts of the whole configuration that senders and defaults are judged by. */
interface Surroundings {
  readonly files: Files;
  readonly folders: Readonly<Record<string, string>>;
  readonly custodyAccounts: readonly {
    readonly name: string;
    readonly id: string;
    readonly currency: string;
  }[];
}

/** What only the whole configuration can tell: a default custody account that does not exist, a sender's folder that is no sender's. */
export function refuseUnfitting(
  { files, folders, custodyAccounts }: Surroundings,
  context: z.RefinementCtx,
): void {
  const refused = (path: readonly (string | number)[], message: string) =>
    refuse(context, ["files", ...path], message);
  const layouts = files.senders.map((each, index) => ({ ...each, path: ["senders", index] }));
  for (const { path, defaults: given } of [{ path: [], defaults: files.defaults }, ...layouts])
    for (const { below, text, currency } of defaultCustody(given.custodyAccount)) {
      const held = findCustodyAccount(text, custodyAccounts)?.currency;
      const at = [...path, "defaults", "custodyAccount", ...below];
      if (held === undefined) refused(at, `there is no custody account ${text}`);
      else if (currency !== undefined && held !== currency)
        refused(at, `the custody account ${text} holds ${held}`);
    }
  for (const { path, folder } of layouts) {
    const taken = Object.entries(folders).find(
      ([, other]) => folder !== undefined && resolve(other) === resolve(folder),
    );
    if (taken !== undefined)
      refused([...path, "folder"], `this is folders.${taken[0]}, which is everybody's`);
  }
}

function defaultCustody(given: string | Readonly<Record<string, string>> | undefined) {
  if (given === undefined) return [];
  if (typeof given === "string") return [{ below: [], text: given, currency: undefined }];
  return Object.entries(given).map(([currency, text]) => ({ below: [currency], text, currency }));
}
