/**
 * Finds deposits that list the same receipt. A receipt is one movement: the service may move it to another deposit,
 * or list it under a deposit and its duplicate.
 */
import { compareText } from "./compare-text.ts";
import { sameDestination } from "./destination.ts";
import type { DepositId } from "./ids.ts";
import type { Instant } from "./instant.ts";
import { haveSameAmount, type ObservedDeposit, type ObservedFunds, transactionsOf } from "./observation.ts";

/** A deposit with what it listed before. */
export interface ListedDeposit {
  readonly deposit: ObservedDeposit;
  readonly beforeBaseline: boolean;
  /** The deposit is not booked either. */
  readonly isSetAside: boolean;
  /** Receipts that it listed once and no longer lists, and when it is last known to have listed them. */
  readonly formerly: readonly { readonly funds: ObservedFunds; readonly lastListed: Instant }[];
  /** For each receipt that it lists, in their order: when it was first seen there. */
  readonly since: readonly Instant[];
  /** If the service no longer shows it, even when asked for it: until when it may have listed its receipts. */
  readonly goneSince?: Instant | undefined;
}

/**
 * duplicate: `other` is the original of this deposit and lists the receipt too. twice: an unrelated deposit lists
 * an indistinguishable receipt. moved: `other` listed it before and no longer does. left: this deposit is gone, and
 * `other` lists the receipt instead.
 */
export interface ReceiptClaim {
  readonly kind: "duplicate" | "twice" | "moved" | "left";
  readonly other: ListedDeposit;
  /** All that listed a moved receipt before: it may have moved more than once. */
  readonly sources?: readonly ListedDeposit[];
  /** All that list a receipt of unrelated deposits. */
  readonly others?: readonly ListedDeposit[];
}

/** By receipt of a deposit, in their order; undefined for a receipt that no other deposit lists or has listed. */
export type DepositClaims = readonly (ReceiptClaim | undefined)[];

/**
 * Whether two rows show one movement: equal amounts, and the same transactionId or, if one of them lacks it, the
 * same txHash. An id that is added later does not make another movement.
 */
export function isSameReceipt(left: ObservedFunds, right: ObservedFunds): boolean {
  if (!haveSameAmount(left, right)) return false;
  if (left.transactionId !== undefined && right.transactionId !== undefined)
    return left.transactionId === right.transactionId;
  return isInSameTransaction(left, right);
}

/**
 * Whether a row shows a movement that another deposit listed before: a service that moves a receipt may give it a
 * new transactionId.
 */
export function isFormerReceipt(left: ObservedFunds, right: ObservedFunds): boolean {
  return isSameReceipt(left, right) || (haveSameAmount(left, right) && isInSameTransaction(left, right));
}

function isInSameTransaction({ txHash: left }: ObservedFunds, { txHash: right }: ObservedFunds): boolean {
  return left !== undefined && left === right;
}

export class ReceiptClaims {
  private readonly listed: ReadonlyMap<DepositId, ListedDeposit>;
  private readonly byReceipt: ReadonlyMap<string, readonly ListedDeposit[]>;
  private readonly found = new Map<DepositId, DepositClaims>();
  private readonly rowsByName = new Map<
    ListedDeposit,
    ReadonlyMap<string, readonly { readonly index: number }[]>
  >();

  /**
   * `listed` must contain all deposits that ever listed a transaction of another one, and duplicates with their
   * originals.
   */
  constructor(listed: Iterable<ListedDeposit>) {
    this.listed = new Map([...listed].map((each) => [each.deposit.depositId, each]));
    const byReceipt = new Map<string, ListedDeposit[]>();
    for (const each of this.listed.values())
      for (const name of receiptsEverIn(each)) {
        const others = byReceipt.get(name);
        if (others === undefined) byReceipt.set(name, [each]);
        else others.push(each);
      }
    this.byReceipt = byReceipt;
  }

  depositOf(depositId: DepositId): ObservedDeposit | undefined {
    return this.listed.get(depositId)?.deposit;
  }

  claimsOf(depositId: DepositId): DepositClaims {
    const known = this.found.get(depositId);
    if (known !== undefined) return known;
    const own = this.listed.get(depositId);
    const claims = own === undefined ? [] : this.claimsIn(own);
    this.found.set(depositId, claims);
    return claims;
  }

  /** Receipts that other deposits list now and this one listed before. */
  movedAwayFrom(depositId: DepositId): readonly ObservedFunds[] {
    const own = this.listed.get(depositId);
    // What is known of a deposit that is gone still lists them.
    const listed = own?.goneSince === undefined ? [] : own.deposit.receivedFunds;
    return this.neighboursOf(depositId).flatMap(({ deposit }) =>
      deposit.receivedFunds.filter(
        (funds, index) =>
          isFrom(this.claimsOf(deposit.depositId)[index], depositId) &&
          !listed.some((row) => isFormerReceipt(row, funds)),
      ),
    );
  }

  /** Whether `to` now lists a receipt in place of `from`. */
  handsOver(from: DepositId, to: DepositId): boolean {
    const isDuplicate = (claim: ReceiptClaim | undefined) =>
      claim?.kind === "duplicate" && claim.other.deposit.depositId === to;
    return this.claimsOf(to).some((claim) => isFrom(claim, from)) || this.claimsOf(from).some(isDuplicate);
  }

  /** Groups of deposits whose receipts must be judged together. Deposits without a claim are left out. */
  groups(): readonly (readonly DepositId[])[] {
    const groupOf = new Map<DepositId, Set<DepositId>>();
    for (const id of this.listed.keys())
      for (const claim of this.claimsOf(id)) {
        if (claim === undefined) continue;
        for (const { deposit } of [claim.other, ...(claim.sources ?? [])]) {
          const { depositId: other } = deposit;
          const joined = new Set([...(groupOf.get(id) ?? [id]), ...(groupOf.get(other) ?? [other])]);
          for (const member of joined) groupOf.set(member, joined);
        }
      }
    return [...new Set(groupOf.values())].map((group) => [...group].sort());
  }

  private claimsIn(own: ListedDeposit): DepositClaims {
    const others = this.neighboursOf(own.deposit.depositId);
    const originals = this.originalsOf(own.deposit);
    if (others.length === 0 && originals.length === 0) return [];
    const duplicates = this.duplicatesIn(own);
    return own.deposit.receivedFunds.map((funds, index) => {
      const taker = own.goneSince === undefined ? undefined : this.takerOf(own, funds, others);
      if (taker !== undefined) return { kind: "left", other: taker };
      const original = duplicates[index];
      if (original !== undefined) return { kind: "duplicate", other: original };
      const rank = this.rowsLike(own, funds).filter(
        (before) => before < index && duplicates[before] === undefined,
      ).length;
      const listing = others.filter((other) => this.listsToo(own, funds, rank, other));
      const [twice] = listing;
      if (twice !== undefined) return { kind: "twice", other: twice, others: listing };
      const since = own.since[index] ?? "";
      const sources = others.filter((other) => this.hasListed(own, funds, { rank, since }, other));
      const [from] = sources;
      return from && { kind: "moved", other: from, sources };
    });
  }

  /** The deposit that is shown and lists the receipt of one that is gone. */
  private takerOf(own: ListedDeposit, funds: ObservedFunds, others: readonly ListedDeposit[]) {
    return others.find(
      (other) =>
        other.goneSince === undefined &&
        other.deposit.receivedFunds.some((row, index) => {
          const claim = this.claimsOf(other.deposit.depositId)[index];
          return isFrom(claim, own.deposit.depositId) && isFormerReceipt(row, funds);
        }),
    );
  }

  /** The rows in which a deposit now lists such a receipt. */
  private rowsLike(listed: ListedDeposit, funds: ObservedFunds): readonly number[] {
    const { receivedFunds } = listed.deposit;
    let rows = this.rowsByName.get(listed);
    if (rows === undefined) {
      const named = receivedFunds.flatMap((row, index) => namesOf(row).map((name) => ({ name, index })));
      rows = Map.groupBy(named, ({ name }) => name);
      this.rowsByName.set(listed, rows);
    }
    const found = namesOf(funds).flatMap((name) => rows.get(name)?.map(({ index }) => index) ?? []);
    return [...new Set(found)].filter((index) => {
      const row = receivedFunds[index];
      return row !== undefined && isSameReceipt(row, funds);
    });
  }

  /** By row, the original that lists the receipt too. Each row of an original explains only one. */
  private duplicatesIn(own: ListedDeposit): (ListedDeposit | undefined)[] {
    const { deposit } = own;
    // What the baseline sets aside stays the original: the opening balance holds its receipts.
    const originals = this.originalsOf(deposit).filter(
      (original) => original.isSetAside || !hasLeft(original, own),
    );
    if (originals.some((original) => original.deposit.depositId === deposit.depositId)) return [];
    const taken = new Map(originals.map((original) => [original, new Set<number>()]));
    return deposit.receivedFunds.map((funds) => {
      // A row that several originals list is still one movement.
      const listing = originals.filter((original) => {
        const row = this.rowsLike(original, funds).find((index) => !taken.get(original)?.has(index));
        if (row !== undefined) taken.get(original)?.add(row);
        return row !== undefined;
      });
      return listing[0];
    });
  }

  /** Its original, that one's original and so on. In a circle, ends with the deposit itself. */
  private originalsOf({ depositId, duplicatedFromDepositId }: ObservedDeposit): ListedDeposit[] {
    const originals: ListedDeposit[] = [];
    let next = duplicatedFromDepositId;
    while (next !== undefined) {
      const original = this.listed.get(next);
      if (original === undefined || originals.includes(original)) break;
      originals.push(original);
      next = next === depositId ? undefined : original.deposit.duplicatedFromDepositId;
    }
    return originals;
  }

  /** Other deposits that list, or have listed, the same amount in one of its transactions, by id. */
  private neighboursOf(depositId: DepositId): readonly ListedDeposit[] {
    const own = this.listed.get(depositId);
    if (own === undefined) return [];
    const others = [...receiptsEverIn(own)].flatMap((name) => this.byReceipt.get(name) ?? []);
    return [...new Set(others)]
      .filter((other) => other !== own)
      .sort((left, right) => compareText(left.deposit.depositId, right.deposit.depositId));
  }

  private listsToo(own: ListedDeposit, funds: ObservedFunds, rank: number, other: ListedDeposit): boolean {
    if (own.deposit.custodyAccountId !== other.deposit.custodyAccountId) return false;
    if (this.isDuplicateOf(own, other) || this.isDuplicateOf(other, own)) return false;
    if (hasLeft(other, own)) return false;
    if (!this.isOneReceiver(own, other)) return false;
    const duplicates = this.duplicatesIn(other);
    const same = this.rowsLike(other, funds).filter((index) => {
      const listed = other.deposit.receivedFunds[index];
      return listed !== undefined && duplicates[index] === undefined && hashesAgree(listed, funds);
    });
    return same.length > rank;
  }

  private hasListed(
    own: ListedDeposit,
    funds: ObservedFunds,
    { rank, since }: { readonly rank: number; readonly since: Instant },
    other: ListedDeposit,
  ): boolean {
    if (own.deposit.custodyAccountId !== other.deposit.custodyAccountId) return false;
    // Two outputs of one transaction were listed at the same time, each under its own address.
    const isOneReceiver = this.isOneReceiver(own, other);
    const { goneSince: lastListed = "" } = other;
    const last = hasLeft(other, own)
      ? other.deposit.receivedFunds.map((row) => ({ funds: row, lastListed }))
      : [];
    const same = [...other.formerly, ...last].filter(
      (before) => isFormerReceipt(before.funds, funds) && (isOneReceiver || since > before.lastListed),
    );
    return same.length > rank;
  }

  /** In a circle no deposit is the original. */
  private isDuplicateOf({ deposit }: ListedDeposit, original: ListedDeposit): boolean {
    const originals = this.originalsOf(deposit);
    return (
      originals.includes(original) &&
      !originals.some((other) => other.deposit.depositId === deposit.depositId)
    );
  }

  /** Whether both may receive at one address: no addresses show the contrary, or one was made from the other. */
  private isOneReceiver({ deposit: left }: ListedDeposit, { deposit: right }: ListedDeposit): boolean {
    const { receiverAddress: here } = left;
    const { receiverAddress: there } = right;
    if (here === undefined || there === undefined || sameDestination(here, there)) return true;
    const family = (deposit: ObservedDeposit) => [
      deposit.depositId,
      ...this.originalsOf(deposit).map((original) => original.deposit.depositId),
    ];
    const mine = family(left);
    return family(right).some((id) => mine.includes(id));
  }
}

function isFrom(claim: ReceiptClaim | undefined, depositId: DepositId): boolean {
  return claim?.sources?.some(({ deposit }) => deposit.depositId === depositId) === true;
}

/** Whether a deposit is gone, as seen from one that is shown. Two that are gone count as before. */
function hasLeft(other: ListedDeposit, own: ListedDeposit): boolean {
  return other.goneSince !== undefined && own.goneSince === undefined;
}

/** Different hashes are different transactions, even if one transactionId is shown for both. */
export function hashesAgree({ txHash: left }: ObservedFunds, { txHash: right }: ObservedFunds): boolean {
  return left === undefined || right === undefined || left === right;
}

/** The names of all receipts that it lists or has listed. */
function receiptsEverIn({ deposit, formerly }: ListedDeposit): ReadonlySet<string> {
  return new Set([...deposit.receivedFunds, ...formerly.map(({ funds }) => funds)].flatMap(namesOf));
}

/** The amount of a receipt with each id of its transaction. */
function namesOf(funds: ObservedFunds): readonly string[] {
  const { amount } = funds;
  if (amount === undefined) return [];
  return transactionsOf(funds).map((id) => `${amount.value.normalized()} ${amount.currency} ${id}`);
}
