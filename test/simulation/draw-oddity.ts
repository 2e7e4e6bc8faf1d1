/** Draws the answers of an odd service: some prove nothing, and some finds are untrue. */
import type { Chance } from "./chance.ts";
import type { AnswerForm, Fault, RequestEffect } from "./faults.ts";

const SECOND = 1000;
const HOUR = 3_600 * SECOND;

export function drawOddity(chance: Chance, rows: number): readonly Fault[] {
  const creation = { on: "creation", nth: chance.between(1, rows), times: 1 } as const;
  if (chance.happens(0.5)) {
    const times = chance.happens(0.2) ? chance.between(2, 6) : 1;
    return [{ ...creation, times, effect: oddAnswer(chance) }];
  }
  const lookUp = { on: "look-up", nth: chance.between(1, 25), effect: untrueFind(chance) } as const;
  // One untrue answer, or a service that stays like that for a long while.
  const times = chance.happens(0.7) ? chance.between(1, 4) : chance.between(8, 20);
  const { kind } = lookUp.effect;
  if (kind !== "vanished" && kind !== "old-copy") return [{ ...lookUp, times }];
  // Leaving payouts out matters when something is in doubt.
  const lost = { ...creation, effect: { kind: "lost", silent: true } } as const;
  return [{ ...lookUp, times }, lost];
}

/** Answers altered on their way: a single one, or all for a long while. */
export function drawMutations(chance: Chance, rows: number): readonly Fault[] {
  const effect = { kind: "mutated", draw: chance.between(1, 1_000_000_000) } as const;
  const creation = { on: "creation", nth: chance.between(1, rows) } as const;
  const times = chance.happens(0.7) ? chance.between(1, 4) : chance.between(8, 20);
  if (chance.happens(0.25)) return [{ ...creation, times: Math.min(times, 6), effect }];
  const lookUp = { on: "look-up", nth: chance.between(1, 25), times, effect } as const;
  // Altered answers matter when something is in doubt.
  const lost = { ...creation, times: 1, effect: { kind: "lost", silent: true } } as const;
  const cut = { ...creation, times: chance.between(1, 3), effect: { kind: "cut", silent: false } } as const;
  return [lookUp, ...chance.pick([[], [lost], [cut]])];
}

/**
 * Faults that outlast the service's memory of nonces: a request in flight, a payout that is not shown, a wrong clock.
 */
export function drawOutlivingMemory(chance: Chance, rows: number): Fault[] {
  const on = "creation";
  const faults: Fault[] = [];
  if (chance.happens(0.5)) {
    const effect = { kind: "late", byMs: chance.between(20, 60) * HOUR, silent: true } as const;
    faults.push({ on, nth: chance.between(1, rows), times: 1, effect });
  }
  if (chance.happens(0.5)) {
    const effect = { kind: "hidden", forMs: chance.between(20, 60) * HOUR, answered: false } as const;
    faults.push({ on, nth: chance.between(1, rows), times: 1, effect });
  }
  if (chance.happens(0.5)) {
    const byMs = chance.pick([-50, -26, 26, 50]) * HOUR;
    const effect = { kind: "clock-jump", byMs, backAfterMs: chance.pick([0.1, 1, 30, 60]) * HOUR } as const;
    faults.push({ on, nth: chance.between(1, rows), times: 1, effect });
  }
  return faults;
}

function oddAnswer(chance: Chance): RequestEffect {
  switch (chance.between(1, 6)) {
    case 1:
      return { kind: "other-success", status: chance.pick([200, 201]) };
    case 2:
      return { kind: "odd-acceptance", body: chance.pick(NO_ACCEPTANCE) };
    case 3:
      return { kind: "foreign-payout-id" };
    case 4: {
      const status = chance.pick([301, 302, 303, 307, 308]);
      const headers = { location: "https://service.test/payouts/v2/create" };
      return { kind: "answer", status, form: "empty", carriedOut: chance.happens(0.5), headers };
    }
    default: {
      const status = chance.pick([408, 421, 425, 429, 500, 503]);
      const forms: readonly [AnswerForm, ...AnswerForm[]] = ["errors", "html", "empty"];
      const headers = { "retry-after": chance.pick(RETRY_AFTER) };
      return { kind: "answer", status, form: chance.pick(forms), carriedOut: chance.happens(0.5), headers };
    }
  }
}

const NO_ACCEPTANCE = [
  "{}",
  "[]",
  "null",
  '{"payoutId":""}',
  '{"payoutId":null}',
  '{"payoutId":4711}',
  '{"payoutId":"4711"}',
  '{"id":"6f1cbb7e-0000-4000-8000-00000000ffff"}',
  '{"payoutId":"6f1cbb7e-0000-4000-8000-00000000ffff","payoutId":"6f1cbb7e-0000-4000-8000-00000000fffe"}',
] as const;

const RETRY_AFTER = [
  "0",
  "-5",
  "7",
  "1e99",
  "99999999999999999999",
  "soon",
  "",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "Thu, 31 Dec 2099 23:59:59 GMT",
] as const;

function untrueFind(chance: Chance): RequestEffect {
  switch (chance.between(1, 6)) {
    case 1:
      return {
        kind: "untrue-page",
        lie: chance.pick(["total-too-small", "total-too-large", "last-too-early", "never-last", "empty"]),
      };
    case 2:
      return {
        kind: "spelled",
        spelling: chance.pick([
          "amounts-with-zeros",
          "amounts-with-exponents",
          "amounts-as-texts",
          "amounts-with-commas",
          "states-unknown",
          "states-gone-back",
        ]),
      };
    case 3:
      return {
        kind: "spelled",
        spelling: chance.pick(["references-in-lower-case", "references-padded", "references-cut"]),
      };
    case 4:
      return { kind: "vanished", every: chance.pick([1, 1, 2, 5]) };
    default:
      return {
        kind: "old-copy",
        behindMs: chance.pick([SECOND, 30 * SECOND, 600 * SECOND, 2 * HOUR, 24 * HOUR]),
      };
  }
}
