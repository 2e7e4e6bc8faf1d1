/** The columns of a payout file, for recognising, explaining and offering them. Initiation reads their cells. */

export interface PayoutColumn {
  /** The interface's field name; for accountId and the two parts of requestedAmount, its last word. */
  readonly name: string;
  /** One sentence for the person who fills it in. */
  readonly description: string;
  readonly example: string;
  /** The allowed values, if there is a fixed list. */
  readonly choices?: readonly string[];
  /** Accepted by the service only for accounts that hold Bitcoin. */
  readonly bitcoinOnly?: true;
  /** When a row must fill it in, in words. */
  readonly needed?: string;
}

/** The reference of a template's example row. A row that still has it is refused. */
export const EXAMPLE_REFERENCE = "EXAMPLE: replace or delete this row";

export const feePolicies = ["SLOW", "NORMAL", "FAST", "CUSTOM"] as const;
export type FeePolicyName = (typeof feePolicies)[number];

const YES_NO = ["true", "false"] as const;

export const payoutColumns = [
  {
    name: "reference",
    description: "Your own name for this payment; never used twice.",
    example: "PAY-2026-0001",
    needed: "always",
  },
  {
    name: "amount",
    description: "What is paid: plain digits with a decimal point, as a text cell.",
    example: "0.05",
    needed: "always",
  },
  {
    name: "currency",
    description: "The currency of the amount; that of the custody account if left empty.",
    example: "BTC",
  },
  {
    name: "destinationAddress",
    description: "The payee's address, copied whole; or leave it empty and name a destination account.",
    example: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    needed: "unless there is a destinationAccountId",
  },
  {
    name: "destinationAccountId",
    description: "The service's UUID of an account to pay instead of an address.",
    example: "6f1cbb7e-0000-4000-8000-0000000000aa",
    needed: "unless there is a destinationAddress",
  },
  {
    name: "accountId",
    description: "The custody account that pays, by its name or UUID.",
    example: "treasury-btc",
  },
  {
    name: "username",
    description: "The service's user in whose name it is paid; normally left to the configuration.",
    example: "treasury-bot",
  },
  {
    name: "customerId",
    description: "Your own name for the payee.",
    example: "Supplier 4711",
  },
  {
    name: "callbackUrl",
    description: "Where the service reports progress; normally left to the configuration.",
    example: "https://pay.example.com/hook",
  },
  {
    name: "feePolicy",
    description: "How fast, and so how expensive, the transfer is.",
    example: "NORMAL",
    choices: feePolicies,
  },
  {
    name: "customFeeRate",
    description: "The fee rate in whole sat/vb; only with feePolicy CUSTOM.",
    example: "12",
    bitcoinOnly: true,
  },
  {
    name: "subtractFee",
    description: "Whether the fee is taken from the amount.",
    example: "false",
    choices: YES_NO,
    bitcoinOnly: true,
  },
  {
    name: "verifyBalance",
    description: "Whether the service checks the available balance first.",
    example: "true",
    choices: YES_NO,
  },
  {
    name: "useCoinConsolidation",
    description: "Whether the service may consolidate coins with this payout.",
    example: "false",
    choices: YES_NO,
    bitcoinOnly: true,
  },
  {
    name: "batchingAllowed",
    description: "Whether the service may send it together with others.",
    example: "true",
    choices: YES_NO,
    bitcoinOnly: true,
  },
  {
    name: "orderCodeName",
    description: "An existing debit order code of the service.",
    example: "",
  },
  {
    name: "generalLedgerName",
    description: "What it is booked to; a name of the chart of accounts.",
    example: "suppliers",
  },
  {
    name: "generalLedgerProject",
    description: "The project it is booked to.",
    example: "PRJ-ALPHA",
  },
  {
    name: "generalLedgerDistribution",
    description: "The distribution or cost centre it is booked to.",
    example: "DIST-OPS",
  },
  {
    name: "payOn",
    description: "The first day on which it may be paid; at once if left empty.",
    example: "2026-11-30",
  },
] as const satisfies readonly PayoutColumn[];

export type ColumnName = (typeof payoutColumns)[number]["name"];

/** The columns in everyday words, for people who do not use the interface's names. */
export const COLUMN_WORDS: Readonly<Record<ColumnName, string>> = {
  reference: "reference",
  amount: "amount",
  currency: "currency",
  destinationAddress: "address",
  destinationAccountId: "destination account",
  accountId: "account paid from",
  username: "user of the service",
  customerId: "payee",
  callbackUrl: "callback address",
  feePolicy: "speed of the fee",
  customFeeRate: "own fee rate",
  subtractFee: "who bears the fee",
  verifyBalance: "check of the balance",
  useCoinConsolidation: "consolidation of coins",
  batchingAllowed: "batching with others",
  orderCodeName: "order code",
  generalLedgerName: "GL account",
  generalLedgerProject: "project",
  generalLedgerDistribution: "distribution",
  payOn: "payment date",
};

/** A sender's own headers: header -> column, or `ignore` for a header that looks like a column but is not one. */
export type ColumnMeanings = Readonly<Record<string, ColumnName | "ignore">>;

export const columnNames: readonly ColumnName[] = payoutColumns.map((column) => column.name);

/** The columns that the service accepts only for accounts that hold Bitcoin. */
export const bitcoinOnlyColumns: readonly ColumnName[] = payoutColumns
  .filter((column) => "bitcoinOnly" in column)
  .map((column) => column.name);
