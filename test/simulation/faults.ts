/**
 * Everything that can go wrong in a run, as data. A fault waits for its trigger: the n-th creation or look-up that
 * leaves, the n-th commit of the store, or the n-th change of a file. delivery.ts plays the effects on requests,
 * fault-clock.ts all others.
 */
import type { PageLie, Spelling } from "./untrue-finds.ts";

/** The effect on one request. Delays exceed every window of the protocol. */
export type RequestEffect =
  | { readonly kind: "refused-connection" }
  /** No connection is free before the deadline; nothing is written. */
  | { readonly kind: "stalled" }
  /** The head leaves but the request never arrives. Silent: without a reset, until the time-out. */
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
  /** Carried out, but answered with another success status. */
  | { readonly kind: "other-success"; readonly status: 200 | 201 }
  /** Carried out, but answered 202 with a body that is not the interface's. */
  | { readonly kind: "odd-acceptance"; readonly body: string }
  /** The network delivers the request again. */
  | { readonly kind: "delivered-twice"; readonly againAfterMs: number }
  /** Carried out; the answer may be lost, and the payout is shown late or, without a time, never. */
  | { readonly kind: "hidden"; readonly forMs: number | undefined; readonly answered: boolean }
  /** 202 with the payoutId of an earlier payout. */
  | { readonly kind: "another-payout-id" }
  /** 202 with a payoutId that no payout has. */
  | { readonly kind: "foreign-payout-id" }
  /** The service carries one request out twice: its fault, not ours, but it must be noticed. */
  | { readonly kind: "carried-out-twice" }
  /** The service answers 400 but carries the request out; must be noticed too. */
  | { readonly kind: "refused-yet-made" }
  /** Look-ups only: rows are added or removed between the pages. */
  | { readonly kind: "pages-shift"; readonly rows: number }
  /** Look-ups only: an answer for half of the references, as its echo shows. */
  | { readonly kind: "other-filters" }
  /** Look-ups only: a page that contradicts its own counts. */
  | { readonly kind: "untrue-page"; readonly lie: PageLie }
  /** Look-ups only: values are spelled differently from how they were sent. */
  | { readonly kind: "spelled"; readonly spelling: Spelling }
  /** Look-ups only: every n-th payout is left out. */
  | { readonly kind: "vanished"; readonly every: number }
  /** The answer is altered at random, to find what nobody has thought of. */
  | { readonly kind: "mutated"; readonly draw: number }
  /** Every other look-up only: another copy of the service answers, which lags behind. */
  | { readonly kind: "old-copy"; readonly behindMs: number };

export type AnswerForm = "errors" | "echo" | "html" | "empty" | "half-json";

/** Effects other than on requests. */
export type EventEffect =
  | {
      readonly kind: "outage";
      readonly forMs: number;
      readonly how: "refused-connection" | "503" | "silence";
    }
  /** Our clock becomes wrong, and right again later. */
  | { readonly kind: "clock-jump"; readonly byMs: number; readonly backAfterMs: number }
  /** The process dies: right before or after its trigger, or this many milliseconds later. */
  | { readonly kind: "crash"; readonly moment: "before" | "after" | "later"; readonly laterMs: number }
  /** The machine stops with the process, and its monotonic clock starts anew. */
  | { readonly kind: "reboot"; readonly laterMs: number }
  /** From here on, writes are reported as flushed but are not; the machine stops this many writes later. */
  | { readonly kind: "lying-flush"; readonly writes: number; readonly anchorSurvives: boolean }
  /** Another process pays on the same state at the same time. */
  | { readonly kind: "second-process"; readonly laterMs: number }
  /** A person stops all payments, and lifts the order later. */
  | { readonly kind: "stop-order"; readonly liftedAfterMs: number }
  /** From now on repeated nonces are refused with this status and the interface's error array. */
  | { readonly kind: "repeats-refused"; readonly status: number };

export type Effect = RequestEffect | EventEffect;

export interface Fault {
  readonly on: "creation" | "look-up" | "write" | "change";
  /** Counted from 1 over all lives. */
  readonly nth: number;
  /** How many times in a row it happens. */
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

/** Faults of the service that no client can undo: actions done twice, denied, or misnamed. They must raise an alarm. */
export function isMisconduct({ kind }: Effect): boolean {
  return MISCONDUCT.has(kind);
}

const MISCONDUCT: ReadonlySet<Effect["kind"]> = new Set<RequestEffect["kind"]>([
  "carried-out-twice",
  "refused-yet-made",
  "another-payout-id",
  "foreign-payout-id",
]);

/** Beyond these the run may stop early; it still never pays twice and never loses a row. */
export function isUnbounded({ effect }: Fault): boolean {
  return effect.kind === "hidden" && effect.forMs === undefined;
}
