/** Faults on command. The service stays correct; a fault wraps its `handle`. */
import { parseJson, writeJson } from "../wire/index.ts";
import type { FaultEffect, FaultScript } from "./fault-scripts.ts";
import type { Handling, SandboxAnswer, SandboxRequest } from "./handle.ts";
import { seededRandom } from "./random.ts";

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
  /** The status of the service's answer, delivered or not; undefined if the request never reached the service. */
  readonly statusCode: number | undefined;
}

interface Wrapped {
  handle(request: SandboxRequest, handling: Handling): SandboxAnswer;
  now(): number;
  operationOf(request: SandboxRequest): string | undefined;
}

/** The service with faults around it; the seed decides what a `chance` hits. */
export function faultsAround(
  { handle, now, operationOf }: Wrapped,
  scripts: readonly FaultScript[],
  randomSeed: number = DEFAULT_RANDOM_SEED,
) {
  let nextFault = faultsOf(scripts, randomSeed);
  const arrivals: Arrival[] = [];
  return {
    arrivals,
    setFaults: (next: readonly FaultScript[], seed = randomSeed): void => {
      nextFault = faultsOf(next, seed);
    },
    plan: (request: SandboxRequest): PlannedDelivery => {
      const operation = operationOf(request);
      const effect = nextFault(operation);
      const delayBeforeMs = effect?.kind === "delay" && effect.when === "before-commit" ? effect.delayMs : 0;
      const arrivedAt = delayBeforeMs > 0 ? undefined : now();
      return {
        delayBeforeMs,
        deliver: () => {
          let statusCode: number | undefined;
          const delivery = delivered(effect, request, (handling = {}) => {
            const answer = handle(request, { arrivedAt, ...handling });
            ({ statusCode } = answer);
            return answer;
          });
          arrivals.push({ operation, statusCode });
          if (arrivals.length > ARRIVALS_KEPT_MAX) arrivals.splice(0, ARRIVALS_KEPT_MAX / 10);
          return delivery;
        },
      };
    },
  };
}

const DEFAULT_RANDOM_SEED = 1;
const ARRIVALS_KEPT_MAX = 100_000;

/** Gives each request of an operation its fault, that of the first script that matches. */
function faultsOf(scripts: readonly FaultScript[], seed: number) {
  const counts = new Map<string, number>();
  const random = seededRandom(seed);
  return (operation = ""): FaultEffect | undefined => {
    if (scripts.length === 0) return undefined;
    for (const name of new Set([operation, "*"])) counts.set(name, (counts.get(name) ?? 0) + 1);
    const hit = scripts.find((script) => {
      if (script.operation !== operation && script.operation !== "*") return false;
      if (script.nth !== undefined && script.nth !== counts.get(script.operation)) return false;
      return script.chance === undefined || random() < script.chance;
    });
    return hit?.effect;
  };
}

type Handle = (handling?: Handling) => SandboxAnswer;

/** A delay that never ends; the maximum of Date is 8.64e15. */
const NEVER_MS = 8_000_000_000_000_000;

/** What reaches the caller of a request that meets a fault. */
function delivered(effect: FaultEffect | undefined, request: SandboxRequest, handle: Handle): Delivery {
  switch (effect?.kind) {
    case undefined:
      return whole(handle());
    case "delay":
      return whole(handle(), effect.when === "after-commit" ? effect.delayMs : 0);
    case "cut-before-read":
      return { kind: "cut", answer: { statusCode: 500, body: "" }, delayAfterMs: 0 };
    case "cut-after-commit":
      return { kind: "cut", answer: handle(), delayAfterMs: 0 };
    case "half-body":
      return { kind: "half", answer: handle(), delayAfterMs: 0 };
    case "answer":
      if (effect.committed) handle();
      return whole({ statusCode: effect.statusCode, body: effect.body });
    case "repeat-request":
      return whole({ statusCode: effect.statusCode, body: repeatedRequest(request) });
    case "duplicate":
      handle();
      return whole(handle({ ignoreNonce: true }));
    case "hide":
      return whole(handle({ visibilityLagMs: effect.visibilityLagMs }));
    case "lose":
      return whole(handle({ visibilityLagMs: NEVER_MS }));
    case "page-shift":
      return whole(handle({ rowsShifted: effect.rows }));
    case "show-state":
      return whole(withStateShown(handle(), effect));
    case "wrong-echo":
      return whole(withFieldShown(handle(), effect));
    case "wrong-filters":
      return whole(altered(handle(), (envelope) => ({ ...envelope, filters: OTHER_FILTERS })));
  }
}

function whole(answer: SandboxAnswer, delayAfterMs = 0): Delivery {
  return { kind: "whole", answer, delayAfterMs };
}

/** The end of the body, because nonce and one-time code are there; short, because callers cut long errors. */
function repeatedRequest({ headers, body }: SandboxRequest): string {
  const end = Buffer.from(body).toString("utf8").slice(-150);
  return JSON.stringify([{ error: `${end} ${JSON.stringify(headers)}`, code: "REQUEST_REPEATED" }]);
}

const OTHER_FILTERS = { queryDate: "1970-01-01T00:00:00.000Z", references: ["ANOTHER"] };

interface Shown {
  readonly field: string;
  readonly value: string;
  /** Of this element only; of all if absent. */
  readonly reference?: string | undefined;
}

function withStateShown(
  answer: SandboxAnswer,
  { state: value, reference }: Extract<FaultEffect, { kind: "show-state" }>,
): SandboxAnswer {
  const field = answer.body.includes('"depositState"') ? "depositState" : "payoutState";
  return withFieldShown(answer, { field, value, reference });
}

/** Only the answer is false: the next one is true again. */
function withFieldShown(answer: SandboxAnswer, { field, value, reference }: Shown): SandboxAnswer {
  return altered(answer, ({ results, ...envelope }) => {
    const content = results.content.map((element) =>
      reference === undefined || element["reference"] === reference
        ? { ...element, [field]: value }
        : element,
    );
    return { ...envelope, results: { ...results, content } };
  });
}

interface Envelope {
  readonly results: { readonly content: readonly Readonly<Record<string, unknown>>[] };
}

/** The answer to a search, changed; any other answer comes back as it is. */
function altered(answer: SandboxAnswer, change: (envelope: Envelope) => unknown): SandboxAnswer {
  const body: unknown = answer.body === "" ? undefined : parseJson(answer.body);
  return isEnvelope(body) ? { ...answer, body: writeJson(change(body)) } : answer;
}

function isEnvelope(body: unknown): body is Envelope {
  return typeof body === "object" && body !== null && "results" in body;
}
