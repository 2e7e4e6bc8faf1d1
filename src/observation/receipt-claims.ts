/**
 * Finds the deposits that list, or have listed, the same receipts, and the receipts that each of them listed
 * before.
 */
import { chunks } from "../model/chunks.ts";
import {
  type DepositId,
  type Instant,
  isFormerReceipt,
  isSameReceipt,
  type ListedDeposit,
  type ObservedDeposit,
  type ObservedFunds,
  ReceiptClaims,
} from "../model/index.ts";
import { listGone } from "../store/absent.ts";
import { listSharing } from "../store/compared.ts";
import { listComparedAt } from "../store/nights.ts";
import { listHistories, type StoredMeaning } from "../store/observed.ts";
import type { Store } from "../store/store.ts";
import { listUnpostedSharing } from "../store/unposted.ts";
import { depositFromStored } from "./from-wire.ts";
import { type Known, knownDepositsOf } from "./known.ts";

const DEPOSITS_TOGETHER = 200;

/**
 * Reads the few deposits that share a transaction, and duplicates with their originals; `waiting`: only those to be
 * compared; `unposted`: only those to be posted.
 */
export async function receiptClaims(
  store: Store,
  which: "all" | "waiting" | "unposted" = "all",
): Promise<ReceiptClaims> {
  const listed: ListedDeposit[] = [];
  const related = await store.read(() =>
    which === "unposted" ? listUnpostedSharing("deposit") : listSharing("deposit", which),
  );
  const comparedAt = related.length === 0 ? [] : await store.read(listComparedAt);
  for (const ids of chunks(related as readonly DepositId[], DEPOSITS_TOGETHER)) {
    const { known, sightings, gone } = await store.read(function* () {
      return {
        known: yield* knownDepositsOf(ids),
        sightings: yield* listHistories("deposit", ids),
        gone: yield* listGone(ids),
      };
    });
    const historyOf = Map.groupBy(sightings, ({ id }) => id);
    listed.push(
      ...known.map((each) => ({
        ...listedBy(each, historyOf.get(each.id) ?? [], comparedAt),
        goneSince: gone.get(each.id),
      })),
    );
  }
  return new ReceiptClaims(listed);
}

/** `history`: its sightings, `comparedAt`: the complete nights; oldest first. */
function listedBy(
  known: Pick<Known<ObservedDeposit>, "resource" | "beforeBaseline" | "isSetAside">,
  history: readonly Pick<StoredMeaning, "seenAt" | "raw">[],
  comparedAt: readonly Instant[] = [],
): ListedDeposit {
  const { resource: deposit, beforeBaseline, isSetAside } = known;
  const before = history.map(({ seenAt, raw }) => ({
    seenAt,
    rows: depositFromStored(raw, seenAt).receivedFunds,
  }));
  const formerly: { readonly funds: ObservedFunds; readonly lastListed: Instant }[] = [];
  for (const [back, { rows, seenAt }] of before.toReversed().entries()) {
    // Not until it was missed: other deposits are looked at more often than one that has ended.
    const missedAt = before[before.length - back]?.seenAt ?? "";
    const night = comparedAt.findLast((at) => at < missedAt) ?? "";
    const lastListed = night > seenAt ? night : seenAt;
    const missed = without(rows, [...deposit.receivedFunds, ...formerly.map(({ funds }) => funds)]);
    formerly.push(...missed.map((funds) => ({ funds, lastListed })));
  }
  // A receipt that comes back is listed since it came back.
  const since = deposit.receivedFunds.map((funds) => {
    const lacking = before.findLastIndex(({ rows }) => !rows.some((row) => isFormerReceipt(row, funds)));
    return before[lacking + 1]?.seenAt ?? "";
  });
  return { deposit, beforeBaseline, isSetAside, formerly, since };
}

/**
 * The `rows` that are not among `others`. Each of the others accounts for one row, first for its own, then for one
 * whose transactionId was replaced.
 */
function without(rows: readonly ObservedFunds[], others: readonly ObservedFunds[]): ObservedFunds[] {
  const open = [...others];
  return [isSameReceipt, isFormerReceipt].reduce(
    (left, isSame) =>
      left.filter((row) => {
        const same = open.findIndex((other) => isSame(other, row));
        if (same >= 0) open.splice(same, 1);
        return same < 0;
      }),
    [...rows],
  );
}
