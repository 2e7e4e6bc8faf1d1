/**
 * A request between its head and its answer: when and whether it arrives at the service, and what of the answer comes
 * back. Plays every request effect.
 */
import type { Creation, FaultEffect, SandboxAnswer } from "../../src/sandbox/index.ts";
import { parseJson } from "../../src/wire/index.ts";
import { Chance } from "./chance.ts";
import { answered, bodyOf, type Result, reset, type TransportAnswer, timedOut } from "./exchanges.ts";
import type { RequestEffect } from "./faults.ts";
import { mutatedJson } from "./json-mutations.ts";
import { partsOf } from "./sent-creations.ts";
import { type LeftOut, referencesIn, type SimulatedService, type WireRequest } from "./service.ts";
import { acceptedOtherwise, foundOtherwise, type ToldOtherwise } from "./told-otherwise.ts";
import { echoing, type FoundPayout, misnumberedPage, spelledPage } from "./untrue-finds.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface DeliveryDoors {
  readonly time: VirtualTime;
  readonly service: SimulatedService;
  /** False for a service that accepts every nonce. */
  readonly looksAtNonces: boolean;
  /** The status with which the service refuses repeated nonces, if the seed has one. */
  repeatsRefusedWith(): number | undefined;
  /** The service has created a payout. */
  onCreated(wire: WireRequest, effect: RequestEffect | undefined): void;
  /** A request will be in flight for this long. */
  onOnItsWay(wire: WireRequest, forMs: number): void;
  /** A find has left out payouts. */
  onLeftOut(what: LeftOut): void;
  /** The answer differs from what the service said. */
  onToldOtherwise(what: ToldOtherwise): void;
  trace(text: string): void;
}

export interface Journey {
  readonly wire: WireRequest;
  readonly effect: RequestEffect | undefined;
  /** Its nonce has left before. */
  readonly repeats: boolean;
  readonly timeoutMs: number;
}

export class Delivery {
  private readonly doors: DeliveryDoors;
  private readonly chance: Chance;
  private lastPayoutId = "";
  /** One per fault that alters answers, by its draw. */
  private readonly mutations = new Map<number, Chance>();

  constructor(doors: DeliveryDoors, chance: Chance) {
    this.doors = doors;
    this.chance = chance;
  }

  /** Plans what arrives when; calls `settle` as soon as the result is certain, perhaps at once. */
  begin({ wire, effect, repeats, timeoutMs }: Journey, settle: (result: Result) => void): void {
    const { time, service, looksAtNonces, repeatsRefusedWith } = this.doors;
    const thereMs = this.chance.between(2, 40);
    const backMs = this.chance.between(2, 40);
    const noted = (answer: SandboxAnswer) => this.noted(wire, effect, answer);
    const take = (served?: FaultEffect) => noted(service.take(wire, served));
    const takeLate = () => noted(service.takeLate(wire));
    const lose = (silent: boolean) =>
      settle(silent ? timedOut(timeoutMs) : reset("read ECONNRESET", thereMs + backMs));
    const answer = (carryOut: () => TransportAnswer, answerMs = backMs) => {
      const inTime = thereMs + answerMs < timeoutMs;
      time.after(thereMs, () => {
        const given = carryOut();
        if (inTime) settle(answered(given, answerMs));
      });
      if (!inTime) settle(timedOut(timeoutMs));
    };
    const scripted = (statusCode: number, body: string, headers = {}) => ({ statusCode, body, headers });
    const insteadOfAcceptance = (statusCode: number, bodyFor: (own: string) => string) =>
      answer(() => {
        const own = take();
        return own.statusCode === 202 ? scripted(statusCode, bodyFor(own.body)) : own;
      });

    // A falsified answer may hide an existing payout, so nobody can be blamed for not having seen it.
    if (effect !== undefined && TELLS_WRONGLY.has(effect.kind)) {
      const asked = referencesIn(wire.body);
      this.doors.onLeftOut({ asked, leftOut: asked, shown: asked.length });
    }
    const refusal = repeats ? repeatsRefusedWith() : undefined;
    if (refusal !== undefined) {
      answer(() => scripted(refusal, bodyOf("errors", wire)));
      return;
    }
    switch (effect?.kind) {
      case undefined:
        answer(take);
        break;
      case "lost":
        lose(effect.silent);
        break;
      case "lost-with-twin":
        time.after(thereMs, () => service.takeTwin(wire));
        lose(true);
        break;
      case "cut":
        time.after(thereMs, take);
        lose(effect.silent);
        break;
      case "half-body":
        time.after(thereMs, take);
        settle(reset("other side closed", thereMs + backMs));
        break;
      case "late":
        this.doors.onOnItsWay(wire, effect.byMs);
        time.after(thereMs + effect.byMs, takeLate);
        lose(effect.silent);
        break;
      case "slow":
        answer(take, effect.byMs);
        break;
      case "answer":
        answer(() => {
          if (effect.carriedOut) take();
          return scripted(effect.status, bodyOf(effect.form, wire), effect.headers);
        });
        break;
      case "other-success":
        insteadOfAcceptance(effect.status, (own) => own);
        break;
      case "odd-acceptance":
        insteadOfAcceptance(202, () => effect.body);
        break;
      case "foreign-payout-id": {
        const foreign = this.chance.uuid();
        insteadOfAcceptance(202, () => `{"payoutId":"${foreign}"}`);
        break;
      }
      case "delivered-twice":
        answer(() => {
          const first = take();
          // A request that was let in once is let in again; a service without a nonce rule would pay it again.
          if (first.statusCode === 202 && looksAtNonces) time.after(effect.againAfterMs, takeLate);
          return first;
        });
        break;
      case "hidden": {
        const hide = hidingFor(effect.forMs);
        if (effect.answered) {
          answer(() => take(hide));
          break;
        }
        time.after(thereMs, () => take(hide));
        lose(true);
        break;
      }
      case "another-payout-id": {
        const earlier = this.lastPayoutId;
        insteadOfAcceptance(202, (own) => (earlier === "" ? own : `{"payoutId":"${earlier}"}`));
        break;
      }
      case "carried-out-twice":
        answer(() => take({ kind: "duplicate" }));
        break;
      case "refused-yet-made":
        answer(() => {
          take();
          return scripted(400, bodyOf("errors", wire));
        });
        break;
      case "pages-shift":
        answer(() => take({ kind: "page-shift", rows: effect.rows }));
        break;
      case "other-filters":
        answer(() => {
          const asked = referencesIn(wire.body);
          // The latest ones, which include witnesses.
          const others = asked.slice(0, Math.ceil(asked.length / 2));
          const half = asked.slice(others.length);
          const isLeftOut = ({ reference }: FoundPayout) => others.includes(reference);
          // Anybody who takes it for an answer about the others has looked for them in vain.
          const onLeftOut = () => this.doors.onLeftOut({ asked: others, leftOut: others, shown: 0 });
          return echoing(service.takeWithout(wire, isLeftOut, onLeftOut), half);
        });
        break;
      case "untrue-page":
        answer(() => misnumberedPage(take(), effect.lie));
        break;
      case "spelled":
        answer(() => spelledPage(take(), effect.spelling));
        break;
      case "mutated":
        answer(() => this.mutated(wire, take(), effect.draw));
        break;
      case "vanished":
      case "old-copy":
        answer(() => service.takeWithout(wire, isLeftOutBy(effect, time.nowMs), this.doors.onLeftOut));
        break;
      case "refused-connection":
      case "stalled":
        throw new Error(`${effect.kind} writes nothing`);
    }
  }

  private mutated(wire: WireRequest, honest: SandboxAnswer, draw: number): SandboxAnswer {
    if (honest.body === "") return honest;
    const { service, onToldOtherwise, trace } = this.doors;
    const chance = this.mutations.get(draw) ?? new Chance(draw);
    this.mutations.set(draw, chance);
    const creations = service.creations();
    const { text, how } = mutatedJson(honest.body, chance, {
      seldom: SELDOM_READ,
      elsewhere: (key) => someOf(creations, key, chance),
    });
    trace(`the answer is changed: ${how.join("; ")}`);
    const answers = { honest: honest.body, told: text };
    onToldOtherwise(
      wire.path.endsWith("/find")
        ? foundOtherwise(answers, referencesIn(wire.body), creations)
        : acceptedOtherwise(answers, partsOf(wire).reference, creations),
    );
    return { ...honest, body: text };
  }

  private noted(wire: WireRequest, effect: RequestEffect | undefined, answer: SandboxAnswer): SandboxAnswer {
    const { statusCode, body } = answer;
    this.doors.trace(`the service answers ${statusCode} ${body.slice(0, 90)}`);
    const [, payoutId] = /^{"payoutId":"([^"]+)"}$/.exec(body) ?? [];
    if (statusCode !== 202 || payoutId === undefined) return answer;
    this.lastPayoutId = payoutId;
    this.doors.onCreated(wire, effect);
    return answer;
  }
}

const TELLS_WRONGLY: ReadonlySet<RequestEffect["kind"]> = new Set<RequestEffect["kind"]>([
  "pages-shift",
  "other-filters",
  "untrue-page",
  "spelled",
]);

const SELDOM_READ = /\.sort\b|\.pageable\b|\.authorization\b|\.clientId\b/;

/** What one of the payouts has under a key. */
function someOf(creations: readonly Creation[], key: string, chance: Chance): unknown {
  if (key === "payoutState") return chance.pick(["SENT", "COMPLETED", "SEND_FAILED", "CANCELLED"]);
  const one = creations[chance.between(0, creations.length - 1)];
  if (one === undefined) return undefined;
  const { payoutId, body } = one;
  const payout: Readonly<Record<string, unknown>> = { ...(parseJson(body) as object), payoutId };
  return Object.hasOwn(payout, key) ? payout[key] : undefined;
}

type LeavingOut = Extract<RequestEffect, { readonly kind: "vanished" | "old-copy" }>;

function isLeftOutBy(effect: LeavingOut, nowMs: number): (payout: FoundPayout, place: number) => boolean {
  return effect.kind === "vanished"
    ? (_payout, place) => place % effect.every === 0
    : ({ createdDate }) => Date.parse(createdDate) > nowMs - effect.behindMs;
}

function hidingFor(durationMs: number | undefined): FaultEffect {
  return durationMs === undefined ? { kind: "lose" } : { kind: "hide", visibilityLagMs: durationMs };
}
