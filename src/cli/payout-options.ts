/** The options that describe one payment: the columns of a payout file, and the options that approve it at once. */
import type { Command } from "commander";
import { payoutColumns } from "../model/columns.ts";
import type { ApprovalOptions } from "../payments/approve-step.ts";
import type { PayoutRequest } from "../payments/create-payout-step.ts";
import { integerFrom } from "./options.ts";

const ACCEPT_REPEATS = "how many repeated payments are intended, as `preview` counts them";
const ACCEPT_LOOK_ALIKES =
  "how many payments with a look-alike or changed address were compared and are intended";

/** Options to accept repeats and look-alikes. `countMax`: how many payments the batch can have. */
export function withAcceptances(command: Command, countMax: number): Command {
  return command
    .option("--accept-repeats <count>", ACCEPT_REPEATS, integerFrom(0, countMax))
    .option("--accept-look-alikes <count>", ACCEPT_LOOK_ALIKES, integerFrom(0, countMax));
}

/** Without the columns of a payout file, which `cellsOf` extracts. */
export interface PayoutOptions extends ApprovalOptions {
  readonly by: string;
  readonly approvedBy?: readonly string[];
  readonly yes?: boolean;
}

/** The columns of a payout file are the options of `payouts create`: "--destination-address". */
export function withPayoutColumns(command: Command): Command {
  for (const { name, description, example } of payoutColumns) {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    command.option(`--${flag} <text>`, example === "" ? description : `${description} (${example})`);
  }
  return command;
}

/** Texts by column name. */
export type PayoutCells = PayoutRequest["cells"];

/** The columns that were given, in the order of files, so that equal requests give equal files. */
export function cellsOf(options: PayoutOptions): PayoutCells {
  const values = new Map<string, unknown>(Object.entries(options));
  return Object.fromEntries(
    payoutColumns.flatMap(({ name }) => {
      const text = values.get(name);
      return typeof text === "string" ? [[name, text]] : [];
    }),
  );
}

export function payoutRequest(
  { by, approvedBy = [], acceptRepeats, acceptLookAlikes }: PayoutOptions,
  cells: PayoutCells,
): PayoutRequest {
  return { cells, submittedBy: by, approvedBy, acceptRepeats, acceptLookAlikes };
}
