/**
 * Custody accounts and the movements of their money. Balances change only through movements and locks made here, so
 * they always equal what the movements add up to.
 */
import { invariant } from "../../faults/index.ts";
import { Decimal } from "../../money/index.ts";
import type { SeededAccount } from "../seed.ts";
import type { RowKind } from "./rows.ts";
import type { Store } from "./store.ts";
import { indexBy } from "./value-index.ts";

export interface CustodyAccount {
  readonly accountId: string;
  readonly currency: string;
  readonly kind: SeededAccount["kind"];
  readonly enabled: boolean;
  readonly ownedByClient: boolean;
  readonly cosigners: SeededAccount["cosigners"];
  readonly balance: Balance;
}

/** The stored figures; `breakdownOf` derives the interface's. */
export interface Balance {
  readonly confirmed: Decimal;
  readonly unconfirmedReceived: Decimal;
  /** Received from another account of the client, unconfirmed. */
  readonly selfUnconfirmedReceived: Decimal;
  /** Sent including fees, not confirmed yet; still included in `confirmed`. */
  readonly sentUnconfirmed: Decimal;
  /** Reserved for payouts that have not left yet, including fees. */
  readonly locked: Decimal;
}

/** `sent` and `fee` leave the account; all others enter it. */
export type MovementKind = "opening" | "received" | "self-received" | "sent" | "fee";

export interface Movement {
  readonly accountId: string;
  readonly kind: MovementKind;
  /** Positive in either direction. */
  readonly amount: Decimal;
  /** The payout or deposit part it belongs to. All movements of a subject are confirmed together. */
  readonly subject: string;
  readonly createdAt: number;
  readonly confirmedAt: number | undefined;
}

/** The interface's breakdown. `available` can be negative while payouts without verifyBalance wait for money. */
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

export function accountsIn(store: Store) {
  const accounts = store.rows(CUSTODY_ACCOUNT);
  const bySubject = indexBy<Movement>((movement) => movement.subject);
  const movements = store.rows(MOVEMENT, [bySubject]);

  const change = (accountId: string, next: (account: CustodyAccount) => CustodyAccount) =>
    invariant(accounts.change(accountId, next), `there is no custody account ${accountId}`);
  const changeBalance = (accountId: string, next: (balance: Balance) => Balance) =>
    change(accountId, (account) => ({ ...account, balance: next(account.balance) }));
  const changeLocked = (accountId: string, amount: Decimal) =>
    changeBalance(accountId, (balance) => ({ ...balance, locked: balance.locked.plus(amount) }));
  const post = (movement: Omit<Movement, "confirmedAt">) => {
    movements.insert({ ...movement, confirmedAt: undefined });
    changeBalance(movement.accountId, (balance) => enter(balance, movement.kind, movement.amount));
  };
  const confirm = (subject: string, atMs: number) => {
    for (const entry of bySubject.entriesOf(subject)) {
      const { accountId, kind, amount, confirmedAt } = entry.row;
      if (confirmedAt !== undefined) continue;
      movements.replace(entry, { ...entry.row, confirmedAt: atMs });
      changeBalance(accountId, (balance) => settle(balance, kind, amount));
    }
  };
  return {
    find: (accountId: string) => accounts.get(accountId),
    /** Enabled accounts of the client in which the user is one of the cosigners, by accountId. */
    ofCosigner: (username: string) =>
      Array.from(accounts.entries(), ({ row }) => row)
        .filter(({ enabled, ownedByClient }) => enabled && ownedByClient)
        .filter(({ cosigners }) => cosigners.some((cosigner) => cosigner.username === username))
        .sort((left, right) => (left.accountId < right.accountId ? -1 : 1)),
    setCosigners: (accountId: string, cosigners: CustodyAccount["cosigners"]) =>
      change(accountId, (account) => ({ ...account, cosigners })),
    open: ({ openingBalance, ...seeded }: SeededAccount, atMs: number) => {
      accounts.insert({ ...seeded, balance: EMPTY });
      const amount = Decimal.of(openingBalance);
      if (amount.isZero()) return;
      const { accountId } = seeded;
      const subject = `opening ${accountId}`;
      post({ accountId, kind: "opening", amount, subject, createdAt: atMs });
      confirm(subject, atMs);
    },
    /** Adds an unconfirmed movement. */
    post,
    /** Confirms all movements of a subject. */
    confirm,
    lock: changeLocked,
    release: (accountId: string, amount: Decimal) => changeLocked(accountId, amount.negated()),
    movements: () => Array.from(movements.entries(), ({ row }) => row),
  };
}

const EMPTY: Balance = {
  confirmed: Decimal.zero,
  unconfirmedReceived: Decimal.zero,
  selfUnconfirmedReceived: Decimal.zero,
  sentUnconfirmed: Decimal.zero,
  locked: Decimal.zero,
};

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

/** The balance after a movement is confirmed: from its pending figure into or out of `confirmed`. */
function settle(balance: Balance, kind: MovementKind, amount: Decimal): Balance {
  const waiting = enter(balance, kind, amount.negated());
  const signed = kind === "sent" || kind === "fee" ? amount.negated() : amount;
  return { ...waiting, confirmed: waiting.confirmed.plus(signed) };
}

const CUSTODY_ACCOUNT: RowKind<CustodyAccount, WrittenAccount> = {
  table: "custody_account",
  keyOf: ({ accountId }) => accountId,
  write: (account) => ({ ...account, balance: figuresAs(account.balance, String) }),
  read: (account) => ({ ...account, balance: figuresAs(account.balance, Decimal.of) }),
};

interface WrittenAccount extends Omit<CustodyAccount, "balance"> {
  readonly balance: Readonly<Record<keyof Balance, string>>;
}

export function figuresAs<Name extends string, From, To>(
  figures: Readonly<Record<Name, From>>,
  as: (figure: From) => To,
) {
  const entries = Object.entries<From>(figures).map(([name, figure]) => [name, as(figure)]);
  return Object.fromEntries(entries) as Record<Name, To>;
}

const MOVEMENT: RowKind<Movement, Omit<Movement, "amount"> & { readonly amount: string }> = {
  table: "movement",
  keyOf: (_movement, seq) => String(seq),
  write: (movement) => ({ ...movement, amount: movement.amount.toString() }),
  read: (movement) => ({ ...movement, amount: Decimal.of(movement.amount) }),
};
