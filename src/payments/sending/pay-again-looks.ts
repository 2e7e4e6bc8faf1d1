/**
 * Looks before a payment is paid again: the earlier one may have been paid after all. It must have been refused, never
 * sent, or have failed without leaving, and no payout that the service shows or has shown may contradict this. A
 * payment that was abandoned in doubt is never paid again, because no look proves that it was not paid.
 */
import {
  type Instruction,
  isNamed,
  type ObservedPayout,
  type PayoutId,
  payoutStateMeaning,
  type Submission,
} from "../../model/index.ts";
import {
  departureOf,
  departuresOfFailed,
  departureText,
  knownForInstruction,
  lookByIds,
  type ObservationTools,
} from "../../observation/index.ts";
import type { Transaction } from "../../store/sql.ts";
import { listSubmissions } from "../../store/submissions.ts";
import { whyNotTheOne } from "./doubts/recognise.ts";
import { type Absence, lookForPayment, lookWithWitness } from "./doubts/witnessed-look.ts";
import { lookForRefused } from "./refused-looks.ts";

type PayAgainVerdict =
  /** Why the payment must not be paid again. */
  | { readonly obstacle: string }
  /** What its absence from the look proves, for the audit. */
  | { readonly evidence: string };

/** Looks for the earlier payment; holds it if it was refused but exists after all. Throws a SERVICE_ fault. */
export async function lookBeforePayAgain(
  tools: ObservationTools,
  keyId: string,
  earlier: Instruction,
): Promise<PayAgainVerdict> {
  const { standing, id } = earlier;
  const submissions = await tools.store.read(() => listSubmissions(id));
  const isRefused = submissions.every(({ outcome }) => outcome === "refused" || outcome === "not sent");
  switch (standing) {
    case "refused":
      return isRefused
        ? lookAtRefused(tools, keyId, earlier)
        : { obstacle: "one of its submissions was not refused" };
    case "abandoned": {
      const look = !hasAnyLeft(submissions) ? lookAtUnsent : isRefused ? lookAtRefused : givenUpInDoubt;
      const verdict = await look(tools, keyId, earlier);
      if ("evidence" in verdict) return verdict;
      return { obstacle: (await whyAcceptFirst(tools, earlier)) ?? verdict.obstacle };
    }
    case "accepted":
      return lookAtAccepted(tools, keyId, earlier);
    default:
      return { obstacle: `it is ${standing}` };
  }
}

/** Whether a request of the payment has left, or may have. */
export function hasAnyLeft(submissions: readonly Submission[]): boolean {
  return submissions.some(({ outcome }) => outcome !== "not sent");
}

function givenUpInDoubt(): PayAgainVerdict {
  const why = "its request may have been carried out, and no look proves that it was not";
  return { obstacle: `it was abandoned in doubt: ${why}` };
}

async function lookAtAccepted(
  tools: ObservationTools,
  keyId: string,
  instruction: Instruction,
): Promise<PayAgainVerdict> {
  const { payoutId } = instruction;
  const obstacle = payoutId === undefined ? "its payout is not known" : await whyNotFailed(tools, payoutId);
  return obstacle === undefined ? lookBesideFailed(tools, keyId, instruction) : { obstacle };
}

/** Why a payout may have paid or may still pay; undefined if it failed without leaving. */
async function whyNotFailed(tools: ObservationTools, payoutId: PayoutId): Promise<string | undefined> {
  const shown = (await lookByIds(tools, [payoutId])).find((payout) => payout.payoutId === payoutId);
  if (shown === undefined) return `the service does not show its payout ${payoutId}`;
  if (payoutStateMeaning(shown.state) !== "failed") return `its payout is ${shown.state}`;
  // The look has stored its sightings, so this read covers earlier ones as well.
  const departure = await tools.store.read(() => departureOf(payoutId));
  return departure && `its payout is ${shown.state}, but ${departureText(departure)}`;
}

/** Looks for a refused payment, which is held if the service has it after all. Throws a SERVICE_ fault. */
async function lookAtRefused(
  tools: ObservationTools,
  keyId: string,
  instruction: Instruction,
): Promise<PayAgainVerdict> {
  const { made, absence } = await lookForRefused(tools, keyId, instruction);
  if (made === undefined) return verdictOf(absence);
  // An abandoned payment cannot be held; its reconciliation alarm says how to accept the payout.
  const command = instruction.standing === "abandoned" ? "reconcile" : "doubt";
  return { obstacle: `${made}; \`paydrop ${command}\` shows the choices` };
}

/** Looks for a failed payout. A look that does not even show that payout proves nothing about others. */
async function lookBesideFailed(
  tools: ObservationTools,
  keyId: string,
  instruction: Instruction,
): Promise<PayAgainVerdict> {
  const { payoutId, fields } = instruction;
  const { byReference, absence } = await lookWithWitness(tools, keyId, [fields.reference]);
  const { whyPaid, count } = await othersBeside(tools, instruction);
  if (whyPaid !== undefined) return { obstacle: whyPaid };
  const isOwnShown = byReference.get(fields.reference)?.some((payout) => payout.payoutId === payoutId);
  if (isOwnShown !== true)
    return {
      obstacle:
        `a look by its reference does not show its own payout ${payoutId}, so it would not show ` +
        `another one either`,
    };
  const words =
    count === 0
      ? "nothing else was found under its reference"
      : "the other payouts found for it failed as well, and none was ever seen to leave";
  return verdictOf({ ...absence, words });
}

/**
 * Other payouts that any look has shown for an accepted payment. Each must be failed now and never have been seen
 * on its way; `whyPaid` names the first that is not.
 */
async function othersBeside(
  tools: ObservationTools,
  instruction: Instruction,
): Promise<{ readonly count: number; readonly whyPaid: string | undefined }> {
  const known = await tools.store.read(() => knownForInstruction(instruction));
  const others = known.filter(({ payoutId }) => payoutId !== instruction.payoutId);
  const ids = others.map(({ payoutId }) => payoutId);
  const now = new Map((await lookByIds(tools, ids)).map((payout) => [payout.payoutId, payout]));
  const departures = await tools.store.read(() => departuresOfFailed([...now.values()]));
  const reasons = others.flatMap(({ payoutId, state }) => {
    const shown = now.get(payoutId);
    const departure = departures.get(payoutId);
    const hasFailed = shown !== undefined && payoutStateMeaning(shown.state) === "failed";
    if (hasFailed && departure === undefined) return [];
    const words =
      departure !== undefined
        ? departureText(departure)
        : shown === undefined
          ? `was ${state} and is no longer shown`
          : `is ${shown.state}`;
    return [`the service has payout ${payoutId} for it too, which ${words}`];
  });
  return { count: others.length, whyPaid: reasons[0] };
}

/**
 * Why an abandoned payment must not be paid again before a payout shown for it is accepted; undefined if there is
 * none.
 */
async function whyAcceptFirst(
  { store }: ObservationTools,
  instruction: Instruction,
): Promise<string | undefined> {
  const known = await store.read(() => knownForInstruction(instruction));
  const own = known.find((payout) => whyNotTheOne(instruction, payout).length === 0);
  if (own === undefined) return undefined;
  const { payoutId, state } = own;
  const command =
    `\`paydrop doubt resolve ${JSON.stringify(instruction.fields.reference)} --accept ` +
    `${payoutId} --reason WHY\``;
  return (
    `the service shows payout ${payoutId} for it, which is ${state}; ${command} accepts it, and if it has ` +
    `failed, it can then be paid again`
  );
}

/** Looks for a payment that was held before it was sent, then abandoned. */
async function lookAtUnsent(
  tools: ObservationTools,
  keyId: string,
  instruction: Instruction,
): Promise<PayAgainVerdict> {
  const { shown, absence } = await lookForPayment(tools, keyId, instruction);
  const paying = shown.find((payout) => isPaidBy(instruction, payout));
  if (paying !== undefined)
    return { obstacle: `the service has payout ${paying.payoutId} for it, which is ${paying.state}` };
  return absence.worth === "unproven"
    ? verdictOf(absence)
    : { evidence: "none of its requests has ever left" };
}

/**
 * Whether a payout may have paid an instruction that this database never sent: a lost database may have sent it before
 * a restore. The payout has the callbackUrl, or pays the same under the same reference, because a file that was taken
 * in again has other callbackUrls.
 */
export function isPaidBy(unsent: Instruction, payout: ObservedPayout): boolean {
  return isNamed(unsent, payout) || whyNotTheOne(unsent, payout).length === 0;
}

/** Why `earlier` may have been paid, by every look so far; then the payment that pays it again must not leave. */
export function* whyPaidAlready(earlier: Instruction): Transaction<string | undefined> {
  const hasLeft = hasAnyLeft(yield* listSubmissions(earlier.id));
  const shown = yield* knownForInstruction(earlier);
  const departures = yield* departuresOfFailed(shown);
  for (const payout of shown) {
    const { payoutId, state } = payout;
    if (!hasLeft && !isPaidBy(earlier, payout)) continue;
    const departure = departures.get(payoutId);
    if (payoutStateMeaning(state) === "failed" && departure === undefined) continue;
    const words = departure === undefined ? `is ${state}` : departureText(departure);
    return `${earlier.fields.reference}, which it pays again, has payout ${payoutId}, which ${words}`;
  }
  return undefined;
}

function verdictOf({ worth, words }: Absence): PayAgainVerdict {
  return worth === "unproven"
    ? { obstacle: `whether the service has it is not known: ${words}; try again` }
    : { evidence: words };
}
