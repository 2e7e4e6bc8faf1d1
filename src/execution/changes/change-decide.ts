/**
 * What a person decides about a change in doubt. Every decision looks at the deposit or payout first, refuses what the service
 * contradicts, and is on record with its reason. Nothing is ever sent here. The caller holds the lane.
 */
import { type Fault, fault } from "../../faults/index.ts";
import type { Change, ChangeOutcome } from "../../model/index.ts";
import { lookByIds, lookForDeposits } from "../../observation/index.ts";
import { appendAudit } from "../../store/audit.ts";
import { findChanges, getChange } from "../../store/changes.ts";
import { findSighting } from "../../store/observed.ts";
import type { Transaction } from "../../store/sql.ts";
import { type Deposit, parseJson, payout } from "../../wire/index.ts";
import type { ChangeTools } from "../tools.ts";
import { isCreation, settleChange } from "./change-doubt.ts";

export interface ChangeDecision {
  /** The number under which the change is kept. */
  readonly number: number;
  readonly person: string;
  readonly reason: string;
}

/**
 * It was done: this deposit was created, or this payout or deposit was voided or authorized. Throws DECISION_REFUSED where the
 * service does not show it so.
 */
export async function acceptChangeByPerson(
  tools: ChangeTools,
  decision: ChangeDecision,
  id: string,
): Promise<void> {
  const doubtful = await openChange(tools, decision);
  if (isCreation(doubtful)) {
    const shown = (await lookForCreated(tools, doubtful)).find(({ depositId }) => depositId === id);
    if (shown === undefined)
      throw refused(doubtful, `the service shows no deposit ${id} under its reference`);
    await refuseOwned(tools, doubtful, id);
  } else {
    if (id !== doubtful.subject) throw refused(doubtful, `it is about ${doubtful.subject}, not about ${id}`);
    const { isDone, words } = await lookAtSubject(tools, doubtful);
    if (isDone === false) throw refused(doubtful, words);
  }
  const evidence = `accepted by ${decision.person}: ${decision.reason}`;
  const deposit = isCreation(doubtful) ? { depositId: id } : {};
  await settleByPerson(tools, decision, doubtful, { kind: "accepted", evidence, ...deposit });
}

/** It is given up; whoever wants it asks for it anew. Throws DECISION_REFUSED where the service shows that it was done. */
export async function abandonChangeByPerson(tools: ChangeTools, decision: ChangeDecision): Promise<void> {
  const doubtful = await openChange(tools, decision);
  if (isCreation(doubtful)) {
    const own = (await lookForCreated(tools, doubtful)).find(mayBeOf(doubtful));
    if (own !== undefined) throw refused(doubtful, `the service shows deposit ${own.depositId} under it`);
  } else {
    const { isDone, words } = await lookAtSubject(tools, doubtful);
    if (isDone === true) throw refused(doubtful, words);
  }
  const evidence = `abandoned by ${decision.person}: ${decision.reason}`;
  await settleByPerson(tools, decision, doubtful, { kind: "abandoned", evidence });
}

/** Whether a deposit may be the one of the change: it has its callbackUrl, or the service does not show any. */
function mayBeOf({ correlation }: Change): (deposit: Deposit) => boolean {
  return ({ callbackUrl }) => callbackUrl === undefined || callbackUrl === correlation;
}

async function openChange({ store, gateway, policy }: ChangeTools, { number }: ChangeDecision) {
  const found = await store.read(() => getChange(number));
  const { outcome = "under way", baseUrl, keyId } = found;
  if (outcome !== "in doubt") throw refused(found, `it is ${outcome}, not in doubt`);
  if (baseUrl !== gateway.baseUrl) throw refused(found, `it was sent to ${baseUrl}`);
  if (keyId !== policy.keyId) throw refused(found, "it was sent with another client key");
  return found;
}

async function lookForCreated(tools: ChangeTools, doubtful: Change): Promise<readonly Deposit[]> {
  const { found, complete } = await lookForDeposits(tools, { references: [doubtful.subject] });
  if (!complete) throw refused(doubtful, "the look for it was incomplete; try again");
  return found.map(({ element }) => element);
}

async function refuseOwned({ store }: ChangeTools, doubtful: Change, depositId: string): Promise<void> {
  const earlier = await store.read(() => findChanges(doubtful.subject));
  const owner = earlier.find((one) => one.depositId === depositId);
  if (owner !== undefined) throw refused(doubtful, `deposit ${depositId} is that of change ${owner.id}`);
}

interface Sight {
  /** Undefined where what the service shows fits either. */
  readonly isDone: boolean | undefined;
  readonly words: string;
}

async function lookAtSubject(tools: ChangeTools, doubtful: Change): Promise<Sight> {
  const { operation, subject } = doubtful;
  if (operation.startsWith("voidDeposit")) {
    const { found } = await lookForDeposits(tools, { ids: [subject] });
    const shown = found.find(({ element }) => element.depositId === subject);
    if (shown === undefined) throw refused(doubtful, `the service shows no deposit ${subject}`);
    const { depositState } = shown.element;
    return { isDone: depositState === "VOID", words: `the service shows it ${depositState}` };
  }
  const found = await lookByIds(tools, [subject]);
  const shown = found.find(({ payoutId }) => payoutId === subject);
  if (shown === undefined) throw refused(doubtful, `the service shows no payout ${subject}`);
  if (operation !== "authorize")
    return { isDone: shown.state === "CANCELLED", words: `the service shows it ${shown.state}` };
  return lookAtSignatures(tools, subject);
}

/** The change does not say which user authorized, so only all or none of the authorizations prove something (interface, section Authorization). */
async function lookAtSignatures({ store }: ChangeTools, payoutId: string): Promise<Sight> {
  const sighting = await store.read(() => findSighting("payout", payoutId));
  const { authorization } = payout.parse(parseJson(sighting?.raw ?? "null"));
  const all = authorization?.cosignerAuthorizations ?? [];
  const pending = all.filter(({ state }) => state === "PENDING").length;
  const words = `the service shows ${all.length - pending} of ${all.length} authorizations given`;
  const proven = pending === 0 ? true : pending === all.length ? false : undefined;
  return { isDone: all.length === 0 ? undefined : proven, words };
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

function refused({ operation, subject }: Change, reason: string): Fault {
  return fault("DECISION_REFUSED", { reason }, { operation, reference: subject });
}
