/** Finds the deposits that list, or have listed, the same receipts, and what each of them listed before. */
import { chunks } from "../model/chunks.ts";
import {
  type DepositId,
  type Instant,
  isSameReceipt,
  type ListedDeposit,
  type ObservedDeposit,
  type ObservedFunds,
  ReceiptClaims,
} from "../model/index.ts";
import { listFormerAfter, listHistories, listTextsAfter, type StoredMeaning } from "../store/observed.ts";
import type { Store } from "../store/store.ts";
import { inWindows } from "../store/windows.ts";
import { depositFromStored } from "./from-wire.ts";
import { type Known, knownDepositsOf } from "./known.ts";

const SIGHTINGS_TOGETHER = 1_000;
const DEPOSITS_TOGETHER = 200;

/**
 * Goes over the history of all deposits, but reads only their transactions; what is read in full are the few deposits
 * that share one, and duplicates with their originals.
 */
export async function receiptClaims(store: Store): Promise<ReceiptClaims> {
  const related = new RelatedIds();
  type Text = Pick<StoredMeaning, "id" | "raw">;
  const former = inWindows<Text & { readonly seq: number }>(store, (last = { id: "", seq: 0, raw: "" }) =>
    listFormerAfter("deposit", last, SIGHTINGS_TOGETHER),
  );
  const latest = inWindows<Text>(store, (last) =>
    listTextsAfter("deposit", last?.id ?? "", SIGHTINGS_TOGETHER),
  );
  for (const texts of [former, latest])
    for await (const window of texts) for (const { id, raw } of window) related.add(id as DepositId, raw);
  const listed: ListedDeposit[] = [];
  for (const ids of chunks([...related.ids].sort(), DEPOSITS_TOGETHER)) {
    const { known, sightings } = await store.read(function* () {
      return { known: yield* knownDepositsOf(ids), sightings: yield* listHistories("deposit", ids) };
    });
    const historyOf = Map.groupBy(sightings, ({ id }) => id);
    listed.push(...known.map((each) => listedBy(each, historyOf.get(each.id) ?? [])));
  }
  return new ReceiptClaims(listed);
}

/** In a text whose names are spelt without escapes. */
const NAMES = /"(txHash|transactionId|duplicatedFromDepositId)"\s*:\s*("(?:[^"\\]|\\.)*")/g;

/** Texts are stored as sent. One with escapes is written anew, so that names are plain and equal values are spelt alike. */
function plainText(raw: string): string {
  return raw.includes("\\") ? JSON.stringify(JSON.parse(raw)) : raw;
}

class RelatedIds {
  private readonly firstByTransaction = new Map<string, DepositId>();
  readonly ids = new Set<DepositId>();

  add(depositId: DepositId, raw: string): void {
    for (const [, name, text = ""] of plainText(raw).matchAll(NAMES)) {
      if (name === "duplicatedFromDepositId") {
        this.ids.add(depositId).add((JSON.parse(text) as string).toLowerCase() as DepositId);
        continue;
      }
      const key = `${name} ${text}`;
      const first = this.firstByTransaction.get(key);
      if (first === undefined) this.firstByTransaction.set(key, depositId);
      else if (first !== depositId) this.ids.add(first).add(depositId);
    }
  }
}

/** `history`: its sightings, oldest first. */
export function listedBy(
  known: Pick<Known<ObservedDeposit>, "resource" | "beforeBaseline" | "isSetAside">,
  history: readonly Pick<StoredMeaning, "seenAt" | "raw">[],
): ListedDeposit {
  const { resource: deposit, beforeBaseline, isSetAside } = known;
  const before = history.map(({ seenAt, raw }) => ({
    seenAt,
    rows: depositFromStored(raw, seenAt).receivedFunds,
  }));
  const formerly: { readonly funds: ObservedFunds; readonly until: Instant }[] = [];
  for (const [back, { rows }] of before.toReversed().entries()) {
    const until = before[before.length - back]?.seenAt ?? "";
    const missed = without(rows, [...deposit.receivedFunds, ...formerly.map(({ funds }) => funds)]);
    formerly.push(...missed.map((funds) => ({ funds, until })));
  }
  const since = deposit.receivedFunds.map(
    (funds) => before.find(({ rows }) => rows.some((row) => isSameReceipt(row, funds)))?.seenAt ?? "",
  );
  return { deposit, beforeBaseline, isSetAside, formerly, since };
}

/** Of `rows`, those that `others` do not hold, each of which explains one. */
function without(rows: readonly ObservedFunds[], others: readonly ObservedFunds[]): ObservedFunds[] {
  const open = [...others];
  return rows.filter((row) => {
    const same = open.findIndex((other) => isSameReceipt(other, row));
    if (same >= 0) open.splice(same, 1);
    return same < 0;
  });
}
