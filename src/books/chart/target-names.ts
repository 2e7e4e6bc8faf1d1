/**
 * The targets' names for accounts: the chart's columns `account.TARGET`, by the target's name and the account's
 * code.
 */
import type { ChartRow } from "./chart.ts";

/** The journal's file for hledger and ledger. */
export const HLEDGER = "hledger";

export interface TargetName {
  readonly name: string;
  /** The line in the chart. */
  readonly line: number;
}

export interface TargetNames {
  /** The chart's file. */
  readonly file: string;
  /** By target, then by code. */
  readonly byTarget: ReadonlyMap<string, ReadonlyMap<string, TargetName>>;
}

export function targetNames(file: string, rows: readonly ChartRow[]): TargetNames {
  const byTarget = new Map<string, Map<string, TargetName>>();
  for (const { account, accountNames, line } of rows)
    for (const [target, name] of Object.entries(accountNames)) {
      const names = byTarget.get(target) ?? new Map<string, TargetName>();
      byTarget.set(target, names);
      if (!names.has(account.code)) names.set(account.code, { name, line });
    }
  return { file, byTarget };
}

/** By code. */
export function namesFor({ byTarget }: TargetNames, target: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...(byTarget.get(target) ?? [])].map(([code, { name }]) => [code, name]));
}
