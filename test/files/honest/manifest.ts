/** The honest files: the payments that their senders mean, and the questions that may be asked about them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface HonestFile {
  readonly file: string;
  readonly about: string;
  /** Line of the sheet or file, reference, destination, amount, currency. */
  readonly payments: readonly (readonly [
    line: number,
    reference: string,
    destination: string,
    amount: string,
    currency: string,
  ])[];
  /** Positions of the columns, from 0. */
  readonly columns: Readonly<Record<"reference" | "destination" | "amount", number>>;
  /**
   * What an honest reader may ask or wait for; without it the file needs neither configuration nor acceptance of a
   * doubt.
   */
  readonly question?: string;
}

export const HONEST_FOLDER = join(import.meta.dirname, "files");

export function honestFiles(): readonly HonestFile[] {
  const text = readFileSync(join(import.meta.dirname, "manifest.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
