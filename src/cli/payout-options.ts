/** The options that describe one payment: the columns of a payout file, and what approves it at once. */
import type { Command } from "commander";
import { payoutColumns } from "../model/columns.ts";

export const ACCEPT_REPEATS =
  "how many repeated payments were seen and are meant, as `preview` counts them; without it a batch with repeats waits";

export interface PayoutFlags {
  readonly by?: string;
  readonly approvedBy?: string[];
  readonly acceptRepeats?: number;
  readonly yes?: boolean;
}

/** The columns of a payout file are the options of `payouts create`: "--destination-address". */
export function withPayoutColumns(command: Command): Command {
  for (const { name, description, example } of payoutColumns) {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    command.option(`--${flag} <text>`, `${description} (${example})`);
  }
  return command;
}

/** The columns that were given, by their name. */
export function cellsOf(options: object): Record<string, string> {
  const given = new Map<string, unknown>(Object.entries(options));
  return Object.fromEntries(
    payoutColumns.flatMap(({ name }) => {
      const text = given.get(name);
      return typeof text === "string" ? [[name, text]] : [];
    }),
  );
}
