/** What every operation works with: the rows, the policy and the seeded facts. */
import type { Directory } from "./directory.ts";
import type { Policy } from "./options.ts";
import type { SandboxSeed } from "./seed.ts";
import type { Accounts } from "./state/accounts.ts";
import type { Agenda } from "./state/agenda.ts";
import type { Deposits } from "./state/deposits.ts";
import type { Meta } from "./state/meta.ts";
import type { Nonces, UsedCodes } from "./state/nonces.ts";
import type { Payouts } from "./state/payouts.ts";

export interface Service {
  readonly policy: Policy;
  readonly seed: SandboxSeed;
  readonly directory: Directory;
  readonly accounts: Accounts;
  readonly payouts: Payouts;
  readonly deposits: Deposits;
  readonly agenda: Agenda;
  readonly nonces: Nonces;
  readonly usedCodes: UsedCodes;
  readonly meta: Meta;
  /** The failed state that the seed has in store for payouts, or deposits, of this reference. */
  payoutOutcomeOf(reference: string): string | undefined;
  depositOutcomeOf(reference: string): string | undefined;
}
