/**
 * One call that changes something at the service but creates no payout: it creates a deposit, voids or authorizes.
 * Like a submission it takes its nonce from the lane, and is never repeated.
 */
import { fault } from "../../../faults/index.ts";
import {
  type Answer,
  failureOf,
  type OperationBodies,
  type OperationWith,
  problemOf,
  ServiceFault,
  unlessServiceFails,
} from "../../../gateway/index.ts";
import type { ChangeOutcome, RequestedDeposit } from "../../../model/index.ts";
import { present } from "../../../model/present.ts";
import { passOverUsedCode } from "../creation-code.ts";
import type { ChangeTools } from "../tools.ts";
import { resolveChange, resolveEarlierChanges, settleChange } from "./change-doubt.ts";
import { writeChangeIntent } from "./change-intent.ts";

export type ChangeName = OperationWith<"deposit creation" | "change">;

/** Values known only when the request is sent. */
export interface SendTimeValues {
  /** int64. */
  readonly nonce: bigint;
  /** Empty unless the change needs a code. */
  readonly otpCode: string;
}

export interface ChangeRequest<Name extends ChangeName> {
  readonly operation: Name;
  /** The reference of a deposit to be created, or the payoutId or depositId to be changed. */
  readonly subject: string;
  readonly person: string;
  /** The unique callbackUrl of a deposit to be created, by which it is recognised; absent for other changes. */
  readonly correlation?: string;
  /** The requested terms of a deposit to be created; absent for other changes. */
  readonly requested?: RequestedDeposit;
  readonly needsCode?: boolean;
  /**
   * A nonce that the lane allocated earlier, for a trial of the nonce rule; by default it allocates the next one.
   */
  readonly nonce?: bigint;
  bodyOf(values: SendTimeValues): OperationBodies[Name];
}

export interface ChangeReport {
  readonly operation: ChangeName;
  readonly subject: string;
  readonly nonce: bigint;
  /** Whether the outcome is unknown; otherwise the change was accepted. */
  readonly isInDoubt: boolean;
  readonly evidence: string;
  readonly depositId?: string;
  /** The address in the answer to a synchronous creation; not looked up yet. */
  readonly receiverAddress?: string;
}

/**
 * Sends one change and stores its outcome; the caller holds the lane. Throws INTERFACE_GAP, SENDING_STOPPED,
 * LANE_PAUSED, DEPOSIT_ALREADY_ASKED_FOR or OTP_FAILED before anything is sent, and a ServiceFault if the change
 * was refused or not sent.
 */
export async function change<Name extends ChangeName>(
  tools: ChangeTools,
  request: ChangeRequest<Name>,
): Promise<ChangeReport> {
  const { context, store, gateway, policy } = tools;
  const { operation, subject, person, correlation = "", requested } = request;
  gateway.requireRoute(operation);
  const ordered = stopOrderFor(operation, policy);
  if (ordered !== undefined)
    throw fault("SENDING_STOPPED", { reason: ordered }, { operation, reference: subject });
  await resolveEarlierChanges(tools);
  const otpCode = request.needsCode === true ? await nextUnusedCode(tools) : "";
  const about = { operation, subject, correlation, person, baseUrl: gateway.baseUrl };
  const intent = { ...about, ...present({ requested }), intendedAt: context.clock.now() };
  const { id, nonce } = await store.write(() => writeChangeIntent(intent, policy, request.nonce));

  const answer = await gateway.call<ChangeName>(operation, request.bodyOf({ nonce, otpCode }), {
    oneTimeCode: otpCode,
    stopBeforeWrite: () => policy.whyLaneClosed() ?? stopOrderFor(operation, policy),
  });
  const answered = changeOutcomeOf(request, answer);
  const changed = { id, ...intent, keyId: policy.keyId, nonce, evidence: answered.evidence };
  await store.write(() => settleChange(changed, answered, context.clock.now()));
  const isConflict = answer.kind === "error" && answer.status === 409;
  // If the look fails too, the report must say that the change is in doubt, not that the look failed.
  const looked =
    answered.kind === "in doubt"
      ? await unlessServiceFails(
          () => resolveChange(tools, changed, isConflict),
          () => undefined,
        )
      : undefined;
  const { kind, evidence, depositId } = looked ?? answered;
  context.log.info("changed", { operation, nonce: nonce.toString(), outcome: kind });

  if (answer.kind !== "success" && (kind === "refused" || kind === "not sent")) {
    const failure = failureOf(operation, answer);
    throw new ServiceFault(failure, problemOf(failure, answer, gateway));
  }
  const report = { operation, subject, nonce, isInDoubt: kind === "in doubt", evidence };
  const receiverAddress = kind === "accepted" ? addressIn(answer) : undefined;
  return { ...report, ...present({ depositId, receiverAddress }) };
}

function addressIn(answer: Answer<ChangeName>): string | undefined {
  const body: Readonly<Record<string, unknown>> = answer.kind === "success" ? (answer.body ?? {}) : {};
  const address = body["receiverAddress"];
  return typeof address === "string" ? address : undefined;
}

/**
 * The stop order that forbids this operation; undefined if none does. Voids stay allowed, because they take
 * payments back.
 */
function stopOrderFor(operation: ChangeName, policy: ChangeTools["policy"]): string | undefined {
  return operation.startsWith("void") ? undefined : policy.stopOrder();
}

async function nextUnusedCode(tools: ChangeTools): Promise<string> {
  await passOverUsedCode(tools);
  return tools.codes.next();
}

function changeOutcomeOf(request: CreatedAs, answer: Answer<ChangeName>): ChangeOutcome {
  if (answer.kind === "success") {
    const { status, body } = answer;
    const evidence = `answered ${status}`;
    if (body === undefined) return { kind: "accepted", evidence };
    const { depositId, reference } = body;
    return isForAnotherRequest(request, body)
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
 * Whether the answer belongs to another creation, so that its address was given to another payer. The callbackUrl
 * is compared as well, because some services rewrite references.
 */
function isForAnotherRequest(
  { subject, correlation }: CreatedAs,
  { reference, callbackUrl }: Readonly<Record<string, unknown>>,
): boolean {
  const isShown = typeof reference === "string" && typeof callbackUrl === "string";
  return isShown && reference !== subject && callbackUrl !== correlation;
}
