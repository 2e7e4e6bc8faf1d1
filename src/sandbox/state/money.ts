/**
 * Custody accounts and the movements of their money. Balances change only through movements and locks made here, so
 * they always equal what the movements add up to.
 */
import { invariant } from "../../faults/index.ts";
import { Decimal } from "../../money/index.ts";
import type { SeededAccount } from "../seed.ts";
import type { Store } from "./rows.ts";

export interface CustodyAccount extends Omit<SeededAccount, "openingBalance"> {
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

export interface Movement {
  readonly accountId: string;
  readonly kind: keyof typeof MOVEMENTS;
  /** Positive in either direction. */
  readonly amount: Decimal;
  /** The payout or deposit part it belongs to. All movements of a subject are confirmed together. */
  readonly subject: string;
  readonly createdAt: number;
  readonly confirmedAt: number | undefined;
}

/** Per kind, the figure that has the amount until it is confirmed, and whether it then leaves `confirmed`. */
const MOVEMENTS = {
  opening: { waitsIn: "unconfirmedReceived", isOut: false },
  received: { waitsIn: "unconfirmedReceived", isOut: false },
  "self-received": { waitsIn: "selfUnconfirmedReceived", isOut: false },
  sent: { waitsIn: "sentUnconfirmed", isOut: true },
  fee: { waitsIn: "sentUnconfirmed", isOut: true },
} as const satisfies Record<string, { waitsIn: keyof Balance; isOut: boolean }>;

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

export function moneyIn(store: Store) {
  const accounts = store.rows<CustodyAccount>({
    name: "account",
    asJson: {
      write: (account) => ({ ...account, balance: figuresAs(account.balance, String) }),
      read: (written) => ({ ...written, balance: decimalsOf(written.balance) }),
    },
  });
  const movements = store.rows<Movement, "subject">({
    name: "movement",
    shared: { subject: ({ subject }) => subject },
    asJson: {
      write: (movement) => ({ ...movement, amount: movement.amount.toString() }),
      read: (written) => ({ ...written, amount: Decimal.of(written.amount) }),
    },
  });

  const change = (accountId: string, next: (account: CustodyAccount) => CustodyAccount) => {
    const account = accounts.get(accountId);
    invariant(account !== undefined, `there is no custody account ${accountId}`);
    accounts.put(accountId, next(account));
  };
  const add = (accountId: string, figure: keyof Balance, amount: Decimal) =>
    change(accountId, (account) => {
      const { balance } = account;
      return { ...account, balance: { ...balance, [figure]: balance[figure].plus(amount) } };
    });
  const post = (movement: Omit<Movement, "confirmedAt">) => {
    const { accountId, kind, amount, subject } = movement;
    movements.put(`${subject} ${kind}`, { ...movement, confirmedAt: undefined });
    add(accountId, MOVEMENTS[kind].waitsIn, amount);
  };
  const confirm = (subject: string, atMs: number) => {
    for (const { key, row } of movements.sharing("subject", subject)) {
      if (row.confirmedAt !== undefined) continue;
      movements.put(key, { ...row, confirmedAt: atMs });
      const { waitsIn, isOut } = MOVEMENTS[row.kind];
      add(row.accountId, waitsIn, row.amount.negated());
      add(row.accountId, "confirmed", isOut ? row.amount.negated() : row.amount);
    }
  };
  return {
    account: accounts.get,
    accounts: accounts.all,
    setCosigners: (accountId: string, cosigners: CustodyAccount["cosigners"]) =>
      change(accountId, (account) => ({ ...account, cosigners })),
    open: ({ openingBalance, ...seeded }: SeededAccount, createdAt: number) => {
      const { accountId } = seeded;
      accounts.put(accountId, { ...seeded, balance: EMPTY });
      const amount = Decimal.of(openingBalance);
      if (amount.isZero()) return;
      const subject = `opening ${accountId}`;
      post({ accountId, kind: "opening", amount, subject, createdAt });
      confirm(subject, createdAt);
    },
    /** Adds an unconfirmed movement; a subject has one of each kind. */
    post,
    /** Confirms all movements of a subject. */
    confirm,
    lock: (accountId: string, amount: Decimal) => add(accountId, "locked", amount),
    release: (accountId: string, amount: Decimal) => add(accountId, "locked", amount.negated()),
    movements: movements.all,
  };
}

const EMPTY: Balance = {
  confirmed: Decimal.zero,
  unconfirmedReceived: Decimal.zero,
  selfUnconfirmedReceived: Decimal.zero,
  sentUnconfirmed: Decimal.zero,
  locked: Decimal.zero,
};

function decimalsOf(written: Readonly<Record<keyof Balance, unknown>>): Balance {
  return figuresAs(written, (text) => Decimal.of(String(text)));
}

export function figuresAs<Name extends string, From, To>(
  figures: Readonly<Record<Name, From>>,
  as: (figure: From) => To,
) {
  const entries = Object.entries<From>(figures).map(([name, figure]) => [name, as(figure)]);
  return Object.fromEntries(entries) as Record<Name, To>;
}
