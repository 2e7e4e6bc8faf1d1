/**
 * The network between our process and the service: a Transport that delivers in virtual time, loses, delays and repeats as the
 * seed says, and keeps account of every creation whose head was written.
 */
import type { HttpExchange, HttpRequest, Transport } from "../../src/context/transport.ts";
import type { FaultEffect, SandboxAnswer } from "../../src/sandbox/index.ts";
import { Chance } from "./chance.ts";
import { type AnswerForm, isMisconduct, type RequestEffect } from "./faults.ts";
import type { SimulatedService, WireRequest } from "./service.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A creation whose head left our process. */
export interface SentCreation {
  readonly life: number;
  /** The service had shown a payout of this reference since before the process began this run. */
  readonly wasShown: boolean;
  readonly nonce: bigint;
  readonly reference: string;
  readonly otpCode: string;
  /** The body without nonce and one-time code. */
  readonly businessFields: string;
}

export interface NetworkDoors {
  readonly time: VirtualTime;
  readonly service: SimulatedService;
  readonly looksAtNonces: boolean;
  readonly visibilityLagMs: number;
  /** What happens to this request; called once for each, before anything of it is written. */
  effectOn(kind: RequestKind, caller: Caller): RequestEffect | undefined;
  /** The status for whoever repeats a nonce, where the seed has one. */
  repeatsRefusedWith(): number | undefined;
  trace(text: string): void;
}

export type RequestKind = "creation" | "look-up";

/** What a life lends to its requests. */
export interface Caller {
  readonly number: number;
  readonly isAlive: boolean;
  /** When its present run of the pay step began. */
  readonly runBeganMs: number;
  /** The head of a creation has been written. */
  onHeadWritten(): void;
}

const NEVER: Promise<never> = new Promise(() => undefined);
const NONCE = /"nonce":(\d+)/;
const OTP_CODE = /"otpCode":"(\d+)"/;
const REFERENCE = /"reference":"([^"]*)"/;

type Result = HttpExchange & { readonly takesMs: number };

export class Network {
  readonly sent: SentCreation[] = [];
  /** The most creations that were on their way at once. */
  busiest = 0;
  /** References of payouts that the service never shows, and of those about which it did wrong. */
  readonly neverShown = new Set<string>();
  readonly misconduct = new Set<string>();
  /** When the service begins to show the payout of a reference. */
  readonly shownFromMs = new Map<string, number>();
  private underWay = 0;
  private lastCaller: Caller | undefined;
  private readonly doors: NetworkDoors;
  private readonly chance: Chance;
  private readonly nonces = new Set<bigint>();
  private lastPayoutId = "";

  constructor(doors: NetworkDoors, seed: number) {
    this.doors = doors;
    this.chance = new Chance(seed ^ 0x5bd1e995);
  }

  transportFor(caller: Caller): Transport {
    return { send: (request) => this.send(caller, request), close: () => Promise.resolve() };
  }

  private send(caller: Caller, request: HttpRequest): Promise<HttpExchange> {
    if (!caller.isAlive) return NEVER;
    const path = new URL(request.url).pathname;
    const kind: RequestKind = path.endsWith("/find") || path.endsWith("/balance") ? "look-up" : "creation";
    const effect = this.doors.effectOn(kind, caller);
    if (!caller.isAlive) return NEVER;
    const { resolve, promise } = Promise.withResolvers<HttpExchange>();
    const { time } = this.doors;
    const settle = ({ takesMs, ...exchange }: Result) =>
      time.after(takesMs, () => {
        if (!caller.isAlive) return;
        if (kind === "creation") this.underWay -= 1;
        resolve(exchange);
      });
    if (kind === "creation") this.depart(caller);
    if (effect?.kind === "refused-connection") settle(notWritten("connect ECONNREFUSED", 1));
    else if (effect?.kind === "stalled") settle(notWritten("no connection was free", request.timeoutMs, true));
    else this.write(caller, { request, path, kind }, effect, settle);
    return promise;
  }

  private write(
    caller: Caller,
    { request, path, kind }: { request: HttpRequest; path: string; kind: RequestKind },
    effect: RequestEffect | undefined,
    settle: (result: Result) => void,
  ): void {
    const { trace } = this.doors;
    const stop = request.stopBeforeWrite?.();
    if (stop !== undefined) return settle(notWritten(stop, 0));
    const { method, headers, body } = request;
    const wire: WireRequest = { method, path, headers, body };
    const repeats = kind === "creation" && this.note(caller, body.toString("utf8"));
    const thereMs = this.chance.between(2, 40);
    trace(`${kind} sent${effect === undefined ? "" : `, meets ${JSON.stringify(effect)}`}`);
    this.remember(effect, body.toString("utf8"));
    const journey = { wire, effect, repeats, thereMs, timeoutMs: request.timeoutMs };
    const result = this.deliver(journey, settle);
    if (result !== undefined) settle(result);
    if (kind === "creation") caller.onHeadWritten();
  }

  /** Plans what arrives and returns what is certain already; the rest settles when it arrives. */
  private deliver(
    { wire, effect, repeats, thereMs, timeoutMs }: Journey,
    settle: (result: Result) => void,
  ): Result | undefined {
    const { time, service } = this.doors;
    const lost = (silent: boolean) =>
      silent ? timedOut(timeoutMs) : { ...RESET, takesMs: thereMs + this.chance.between(1, 40) };
    const arrive = (delayMs: number, act: () => void) => time.after(delayMs, act);
    const noted = (answer: SandboxAnswer) => this.noteAnswer(wire, effect, answer);
    const take = (served?: FaultEffect) => noted(service.take(wire, served));
    const takeLate = () => noted(service.takeLate(wire));
    const answering = (backMs: number, carryOut: () => SandboxAnswer) => {
      if (thereMs + backMs >= timeoutMs) {
        arrive(thereMs, carryOut);
        return timedOut(timeoutMs);
      }
      arrive(thereMs, () => settle(answered(carryOut(), backMs)));
      return undefined;
    };
    const backMs = this.chance.between(2, 40);
    const refusal = repeats ? this.doors.repeatsRefusedWith() : undefined;
    if (refusal !== undefined)
      return answering(backMs, () => ({ statusCode: refusal, body: bodyOf("errors", wire) }));

    switch (effect?.kind) {
      case undefined:
        return answering(backMs, () => take());
      case "lost":
        return lost(effect.silent);
      case "lost-with-twin":
        arrive(thereMs, () => service.takeTwin(wire));
        return lost(true);
      case "cut":
        arrive(thereMs, () => take());
        return lost(effect.silent);
      case "half-body":
        arrive(thereMs, () => take());
        return { ...RESET, reason: "other side closed", takesMs: thereMs + backMs };
      case "late":
        arrive(thereMs + effect.byMs, takeLate);
        return lost(effect.silent);
      case "slow":
        return answering(effect.byMs, () => take());
      case "answer":
        return answering(backMs, () => {
          if (effect.carriedOut) take();
          return { statusCode: effect.status, body: bodyOf(effect.form, wire) };
        });
      case "delivered-twice":
        return answering(backMs, () => {
          const answer = take();
          // What was let in once is let in again; a service without any rule about nonces would pay it again.
          const isLetIn = answer.statusCode === 202 && this.doors.looksAtNonces;
          if (isLetIn) arrive(effect.againAfterMs, takeLate);
          return answer;
        });
      case "hidden": {
        const hide =
          effect.forMs === undefined
            ? ({ kind: "lose" } as const)
            : ({ kind: "hide", visibilityLagMs: effect.forMs } as const);
        if (effect.answered) return answering(backMs, () => take(hide));
        arrive(thereMs, () => take(hide));
        return lost(true);
      }
      case "another-payout-id": {
        const earlier = this.lastPayoutId;
        return answering(backMs, () => {
          const answer = take();
          if (answer.statusCode !== 202 || earlier === "") return answer;
          return { ...answer, body: `{"payoutId":"${earlier}"}` };
        });
      }
      case "carried-out-twice":
        return answering(backMs, () => take({ kind: "duplicate" }));
      case "refused-yet-made":
        return answering(backMs, () => {
          take();
          return { statusCode: 400, body: bodyOf("errors", wire) };
        });
      case "pages-shift":
        return answering(backMs, () => take({ kind: "page-shift", rows: effect.rows }));
      case "other-filters":
        return answering(backMs, () => take({ kind: "wrong-filters" }));
      case "refused-connection":
      case "stalled":
        throw new Error(`${effect.kind} writes nothing`);
    }
  }

  private remember(effect: RequestEffect | undefined, body: string): void {
    const [, reference] = REFERENCE.exec(body) ?? [];
    if (reference === undefined) return;
    if (effect?.kind === "hidden" && effect.forMs === undefined) this.neverShown.add(reference);
    if (effect !== undefined && isMisconduct(effect)) this.misconduct.add(reference);
  }

  private depart(caller: Caller): void {
    // What a dead life had on its way is nobody's any more.
    if (caller !== this.lastCaller) this.underWay = 0;
    this.lastCaller = caller;
    this.underWay += 1;
    this.busiest = Math.max(this.busiest, this.underWay);
  }

  /** Notes what the service answered, and from when on it shows the payout that it created. */
  private noteAnswer(
    { body, path }: WireRequest,
    effect: RequestEffect | undefined,
    answer: SandboxAnswer,
  ): SandboxAnswer {
    this.doors.trace(`service answers ${answer.statusCode} ${answer.body.slice(0, 90)}`);
    const [, payoutId] = /^{"payoutId":"([^"]+)"}$/.exec(answer.body) ?? [];
    if (answer.statusCode !== 202 || payoutId === undefined || path.endsWith("/find")) return answer;
    this.lastPayoutId = payoutId;
    const [, reference = ""] = REFERENCE.exec(body.toString("utf8")) ?? [];
    const lagMs =
      effect?.kind === "hidden" ? (effect.forMs ?? Number.POSITIVE_INFINITY) : this.doors.visibilityLagMs;
    this.shownFromMs.set(reference, this.doors.time.nowMs + lagMs);
    return answer;
  }

  /** Notes a creation whose head is written; true when its nonce was written before. */
  private note(caller: Caller, body: string): boolean {
    const nonce = BigInt(NONCE.exec(body)?.[1] ?? "-1");
    const repeats = this.nonces.has(nonce);
    this.nonces.add(nonce);
    const [, reference = ""] = REFERENCE.exec(body) ?? [];
    this.sent.push({
      life: caller.number,
      wasShown: (this.shownFromMs.get(reference) ?? Number.POSITIVE_INFINITY) < caller.runBeganMs,
      nonce,
      reference,
      otpCode: OTP_CODE.exec(body)?.[1] ?? "",
      businessFields: body.replace(NONCE, "").replace(OTP_CODE, ""),
    });
    return repeats;
  }
}

interface Journey {
  readonly wire: WireRequest;
  readonly effect: RequestEffect | undefined;
  readonly repeats: boolean;
  readonly thereMs: number;
  readonly timeoutMs: number;
}

const RESET = { kind: "unanswered", headWritten: true, timedOut: false, reason: "read ECONNRESET" } as const;

function notWritten(reason: string, takesMs: number, isTimeout = false): Result {
  return { kind: "unanswered", headWritten: false, timedOut: isTimeout, reason, takesMs };
}

function timedOut(timeoutMs: number): Result {
  const reason = `no answer within ${timeoutMs} ms`;
  return { kind: "unanswered", headWritten: true, timedOut: true, reason, takesMs: timeoutMs };
}

function answered({ statusCode, body }: SandboxAnswer, takesMs: number): Result {
  return { kind: "answered", status: statusCode, headers: {}, text: body, takesMs };
}

function bodyOf(form: AnswerForm, wire: WireRequest): string {
  const error = { error: "scripted", code: "SCRIPTED", timestamp: "2026-11-20T09:30:00.000Z" };
  switch (form) {
    case "errors":
      return JSON.stringify([error]);
    case "echo":
      return JSON.stringify([{ ...error, error: `cannot take ${wire.body.toString("utf8")}` }]);
    case "html":
      return `<html><body>Bad gateway: ${wire.path}</body></html>`;
    case "empty":
      return "";
    case "half-json":
      return `{"payoutId":"`;
  }
}
