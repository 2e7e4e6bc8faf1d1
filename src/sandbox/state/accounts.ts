/**
 * Custody accounts and the movements of their money. Every change of a balance is a movement or a lock made here, so that the
 * balances always equal what the movements imply.
 */
import { Decimal } from "../../money/index.ts";
import type { SeededAccount } from "../seed.ts";
import type { SandboxDatabase } from "./database.ts";

export interface CustodyAccount {
  readonly accountId: string;
  readonly currency: string;
  readonly kind: SeededAccount["kind"];
  readonly enabled: boolean;
  readonly ownedByClient: boolean;
  readonly cosigners: SeededAccount["cosigners"];
  readonly balance: Balance;
}

/** What is stored; `breakdownOf` derives the figures of the interface from it. */
export interface Balance {
  readonly confirmed: Decimal;
  readonly unconfirmedReceived: Decimal;
  /** On its way from another account of the client. */
  readonly selfUnconfirmedReceived: Decimal;
  /** Left, fees included, and not confirmed yet; still part of `confirmed`. */
  readonly sentUnconfirmed: Decimal;
  /** Promised to payouts that have not left yet, fees included. */
  readonly locked: Decimal;
}

/** `sent` and `fee` leave the account, the others enter it. */
export type MovementKind = "opening" | "received" | "self-received" | "sent" | "fee";

export interface Movement {
  readonly accountId: string;
  readonly kind: MovementKind;
  /** Above zero, whichever way it goes. */
  readonly amount: Decimal;
  /** The payout or deposit part it belongs to; confirmed together. */
  readonly subject: string;
  readonly createdAt: number;
  readonly confirmedAt: number | undefined;
}

export interface Accounts {
  find(accountId: string): CustodyAccount | undefined;
  /** Enabled accounts of the client in which the user is one of the cosigners, by accountId. */
  ofCosigner(username: string): CustodyAccount[];
  setCosigners(accountId: string, cosigners: CustodyAccount["cosigners"]): void;
  /** Forgets what is held in memory: after a transaction that rolled back. */
  forget(): void;
  open(seeded: SeededAccount, atMs: number): void;
  /** Enters an unconfirmed movement. */
  post(movement: Omit<Movement, "confirmedAt">): void;
  /** Confirms every movement of a subject. */
  confirm(subject: string, atMs: number): void;
  lock(accountId: string, amount: Decimal): void;
  release(accountId: string, amount: Decimal): void;
  movements(): Movement[];
}

/** The breakdown of the interface. `available` can be below zero while payouts without verifyBalance wait for more than there is. */
export function breakdownOf(balance: Balance) {
  const { confirmed, unconfirmedReceived, selfUnconfirmedReceived, sentUnconfirmed, locked } = balance;
  return {
    total: confirmed.plus(unconfirmedReceived).plus(selfUnconfirmedReceived).minus(sentUnconfirmed),
    available: confirmed.minus(sentUnconfirmed).minus(locked),
    confirmed,
    unconfirmedReceived,
    locked,
    sentUnconfirmed,
    selfUnconfirmedReceived,
  };
}

export function accountsIn(database: SandboxDatabase): Accounts {
  const select = database.prepare<[string], AccountRow>("SELECT * FROM custody_account WHERE account_id = ?");
  const insert = database.prepare(
    `INSERT INTO custody_account VALUES (?, ?, ?, ?, ?, ?, '0', '0', '0', '0', '0')`,
  );
  const update = database.prepare(
    `UPDATE custody_account SET confirmed = ?, unconfirmed_received = ?, self_unconfirmed_received = ?,
       sent_unconfirmed = ?, locked = ? WHERE account_id = ?`,
  );
  const insertMovement = database.prepare(
    "INSERT INTO movement (account_id, kind, amount, subject, created_at) VALUES (?, ?, ?, ?, ?)",
  );
  const unconfirmedOf = database.prepare<[string], MovementRow>(
    "SELECT * FROM movement WHERE subject = ? AND confirmed_at IS NULL",
  );
  const confirmMovement = database.prepare("UPDATE movement SET confirmed_at = ? WHERE seq = ?");
  const selectAll = database.prepare<[], AccountRow>("SELECT * FROM custody_account ORDER BY account_id");
  const updateCosigners = database.prepare("UPDATE custody_account SET cosigners = ? WHERE account_id = ?");
  const allMovements = database.prepare<[], MovementRow>("SELECT * FROM movement ORDER BY seq");

  /** Accounts as the database has them: every payout reads and writes one, and there are few. */
  const held = new Map<string, CustodyAccount>();
  const find = (accountId: string): CustodyAccount | undefined => {
    const known = held.get(accountId);
    if (known !== undefined) return known;
    const row = select.get(accountId);
    if (row === undefined) return undefined;
    const found = accountOf(row);
    held.set(accountId, found);
    return found;
  };
  const change = (accountId: string, next: (balance: Balance) => Balance) => {
    const found = find(accountId);
    if (found === undefined) throw new RangeError(`there is no account ${accountId}`);
    const balance = next(found.balance);
    held.set(accountId, { ...found, balance });
    update.run(
      balance.confirmed.toString(),
      balance.unconfirmedReceived.toString(),
      balance.selfUnconfirmedReceived.toString(),
      balance.sentUnconfirmed.toString(),
      balance.locked.toString(),
      accountId,
    );
  };

  const accounts: Accounts = {
    find,
    ofCosigner: (username) =>
      selectAll
        .all()
        .map(accountOf)
        .filter(({ enabled, ownedByClient }) => enabled && ownedByClient)
        .filter(({ cosigners }) => cosigners.some((cosigner) => cosigner.username === username)),
    setCosigners: (accountId, cosigners) => {
      updateCosigners.run(JSON.stringify(cosigners), accountId);
      held.delete(accountId);
    },
    forget: () => held.clear(),
    open: (seeded, atMs) => {
      insert.run(
        seeded.accountId,
        seeded.currency,
        seeded.kind,
        seeded.enabled ? 1 : 0,
        seeded.ownedByClient ? 1 : 0,
        JSON.stringify(seeded.cosigners),
      );
      const amount = Decimal.of(seeded.openingBalance);
      if (amount.isZero()) return;
      const subject = `opening ${seeded.accountId}`;
      accounts.post({ accountId: seeded.accountId, kind: "opening", amount, subject, createdAt: atMs });
      accounts.confirm(subject, atMs);
    },
    post: ({ accountId, kind, amount, subject, createdAt }) => {
      insertMovement.run(accountId, kind, amount.toString(), subject, createdAt);
      change(accountId, (balance) => enter(balance, kind, amount));
    },
    confirm: (subject, atMs) => {
      for (const row of unconfirmedOf.all(subject)) {
        const { accountId, kind, amount } = movementOf(row);
        confirmMovement.run(atMs, row.seq);
        change(accountId, (balance) => settle(balance, kind, amount));
      }
    },
    lock: (accountId, amount) =>
      change(accountId, (balance) => ({ ...balance, locked: balance.locked.plus(amount) })),
    release: (accountId, amount) =>
      change(accountId, (balance) => ({ ...balance, locked: balance.locked.minus(amount) })),
    movements: () => allMovements.all().map(movementOf),
  };
  return accounts;
}

/** The balance with an unconfirmed movement entered. */
function enter(balance: Balance, kind: MovementKind, amount: Decimal): Balance {
  switch (kind) {
    case "opening":
    case "received":
      return { ...balance, unconfirmedReceived: balance.unconfirmedReceived.plus(amount) };
    case "self-received":
      return { ...balance, selfUnconfirmedReceived: balance.selfUnconfirmedReceived.plus(amount) };
    case "sent":
    case "fee":
      return { ...balance, sentUnconfirmed: balance.sentUnconfirmed.plus(amount) };
  }
}

/** The balance once that movement is confirmed: out of its waiting figure, into or out of `confirmed`. */
function settle(balance: Balance, kind: MovementKind, amount: Decimal): Balance {
  const waiting = enter(balance, kind, amount.negated());
  const signed = kind === "sent" || kind === "fee" ? amount.negated() : amount;
  return { ...waiting, confirmed: waiting.confirmed.plus(signed) };
}

interface AccountRow {
  readonly account_id: string;
  readonly currency: string;
  readonly kind: SeededAccount["kind"];
  readonly enabled: number;
  readonly owned_by_client: number;
  readonly cosigners: string;
  readonly confirmed: string;
  readonly unconfirmed_received: string;
  readonly self_unconfirmed_received: string;
  readonly sent_unconfirmed: string;
  readonly locked: string;
}

function accountOf(row: AccountRow): CustodyAccount {
  return {
    accountId: row.account_id,
    currency: row.currency,
    kind: row.kind,
    enabled: row.enabled === 1,
    ownedByClient: row.owned_by_client === 1,
    cosigners: JSON.parse(row.cosigners),
    balance: balanceOf(row),
  };
}

function balanceOf(row: AccountRow): Balance {
  return {
    confirmed: Decimal.of(row.confirmed),
    unconfirmedReceived: Decimal.of(row.unconfirmed_received),
    selfUnconfirmedReceived: Decimal.of(row.self_unconfirmed_received),
    sentUnconfirmed: Decimal.of(row.sent_unconfirmed),
    locked: Decimal.of(row.locked),
  };
}

interface MovementRow {
  readonly seq: number;
  readonly account_id: string;
  readonly kind: MovementKind;
  readonly amount: string;
  readonly subject: string;
  readonly created_at: number;
  readonly confirmed_at: number | null;
}

function movementOf(row: MovementRow): Movement {
  return {
    accountId: row.account_id,
    kind: row.kind,
    amount: Decimal.of(row.amount),
    subject: row.subject,
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at ?? undefined,
  };
}
