/**
 * Makes the service misbehave: fault scripts say which request meets which fault. The core stays correct; faults
 * are applied around it, before a request is read or after its answer is made.
 */
import { parseJson, writeJson } from "../wire/index.ts";
import type { Core, Handling, SandboxAnswer, SandboxRequest } from "./core.ts";
import { type FaultEffect, type FaultScript, faultPlan } from "./fault-scripts.ts";

/** A request under way: when it is carried out (by default as of its arrival), and what reaches the caller. */
export interface PlannedDelivery {
  readonly delayBeforeMs: number;
  deliver(): Delivery;
}

export interface Delivery {
  readonly kind: "whole" | "half" | "cut";
  readonly answer: SandboxAnswer;
  readonly delayAfterMs: number;
}

/** A request that reached the sandbox, including refused and truncated ones. */
export interface Arrival {
  /** Undefined for a path without an operation. */
  readonly operation: string | undefined;
  /** The status of the core's answer, delivered or not; undefined if the request never reached the core. */
  readonly statusCode: number | undefined;
}

export function misbehaving(
  core: Core,
  scripts: readonly FaultScript[],
  randomSeed: number = DEFAULT_RANDOM_SEED,
) {
  let plan = faultPlan(scripts, randomSeed);
  const arrivals: Arrival[] = [];
  const note = (operation: string | undefined, answer: SandboxAnswer | undefined) => {
    arrivals.push({ operation, statusCode: answer?.statusCode });
    if (arrivals.length > ARRIVALS_KEPT_MAX) arrivals.splice(0, ARRIVALS_KEPT_MAX / 10);
  };

  return {
    /** Replaces the scripts and restarts the counts and the random numbers. */
    setFaults: (next: readonly FaultScript[], seed = randomSeed) => {
      plan = faultPlan(next, seed);
    },
    /** The last hundred thousand requests, oldest first. */
    arrivals: (): readonly Arrival[] => arrivals,
    plan: (request: SandboxRequest): PlannedDelivery => {
      const operation = core.operationNameOf(request.method, request.path);
      const effect = plan.next(operation);
      const delayBeforeMs = effect?.kind === "delay" && effect.when === "before-commit" ? effect.delayMs : 0;
      const arrivedAt = delayBeforeMs > 0 ? undefined : core.now();
      return {
        delayBeforeMs,
        deliver: () => {
          const handle = (handling: Handling = {}) => core.handle(request, { arrivedAt, ...handling });
          const { delivery, handled } = play(handle, effect, request);
          note(operation, handled);
          return delivery;
        },
      };
    },
  };
}

const DEFAULT_RANDOM_SEED = 1;
const ARRIVALS_KEPT_MAX = 100_000;
/** A delay that never ends; the maximum of Date is 8.64e15. */
const NEVER_MS = 8_000_000_000_000_000;

interface Played {
  readonly delivery: Delivery;
  /** The core's answer, if it saw the request. */
  readonly handled: SandboxAnswer | undefined;
}

type Handle = (handling?: Handling) => SandboxAnswer;

function play(handle: Handle, effect: FaultEffect | undefined, request: SandboxRequest): Played {
  switch (effect?.kind) {
    case undefined:
      return wholeAnswer(handle());
    case "delay":
      return wholeAnswer(handle(), effect.when === "after-commit" ? effect.delayMs : 0);
    case "cut-before-read":
      return otherAnswer("cut", { statusCode: 500, body: "" });
    case "cut-after-commit":
      return brokenAnswer("cut", handle());
    case "half-body":
      return brokenAnswer("half", handle());
    case "answer": {
      const { statusCode, body, committed } = effect;
      return otherAnswer("whole", { statusCode, body }, committed ? handle() : undefined);
    }
    case "repeat-request":
      return otherAnswer("whole", { statusCode: effect.statusCode, body: repeatedRequest(request) });
    case "duplicate":
      handle();
      return wholeAnswer(handle({ ignoreNonce: true }));
    case "hide":
      return wholeAnswer(handle({ visibilityLagMs: effect.visibilityLagMs }));
    case "lose":
      return wholeAnswer(handle({ visibilityLagMs: NEVER_MS }));
    case "page-shift":
      return wholeAnswer(handle({ rowsShifted: effect.rows }));
    case "show-state":
      return wholeAnswer(showState(handle(), effect));
    case "wrong-echo":
      return wholeAnswer(showInstead(handle(), effect));
    case "wrong-filters":
      return wholeAnswer(echoOtherFilters(handle()));
  }
}

function wholeAnswer(answer: SandboxAnswer, delayAfterMs = 0): Played {
  return { delivery: { kind: "whole", answer, delayAfterMs }, handled: answer };
}

function brokenAnswer(kind: "half" | "cut", answer: SandboxAnswer): Played {
  return { delivery: { kind, answer, delayAfterMs: 0 }, handled: answer };
}

function otherAnswer(kind: "whole" | "cut", answer: SandboxAnswer, handled?: SandboxAnswer): Played {
  return { delivery: { kind, answer, delayAfterMs: 0 }, handled };
}

/** The end of the body, because nonce and one-time code are there; short, because callers cut long errors. */
function repeatedRequest({ headers, body }: SandboxRequest): string {
  const end = Buffer.from(body).toString("utf8").slice(-150);
  return JSON.stringify([{ error: `${end} ${JSON.stringify(headers)}`, code: "REQUEST_REPEATED" }]);
}

function showState(
  answer: SandboxAnswer,
  { state, reference }: { readonly state: string; readonly reference?: string | undefined },
): SandboxAnswer {
  const field = answer.body.includes('"depositState"') ? "depositState" : "payoutState";
  return showInstead(answer, { field, value: state, reference });
}

/** Falsifies an answer. The stored state stays correct, so the next answer is true again. */
type ShownInstead = Omit<Extract<FaultEffect, { kind: "wrong-echo" }>, "kind">;

/** The answer to a search with a field of its elements replaced; any other answer comes back unchanged. */
function showInstead(answer: SandboxAnswer, { field, value, reference }: ShownInstead): SandboxAnswer {
  return altered(answer, (envelope) => {
    const content = envelope.results.content.map((element) =>
      reference === undefined || element["reference"] === reference
        ? { ...element, [field]: value }
        : element,
    );
    return { ...envelope, results: { ...envelope.results, content } };
  });
}

function echoOtherFilters(answer: SandboxAnswer): SandboxAnswer {
  return altered(answer, (envelope) => ({
    ...envelope,
    filters: { queryDate: "1970-01-01T00:00:00.000Z", references: ["ANOTHER"] },
  }));
}

interface Found {
  readonly results: { readonly content: readonly Readonly<Record<string, unknown>>[] };
}

function altered(answer: SandboxAnswer, change: (envelope: Found) => unknown): SandboxAnswer {
  const body: unknown = answer.body === "" ? undefined : parseJson(answer.body);
  return isFound(body) ? { ...answer, body: writeJson(change(body)) } : answer;
}

function isFound(body: unknown): body is Found {
  return typeof body === "object" && body !== null && "results" in body;
}
