/**
 * An event as it is sent: its body, and the signature by which a receiver recognises that it is authentic and
 * recent.
 */
import { createHmac } from "node:crypto";
import type { ControlTotal, Instant } from "../../model/index.ts";
import { safeText } from "./safe-text.ts";

/** `secret`: shared with the receiver. The timestamp is in whole seconds since 1970. */
export function signedHeaders(
  number: number,
  body: string,
  secret: string,
  now: Instant,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(Date.parse(now) / 1000));
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return {
    "content-type": "application/json",
    accept: "*/*",
    "paydrop-event": String(number),
    "paydrop-timestamp": timestamp,
    "paydrop-signature": `sha256=${signature}`,
  };
}

/** The number comes first, then the stored body. */
export function bodyOf(number: number, stored: string): string {
  return `{"number":${number},${stored.slice(1)}`;
}

export interface EventBatch {
  readonly id: string;
  readonly fileName: string;
  readonly totals: readonly ControlTotal[];
  readonly payees: number;
}

/** Amounts are texts, so that no digit is lost. */
export function batchMembers({ id, fileName, totals, payees }: EventBatch) {
  return { batch: id, file: safeText(fileName), sums: sumMembers(totals), payees };
}

export function sumMembers(totals: readonly ControlTotal[]) {
  return totals.map(({ currency, count, amount }) => ({
    ...{ currency, payments: count, amount: amount.normalized().toString() },
  }));
}
