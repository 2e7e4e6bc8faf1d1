/**
 * The planted violations: for each rule of the protocol, a module of violations/ that replaces the module of src which
 * keeps the rule. Each must turn some seeds red; otherwise the simulation proves nothing about the rule.
 * `red-seeds.json` has one such seed for each; `npm run simulate:violations -- --renew` finds others.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Violation {
  /** Name of its module in violations/. */
  readonly name: string;
  /** The module of src that it replaces. */
  readonly violates: string;
  /** The promise that is broken. */
  readonly rule: string;
}

export const VIOLATIONS: readonly Violation[] = [
  {
    name: "looked-not-before",
    violates: "observation/look",
    rule: "what the service has is not sent",
  },
  {
    name: "flushed-later",
    violates: "store/engines/sqlite-store",
    rule: "an intent is on the disk before its request leaves",
  },
  {
    name: "conflict-is-a-refusal",
    violates: "payments/sending/outcome",
    rule: "a 409 proves nothing",
  },
  {
    name: "failure-is-a-refusal",
    violates: "payments/sending/outcome",
    rule: "a 5xx proves nothing",
  },
  {
    name: "silence-is-not-sent",
    violates: "payments/sending/outcome",
    rule: "silence proves nothing once a head was written",
  },
  {
    name: "recognised-by-reference-alone",
    violates: "payments/sending/doubts/recognise",
    rule: "a payout is ours only where every field is",
  },
  {
    name: "absence-is-not-sent",
    violates: "store/looks",
    rule: "absence proves nothing",
  },
  {
    name: "re-sent-under-a-new-nonce",
    violates: "payments/sending/doubts/resend",
    rule: "a doubt leaves again under its own nonce or not at all",
  },
  {
    name: "re-sent-under-any-rule",
    violates: "payments/sending/doubts/resend",
    rule: "a doubt leaves again only under a stated nonce rule",
  },
  {
    name: "refused-repetition-is-a-refusal",
    violates: "store/submissions",
    rule: "only the first send of a nonce can be refused",
  },
  {
    name: "restart-forgets-what-left",
    violates: "payments/sending/doubts/doubt",
    rule: "what a dead process was sending is in doubt",
  },
  {
    name: "two-at-once",
    violates: "store/engines/lane-lock",
    rule: "one lane per key",
  },
  {
    name: "many-at-once-under-an-unknown-rule",
    violates: "payments/sending/execute",
    rule: "one at a time where the nonce rule asks for it",
  },
  {
    name: "looked-up-under-the-first-key",
    violates: "workplace/workplace",
    rule: "a payment is looked for under the key that pays it",
  },
  {
    name: "lanes-settle-each-other",
    violates: "payments/sending/doubts/doubt",
    rule: "a lane settles its own submissions and no other's",
  },
  {
    name: "window-wider-than-stated",
    violates: "payments/sending/execute",
    rule: "nonces overtake each other within the stated window only",
  },
  {
    name: "nonces-by-the-clock-alone",
    violates: "store/nonces",
    rule: "nonces rise whatever the clock does",
  },
  {
    name: "codes-are-used-again",
    violates: "gateway/one-time-codes",
    rule: "a one-time code is used once",
  },
  {
    name: "codes-are-kept",
    violates: "gateway/scrub",
    rule: "no one-time code is written anywhere",
  },
  {
    name: "amounts-are-rounded",
    violates: "payments/sending/creation-body",
    rule: "the amount at the service is the file's, digit for digit",
  },
  {
    name: "a-row-is-lost",
    violates: "payments/sending/settle",
    rule: "each row of the file has one standing",
  },
  {
    name: "paid-again-is-forgotten",
    violates: "store/pay-again",
    rule: "a payment that is paid or was submitted again is not re-opened as well",
  },
  {
    name: "given-up-is-paid-again",
    violates: "payments/sending/pay-again-looks",
    rule: "what was given up in doubt is not paid again",
  },
  {
    name: "given-up-without-a-look",
    violates: "payments/sending/doubts/decide",
    rule: "a person's decision is refused where the service shows otherwise",
  },
  {
    name: "asked-for-good",
    violates: "payments/sending/doubts/decide",
    rule: "whoever is asked about a payment has an answer that is not refused",
  },
  {
    name: "stop-order-is-overlooked",
    violates: "payments/run/lane",
    rule: "nothing leaves while an order to stop stands",
  },
  {
    name: "time-from-the-machine",
    violates: "payments/sending/outcome",
    rule: "time comes from the context",
  },
  {
    name: "work-outside",
    violates: "observation/look",
    rule: "nothing is waited for outside the context",
  },
  {
    name: "unreadable-success-is-a-refusal",
    violates: "payments/sending/outcome",
    rule: "a success that cannot be read proves nothing",
  },
  {
    name: "creations-are-repeated-by-the-client",
    violates: "gateway/gateway",
    rule: "nothing repeats a creation by itself",
  },
  {
    name: "absence-without-a-witness",
    violates: "payments/sending/doubts/witnessed-look",
    rule: "absence is evidence only where the look shows what is known to be there",
  },
  {
    name: "sent-again-at-once",
    violates: "payments/sending/execute",
    rule: "a doubt leaves again after the settle window only",
  },
  {
    name: "overtaken-nonces-leave-again",
    violates: "store/submissions",
    rule: "under rising nonces what was overtaken does not leave again",
  },
  {
    name: "memory-without-an-end",
    violates: "payments/sending/execute",
    rule: "a doubt leaves again only while the service remembers its nonce",
  },
  {
    name: "doubts-pause-nothing",
    violates: "payments/sending/execute",
    rule: "under rising nonces a doubt pauses its lane",
  },
  {
    name: "anchor-is-overlooked",
    violates: "store/anchor",
    rule: "a database that is behind its anchor sends nothing",
  },
  {
    name: "known-files-in-silence",
    violates: "files/submit-step",
    rule: "a file that is dropped again is told so",
  },
  {
    name: "nobody-is-told",
    violates: "nights/rules/comparison",
    rule: "what the service did twice, or did and denied, raises an alarm",
  },
];

export const RED_SEEDS = fileURLToPath(new URL("./red-seeds.json", import.meta.url));

/** By the names of violations: a seed that each is known to turn red. */
export function redSeeds(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(RED_SEEDS, "utf8"));
}
