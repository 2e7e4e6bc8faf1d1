/** A person's choices about a doubt, and the consequence of each, in words. Pure. */
import type { Config } from "../../config/index.ts";
import { applying } from "../../model/applying.ts";
import type { Change, Instruction, PayoutId } from "../../model/index.ts";
import { isCreation } from "../sending/index.ts";

export interface Choice {
  /** The option of `doubt resolve`. */
  readonly option: string;
  readonly consequence: string;
  /** Notes that a person should read before choosing it. */
  readonly notes?: readonly string[];
}

/** The facts about the request and the looks for it. */
export interface DoubtEvidence {
  /** Whether the request has left or may have. */
  readonly hasLeft: boolean;
  /** The payouts that looks have shown and that may be accepted for the payment. */
  readonly acceptable: readonly PayoutId[];
  /** Whether a higher nonce of the key has left since or may have. */
  readonly isOvertaken: boolean;
  /** Whether a payout of the key has ever been found by its reference as it was sent. */
  readonly isWitnessed: boolean;
  /** How much of the settle window is left. */
  readonly settleLeftMs: number;
  /** Whether the request is older than the service remembers nonces; false if the configuration does not say. */
  readonly isForgotten: boolean;
  /** Why the request may not be sent again now. */
  readonly whyNotSentAgain?: string;
}

export function choicesForPayment(
  instruction: Pick<Instruction, "standing" | "batchId">,
  rule: Config["nonce"]["rule"],
  evidence: DoubtEvidence,
): Choice[] {
  const others = instruction.standing === "held" ? choicesForHeld(evidence) : choicesInDoubt(rule, evidence);
  return [...choicesToAccept(instruction, evidence), ...others];
}

/** One choice for each payout that may be the payment. If none is known, a person has to find it. */
function choicesToAccept(
  { standing, batchId }: Pick<Instruction, "standing" | "batchId">,
  { acceptable }: DoubtEvidence,
): Choice[] {
  const notes = applying(
    standing === "held" && "if that payout has failed, `paydrop pay again` then pays it again",
    acceptable.length === 1 &&
      `\`paydrop doubt resolve ${batchId} --accept --reason WHY\` does so for each payment of the batch with ` +
        `one such payout`,
  );
  const ids = acceptable.length > 0 ? acceptable : ["PAYOUT_ID"];
  return ids.map((id) => ({ option: `--accept ${id}`, consequence: ACCEPTED, notes }));
}

const ACCEPTED = "that payout is this payment: it is followed and booked, and nothing is sent again";

function choicesForHeld({ hasLeft }: DoubtEvidence): Choice[] {
  return [
    {
      option: "--abandon",
      consequence: hasLeft
        ? ABANDONED
        : "nothing was sent, as far as this database knows; `paydrop pay again` pays it under a new " +
          "reference, unless the payout that the service shows for it pays the same",
      notes: ["refused while a payout of the service is this one, can be accepted and has not failed"],
    },
  ];
}

function choicesInDoubt(rule: Config["nonce"]["rule"], evidence: DoubtEvidence): Choice[] {
  const warnings = warningsOf(evidence);
  return [
    {
      option: "--resend",
      consequence: resendConsequence(rule, evidence),
      notes: applying(
        evidence.whyNotSentAgain && `refused now: ${evidence.whyNotSentAgain}`,
        "it is looked for right before, and not sent if it is found or the look is incomplete",
        ...warnings,
      ),
    },
    {
      option: "--abandon",
      consequence: ABANDONED,
      notes: [
        "it is looked for right before: refused if it is found and can be accepted; also if the look is incomplete " +
          "or not answered, unless `--despite-incomplete-look` is added",
        ...warnings,
      ],
    },
  ];
}

const ABANDONED =
  "nothing is sent again; if its payout appears, reconciliation raises an alarm; if the service's operator says " +
  "that it was not carried out, submit it again in another file, under a new reference: its preview names this " +
  "one as a repeat";

/** Warns if the look right before a re-send proves little. */
function warningsOf({ isWitnessed, settleLeftMs }: DoubtEvidence): string[] {
  const left =
    `its request may still be on its way: ${Math.ceil(settleLeftMs / 60_000)} min of the settle ` +
    `window are left`;
  const unwitnessed =
    "no payout of this key has ever been found by such a reference as it was sent: a look that does not show it " +
    "proves nothing";
  return applying(settleLeftMs > 0 && left, !isWitnessed && unwitnessed);
}

function resendConsequence(
  rule: Config["nonce"]["rule"],
  { isOvertaken, isForgotten }: DoubtEvidence,
): string {
  const once = "the same request is sent again";
  if (isForgotten)
    return (
      `${once}: by \`nonce.memoryDays\` the service may have forgotten its nonce, and pays it twice if the ` +
      `first one arrived`
    );
  if (rule === "unique")
    return (
      `${once}: the service pays it once if it takes each nonce once, as you state, and still remembers this ` +
      `one; otherwise twice if the first one arrived`
    );
  if (!isOvertaken)
    return (
      `${once}: the service pays it once if it takes each nonce once, and twice if it does not and the ` +
      `first one arrived`
    );
  const overtaken =
    `${once}, but a higher nonce has left since: a service that wants rising nonces refuses it, ` +
    `and it stays in doubt`;
  return rule === "increasing"
    ? overtaken
    : `${overtaken}; one that takes each nonce once pays it once; one that ignores nonces pays it twice if the ` +
        `first one arrived`;
}

const DESPITE_NOTE =
  "Paydrop looks right before, and refuses if the service shows that it was done; also if the look is " +
  "inconclusive, unless " +
  "`--despite-incomplete-look` is added";

export function choicesForChange(change: Pick<Change, "operation" | "subject" | "correlation">): Choice[] {
  if (isCreation(change))
    return [
      {
        option: "--accept DEPOSIT_ID",
        consequence: "that deposit is the requested one, and its reference stays used",
      },
      {
        option: "--abandon",
        consequence: "its reference may be used again; if the deposit appears, nobody has its address",
        notes: [DESPITE_NOTE],
      },
    ];
  const again = change.operation === "authorize" ? "authorize" : "void";
  return [
    {
      option: `--accept ${change.subject}`,
      consequence: "it was done; refused if the service shows that it was not, or shows nothing of it",
    },
    {
      option: "--abandon",
      consequence:
        `it was not done, as far as is known; \`${again}\` requests it again, and the first ` +
        `request may still arrive`,
      notes: [DESPITE_NOTE],
    },
  ];
}
