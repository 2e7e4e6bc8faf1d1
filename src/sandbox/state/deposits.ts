/** The deposits of the sandbox: what is expected, and the parts in which funds arrive. */
import { Decimal } from "../../money/index.ts";
import { refusal } from "../refusal.ts";
import { canonicalAddress } from "../rules/addresses.ts";
import type { RowKind } from "./rows.ts";
import { pagesOf, type SearchedProperties } from "./search.ts";
import type { Store } from "./store.ts";
import { indexBy } from "./value-index.ts";

export interface StoredDeposit {
  readonly depositId: string;
  readonly accountId: string;
  readonly reference: string;
  readonly depositState: string;
  readonly createdAt: number;
  /** Searches do not find it before. */
  readonly visibleAt: number;
  readonly expiresAt: number | undefined;
  readonly duplicatedFromDepositId?: string | undefined;
  /** Whether it also lists what its original received. */
  readonly listsOriginal?: boolean | undefined;
  readonly terms: DepositTerms;
}

/** The terms, which never change after creation. Amounts are decimal text. */
export interface DepositTerms {
  readonly customerId?: string | undefined;
  readonly callbackUrl?: string | undefined;
  readonly receiverAddress: string;
  readonly verificationSignature: string;
  readonly creditOrderId: string;
  readonly creditOrderAlphanumericId: string;
  readonly requestedInFiat?: { readonly currency: string; readonly amount: string } | undefined;
  readonly requestedInCrypto?: { readonly currency: string; readonly amount: string } | undefined;
  /** Units of the fiat currency per unit of the account's. */
  readonly fixedRate?: string | undefined;
}

export interface DepositPart {
  readonly partId: string;
  readonly depositId: string;
  readonly amount: Decimal;
  readonly confirmAfterMs: number;
  /** The number it has once confirmed. */
  readonly confirmations: number;
  readonly txHash: string;
  readonly receivedAt: number | undefined;
  readonly confirmedAt: number | undefined;
}

export const DEPOSIT_SEARCH: SearchedProperties<StoredDeposit> = {
  referenceOf: ({ reference }) => reference,
  stateOf: ({ depositState }) => depositState,
  visibleFrom: ({ visibleAt }) => visibleAt,
  sortable: {
    createdDate: ({ createdAt }) => createdAt,
    reference: ({ reference }) => reference,
    depositState: ({ depositState }) => depositState,
    depositId: ({ depositId }) => depositId,
    accountId: ({ accountId }) => accountId,
  },
};

export function depositsIn(store: Store) {
  const byReference = indexBy<StoredDeposit>(({ reference }) => reference);
  const byReceiver = indexBy<StoredDeposit>(({ terms }) => canonicalAddress(terms.receiverAddress));
  const deposits = store.rows(DEPOSIT, [byReference, byReceiver]);
  const byDeposit = indexBy<DepositPart>(({ depositId }) => depositId);
  const parts = store.rows(PART, [byDeposit]);

  return {
    insert: deposits.insert,
    find: deposits.get,
    /** Throws 404 if there is none. */
    existing: (depositId: string) => {
      const found = deposits.get(depositId);
      if (found === undefined) throw refusal(404, "DEPOSIT_NOT_FOUND", `there is no deposit ${depositId}`);
      return found;
    },
    /** The deposit with this receiving address, however it is spelt. */
    findByReceiver: (address: string) => byReceiver.entriesOf(canonicalAddress(address))[0]?.row,
    setState: (depositId: string, depositState: string) =>
      deposits.change(depositId, (deposit) => ({ ...deposit, depositState })),
    search: pagesOf({ rows: deposits, byReference, properties: DEPOSIT_SEARCH }),
    insertPart: (part: Omit<DepositPart, "receivedAt" | "confirmedAt">) =>
      parts.insert({ ...part, receivedAt: undefined, confirmedAt: undefined }),
    findPart: parts.get,
    setPartReceived: (partId: string, receivedAt: number) =>
      parts.change(partId, (part) => ({ ...part, receivedAt })),
    setPartConfirmed: (partId: string, confirmedAt: number) =>
      parts.change(partId, (part) => ({ ...part, confirmedAt })),
    /** Lists a part under another deposit from now on. */
    movePart: (partId: string, depositId: string): void => {
      const entry = parts.entry(partId);
      if (entry === undefined) return;
      parts.remove(entry);
      parts.insert({ ...entry.row, depositId });
    },
    /** The deposit's parts, including those still to arrive. */
    countParts: (depositId: string) => byDeposit.entriesOf(depositId).length,
    /** The parts that have arrived, oldest first. */
    receivedParts: (depositId: string) =>
      byDeposit
        .entriesOf(depositId)
        .map(({ row }) => row)
        .filter(({ receivedAt }) => receivedAt !== undefined)
        .sort(byArrival),
  };
}

function byArrival(left: DepositPart, right: DepositPart): number {
  const difference = (left.receivedAt ?? 0) - (right.receivedAt ?? 0);
  return difference === 0 ? (left.partId < right.partId ? -1 : 1) : difference;
}

/** Earlier databases do not store when a deposit becomes visible; it was visible from its creation on. */
type WrittenDeposit = Omit<StoredDeposit, "visibleAt"> & { readonly visibleAt?: number };

const DEPOSIT: RowKind<StoredDeposit, WrittenDeposit> = {
  table: "deposit",
  keyOf: ({ depositId }) => depositId,
  write: (deposit) => deposit,
  read: (deposit) => ({ visibleAt: deposit.createdAt, ...deposit }),
};

const PART: RowKind<DepositPart, Omit<DepositPart, "amount"> & { readonly amount: string }> = {
  table: "deposit_part",
  keyOf: ({ partId }) => partId,
  write: (part) => ({ ...part, amount: part.amount.toString() }),
  read: (part) => ({ ...part, amount: Decimal.of(part.amount) }),
};
