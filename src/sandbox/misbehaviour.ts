/**
 * A service that misbehaves on command: scripts say which request of which operation meets which fault. The core stays honest;
 * what is played here happens around it, before a request is read or after its answer is made.
 */
import { z } from "zod";
import { type Core, operationNameOf, type SandboxAnswer, type SandboxRequest } from "./core.ts";

const delayMs = z.int().min(0);

const faultEffect = z.discriminatedUnion("kind", [
  /** Waits before the request is carried out, or before the answer to one carried out is sent. */
  z.strictObject({ kind: z.literal("delay"), delayMs, when: z.enum(["before-commit", "after-commit"]) }),
  /** The connection goes down and nothing was done. */
  z.strictObject({ kind: z.literal("cut-before-read") }),
  /** Everything was done and the connection goes down instead of an answer. */
  z.strictObject({ kind: z.literal("cut-after-commit") }),
  /** Everything was done and the answer breaks off in the middle. */
  z.strictObject({ kind: z.literal("half-body") }),
  /** Another answer; with `committed` after everything was done, otherwise instead of it. */
  z.strictObject({
    kind: z.literal("answer"),
    statusCode: z.int().min(200).max(599),
    body: z.string(),
    committed: z.boolean(),
  }),
  /** The request is processed twice; the answer is the second one's. */
  z.strictObject({ kind: z.literal("duplicate") }),
  /** What the request creates cannot be found for a while. */
  z.strictObject({ kind: z.literal("hide"), visibilityLagMs: delayMs }),
]);

export const faultScript = z.strictObject({
  /** The operation's name in the interface document, or `*` for all of them together. */
  operation: z.string(),
  /** Which of the operation's requests, counted from 1 since the scripts were set; every one when left out. */
  nth: z.int().min(1).optional(),
  effect: faultEffect,
});

export type FaultScript = z.output<typeof faultScript>;
export type FaultEffect = FaultScript["effect"];

/** A request on its way: when to carry it out, and what then reaches the caller. */
export interface PlannedDelivery {
  readonly delayBeforeMs: number;
  deliver(): Delivery;
}

export interface Delivery {
  readonly kind: "whole" | "half" | "cut";
  readonly answer: SandboxAnswer;
  readonly delayAfterMs: number;
}

/** A request that reached the sandbox, refused ones and cut ones included. */
export interface Arrival {
  /** Undefined for a path without an operation. */
  readonly operation: string | undefined;
  /** What the core answered, whether or not it was delivered; undefined when the core never saw the request. */
  readonly statusCode: number | undefined;
}

export interface Misbehaviour {
  plan(request: SandboxRequest): PlannedDelivery;
  /** Replaces the scripts and counts from 1 again. */
  setFaults(scripts: readonly FaultScript[]): void;
  /** The last hundred thousand requests, oldest first. */
  arrivals(): readonly Arrival[];
}

export function misbehaving(core: Core, scripts: readonly FaultScript[]): Misbehaviour {
  let current = scripts;
  const counts = new Map<string, number>();
  const arrivals: Arrival[] = [];

  const effectFor = (operation: string | undefined): FaultEffect | undefined => {
    const nthOf = new Map(
      [operation ?? "", "*"].map((name) => {
        const nth = (counts.get(name) ?? 0) + 1;
        counts.set(name, nth);
        return [name, nth];
      }),
    );
    return current.find((script) => {
      const nth = nthOf.get(script.operation);
      return nth !== undefined && (script.nth === undefined || script.nth === nth);
    })?.effect;
  };
  const note = (operation: string | undefined, answer: SandboxAnswer | undefined) => {
    arrivals.push({ operation, statusCode: answer?.statusCode });
    if (arrivals.length > ARRIVALS_KEPT_MAX) arrivals.splice(0, ARRIVALS_KEPT_MAX / 10);
  };

  return {
    setFaults: (next) => {
      current = next;
      counts.clear();
    },
    arrivals: () => arrivals,
    plan: (request) => {
      const operation = operationNameOf(request.path);
      const effect = effectFor(operation);
      return {
        delayBeforeMs: effect?.kind === "delay" && effect.when === "before-commit" ? effect.delayMs : 0,
        deliver: () => {
          const { delivery, handled } = played(core, request, effect);
          note(operation, handled);
          return delivery;
        },
      };
    },
  };
}

const ARRIVALS_KEPT_MAX = 100_000;
const NOTHING: SandboxAnswer = { statusCode: 500, body: "" };

interface Played {
  readonly delivery: Delivery;
  readonly handled: SandboxAnswer | undefined;
}

function played(core: Core, request: SandboxRequest, effect: FaultEffect | undefined): Played {
  switch (effect?.kind) {
    case undefined:
      return whole(core.handle(request));
    case "delay":
      return whole(core.handle(request), effect.when === "after-commit" ? effect.delayMs : 0);
    case "cut-before-read":
      return { delivery: { kind: "cut", answer: NOTHING, delayAfterMs: 0 }, handled: undefined };
    case "cut-after-commit":
      return broken("cut", core.handle(request));
    case "half-body":
      return broken("half", core.handle(request));
    case "answer": {
      const handled = effect.committed ? core.handle(request) : undefined;
      const answer = { statusCode: effect.statusCode, body: effect.body };
      return { delivery: { kind: "whole", answer, delayAfterMs: 0 }, handled };
    }
    case "duplicate":
      core.handle(request);
      return whole(core.handle(request, { ignoreNonce: true }));
    case "hide":
      return whole(core.handle(request, { visibilityLagMs: effect.visibilityLagMs }));
  }
}

function whole(answer: SandboxAnswer, delayAfterMs = 0): Played {
  return { delivery: { kind: "whole", answer, delayAfterMs }, handled: answer };
}

function broken(kind: "half" | "cut", answer: SandboxAnswer): Played {
  return { delivery: { kind, answer, delayAfterMs: 0 }, handled: answer };
}
