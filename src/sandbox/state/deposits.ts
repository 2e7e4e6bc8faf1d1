/** The deposits of the sandbox: what is expected, and the parts in which funds arrive. */
import { Decimal } from "../../money/index.ts";
import { canonicalAddress } from "../rules/addresses.ts";
import type { RowKind } from "./rows.ts";
import { type FoundPage, pagesOf, type SearchedProperties, type SearchRequest } from "./search.ts";
import type { Store } from "./store.ts";
import { indexBy } from "./value-index.ts";

export interface StoredDeposit {
  readonly depositId: string;
  readonly accountId: string;
  readonly reference: string;
  readonly depositState: string;
  readonly createdAt: number;
  /** A search does not find it before. */
  readonly visibleAt: number;
  readonly expiresAt: number | undefined;
  readonly terms: DepositTerms;
}

/** What does not change after the creation. Amounts are decimal text. */
export interface DepositTerms {
  readonly customerId?: string | undefined;
  readonly callbackUrl?: string | undefined;
  readonly receiverAddress: string;
  readonly verificationSignature: string;
  readonly creditOrderId: string;
  readonly creditOrderAlphanumericId: string;
  readonly requestedInFiat?: { readonly currency: string; readonly amount: string } | undefined;
  readonly requestedInCrypto?: { readonly currency: string; readonly amount: string } | undefined;
  /** Units of the fiat currency for one of the account's. */
  readonly fixedRate?: string | undefined;
}

export interface DepositPart {
  readonly partId: string;
  readonly depositId: string;
  readonly amount: Decimal;
  readonly confirmAfterMs: number;
  /** How many it has once confirmed. */
  readonly confirmations: number;
  readonly txHash: string;
  readonly receivedAt: number | undefined;
  readonly confirmedAt: number | undefined;
}

export interface Deposits {
  insert(deposit: StoredDeposit): void;
  find(depositId: string): StoredDeposit | undefined;
  /** The deposit whose receiving address this is, whichever way it is spelt. */
  findByReceiver(address: string): StoredDeposit | undefined;
  setState(depositId: string, depositState: string): void;
  search(request: SearchRequest): FoundPage<StoredDeposit>;
  insertPart(part: DepositPart): void;
  findPart(partId: string): DepositPart | undefined;
  setPartReceived(partId: string, atMs: number): void;
  setPartConfirmed(partId: string, atMs: number): void;
  /** How many parts the deposit has, those still to arrive included. */
  countParts(depositId: string): number;
  /** The parts that have arrived, oldest first. */
  receivedParts(depositId: string): DepositPart[];
}

/** What a search looks at. */
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

export function depositsIn(store: Store): Deposits {
  const byReference = indexBy<StoredDeposit>(({ reference }) => reference);
  const byReceiver = indexBy<StoredDeposit>(({ terms }) => canonicalAddress(terms.receiverAddress));
  const deposits = store.rows(DEPOSIT, [byReference, byReceiver]);
  const byDeposit = indexBy<DepositPart>(({ depositId }) => depositId);
  const parts = store.rows(PART, [byDeposit]);
  const search = pagesOf({ rows: deposits, byReference, properties: DEPOSIT_SEARCH });

  const changePart = (partId: string, changes: Partial<DepositPart>) => {
    const entry = parts.entry(partId);
    if (entry !== undefined) parts.replace(entry, { ...entry.row, ...changes });
  };
  return {
    insert: (deposit) => deposits.insert(deposit),
    find: (depositId) => deposits.get(depositId),
    findByReceiver: (address) => byReceiver.entriesOf(canonicalAddress(address))[0]?.row,
    setState: (depositId, depositState) => {
      const entry = deposits.entry(depositId);
      if (entry !== undefined) deposits.replace(entry, { ...entry.row, depositState });
    },
    search,
    insertPart: (part) => parts.insert(part),
    findPart: (partId) => parts.get(partId),
    setPartReceived: (partId, atMs) => changePart(partId, { receivedAt: atMs }),
    setPartConfirmed: (partId, atMs) => changePart(partId, { confirmedAt: atMs }),
    countParts: (depositId) => byDeposit.entriesOf(depositId).length,
    receivedParts: (depositId) =>
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

/** Earlier databases do not say when a deposit shows: it did from its creation on. */
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
