/** What must hold after a payroll's runs, whatever happened, by the service's own count and by the program's output. */
import { join } from "node:path";
import { expect } from "vitest";
import { openWorkplace, payStep, statusOf, statusOfBatches, stderrLog } from "../../src/index.ts";
import { Decimal } from "../../src/money/index.ts";
import type { PaymentStatus } from "../../src/views/payment-status.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { type Ended, SANDBOX_SECRETS, type Variables } from "../cli/program.ts";
import { everythingWritten } from "../cli/written.ts";
import { ROWS } from "./payroll.ts";
import type { CountingService, Created } from "./service.ts";

const RUNS_MAX = 10;

/**
 * Runs `paydrop pay` until one more run, which needs no separate process, sends nothing; then judges. `earlier`: what
 * was printed before. Returns the references of rows that are not accepted: in doubt, or behind a doubt that pauses
 * their lane.
 */
export async function payToTheEnd(
  folder: string,
  service: CountingService,
  variables: Variables = service.variables,
  earlier: readonly Ended[] = [],
): Promise<string[]> {
  const printed = [...earlier];
  let arrived: number;
  do {
    expect(printed.length - earlier.length, "every run sends something more").toBeLessThan(RUNS_MAX);
    printed.push(await paydropInTurn(folder, ["--json", "pay"], variables));
    arrived = service.arrived();
    await payHere(folder, variables);
  } while (arrived !== service.arrived());
  const created = await service.created();
  const payments = await paymentsIn(folder, variables);
  judge(created, payments, variables["PAYDROP_NONCE_RULE"]);
  const left = payments.filter(({ standing }) => standing !== "accepted");
  expect(printed.at(-1)?.exitCode, "what the last run says").toBe(left.length === 0 ? 0 : 4);
  const everything = everythingWritten(folder, printed);
  for (const [name, secret] of Object.entries(SANDBOX_SECRETS))
    expect(everything.includes(secret), name).toBe(false);
  return left.map(({ fields }) => fields.reference);
}

async function payHere(folder: string, variables: Variables): Promise<void> {
  const workplace = openWorkplace(join(folder, "paydrop.yaml"), variables, stderrLog("silent"));
  try {
    await payStep(workplace);
  } finally {
    await workplace.close();
  }
}

export type Payment = Pick<PaymentStatus, "standing" | "payoutId"> & {
  readonly fields: Pick<PaymentStatus["fields"], "reference" | "amount">;
};

/** The standing of every row. Throws INVARIANT_BROKEN if the standings do not add up to the file. */
export async function paymentsIn(folder: string, variables: Variables = {}): Promise<readonly Payment[]> {
  const workplace = openWorkplace(join(folder, "paydrop.yaml"), variables);
  try {
    await statusOfBatches(workplace);
    return await statusOf(workplace, "B-000001");
  } finally {
    await workplace.close();
  }
}

/** Throws what does not hold. Default rule: the samples' own. */
export function judge(
  created: readonly Created[],
  payments: readonly Payment[],
  nonceRule: string = "unique",
): void {
  const byReference = new Map(created.map((creation) => [creation.reference, creation]));
  expect(byReference.size, "a payout was created twice").toBe(created.length);
  const nonces = created.map(({ nonce }) => BigInt(nonce));
  expect(new Set(nonces).size, "a nonce was used twice").toBe(nonces.length);
  const risen = nonces.every((nonce, index) => nonce > (nonces[index - 1] ?? -1n));
  expect(risen || nonceRule === "unique", "the nonces rise, across restarts too").toBe(true);

  const references = payments.map(({ fields }) => fields.reference);
  expect(references.toSorted(), "every row stands in one place").toEqual(
    ROWS.map(({ reference }) => reference).toSorted(),
  );
  const file = ROWS.map(({ amount }) => Decimal.of(amount));
  expect(sum(payments.map(({ fields }) => fields.amount.value))).toBe(sum(file));

  // Under rising nonces nothing may overtake a doubt.
  const unpaid = nonceRule === "increasing" ? ["in doubt", "approved"] : ["in doubt"];
  for (const { fields, standing, payoutId } of payments) {
    const at = byReference.get(fields.reference);
    expect(at === undefined ? unpaid : ["accepted"], fields.reference).toContain(standing);
    expect(payoutId, fields.reference).toBe(at?.payoutId);
  }
  for (const { reference, amount, destinationAddress } of ROWS) {
    const body = byReference.get(reference)?.body;
    if (body === undefined) continue;
    expect(body).toContain(`"requestedAmount":{"currency":"BTC","amount":${amount}}`);
    expect(body).toContain(`"destinationAddress":"${destinationAddress}"`);
  }
}

function sum(amounts: readonly Decimal[]): string {
  return amounts.reduce((total, amount) => total.plus(amount), Decimal.zero).toString();
}
