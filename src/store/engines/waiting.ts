/** Transactions that wait for the next commit, which they share. */
import type { Transaction } from "../sql.ts";

export interface Waiting {
  readonly transaction: () => Transaction<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Appends a transaction to `waiting`. Resolves with its result once it is committed. */
export function waitIn<Result>(waiting: Waiting[], transaction: () => Transaction<Result>): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    waiting.push({ transaction, resolve: resolve as Waiting["resolve"], reject });
  });
}

export function resolveAll(callers: readonly Waiting[], results: readonly unknown[]): void {
  for (const [index, { resolve }] of callers.entries()) resolve(results[index]);
}

export function rejectAll(callers: readonly Waiting[], error: unknown): void {
  for (const { reject } of callers) reject(error);
}
