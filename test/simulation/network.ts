/** The network of our process: a Transport in virtual time, which asks the seed what happens to each request. */
import type { HttpExchange, HttpRequest, Transport } from "../../src/context/transport.ts";
import { Chance } from "./chance.ts";
import { Delivery, type DeliveryDoors } from "./delivery.ts";
import { notWritten, type Result } from "./exchanges.ts";
import type { RequestEffect } from "./faults.ts";
import { LaneTraffic } from "./lane-traffic.ts";
import { never } from "./never.ts";
import { type SentCreation, SentCreations } from "./sent-creations.ts";
import { referencesIn, type WireRequest } from "./service.ts";

export type RequestKind = "creation" | "look-up";

export interface NetworkDoors
  extends Omit<DeliveryDoors, "onCreated" | "onLeftOut" | "onToldOtherwise" | "onOnItsWay"> {
  /** How long a payout takes to show. */
  readonly visibilityLagMs: number;
  /** The effect on this request; called once for each, before anything of it is written. */
  effectOn(kind: RequestKind, caller: Caller): RequestEffect | undefined;
  /** The head of a creation is being written. */
  onCreationLeaves(creation: SentCreation): void;
  /** The head of a look-up is being written. */
  onLookUpLeaves(wire: WireRequest): void;
  /** The answer to a creation, or its absence, is about to reach a living process. */
  onCreationEnded(creation: SentCreation): void;
}

/** What a life provides for its requests. */
export interface Caller {
  readonly isAlive: boolean;
  /** When its present run began. */
  readonly runBeganMs: number;
  /** Whether a person has ordered what it sends. */
  readonly isOrdered: boolean;
  /** The request has been written. */
  onHeadWritten(kind: RequestKind): void;
  /** Its answer has come. */
  onAnswered(): void;
}

export class Network {
  readonly sent = new SentCreations();
  /** By client key. */
  readonly lanes = new Map<string, LaneTraffic>();
  private readonly doors: NetworkDoors;
  private readonly delivery: Delivery;

  constructor(doors: NetworkDoors, seed: number) {
    const { time, visibilityLagMs } = doors;
    this.doors = doors;
    this.delivery = new Delivery(
      {
        ...doors,
        onCreated: ({ body }, effect) => {
          const hiddenMs = effect?.kind === "hidden" ? (effect.forMs ?? Number.POSITIVE_INFINITY) : 0;
          this.sent.noteShown(body.toString("utf8"), time.nowMs + Math.max(hiddenMs, visibilityLagMs));
        },
        onOnItsWay: (wire, forMs) => this.sent.noteOnItsWay(wire, forMs),
        onLeftOut: (what) => this.sent.noteLeftOut(what, time.nowMs),
        onToldOtherwise: (what) => this.sent.noteToldOtherwise(what, time.nowMs),
      },
      new Chance(seed ^ 0x5bd1e995),
    );
  }

  transportFor(caller: Caller): Transport {
    return {
      send: (request) => this.send(caller, request),
      renewConnections: () => undefined,
      close: () => Promise.resolve(),
    };
  }

  private send(caller: Caller, request: HttpRequest): Promise<HttpExchange> {
    if (!caller.isAlive) return never();
    const path = new URL(request.url).pathname;
    const kind: RequestKind = path.endsWith("/find") || path.endsWith("/balance") ? "look-up" : "creation";
    const effect = this.doors.effectOn(kind, caller);
    if (!caller.isAlive) return never();
    const { resolve, promise } = Promise.withResolvers<HttpExchange>();
    const endings: (() => void)[] = [];
    const settle = ({ takesMs, ...exchange }: Result) =>
      this.doors.time.after(takesMs, () => {
        if (exchange.kind === "answered") caller.onAnswered();
        if (!caller.isAlive) return;
        for (const end of endings) end();
        resolve(exchange);
      });
    if (kind === "creation") endings.push(this.laneOf(request).depart(caller));
    if (effect?.kind === "refused-connection") settle(notWritten("connect ECONNREFUSED", 1));
    else if (effect?.kind === "stalled")
      settle(notWritten("no connection was free", request.timeoutMs, true));
    else this.write(caller, { request, path, kind, effect, endings }, settle);
    return promise;
  }

  private write(
    caller: Caller,
    { request, path, kind, effect, endings }: Writing,
    settle: (result: Result) => void,
  ) {
    const stop = request.stopBeforeWrite?.();
    if (stop !== undefined) return settle(notWritten(stop, 0));
    const { method, headers, body, timeoutMs } = request;
    const wire: WireRequest = { method, path, headers, body };
    this.doors.trace(`${kind} sent${effect === undefined ? "" : `, meets ${JSON.stringify(effect)}`}`);
    let repeats = false;
    if (kind === "creation") {
      const lane = this.laneOf(request);
      const creation = this.sent.note(wire, this.doors.time.nowMs, lane.lowestNonce, caller, effect);
      this.doors.onCreationLeaves(creation);
      repeats = creation.repeats;
      endings.push(lane.write(creation.nonce), () => this.doors.onCreationEnded(creation));
    } else {
      this.sent.noteLookedFor(referencesIn(body));
      this.doors.onLookUpLeaves(wire);
    }
    this.delivery.begin({ wire, effect, repeats, timeoutMs }, settle);
    caller.onHeadWritten(kind);
  }

  private laneOf({ headers }: HttpRequest): LaneTraffic {
    const key = headers["key"] ?? "";
    const known = this.lanes.get(key) ?? new LaneTraffic();
    this.lanes.set(key, known);
    return known;
  }
}

interface Writing {
  readonly request: HttpRequest;
  readonly path: string;
  readonly kind: RequestKind;
  readonly effect: RequestEffect | undefined;
  /** What is to be done when the exchange has ended and somebody is alive to hear of it. */
  readonly endings: (() => void)[];
}
