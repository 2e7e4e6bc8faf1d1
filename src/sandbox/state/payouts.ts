/** The payouts of the sandbox: what was asked for, how far they are, and what went over the chain. */
import { Decimal } from "../../money/index.ts";
import { type PayoutCreation, parseJson, payoutCreation } from "../../wire/index.ts";
import type { SandboxDatabase } from "./database.ts";
import { type FoundPage, type SearchedTable, type SearchRequest, searchIn } from "./search.ts";

/** What was asked for, as far as the service shows it again; the body as it was sent is kept beside it. */
export type StoredCreation = Omit<
  PayoutCreation,
  "username" | "otpCode" | "nonce" | "customerId" | "verifyBalance"
>;

/** The properties by which a search can be sorted, with their columns. */
export const PAYOUT_SORTABLE = {
  createdDate: "created_at",
  reference: "reference",
  payoutState: "payout_state",
  payoutId: "payout_id",
  accountId: "account_id",
} as const;

export const PAYOUT_SEARCH: SearchedTable = {
  table: "payout",
  columns: "answer",
  id: "payout_id",
  state: "payout_state",
  sortable: PAYOUT_SORTABLE,
  visible: "visible_at <= ?",
};

export interface StoredPayout {
  readonly payoutId: string;
  readonly creation: StoredCreation;
  readonly clientId: string;
  readonly payoutState: string;
  readonly createdAt: number;
  /** Not found before this instant. */
  readonly visibleAt: number;
  /** What the payee gets. */
  readonly amount: Decimal;
  readonly fee: Decimal;
  readonly txHash: string | undefined;
  readonly sentAt: number | undefined;
  readonly confirmedAt: number | undefined;
  readonly authorization: StoredAuthorization;
  /** Present when a request created it; absent for a payout of the seed. */
  readonly arrival: { readonly nonce: bigint; readonly sentBody: string } | undefined;
}

/** The document shows PENDING only. */
export type AuthorizationState = "PENDING" | "AUTHORIZED" | "REJECTED";

export interface StoredAuthorization {
  readonly id: string;
  readonly state: AuthorizationState;
  readonly cosigners: readonly {
    readonly userGroupName: string;
    readonly username: string;
    readonly state: AuthorizationState;
    readonly expiresAt: number;
  }[];
}

/** A creation that really arrived and was carried out. */
export interface Creation {
  readonly reference: string;
  readonly nonce: bigint;
  readonly payoutId: string;
  /** The request's body as it was sent. */
  readonly body: string;
}

export interface Payouts {
  insert(payout: StoredPayout): void;
  find(payoutId: string): StoredPayout | undefined;
  /** Writes what can change after the creation. */
  update(payout: StoredPayout): void;
  setVisibleAt(payoutId: string, visibleAt: number): void;
  /** Finds the payouts as the service reports them, each as JSON text. */
  search(request: SearchRequest): FoundPage<string>;
  creations(): Creation[];
}

/**
 * `answerOf` writes a payout as the interface has it. The text is made when a payout changes, not when it is looked up: look-ups are
 * many and of twenty or more, and reading, pricing and writing each payout again would cost ten times the search itself.
 */
export function payoutsIn(database: SandboxDatabase, answerOf: (payout: StoredPayout) => string): Payouts {
  const insert = database.prepare(
    `INSERT INTO payout (payout_id, account_id, reference, payout_state, created_at, visible_at, client_id, nonce, sent_body,
       answer, amount, fee, tx_hash, sent_at, confirmed_at, authorization)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = database.prepare<[string], PayoutRow>("SELECT * FROM payout WHERE payout_id = ?");
  const update = database.prepare(
    `UPDATE payout SET payout_state = ?, answer = ?, tx_hash = ?, sent_at = ?, confirmed_at = ?, authorization = ?
     WHERE payout_id = ?`,
  );
  const setVisibleAt = database.prepare("UPDATE payout SET visible_at = ? WHERE payout_id = ?");
  const arrived = database.prepare<[], PayoutRow>(
    "SELECT * FROM payout WHERE sent_body IS NOT NULL ORDER BY seq",
  );
  const search = searchIn<string>(database, PAYOUT_SEARCH);
  return {
    insert: (payout) => {
      insert.run(
        payout.payoutId,
        payout.creation.accountId,
        payout.creation.reference,
        payout.payoutState,
        payout.createdAt,
        payout.visibleAt,
        payout.clientId,
        payout.arrival?.nonce.toString() ?? null,
        payout.arrival?.sentBody ?? null,
        answerOf(payout),
        payout.amount.toString(),
        payout.fee.toString(),
        payout.txHash ?? null,
        payout.sentAt ?? null,
        payout.confirmedAt ?? null,
        JSON.stringify(payout.authorization),
      );
    },
    find: (payoutId) => {
      const row = select.get(payoutId);
      return row === undefined ? undefined : payoutOf(row);
    },
    update: (payout) => {
      update.run(
        payout.payoutState,
        answerOf(payout),
        payout.txHash ?? null,
        payout.sentAt ?? null,
        payout.confirmedAt ?? null,
        JSON.stringify(payout.authorization),
        payout.payoutId,
      );
    },
    setVisibleAt: (payoutId, visibleAt) => {
      setVisibleAt.run(visibleAt, payoutId);
    },
    search,
    creations: () => arrived.all().flatMap((row) => creationOf(payoutOf(row))),
  };
}

function creationOf({ arrival, creation, payoutId }: StoredPayout): Creation[] {
  if (arrival === undefined) return [];
  return [{ reference: creation.reference, nonce: arrival.nonce, payoutId, body: arrival.sentBody }];
}

interface PayoutRow {
  readonly payout_id: string;
  readonly payout_state: string;
  readonly created_at: number;
  readonly visible_at: number;
  readonly client_id: string;
  readonly nonce: string | null;
  readonly sent_body: string | null;
  readonly answer: string;
  readonly amount: string;
  readonly fee: string;
  readonly tx_hash: string | null;
  readonly sent_at: number | null;
  readonly confirmed_at: number | null;
  readonly authorization: string;
}

const storedCreation = payoutCreation.omit({
  username: true,
  otpCode: true,
  nonce: true,
  customerId: true,
  verifyBalance: true,
});

function payoutOf(row: PayoutRow): StoredPayout {
  return {
    payoutId: row.payout_id,
    creation: storedCreation.parse(parseJson(row.answer)),
    clientId: row.client_id,
    payoutState: row.payout_state,
    createdAt: row.created_at,
    visibleAt: row.visible_at,
    amount: Decimal.of(row.amount),
    fee: Decimal.of(row.fee),
    txHash: row.tx_hash ?? undefined,
    sentAt: row.sent_at ?? undefined,
    confirmedAt: row.confirmed_at ?? undefined,
    authorization: JSON.parse(row.authorization),
    arrival:
      row.nonce === null || row.sent_body === null
        ? undefined
        : { nonce: BigInt(row.nonce), sentBody: row.sent_body },
  };
}
