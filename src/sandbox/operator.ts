/**
 * Actions of the service's operator that no client can perform: open accounts, let funds arrive, decide for a
 * cosigner, move time. Other processes use them through the control API; a test in the same process calls them
 * directly.
 */
import { announceForeignPayout, beginSeededDeposit } from "./life/begin.ts";
import { announceParts, existingDeposit } from "./life/deposits.ts";
import { cosignPayout, existingPayout, isRevocable, rejectPayout } from "./life/payouts.ts";
import { existingAccount } from "./operations/payer.ts";
import { refusal } from "./refusal.ts";
import type {
  ForeignPayout,
  SeededAccount,
  SeededCosigner,
  SeededDeposit,
  SeededPart,
  SeededRate,
  SeededUser,
} from "./seed.ts";
import type { Service } from "./service.ts";

interface Operated {
  readonly service: Service;
  now(): number;
  advance(durationMs: number): void;
  commit(): void;
}

/** Each action throws a Refusal: 404 for something unknown, 409 if it is no longer possible. */
export function operatorOf({ service, now, advance, commit }: Operated) {
  const { money, clients, rates, shown, deposits, payouts } = service;
  const requireAccount = (accountId: string) => existingAccount(service, accountId, "accountId");
  /** Everything due happens too. */
  const committed = (action: () => void): void => {
    action();
    service.agenda.passUntil(now());
    commit();
  };
  return {
    openAccount: (seeded: SeededAccount): void => {
      requireNew("an account", seeded.accountId, money.account(seeded.accountId));
      committed(() => money.open(seeded, now()));
    },
    /** Adds a user to the client of this key, or changes the user's secret, until the sandbox closes. */
    putUser: (key: string, user: SeededUser): void => {
      if (!clients.putUser(key, user)) throw refusal(404, "USER_NOT_FOUND", "key: there is no such client");
    },
    /** Replaces the groups whose users must authorize the payouts created from now on. */
    setCosigners: (accountId: string, cosigners: readonly SeededCosigner[]): void => {
      requireAccount(accountId);
      committed(() => money.setCosigners(accountId, [...cosigners]));
    },
    /** Replaces all rates from now on, until the sandbox closes. Confirmed funds keep their rate. */
    setRates: (seeded: readonly SeededRate[]): void => {
      rates.replace(seeded, now());
      shown.payouts = new WeakMap();
    },
    /** Opens a deposit, as a client would ask for one; times count from now. */
    openDeposit: (seeded: SeededDeposit): void => {
      requireAccount(seeded.accountId);
      requireNew("a deposit", seeded.depositId, deposits.get(seeded.depositId));
      committed(() => beginSeededDeposit(service, seeded, now()));
    },
    /** Makes funds arrive at a deposit in parts; times count from now. */
    receiveFunds: (depositId: string, parts: readonly SeededPart[]): void => {
      existingDeposit(service, depositId);
      committed(() => announceParts(service, depositId, parts, now()));
    },
    /** Lets another client pay out from an account; the time counts from now. */
    payElsewhere: (foreign: ForeignPayout): void => {
      requireAccount(foreign.accountId);
      committed(() => announceForeignPayout(service, foreign, now()));
    },
    /** Decides as a cosigner, without a one-time code. */
    decide: (payoutId: string, username: string, decision: "approve" | "reject"): void => {
      const payout = existingPayout(service, payoutId);
      const cosigner = payout.authorization.cosigners.find((candidate) => candidate.username === username);
      if (cosigner === undefined) {
        throw refusal(404, "AUTHORIZATION_NOT_FOUND", `${username} is no cosigner of the payout ${payoutId}`);
      }
      if (cosigner.state !== "PENDING")
        throw refusal(409, "ALREADY_AUTHORIZED", `${username} has decided already`);
      if (!isRevocable(payout)) throw refusal(409, "CONFLICT_STATE", `the payout is ${payout.payoutState}`);
      const record = decision === "approve" ? cosignPayout : rejectPayout;
      committed(() => record(service, payout, username, now()));
    },
    /** Hides a payout for this many milliseconds from now; undefined hides it for ever. */
    hidePayout: (payoutId: string, forMs: number | undefined): void => {
      const payout = existingPayout(service, payoutId);
      const visibleAt = forMs === undefined ? Number.MAX_SAFE_INTEGER : now() + forMs;
      committed(() => payouts.put(payoutId, { ...payout, visibleAt }));
    },
    /** Advances the sandbox's clock permanently. */
    passTime: (durationMs: number): void => committed(() => advance(durationMs)),
  };
}

function requireNew(what: string, id: string, known: object | undefined): void {
  if (known !== undefined) throw refusal(409, "CONFLICT_STATE", `there is ${what} ${id} already`);
}
