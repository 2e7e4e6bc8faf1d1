/**
 * Actions of the service's operator that no client can perform: open accounts, let funds arrive, decide for a
 * cosigner, move time. Other processes use them through the control API; a test in the same process calls them
 * directly.
 */
import type { Core } from "./core.ts";
import { beginSeededDeposit, planParts } from "./life/deposit-life.ts";
import { cosignPayout, rejectPayout } from "./life/payout-life.ts";
import { planForeignPayout } from "./life/tick.ts";
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

/** Each action throws a Refusal: 404 for something unknown, 409 if it is no longer possible. */
export function operatorOf(core: Core) {
  return {
    ...accountActions(core),
    ...depositActions(core),
    ...payoutActions(core),
    passTime: (durationMs: number): void => {
      core.advance(durationMs);
      core.commit();
    },
  };
}

function accountActions(core: Core) {
  const { accounts, directory, payouts } = core.service;
  return {
    openAccount: (seeded: SeededAccount): void => {
      if (accounts.find(seeded.accountId) !== undefined) {
        throw refusal(409, "CONFLICT_STATE", `there is an account ${seeded.accountId} already`);
      }
      change(core, () => accounts.open(seeded, core.now()));
    },
    /** Adds a user to the client of this key, or changes the user's secret, until the sandbox closes. */
    putUser: (key: string, user: SeededUser): void => {
      if (!directory.putUser(key, user)) throw refusal(404, "USER_NOT_FOUND", "key: there is no such client");
    },
    /** Replaces the groups whose users must authorize the payouts created from now on. */
    setCosigners: (accountId: string, cosigners: readonly SeededCosigner[]): void => {
      requireAccount(core, accountId);
      change(core, () => accounts.setCosigners(accountId, [...cosigners]));
    },
    /** Replaces all rates from now on, until the sandbox closes. Confirmed funds keep their rate. */
    setRates: (rates: readonly SeededRate[]): void => {
      directory.rates.replace(rates, core.now());
      payouts.renderAgain();
    },
  };
}

function depositActions(core: Core) {
  const { service, now } = core;
  const { deposits } = service;
  return {
    /** Opens a deposit, as a client would ask for one; times count from now. */
    openDeposit: (seeded: SeededDeposit): void => {
      requireAccount(core, seeded.accountId);
      if (deposits.find(seeded.depositId) !== undefined)
        throw refusal(409, "CONFLICT_STATE", `there is a deposit ${seeded.depositId} already`);
      change(core, () => beginSeededDeposit(service, seeded, now()));
    },
    /** Makes funds arrive at a deposit in parts; times count from now. */
    receiveFunds: (depositId: string, parts: readonly SeededPart[]): void => {
      deposits.existing(depositId);
      change(core, () => {
        planParts(service, depositId, parts, now());
        core.tick();
      });
    },
  };
}

function payoutActions(core: Core) {
  const { service, now } = core;
  const { payouts } = service;
  return {
    /** Lets another client pay out from an account; the time counts from now. */
    payElsewhere: (foreign: ForeignPayout): void => {
      requireAccount(core, foreign.accountId);
      change(core, () => planForeignPayout(service, foreign, now()));
    },
    /** Decides as a cosigner, without a one-time code. */
    decide: (payoutId: string, username: string, decision: "approve" | "reject"): void => {
      const payout = payouts.existing(payoutId);
      const cosigner = payout.authorization.cosigners.find((candidate) => candidate.username === username);
      if (cosigner === undefined) {
        throw refusal(404, "AUTHORIZATION_NOT_FOUND", `${username} is no cosigner of the payout ${payoutId}`);
      }
      if (cosigner.state !== "PENDING") {
        throw refusal(409, "ALREADY_AUTHORIZED", `${username} has decided already`);
      }
      change(core, () => {
        const isDone =
          decision === "approve"
            ? cosignPayout(service, payout, username, now())
            : rejectPayout(service, payout, username);
        if (!isDone) throw refusal(409, "CONFLICT_STATE", `the payout is ${payout.payoutState}`);
      });
    },
    /** Hides a payout for this many milliseconds from now; undefined hides it for ever. */
    hidePayout: (payoutId: string, forMs: number | undefined): void => {
      payouts.existing(payoutId);
      const visibleAt = forMs === undefined ? Number.MAX_SAFE_INTEGER : now() + forMs;
      change(core, () => payouts.setVisibleAt(payoutId, visibleAt));
    },
  };
}

function change(core: Core, action: () => void): void {
  core.change(action);
  core.commit();
}

function requireAccount({ service }: Core, accountId: string): void {
  if (service.accounts.find(accountId) === undefined)
    throw refusal(404, "ACCOUNT_NOT_FOUND", `there is no account ${accountId}`);
}
