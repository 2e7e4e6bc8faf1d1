/**
 * One call that changes something at the service and creates no payout: a deposit's creation, a void, an authorization. It takes
 * its nonce and its right to send from the lane like every submission, and nothing here is ever repeated.
 */
import { fault } from "../../faults/index.ts";
import {
  type Answer,
  failureOf,
  type OperationBodies,
  type OperationWith,
  problemOf,
  ServiceFault,
} from "../../gateway/index.ts";
import type { ChangeOutcome } from "../../model/index.ts";
import { passOverUsedCode } from "../creation-code.ts";
import type { ChangeTools } from "../tools.ts";
import { resolveChange, resolveEarlierChanges, settleChange } from "./change-doubt.ts";
import { writeChangeIntent } from "./change-intent.ts";

export type ChangeName = OperationWith<"deposit creation" | "change">;

/** What is filled in when the call is made. */
export interface SendTimeValues {
  /** int64. */
  readonly nonce: bigint;
  /** Made only where it was asked for; empty otherwise. */
  readonly otpCode: string;
}

export interface ChangeRequest<Name extends ChangeName> {
  readonly operation: Name;
  /** What it is about: the reference of a deposit to be created, or a payoutId or depositId. */
  readonly subject: string;
  readonly person: string;
  /** The callbackUrl of a deposit to be created, by which it is found again; none for other changes. */
  readonly correlation?: string;
  readonly needsCode?: boolean;
  /** One that the lane gave out before, for a trial of the nonce rule; the lane's next where absent. */
  readonly nonce?: bigint;
  bodyOf(values: SendTimeValues): OperationBodies[Name];
}

export interface ChangeReport {
  readonly operation: ChangeName;
  readonly subject: string;
  readonly nonce: bigint;
  /** Nobody knows whether it was done; otherwise it was accepted. */
  readonly isInDoubt: boolean;
  readonly evidence: string;
  readonly depositId?: string;
}

/**
 * Carries one change out; the caller holds the lane. Throws ROUTE_MISSING, SENDING_STOPPED, LANE_PAUSED,
 * DEPOSIT_ALREADY_ASKED_FOR and OTP_FAILED before anything is sent, and a ServiceFault where it was refused or never left.
 */
export async function change<Name extends ChangeName>(
  tools: ChangeTools,
  request: ChangeRequest<Name>,
): Promise<ChangeReport> {
  const { context, store, gateway, policy } = tools;
  const { operation, subject, person, correlation = "" } = request;
  gateway.requireRoute(operation);
  const ordered = stopOrderFor(operation, policy);
  if (ordered !== undefined)
    throw fault("SENDING_STOPPED", { reason: ordered }, { operation, reference: subject });
  await resolveEarlierChanges(tools);
  const otpCode = request.needsCode === true ? await nextUnusedCode(tools) : "";
  const about = { operation, subject, correlation, person, baseUrl: gateway.baseUrl };
  const intent = { ...about, intendedAt: context.clock.now() };
  const { id, nonce } = await store.write(() => writeChangeIntent(intent, policy, request.nonce));

  const answer = await gateway.call<ChangeName>(operation, request.bodyOf({ nonce, otpCode }), {
    oneTimeCode: otpCode,
    stopBeforeWrite: () => policy.whyLaneClosed() ?? stopOrderFor(operation, policy),
  });
  const answered = outcomeOf(request, answer);
  const changed = { id, ...intent, keyId: policy.keyId, nonce, evidence: answered.evidence };
  await store.write(() => settleChange(changed, answered, context.clock.now()));
  const isConflict = answer.kind === "error" && answer.status === 409;
  const looked = answered.kind === "in doubt" ? await lookFor(tools, changed, isConflict) : undefined;
  const { kind, evidence, depositId } = looked ?? answered;
  context.log.info("changed", { operation, nonce: nonce.toString(), outcome: kind });

  if (answer.kind !== "success" && (kind === "refused" || kind === "not sent")) {
    const failure = failureOf(operation, answer);
    throw new ServiceFault(failure, problemOf(failure, answer, gateway));
  }
  const report = { operation, subject, nonce, isInDoubt: kind === "in doubt", evidence };
  return depositId === undefined ? report : { ...report, depositId };
}

/** Why it is not sent while a person wants nothing to be sent. A void is: it takes back what has left. */
function stopOrderFor(operation: ChangeName, policy: ChangeTools["policy"]): string | undefined {
  return operation.startsWith("void") ? undefined : policy.stopOrder();
}

/** A service that does not answer the look either leaves it in doubt: that is to be told, and not that nobody answered. */
async function lookFor(...look: Parameters<typeof resolveChange>): Promise<ChangeOutcome | undefined> {
  try {
    return await resolveChange(...look);
  } catch (error) {
    if (error instanceof ServiceFault) return undefined;
    throw error;
  }
}

async function nextUnusedCode(tools: ChangeTools): Promise<string> {
  await passOverUsedCode(tools);
  return tools.codes.next();
}

function outcomeOf(request: CreatedAs, answer: Answer<ChangeName>): ChangeOutcome {
  if (answer.kind === "success") {
    const { status, body } = answer;
    const evidence = `answered ${status}`;
    if (body === undefined) return { kind: "accepted", evidence };
    const { depositId, reference } = body;
    return isAnothers(request, body)
      ? {
          kind: "in doubt",
          evidence: `${evidence} with deposit ${depositId}, which it shows as ${reference}`,
        }
      : { kind: "accepted", evidence, depositId };
  }
  const { status, serviceText, consequence } = failureOf(request.operation, answer);
  return {
    kind: consequence === "nothing" ? "in doubt" : consequence,
    evidence: status === undefined ? serviceText : `answered ${status}: ${serviceText}`,
  };
}

type CreatedAs = Pick<ChangeRequest<ChangeName>, "operation" | "subject" | "correlation">;

/**
 * The answer to another creation: the address in it was given to somebody else. A service that keeps references in a way of its own shows
 * our callbackUrl all the same.
 */
function isAnothers(
  { subject, correlation }: CreatedAs,
  { reference, callbackUrl }: Readonly<Record<string, unknown>>,
): boolean {
  const isShown = typeof reference === "string" && typeof callbackUrl === "string";
  return isShown && reference !== subject && callbackUrl !== correlation;
}
