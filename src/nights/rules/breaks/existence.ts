/** Payments without their payout, payouts without their payment, and payouts that may be one too many. */
import {
  type Instant,
  minuteText,
  type ObservedPayout,
  payoutStateMeaning,
  type Standing,
} from "../../../model/index.ts";
import { present } from "../../../model/present.ts";
import type { NotShown } from "../reconciliation.ts";
import {
  acceptCommand,
  describeDeposit,
  describeInstruction,
  describePayout,
  printable,
  quoted,
  sentSince,
  wayIn,
} from "../wording.ts";
import { aboutDeposit, aboutPayout, type BreakRule, type Finding, inMatches } from "./break-rule.ts";

export const EXISTENCE_RULES: readonly BreakRule[] = [
  /** An accepted instruction has no payout at the service, or one that cannot be read. */
  {
    kind: "missing",
    severity: "alarm",
    find: ({ missing, unreadable, submittedSince }) =>
      missing.map((instruction) => {
        const { fields, payoutId } = instruction;
        const isUnreadable = payoutId !== undefined && unreadable.has(payoutId);
        const shown = isUnreadable
          ? "which the service shows in a form that cannot be read. Ask its operator"
          : "but the service does not show it. Ask its operator. " +
            "If it was never made, a new row under another reference pays it";
        const sentAgain = sentSince(
          submittedSince.get(instruction.id),
          "and this one was made, it is paid twice",
        );
        return {
          key: `reference:${fields.reference}`,
          reference: fields.reference,
          custodyAccountId: fields.custodyAccountId,
          ...present({ payoutId }),
          amount: fields.amount,
          sentence:
            `${describeInstruction(instruction)} was accepted as payout ${payoutId ?? "(no id stored)"}, ` +
            `${shown}.${sentAgain}`,
        };
      }),
  },
  /** A deposit that we created was never shown, so it is unknown where money sent to it arrives. */
  {
    kind: "missing",
    severity: "alarm",
    find: ({ missingOrFailedDeposits }) =>
      missingOrFailedDeposits.flatMap(({ depositId, reference, state, amount }) => {
        if (state !== undefined) return [];
        const sentence =
          `Deposit ${quoted(reference)} was created as ${depositId}, but the service has never shown it. ` +
          `Ask its operator before a customer pays to its address.`;
        return [{ key: `deposit:${depositId}`, depositId, reference, ...present({ amount }), sentence }];
      }),
  },
  /** A payout exists at the service, or was shown by it once, but none of our instructions asked for it. */
  {
    kind: "unexpected",
    severity: "alarm",
    find: ({ unexpected, notShown }) =>
      unexpected.map(({ payout, namesake }) => {
        const exists = existsAtService(payout, notShown);
        const sentence =
          namesake === undefined
            ? `${exists}, but no file asked for it.`
            : `${exists} under the reference of ${describeInstruction(namesake)}, which is ` +
              `${namesake.standing}, ${withoutProof(payout)}.${wayIn(namesake, payout)}`;
        const standing = namesake && { field: "standing", found: namesake.standing };
        return aboutPayout(payout, undefined, { ...standing, sentence });
      }),
  },
  /** A second payout has the reference or callbackUrl of an instruction that already has its payout. */
  {
    kind: "duplicate-reference",
    severity: "alarm",
    find: ({ duplicates, unreadable, notShown }) =>
      duplicates.map(({ payout, instruction, firstPayoutId, firstIsShown }) => {
        const paidTwice =
          `${existsAtService(payout, notShown)} in addition to payout ${firstPayoutId} for ` +
          `${describeInstruction(instruction)}: it may have been paid twice.`;
        const command = acceptCommand(instruction.fields.reference, payout.payoutId);
        const sentence =
          firstIsShown || unreadable.has(firstPayoutId)
            ? paidTwice
            : `${paidTwice} The service does not show the other one. If that one never existed, ${command} ` +
              `accepts this one.`;
        return aboutPayout(payout, instruction, { sentence });
      }),
  },
  /** A payment was paid again, or submitted again, because its payout had failed, but that payout continues. */
  {
    kind: "paid-twice",
    severity: "alarm",
    find: (context) => {
      const { matches, paidAgain, submittedSince, settled, departures } = context;
      if (paidAgain.size + submittedSince.size + settled.size === 0) return [];
      const mayHavePaid = ({ state, payoutId }: ObservedPayout) =>
        payoutStateMeaning(state) !== "failed" || departures.has(payoutId);
      const withoutEffect = new Set(
        matches
          .filter(({ payout }) => !mayHavePaid(payout))
          .map(({ instruction }) => instruction.fields.reference),
      );
      return inMatches(({ instruction, payout }) => {
        // A payment that was never accepted breaks another rule.
        if (instruction.standing !== "accepted" || !mayHavePaid(payout)) return [];
        const effective = (references: readonly string[] = []) =>
          references.filter((reference) => !withoutEffect.has(reference));
        const [again] = effective(paidAgain.get(instruction.id));
        const sentAgain = sentSince(
          effective(submittedSince.get(instruction.id)),
          "it may have been paid twice",
        );
        const why =
          again === undefined
            ? whyReplaced(payout, sentAgain, settled.get(instruction.id))
            : `although ${describeInstruction(instruction)} is paid again as ${quoted(again)}: it may have ` +
              `been paid twice.`;
        if (why === undefined) return [];
        const sentence = `${describePayout(payout)} is ${payout.state}, ${why}`;
        return [{ field: "payoutState", found: payout.state, sentence }];
      })(context);
    },
  },
  /** A payout exists for an instruction that must have none: refused, abandoned, withdrawn, held or never sent. */
  {
    kind: "against-standing",
    severity: "alarm",
    find: inMatches(({ instruction, payout }, { submittedSince, notShown }) => {
      const { standing } = instruction;
      if (MAY_HAVE_PAYOUT.has(standing)) return [];
      const twice = sentSince(submittedSince.get(instruction.id), "it is paid twice");
      const sentence =
        `${existsAtService(payout, notShown)}, although ${describeInstruction(instruction)} is ` +
        `${standing}.${twice}${wayIn(instruction, payout)}`;
      return [{ field: "standing", expected: standing, found: payout.state, sentence }];
    }),
  },
  /** The payoutId answered for one instruction has the callbackUrl of another: their answers were mixed up. */
  {
    kind: "mixed-up",
    severity: "alarm",
    find: inMatches(({ instruction, payout, mixedUpWith }) => {
      if (mixedUpWith === undefined) return [];
      const expected = instruction.fields.reference;
      const found = mixedUpWith.fields.reference;
      const sentence =
        `${describePayout(payout)} was answered for ${describeInstruction(instruction)}, but has the ` +
        `callbackUrl of ${describeInstruction(mixedUpWith)}. The outcome of the first payment is not ` +
        `known. ${acceptCommand(found, payout.payoutId)} accepts it for the second.`;
      return [{ field: "callbackUrl", expected, found, sentence }];
    }),
  },
  /**
   * The service provably no longer shows a payout or deposit seen before. Either it has lost it, or
   * an answer showed something that never existed. Its movements still count in the balance proof and its entries
   * remain, so a person must know.
   */
  {
    kind: "not-shown",
    severity: "warning",
    find: ({ matches, duplicates, unexpected, deposits, notShown }) => {
      if (notShown.size === 0) return [];
      const findings: Finding[] = [];
      const sentenceOf = (subject: string, state: string, lastSeenAt: Instant) =>
        `${subject} was ${printable(state)} when it was seen at ${minuteText(lastSeenAt)}, but the ` +
        `service no longer shows it. ${STILL_COUNTS}`;
      const payouts = [
        ...matches,
        ...[...duplicates, ...unexpected].map(({ payout }) => ({ payout, instruction: undefined })),
      ];
      for (const { payout, instruction } of payouts) {
        const { payoutId, state } = payout;
        const lastSeenAt = notShown.get(payoutId);
        if (lastSeenAt === undefined) continue;
        // A payment under way has lost the payout that would complete it.
        const isAwaited = instruction?.standing === "accepted" && payoutStateMeaning(state) === "open";
        const sentence = sentenceOf(describePayout(payout), state, lastSeenAt);
        const severity = isAwaited ? "alarm" : "warning";
        const field = "payoutState";
        findings.push(
          aboutPayout(payout, instruction, { field, found: state, lastSeenAt, sentence, severity }),
        );
      }
      for (const deposit of deposits) {
        const { depositId, state } = deposit;
        const lastSeenAt = notShown.get(depositId);
        if (lastSeenAt === undefined) continue;
        const sentence = sentenceOf(describeDeposit(deposit), state, lastSeenAt);
        findings.push(aboutDeposit(deposit, { field: "depositState", found: state, lastSeenAt, sentence }));
      }
      return findings;
    },
  },
];

const STILL_COUNTS =
  "Its movements still count in the balance proof and the ledger. " +
  "If it never existed, `paydrop reconcile baseline` sets it aside. " +
  "That also closes the alarms about balances and about payouts that no file asked for, so check those first.";

/** Everything that an answer has ever shown counts, but only what is shown now is said to exist. */
function existsAtService(payout: ObservedPayout, notShown: NotShown): string {
  return `${describePayout(payout)} ${notShown.has(payout.payoutId) ? "was shown by" : "exists at"} the service`;
}

/** Why a continuing payout may have been replaced: its payment was submitted again, or its break was settled. */
function whyReplaced(
  { state }: ObservedPayout,
  sentAgain: string,
  settled: { readonly person: string; readonly reason: string } | undefined,
): string | undefined {
  const meaning = payoutStateMeaning(state);
  // A payout in an unknown state has its own break, which says this.
  if (meaning === "unknown") return undefined;
  if (sentAgain !== "") return `although it was reported as failed, unknown or missing.${sentAgain}`;
  if (settled === undefined || meaning === "failed") return undefined;
  return (
    `although ${printable(settled.person)} settled it as failed, unknown or missing ` +
    `(${quoted(settled.reason)}). If the payee was paid in another way, it is paid twice.`
  );
}

/** Why a payout that has only an instruction's reference is not taken as its payout. */
function withoutProof({ callbackUrl }: ObservedPayout): string {
  return callbackUrl === undefined
    ? "but shows no callbackUrl, which would show whether Paydrop made it"
    : "but has a callbackUrl that this database does not know, as after a restore";
}

/** In "sending" and "in doubt" a payout may exist: execution will accept it. */
const MAY_HAVE_PAYOUT: ReadonlySet<Standing> = new Set(["accepted", "sending", "in doubt"]);
