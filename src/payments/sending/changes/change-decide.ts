/**
 * A person's decisions about a change in doubt. Each decision first looks at the deposit or payout, is refused if
 * the service contradicts it, and is audited with its reason. Nothing is sent here. The caller holds the lane.
 */
import { type Fault, fault, type Reason } from "../../../faults/index.ts";
import { type ServiceFault, unlessServiceFails } from "../../../gateway/index.ts";
import type { Change, ChangeOutcome } from "../../../model/index.ts";
import { lookByIds, lookForDeposits } from "../../../observation/index.ts";
import { appendAudit } from "../../../store/audit.ts";
import { findChanges, getChange } from "../../../store/changes.ts";
import { findPayoutSighting } from "../../../store/observed.ts";
import type { Transaction } from "../../../store/sql.ts";
import { type Deposit, parseJson, payout } from "../../../wire/index.ts";
import { DESPITE_INCOMPLETE_LOOK } from "../doubts/decision.ts";
import type { ChangeTools } from "../tools.ts";
import { isCreation, settleChange } from "./change-doubt.ts";

export interface ChangeDecision {
  /** The number under which the change is kept. */
  readonly number: number;
  readonly person: string;
  readonly reason: string;
}

/**
 * Records that the change was carried out: deposit `id` was created, or payout or deposit `id` was voided or
 * authorized. Throws DECISION_REFUSED if the service shows that it was not, or if the look proves nothing. The
 * person's word decides about an authorization if no cosigners are listed, or only some have answered.
 */
export async function acceptChangeByPerson(
  tools: ChangeTools,
  decision: ChangeDecision,
  id: string,
): Promise<void> {
  const doubtful = await openChange(tools, decision);
  const elsewhere = sentElsewhere(tools, doubtful);
  if (elsewhere !== undefined) throw refused(doubtful, { reason: "look", look: elsewhere });
  if (isCreation(doubtful)) {
    const { unseen, deposits } = await lookForCreated(tools, doubtful);
    if (unseen !== undefined) throw refused(doubtful, { reason: "look-again", look: unseen });
    if (!deposits.some(({ depositId }) => depositId === id))
      throw refused(doubtful, { reason: "no-deposit", deposit: id });
    await refuseOwned(tools, doubtful, id);
  } else {
    if (id !== doubtful.subject)
      throw refused(doubtful, { reason: "subject", subject: doubtful.subject, named: id });
    const { worth, words } = await lookAtSubject(tools, doubtful);
    if (worth === "not done" || worth === "unseen") throw refused(doubtful, { reason: "look", look: words });
  }
  const evidence = `accepted by ${decision.person}: ${decision.reason}`;
  const deposit = isCreation(doubtful) ? { depositId: id } : {};
  await settleByPerson(tools, decision, doubtful, { kind: "accepted", evidence, ...deposit });
}

/**
 * Gives the change up; it may then be requested again. Throws DECISION_REFUSED if the service shows that it was
 * carried out, and, unless `despiteIncompleteLook`, if no look can tell.
 */
export async function abandonChangeByPerson(
  tools: ChangeTools,
  decision: ChangeDecision,
  despiteIncompleteLook = false,
): Promise<void> {
  const doubtful = await openChange(tools, decision);
  const { worth, words } = despiteIncompleteLook
    ? await unlessServiceFails(() => lookAtChange(tools, doubtful), notLookedAt)
    : await lookAtChange(tools, doubtful);
  if (worth === "done") throw refused(doubtful, { reason: "look", look: words });
  if (worth === "unseen" && !despiteIncompleteLook)
    throw refused(doubtful, { reason: "look-abandon", look: words, option: DESPITE_INCOMPLETE_LOOK });
  const evidence = `abandoned by ${decision.person}: ${decision.reason} (${words})`;
  await settleByPerson(tools, decision, doubtful, { kind: "abandoned", evidence });
}

/** The change's result as the service shows it. Throws a SERVICE_ fault when the service cannot be asked. */
async function lookAtChange(tools: ChangeTools, doubtful: Change): Promise<Sight> {
  const elsewhere = sentElsewhere(tools, doubtful);
  if (elsewhere !== undefined) return { worth: "unseen", words: elsewhere };
  if (!isCreation(doubtful)) return lookAtSubject(tools, doubtful);
  const { unseen, deposits } = await lookForCreated(tools, doubtful);
  const own = deposits.find(mayBeOf(doubtful));
  if (own !== undefined)
    return { worth: "done", words: `the service shows deposit ${own.depositId} under it` };
  return unseen === undefined
    ? { worth: "not done", words: "the service shows no deposit under it" }
    : { worth: "unseen", words: unseen };
}

/** A service that can never be asked again must not keep a change in doubt for good. */
function notLookedAt({ message }: ServiceFault): Sight {
  return { worth: "unseen", words: `not looked at: ${message}` };
}

/** Whether the change may have created the deposit: it has the change's callbackUrl, or the service shows none. */
function mayBeOf({ correlation }: Change): (deposit: Deposit) => boolean {
  return ({ callbackUrl }) => callbackUrl === undefined || callbackUrl === correlation;
}

async function openChange({ store }: ChangeTools, { number }: ChangeDecision): Promise<Change> {
  const found = await store.read(() => getChange(number));
  const { outcome = "under way" } = found;
  if (outcome !== "in doubt") throw refused(found, { reason: "not-in-doubt", outcome });
  return found;
}

/** Why the service we are connected to cannot know of this change; undefined when it can. */
function sentElsewhere({ gateway, policy }: ChangeTools, { baseUrl, keyId }: Change): string | undefined {
  if (baseUrl !== gateway.baseUrl) return `it was sent to ${baseUrl}`;
  return keyId === policy.keyId ? undefined : "it was sent with another client key";
}

async function lookForCreated(tools: ChangeTools, doubtful: Change) {
  const { found, complete } = await lookForDeposits(tools, { references: [doubtful.subject] });
  const deposits = found.map(({ element }) => element);
  return complete ? { deposits } : { deposits, unseen: "the look for it was incomplete" };
}

async function refuseOwned({ store }: ChangeTools, doubtful: Change, depositId: string): Promise<void> {
  const earlier = await store.read(() => findChanges(doubtful.subject));
  const owner = earlier.find((created) => created.depositId === depositId);
  if (owner !== undefined)
    throw refused(doubtful, { reason: "deposit-owned", deposit: depositId, change: owner.id });
}

interface Sight {
  /** unclear: the service's answer is consistent with either. unseen: the look proves nothing. */
  readonly worth: "done" | "not done" | "unclear" | "unseen";
  readonly words: string;
}

async function lookAtSubject(tools: ChangeTools, doubtful: Change): Promise<Sight> {
  const { operation, subject } = doubtful;
  if (operation.startsWith("voidDeposit")) {
    const { found } = await lookForDeposits(tools, { ids: [subject] });
    const shown = found.find(({ element }) => element.depositId === subject);
    if (shown === undefined) return { worth: "unseen", words: `the service shows no deposit ${subject}` };
    const { depositState } = shown.element;
    return { worth: doneWhere(depositState === "VOID"), words: `the service shows it ${depositState}` };
  }
  const found = await lookByIds(tools, [subject]);
  const shown = found.find(({ payoutId }) => payoutId === subject);
  if (shown === undefined) return { worth: "unseen", words: `the service shows no payout ${subject}` };
  if (operation !== "authorize")
    return { worth: doneWhere(shown.state === "CANCELLED"), words: `the service shows it ${shown.state}` };
  return lookAtSignatures(tools, subject);
}

/** A change does not record who authorized, so only "all given" or "none given" is conclusive. */
async function lookAtSignatures({ store }: ChangeTools, payoutId: string): Promise<Sight> {
  const sighting = await store.read(() => findPayoutSighting(payoutId));
  const { authorization } = payout.parse(parseJson(sighting?.raw ?? "null"));
  const all = authorization?.cosignerAuthorizations ?? [];
  const pending = all.filter(({ state }) => state === "PENDING").length;
  const given = all.filter(({ state }) => state === "AUTHORIZED").length;
  const words = `the service shows ${given} of ${all.length} authorizations given`;
  const isClear = all.length > 0 && (given === all.length || pending === all.length);
  return { worth: isClear ? doneWhere(pending === 0) : "unclear", words };
}

function doneWhere(isDone: boolean): Sight["worth"] {
  return isDone ? "done" : "not done";
}

async function settleByPerson(
  { store, context }: ChangeTools,
  { person, reason }: ChangeDecision,
  doubtful: Change,
  outcome: ChangeOutcome,
): Promise<void> {
  const at = context.clock.now();
  const { operation, subject, nonce } = doubtful;
  const verb = outcome.kind === "accepted" ? "accept" : "abandon";
  const detail = { nonce: nonce.toString(), reason };
  await store.write(function* (): Transaction<void> {
    yield* appendAudit({ at, person, action: `${verb} ${operation}`, subject, detail });
    yield* settleChange(doubtful, outcome, at);
  });
}

function refused({ operation, subject }: Change, why: Reason<"DECISION_REFUSED">): Fault {
  return fault("DECISION_REFUSED", why, { operation, reference: subject });
}
