/**
 * The planted violations: for each rule of the protocol, a module of violations/ that replaces the module of src which
 * keeps the rule. Each must turn some seeds red; otherwise the simulation proves nothing about the rule.
 */

export interface Violation {
  /** Name of its module in violations/. */
  readonly name: string;
  /** The module of src that it replaces. */
  readonly violates: string;
  /** The promise that is broken. */
  readonly rule: string;
  /** A seed that is known to turn red; searching begins there. */
  readonly firstSeed: number;
  /** It must be caught within this many seeds. */
  readonly seedsMax: number;
}

export const VIOLATIONS: readonly Violation[] = [
  {
    name: "looked-not-before",
    violates: "observation/look",
    rule: "what the service has is not sent",
    firstSeed: 3,
    seedsMax: 200,
  },
  {
    name: "flushed-later",
    violates: "store/engines/sqlite-store",
    rule: "an intent is on the disk before its request leaves",
    firstSeed: 189,
    seedsMax: 120,
  },
  {
    name: "conflict-is-a-refusal",
    violates: "execution/outcome",
    rule: "a 409 proves nothing",
    firstSeed: 43,
    seedsMax: 200,
  },
  {
    name: "failure-is-a-refusal",
    violates: "execution/outcome",
    rule: "a 5xx proves nothing",
    firstSeed: 49,
    seedsMax: 200,
  },
  {
    name: "silence-is-not-sent",
    violates: "execution/outcome",
    rule: "silence proves nothing once a head was written",
    firstSeed: 6,
    seedsMax: 60,
  },
  {
    name: "recognised-by-reference-alone",
    violates: "execution/doubts/recognise",
    rule: "a payout is ours only where every field is",
    firstSeed: 30,
    seedsMax: 100,
  },
  {
    name: "absence-is-not-sent",
    violates: "store/looks",
    rule: "absence proves nothing",
    firstSeed: 14,
    seedsMax: 60,
  },
  {
    name: "re-sent-under-a-new-nonce",
    violates: "execution/doubts/resend",
    rule: "a doubt leaves again under its own nonce or not at all",
    firstSeed: 28,
    seedsMax: 200,
  },
  {
    name: "re-sent-under-any-rule",
    violates: "execution/doubts/resend",
    rule: "a doubt leaves again only under a stated nonce rule",
    firstSeed: 14,
    seedsMax: 100,
  },
  {
    name: "refused-repetition-is-a-refusal",
    violates: "store/submissions",
    rule: "only the first send of a nonce can be refused",
    firstSeed: 187,
    seedsMax: 400,
  },
  {
    name: "restart-forgets-what-left",
    violates: "execution/doubts/doubt",
    rule: "what a dead process was sending is in doubt",
    firstSeed: 31,
    seedsMax: 120,
  },
  {
    name: "two-at-once",
    violates: "store/engines/lane-lock",
    rule: "one lane per key",
    firstSeed: 51,
    seedsMax: 200,
  },
  {
    name: "many-at-once-under-an-unknown-rule",
    violates: "execution/execute",
    rule: "one at a time where the nonce rule asks for it",
    firstSeed: 4,
    seedsMax: 60,
  },
  {
    name: "looked-up-under-the-first-key",
    violates: "pipeline/workplace/workplace",
    rule: "a payment is looked for under the key that pays it",
    firstSeed: 17,
    seedsMax: 60,
  },
  {
    name: "lanes-settle-each-other",
    violates: "execution/doubts/doubt",
    rule: "a lane settles its own submissions and no other's",
    firstSeed: 175,
    seedsMax: 400,
  },
  {
    name: "window-wider-than-stated",
    violates: "execution/execute",
    rule: "nonces overtake each other within the stated window only",
    firstSeed: 36,
    seedsMax: 60,
  },
  {
    name: "nonces-by-the-clock-alone",
    violates: "store/nonces",
    rule: "nonces rise whatever the clock does",
    firstSeed: 2,
    seedsMax: 60,
  },
  {
    name: "codes-are-used-again",
    violates: "execution/one-time-codes",
    rule: "a one-time code is used once",
    firstSeed: 17,
    seedsMax: 60,
  },
  {
    name: "codes-are-kept",
    violates: "gateway/scrub",
    rule: "no one-time code is written anywhere",
    firstSeed: 4,
    seedsMax: 200,
  },
  {
    name: "amounts-are-rounded",
    violates: "execution/creation-body",
    rule: "the amount at the service is the file's, digit for digit",
    firstSeed: 3,
    seedsMax: 60,
  },
  {
    name: "a-row-is-lost",
    violates: "execution/settle",
    rule: "each row of the file has one standing",
    firstSeed: 23,
    seedsMax: 120,
  },
  {
    name: "paid-again-is-forgotten",
    violates: "store/pay-again",
    rule: "a payment that is paid or was submitted again is not re-opened as well",
    firstSeed: 217,
    seedsMax: 200,
  },
  {
    name: "given-up-is-paid-again",
    violates: "execution/pay-again-looks",
    rule: "what was given up in doubt is not paid again",
    firstSeed: 1456,
    seedsMax: 200,
  },
  {
    name: "given-up-without-a-look",
    violates: "execution/doubts/decide",
    rule: "a person's decision is refused where the service shows otherwise",
    firstSeed: 65,
    seedsMax: 300,
  },
  {
    name: "asked-for-good",
    violates: "execution/doubts/decide",
    rule: "whoever is asked about a payment has an answer that is not refused",
    firstSeed: 8,
    seedsMax: 60,
  },
  {
    name: "stop-order-is-overlooked",
    violates: "pipeline/sending/lane",
    rule: "nothing leaves while an order to stop stands",
    firstSeed: 31,
    seedsMax: 60,
  },
  {
    name: "time-from-the-machine",
    violates: "execution/outcome",
    rule: "time comes from the context",
    firstSeed: 3,
    seedsMax: 60,
  },
  {
    name: "work-outside",
    violates: "observation/look",
    rule: "nothing is waited for outside the context",
    firstSeed: 3,
    seedsMax: 60,
  },
  {
    name: "unreadable-success-is-a-refusal",
    violates: "execution/outcome",
    rule: "a success that cannot be read proves nothing",
    firstSeed: 13,
    seedsMax: 200,
  },
  {
    name: "creations-are-repeated-by-the-client",
    violates: "gateway/gateway",
    rule: "nothing repeats a creation by itself",
    firstSeed: 8,
    seedsMax: 200,
  },
  {
    name: "absence-without-a-witness",
    violates: "execution/doubts/witnessed-look",
    rule: "absence is evidence only where the look shows what is known to be there",
    firstSeed: 3710,
    seedsMax: 200,
  },
  {
    name: "sent-again-at-once",
    violates: "execution/execute",
    rule: "a doubt leaves again after the settle window only",
    firstSeed: 20,
    seedsMax: 200,
  },
  {
    name: "overtaken-nonces-leave-again",
    violates: "store/submissions",
    rule: "under rising nonces what was overtaken does not leave again",
    firstSeed: 662,
    seedsMax: 200,
  },
  {
    name: "memory-without-an-end",
    violates: "execution/execute",
    rule: "a doubt leaves again only while the service remembers its nonce",
    firstSeed: 322,
    seedsMax: 200,
  },
  {
    name: "doubts-pause-nothing",
    violates: "execution/execute",
    rule: "under rising nonces a doubt pauses its lane",
    firstSeed: 58,
    seedsMax: 200,
  },
  {
    name: "anchor-is-overlooked",
    violates: "store/anchor",
    rule: "a database that is behind its anchor sends nothing",
    firstSeed: 316,
    seedsMax: 200,
  },
  {
    name: "known-files-in-silence",
    violates: "pipeline/submit-step",
    rule: "a file that is dropped again is told so",
    firstSeed: 8,
    seedsMax: 200,
  },
  {
    name: "nobody-is-told",
    violates: "reconciliation/comparison",
    rule: "what the service did twice, or did and denied, raises an alarm",
    firstSeed: 82,
    seedsMax: 200,
  },
];
