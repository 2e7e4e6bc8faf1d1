/**
 * Finds out the service's nonce rule with at most three deposits that nobody will pay to: one with a fresh nonce,
 * one that repeats it, one with a lower nonce that was never used. They are voided afterwards if the service allows
 * it.
 */
import { unlessServiceFails } from "../../gateway/index.ts";
import type { CustodyAccountId } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { allocateNonce } from "../../store/nonces.ts";
import type { Transaction } from "../../store/sql.ts";
import { underKeyOf, type Workplace } from "../../workplace/workplace.ts";
import { createDepositStep, voidDeposit } from "../change-step.ts";
import { inLane } from "./lane.ts";

export interface NonceUse {
  readonly nonce: bigint;
  readonly outcome: "accepted" | "refused" | "in doubt" | "not sent";
  /** The service's answer, in words. */
  readonly evidence: string;
  readonly depositId?: string;
}

export interface NonceTrial {
  readonly fresh: NonceUse;
  readonly repeated: NonceUse;
  readonly lower: NonceUse;
  /** The conclusion, in words. */
  readonly verdict: string;
  /** The `nonce.rule` that fits; absent if inconclusive. */
  readonly rule?: "unique" | "increasing";
  /** Deposits that were created and could not be voided. */
  readonly left: readonly string[];
}

export async function tryNonces(
  workplace: Workplace,
  custodyAccountId: CustodyAccountId,
  referencePrefix: string,
  person: string,
): Promise<NonceTrial> {
  const [lower, higher] = await takeTwo(underKeyOf(workplace, custodyAccountId));
  const use = (name: string, nonce: bigint) =>
    useOnce(workplace, custodyAccountId, `${referencePrefix}-${name}`, person, nonce);
  const uses = {
    fresh: await use("FRESH", higher),
    repeated: await use("REPEATED", higher),
    lower: await use("LOWER", lower),
  };
  const left: string[] = [];
  for (const { depositId } of Object.values(uses)) {
    if (depositId !== undefined && !(await isVoided(workplace, depositId, custodyAccountId, person)))
      left.push(depositId);
  }
  return { ...uses, ...judged(uses.fresh, uses.repeated, uses.lower), left };
}

function takeTwo(workplace: Workplace): Promise<readonly [bigint, bigint]> {
  const { context } = workplace;
  return inLane(workplace, ({ tools: { store } }, { keyId, nonceFloor }) =>
    store.write(function* (): Transaction<readonly [bigint, bigint]> {
      const now = context.clock.now();
      const lower = yield* allocateNonce(keyId, now, nonceFloor);
      return [lower, yield* allocateNonce(keyId, now, nonceFloor)];
    }),
  );
}

async function useOnce(
  workplace: Workplace,
  custodyAccountId: CustodyAccountId,
  reference: string,
  person: string,
  nonce: bigint,
): Promise<NonceUse> {
  const request = { custodyAccountId, reference, by: "path", person, nonce } as const;
  return unlessServiceFails(
    async (): Promise<NonceUse> => {
      const { isInDoubt, evidence, depositId } = await createDepositStep(workplace, request);
      const outcome = isInDoubt ? "in doubt" : "accepted";
      return { nonce, outcome, evidence, ...present({ depositId }) };
    },
    ({ failure: { status, serviceText, consequence } }) => {
      const evidence = status === undefined ? serviceText : `answered ${status}: ${serviceText}`;
      // "nothing": a look-up before it failed, so this request was not sent either.
      const isSent = consequence !== "not sent" && consequence !== "nothing";
      return { nonce, outcome: isSent ? "refused" : "not sent", evidence };
    },
  );
}

/** Returns whether the service accepted the void. */
async function isVoided(
  workplace: Workplace,
  depositId: string,
  custodyAccountId: CustodyAccountId,
  person: string,
): Promise<boolean> {
  const request = { depositId, accountId: custodyAccountId };
  return unlessServiceFails(
    async () => !(await voidDeposit(workplace, request, person, "path")).isInDoubt,
    () => false,
  );
}

function judged(fresh: NonceUse, repeated: NonceUse, lower: NonceUse): Pick<NonceTrial, "verdict" | "rule"> {
  if (fresh.outcome !== "accepted") return { verdict: "not known: even a fresh nonce was not accepted" };
  if (repeated.outcome === "accepted") {
    const isReplay = repeated.depositId === fresh.depositId;
    return {
      verdict: isReplay
        ? "a repeated nonce is answered like the first time, and nothing new is created"
        : "a repeated nonce is accepted again: nothing at the service prevents a request from being carried out twice",
    };
  }
  if (repeated.outcome !== "refused")
    return { verdict: "not known: a repeated nonce stayed without an outcome" };
  if (lower.outcome === "refused") return { verdict: "nonces must rise", rule: "increasing" };
  if (lower.outcome === "accepted") {
    return { verdict: "a nonce must be new, and may be lower than earlier ones", rule: "unique" };
  }
  return { verdict: "a nonce must be new; whether it must rise is not known" };
}
