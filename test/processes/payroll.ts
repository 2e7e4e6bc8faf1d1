/**
 * A payroll that the real program has taken in and a second person has approved, in as many folders as a test needs.
 */
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { emptyFolder, type Variables, workFolder } from "../cli/program.ts";

export interface PayrollRow {
  readonly reference: string;
  /** BTC without trailing zeros, as it goes over the wire. */
  readonly amount: string;
  readonly destinationAddress: string;
}

/** BIP 173's and the base58 encoding's own examples. */
const ADDRESSES = ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"];

/** Rows whose amounts all differ and use every decimal. */
export const ROWS: readonly PayrollRow[] = Array.from({ length: 24 }, (_, index) => ({
  reference: `PAY-${index + 1}`,
  amount: `0.00${String(10_000 + index * 3_571)}${1 + (index % 9)}`,
  destinationAddress: ADDRESSES[index % ADDRESSES.length] ?? "",
}));

let submitted: Promise<{ readonly folder: string; readonly digest: string }> | undefined;

/** A copy of the folder, in `target` or an empty one, approved with these variables; nothing has been sent yet. */
export async function approvedPayroll(variables: Variables, target?: string): Promise<string> {
  submitted ??= submit();
  const { folder: from, digest } = await submitted;
  const folder = target ?? (await emptyFolder());
  // With its anchor it would be recognised as a copy.
  await cp(from, folder, { recursive: true, filter: (path) => !path.endsWith(".anchor") });
  await approve(folder, digest, variables);
  return folder;
}

/** The same payroll in a separate folder, taken in and approved with these variables. */
export async function submitAndApprove(variables: Variables): Promise<string> {
  const { folder, digest } = await submit(variables);
  await approve(folder, digest, variables);
  return folder;
}

async function submit(variables: Variables = {}) {
  const folder = await workFolder();
  const lines = ROWS.map(
    ({ reference, amount, destinationAddress }) =>
      `${reference},treasury-btc,BTC,${amount},${destinationAddress},Payee at ${destinationAddress}`,
  );
  const header = "reference,accountId,currency,amount,destinationAddress,customerId";
  await writeFile(join(folder, "payroll.csv"), [header, ...lines, ""].join("\n"));
  const { stdout } = await paydropInTurn(
    folder,
    ["--json", "submit", "payroll.csv", "--by", "alice"],
    variables,
  );
  const { digest } = JSON.parse(stdout) as { digest: string };
  return { folder, digest };
}

async function approve(folder: string, digest: string, variables: Variables): Promise<void> {
  const { exitCode } = await paydropInTurn(folder, ["approve", digest, "--by", "bob"], variables);
  expect(exitCode).toBe(0);
}
