/** The deposits of the sandbox: what is expected, and the parts in which funds arrive. */
import { Decimal } from "../../money/index.ts";
import { canonicalAddress } from "../rules/addresses.ts";
import type { SandboxDatabase } from "./database.ts";
import { type FoundPage, type SearchedTable, type SearchRequest, searchIn } from "./search.ts";

/** The properties by which a search can be sorted, with their columns. */
export const DEPOSIT_SORTABLE = {
  createdDate: "created_at",
  reference: "reference",
  depositState: "deposit_state",
  depositId: "deposit_id",
  accountId: "account_id",
} as const;

export const DEPOSIT_SEARCH: SearchedTable = {
  table: "deposit",
  columns: "*",
  id: "deposit_id",
  state: "deposit_state",
  sortable: DEPOSIT_SORTABLE,
  visible: "created_at <= ?",
};

export interface StoredDeposit {
  readonly depositId: string;
  readonly accountId: string;
  readonly reference: string;
  readonly depositState: string;
  readonly createdAt: number;
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

export function depositsIn(database: SandboxDatabase): Deposits {
  const insert = database.prepare(
    `INSERT INTO deposit (deposit_id, account_id, reference, deposit_state, created_at, expires_at,
       receiver_address, terms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = database.prepare<[string], DepositRow>("SELECT * FROM deposit WHERE deposit_id = ?");
  const selectByReceiver = database.prepare<[string], DepositRow>(
    "SELECT * FROM deposit WHERE receiver_address = ?",
  );
  const setState = database.prepare("UPDATE deposit SET deposit_state = ? WHERE deposit_id = ?");
  const insertPart = database.prepare(
    `INSERT INTO deposit_part (part_id, deposit_id, amount, confirm_after_ms, confirmations, tx_hash)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const selectPart = database.prepare<[string], PartRow>("SELECT * FROM deposit_part WHERE part_id = ?");
  const setReceived = database.prepare("UPDATE deposit_part SET received_at = ? WHERE part_id = ?");
  const setConfirmed = database.prepare("UPDATE deposit_part SET confirmed_at = ? WHERE part_id = ?");
  const countParts = database
    .prepare<[string], number>("SELECT count(*) FROM deposit_part WHERE deposit_id = ?")
    .pluck();
  const received = database.prepare<[string], PartRow>(
    `SELECT * FROM deposit_part WHERE deposit_id = ? AND received_at IS NOT NULL ORDER BY received_at, part_id`,
  );
  const search = searchIn<DepositRow>(database, DEPOSIT_SEARCH);
  return {
    insert: (deposit) => {
      insert.run(
        deposit.depositId,
        deposit.accountId,
        deposit.reference,
        deposit.depositState,
        deposit.createdAt,
        deposit.expiresAt ?? null,
        canonicalAddress(deposit.terms.receiverAddress),
        JSON.stringify(deposit.terms),
      );
    },
    find: (depositId) => {
      const row = select.get(depositId);
      return row === undefined ? undefined : depositOf(row);
    },
    findByReceiver: (address) => {
      const row = selectByReceiver.get(canonicalAddress(address));
      return row === undefined ? undefined : depositOf(row);
    },
    setState: (depositId, depositState) => {
      setState.run(depositState, depositId);
    },
    search: (request) => {
      const { rows, totalElements } = search(request);
      return { rows: rows.map(depositOf), totalElements };
    },
    insertPart: (part) => {
      const { partId, depositId, amount, confirmAfterMs, confirmations, txHash } = part;
      insertPart.run(partId, depositId, amount.toString(), confirmAfterMs, confirmations, txHash);
    },
    findPart: (partId) => {
      const row = selectPart.get(partId);
      return row === undefined ? undefined : partOf(row);
    },
    setPartReceived: (partId, atMs) => {
      setReceived.run(atMs, partId);
    },
    setPartConfirmed: (partId, atMs) => {
      setConfirmed.run(atMs, partId);
    },
    countParts: (depositId) => countParts.get(depositId) ?? 0,
    receivedParts: (depositId) => received.all(depositId).map(partOf),
  };
}

interface DepositRow {
  readonly deposit_id: string;
  readonly account_id: string;
  readonly reference: string;
  readonly deposit_state: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly terms: string;
}

function depositOf(row: DepositRow): StoredDeposit {
  return {
    depositId: row.deposit_id,
    accountId: row.account_id,
    reference: row.reference,
    depositState: row.deposit_state,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    terms: JSON.parse(row.terms),
  };
}

interface PartRow {
  readonly part_id: string;
  readonly deposit_id: string;
  readonly amount: string;
  readonly confirm_after_ms: number;
  readonly confirmations: number;
  readonly tx_hash: string;
  readonly received_at: number | null;
  readonly confirmed_at: number | null;
}

function partOf(row: PartRow): DepositPart {
  return {
    partId: row.part_id,
    depositId: row.deposit_id,
    amount: Decimal.of(row.amount),
    confirmAfterMs: row.confirm_after_ms,
    confirmations: row.confirmations,
    txHash: row.tx_hash,
    receivedAt: row.received_at ?? undefined,
    confirmedAt: row.confirmed_at ?? undefined,
  };
}
