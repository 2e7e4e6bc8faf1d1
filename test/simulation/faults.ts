/**
 * What can go wrong in a run, as data. A fault waits for its trigger: the n-th creation or look-up that leaves, the n-th commit
 * of the store, or the n-th change of a file. delivery.ts plays what happens to a request, fault-clock.ts what happens around them.
 */
import type { PageLie, Spelling } from "./untrue-finds.ts";

/** What happens to one request. Delays reach beyond every window of the protocol. */
export type RequestEffect =
  | { readonly kind: "refused-connection" }
  /** No connection is free before the deadline; nothing is written. */
  | { readonly kind: "stalled" }
  /** The head leaves and the request never arrives. Silent: no reset either, until the time-out. */
  | { readonly kind: "lost"; readonly silent: boolean }
  /** Lost, while somebody else creates another payout under the same reference. */
  | { readonly kind: "lost-with-twin" }
  /** Carried out, and the answer is lost. */
  | { readonly kind: "cut"; readonly silent: boolean }
  | { readonly kind: "half-body" }
  /** Arrives and is carried out long after the caller gave up. */
  | { readonly kind: "late"; readonly byMs: number; readonly silent: boolean }
  /** Carried out at once, answered late. */
  | { readonly kind: "slow"; readonly byMs: number }
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly form: AnswerForm;
      readonly carriedOut: boolean;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Carried out, and answered with the right body under another status of success. */
  | { readonly kind: "other-success"; readonly status: 200 | 201 }
  /** Carried out, and answered 202 with a body that is not the interface's. */
  | { readonly kind: "odd-acceptance"; readonly body: string }
  /** The network delivers the request once more. */
  | { readonly kind: "delivered-twice"; readonly againAfterMs: number }
  /** Carried out, the answer may be lost, and the payout shows late or, without a time, never. */
  | { readonly kind: "hidden"; readonly forMs: number | undefined; readonly answered: boolean }
  /** 202 with the payoutId of an earlier payout. */
  | { readonly kind: "another-payout-id" }
  /** 202 with a payoutId that the service has never given to a payout. */
  | { readonly kind: "foreign-payout-id" }
  /** The service carries one request out twice: its fault, not ours, but it must be noticed. */
  | { readonly kind: "carried-out-twice" }
  /** The service says 400 and carries the request out all the same: likewise. */
  | { readonly kind: "refused-yet-made" }
  /** Look-ups only: rows come or go between the pages. */
  | { readonly kind: "pages-shift"; readonly rows: number }
  /** Look-ups only: an answer to half of the references that were asked for, which its echo tells. */
  | { readonly kind: "other-filters" }
  /** Look-ups only: a page that contradicts its own counts. */
  | { readonly kind: "untrue-page"; readonly lie: PageLie }
  /** Look-ups only: what is found is spelled in another way than it was sent. */
  | { readonly kind: "spelled"; readonly spelling: Spelling }
  /** Look-ups only: every so many payouts are left out, as if they had never been. */
  | { readonly kind: "vanished"; readonly every: number }
  /** The answer is changed at random on its way, as drawn: whatever nobody has thought of. */
  | { readonly kind: "mutated"; readonly draw: number }
  /** Every other look-up only: another copy of the service answers, which is so far behind. */
  | { readonly kind: "old-copy"; readonly behindMs: number };

export type AnswerForm = "errors" | "echo" | "html" | "empty" | "half-json";

/** What happens around the requests. */
export type EventEffect =
  | {
      readonly kind: "outage";
      readonly forMs: number;
      readonly how: "refused-connection" | "503" | "silence";
    }
  /** Our clock goes wrong, and right again later. */
  | { readonly kind: "clock-jump"; readonly byMs: number; readonly backAfterMs: number }
  /** The process dies: at its trigger, before or after it, or so many milliseconds later. */
  | { readonly kind: "crash"; readonly moment: "before" | "after" | "later"; readonly laterMs: number }
  /** The machine dies with the process and its monotonic clock begins anew. */
  | { readonly kind: "reboot"; readonly laterMs: number }
  /** Writes are said to be flushed from here on and are not; the machine dies so many writes later. */
  | { readonly kind: "lying-flush"; readonly writes: number; readonly anchorSurvives: boolean }
  /** Another process pays on the same state at the same time. */
  | { readonly kind: "second-process"; readonly laterMs: number }
  /** A person stops all payments, and lifts the order later. */
  | { readonly kind: "stop-order"; readonly liftedAfterMs: number }
  /** From now on whoever repeats a nonce is told this status, with the interface's error array. */
  | { readonly kind: "repeats-refused"; readonly status: number };

export type Effect = RequestEffect | EventEffect;

export interface Fault {
  readonly on: "creation" | "look-up" | "write" | "change";
  /** Counted from 1 over all lives. */
  readonly nth: number;
  /** How many in a row it happens to. */
  readonly times: number;
  readonly effect: Effect;
}

const EVENTS: ReadonlySet<Effect["kind"]> = new Set<EventEffect["kind"]>([
  "outage",
  "clock-jump",
  "crash",
  "reboot",
  "lying-flush",
  "second-process",
  "stop-order",
  "repeats-refused",
]);

export function isEvent(effect: Effect): effect is EventEffect {
  return EVENTS.has(effect.kind);
}

/** Faults of the service that no client can undo: what it did twice, did and denied, or named wrongly. They must raise an alarm. */
export function isMisconduct({ kind }: Effect): boolean {
  return MISCONDUCT.has(kind);
}

const MISCONDUCT: ReadonlySet<Effect["kind"]> = new Set<RequestEffect["kind"]>([
  "carried-out-twice",
  "refused-yet-made",
  "another-payout-id",
  "foreign-payout-id",
]);

/** Beyond these the run may stop short of its end; it still never pays twice and never loses a row. */
export function isUnbounded({ effect }: Fault): boolean {
  return effect.kind === "hidden" && effect.forMs === undefined;
}
