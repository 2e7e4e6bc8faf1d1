/** Creates deposits, voids payouts and deposits, and authorizes payouts: each once, inside the lane. */

import { fault, type Problem, problem } from "../faults/index.ts";
import { type Condition, type SearchOperation, ServiceFault, unlessServiceFails } from "../gateway/index.ts";
import {
  type CustodyAccountId,
  callbackUrlOf,
  depositDifferences,
  depositId,
  payoutId,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import type { Amount } from "../money/index.ts";
import { depositFromWire } from "../observation/index.ts";
import { proveDecision } from "../proof/prove.ts";
import { requireSandbox } from "../proof/sandbox-only.ts";
import { listRequestedDeposits, listVoided } from "../store/changes.ts";
import { findByPayoutId } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import type { Deposit, DepositCreation, Payout } from "../wire/index.ts";
import { custodyNames } from "../workplace/custody-accounts.ts";
import { underKeyOf, type Workplace } from "../workplace/workplace.ts";
import { inLane } from "./run/lane.ts";
import {
  type ChangeName,
  type ChangeReport,
  type ChangeRequest,
  change,
  fillAuthorizationBody,
} from "./sending/index.ts";

export interface DepositRequest {
  readonly custodyAccountId: CustodyAccountId;
  readonly reference: string;
  readonly customerId?: string;
  readonly requestedAmount?: Amount;
  /** UTC with milliseconds; needs requestedAmount. */
  readonly expiresAt?: string;
  readonly by: SearchOperation | "synchronously";
  readonly person: string;
  /** A nonce allocated earlier, for a trial of the nonce rule; by default the lane's next. */
  readonly nonce?: bigint;
}

/** Why nobody may pay to this deposit yet: the service shows it differently from the request. */
export function whyNotAsRequested(request: DepositRequest, shown: Deposit): Problem | undefined {
  const requested = { ...request, ...present({ amount: request.requestedAmount }) };
  const differences = depositDifferences(requested, depositFromWire(shown, ""));
  if (differences.length === 0) return undefined;
  const what = differences.map(({ field, expected, found }) => `${field} ${found} instead of ${expected}`);
  return problem("DEPOSIT_SHOWN_CHANGED", { what: what.join(", ") }, { reference: request.reference });
}

const DEPOSIT_CREATIONS = {
  path: "createDeposit",
  route: "createDepositPathless",
  synchronously: "createDepositSynchronously",
} as const;

/** Creates one deposit, once per reference. Throws what `change` throws. */
export function createDepositStep(workplace: Workplace, request: DepositRequest): Promise<ChangeReport> {
  return changeStep(underKeyOf(workplace, request.custodyAccountId), depositChange(workplace, request));
}

/** The creation of a deposit as a change, for a caller that holds the lane. */
export function depositChange(
  { config, context }: Pick<Workplace, "config" | "context">,
  request: DepositRequest,
): ChangeRequest<(typeof DEPOSIT_CREATIONS)[keyof typeof DEPOSIT_CREATIONS]> {
  const { custodyAccountId, reference, requestedAmount: amount, person, nonce } = request;
  const callbackUrl = callbackUrlOf(config.service.callbackUrl, context.random.uuid());
  const creation: Omit<DepositCreation, "nonce"> = {
    accountId: custodyAccountId,
    reference,
    customerId: request.customerId,
    callbackUrl,
    expiryDate: request.expiresAt,
    requestedAmount: amount && { currency: amount.currency, amount: amount.value },
  };
  return {
    operation: DEPOSIT_CREATIONS[request.by],
    subject: reference,
    correlation: callbackUrl,
    requested: { custodyAccountId, reference, ...present({ amount }) },
    person,
    ...present({ nonce }),
    bodyOf: (values) => ({ ...creation, nonce: values.nonce }),
  };
}

/**
 * Voids a payout, which the service allows only for accounts of one Bitcoin custody kind. Throws what `change`
 * throws.
 */
export async function voidPayoutStep(
  workplace: Workplace,
  { payoutId: subject, accountId }: Pick<Payout, "payoutId" | "accountId">,
  person: string,
  by: SearchOperation,
): Promise<ChangeReport> {
  await proveDecision(workplace, { decision: "void", person, subject, detail: { what: "payout" } });
  const request: ChangeRequest<"voidPayout" | "voidPayoutPathless"> = {
    operation: by === "path" ? "voidPayout" : "voidPayoutPathless",
    subject,
    person,
    bodyOf: ({ nonce }) => ({ payoutId: subject, nonce }),
  };
  return voiding(workplace, accountId, "payout", request);
}

/** As `voidPayoutStep`, for a deposit. */
export async function voidDepositStep(
  workplace: Workplace,
  deposit: DepositKey,
  person: string,
  by: SearchOperation,
): Promise<ChangeReport> {
  const { depositId: subject } = deposit;
  await proveDecision(workplace, { decision: "void", person, subject, detail: { what: "deposit" } });
  return voidDeposit(workplace, deposit, person, by);
}

type DepositKey = Pick<Deposit, "depositId" | "accountId">;

/** As `voidDepositStep`, but without a signed decision: only for a deposit that a trial made to be voided. */
export function voidDeposit(
  workplace: Workplace,
  { depositId: subject, accountId }: DepositKey,
  person: string,
  by: SearchOperation,
): Promise<ChangeReport> {
  const request: ChangeRequest<"voidDeposit" | "voidDepositPathless"> = {
    operation: by === "path" ? "voidDeposit" : "voidDepositPathless",
    subject,
    person,
    bodyOf: ({ nonce }) => ({ depositId: subject, nonce }),
  };
  return voiding(workplace, accountId, "deposit", request);
}

/** Adds to a refusal what can be voided, because the service gives no reason, and one status for several cases. */
function voiding<Name extends ChangeName>(
  workplace: Workplace,
  accountId: string,
  what: "payout" | "deposit",
  request: ChangeRequest<Name>,
): Promise<ChangeReport> {
  return unlessServiceFails(
    () => changeStep(underKeyOf(workplace, accountId), request),
    async (failed) => {
      const { failure, problem: refused } = failed;
      if (!VOID_REFUSALS.has(failure.condition)) throw failed;
      const accounts = await voidableAccounts(workplace, accountId);
      const helpful = problem("SERVICE_VOIDS_NOT", { what, text: failure.serviceText, accounts });
      throw new ServiceFault(failure, { ...refused, ...helpful });
    },
  );
}

const VOID_REFUSALS: ReadonlySet<Condition> = new Set<Condition>(["parameter wrong", "conflict", "refused"]);

const VOIDS_LOOKED_AT = 100;

/** Says for which custody accounts the service has accepted voids before. */
async function voidableAccounts({ config, store }: Workplace, accountId: string): Promise<string> {
  const nameOf = custodyNames(config);
  const voidedIn = await store.read(function* (): Transaction<ReadonlySet<string>> {
    const ids = yield* listVoided(VOIDS_LOOKED_AT);
    const names: string[] = [];
    for (const id of ids) {
      const payment = yield* findByPayoutId(payoutId(id));
      if (payment !== undefined) names.push(nameOf(payment.fields.custodyAccountId));
    }
    const deposits = yield* listRequestedDeposits(ids.map(depositId));
    for (const { custodyAccountId } of deposits.values()) names.push(nameOf(custodyAccountId));
    return new Set(names);
  });
  const known =
    voidedIn.size === 0
      ? "It has voided nothing for this installation so far"
      : `It has voided something in ${[...voidedIn].join(", ")} before`;
  return `This one is of ${nameOf(accountId)}. ${known}.`;
}

/** Gives one user's authorization of a payout. Throws INTERFACE_GAP, and what `change` throws. */
export async function authorizeStep(
  workplace: Workplace,
  { payoutId, accountId }: Pick<Payout, "payoutId" | "accountId">,
  username: string,
  person: string,
): Promise<ChangeReport> {
  const template = workplace.config.authorization.body;
  if (template === undefined) {
    const [what, key] = ["the body of an authorization", "authorization.body"];
    throw fault(
      "INTERFACE_GAP",
      { what, key, keys: `the members under \`${key}\`` },
      { operation: "authorize", key },
    );
  }
  await proveDecision(workplace, { decision: "authorize", person, subject: payoutId, detail: { username } });
  return changeStep(underKeyOf(workplace, accountId), {
    operation: "authorize",
    subject: payoutId,
    person,
    needsCode: JSON.stringify(template).includes("{otpCode}"),
    bodyOf: (values) => fillAuthorizationBody(template, { payoutId, username, ...values }),
  });
}

async function changeStep<Name extends ChangeName>(
  workplace: Workplace,
  request: ChangeRequest<Name>,
): Promise<ChangeReport> {
  await requireSandbox(workplace);
  return inLane(workplace, ({ tools, codes }, policy) => change({ ...tools, codes, policy }, request));
}
