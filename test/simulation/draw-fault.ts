/** Draws one fault: what goes wrong, and at which request or write. */
import type { Chance } from "./chance.ts";
import type { AnswerForm, EventEffect, Fault, RequestEffect } from "./faults.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;

export function drawFault(chance: Chance, rows: number): Fault {
  const draw = chance.fraction();
  if (draw < 0.5) {
    const times = chance.happens(0.2) ? chance.between(2, 6) : 1;
    return { on: "creation", nth: chance.between(1, rows), times, effect: creationEffect(chance) };
  }
  if (draw < 0.62) {
    const times = chance.between(1, 4);
    return { on: "look-up", nth: chance.between(1, 8), times, effect: lookUpEffect(chance) };
  }
  const event = drawEvent(chance);
  const anything = ["creation", "write", "write", "look-up"] as const;
  const on = event.kind === "lying-flush" ? "write" : chance.pick(anything);
  const nth = { creation: rows, write: 2 * rows, "look-up": 8 }[on];
  return { on, nth: chance.between(1, nth), times: 1, effect: event };
}

/** A person stops everything during a run, and lifts the order later. */
export function drawStopOrder(chance: Chance, rows: number): Fault {
  const on = chance.pick(["creation", "write"] as const);
  const effect = { kind: "stop-order", liftedAfterMs: longDelay(chance) } as const;
  return { on, nth: chance.between(1, rows), times: 1, effect };
}

/** At a file-system change or commit between the inbox and the first payment. */
export function drawCrashInIntake(chance: Chance): Fault {
  const effect = chance.happens(0.5)
    ? ({ kind: "crash", moment: "before", laterMs: 0 } as const)
    : ({ kind: "reboot", laterMs: 0 } as const);
  return { on: "change", nth: chance.between(1, 30), times: 1, effect };
}

function creationEffect(chance: Chance): RequestEffect {
  const silent = chance.happens(0.5);
  switch (chance.between(1, 18)) {
    case 1:
      return { kind: "refused-connection" };
    case 2:
      return { kind: "stalled" };
    case 3:
      return { kind: "lost", silent };
    case 4:
    case 5:
      return { kind: "cut", silent };
    case 6:
      return { kind: "half-body" };
    case 7:
    case 8:
      return { kind: "late", byMs: longDelay(chance), silent };
    case 9:
      return { kind: "slow", byMs: chance.between(1, 40) * SECOND };
    case 10:
    case 11:
    case 12:
    case 13:
      return oddAnswer(chance);
    case 14:
      return { kind: "delivered-twice", againAfterMs: longDelay(chance) };
    case 15:
      return { kind: "another-payout-id" };
    case 16:
      return { kind: "lost-with-twin" };
    case 17:
      return chance.happens(0.3) ? { kind: "carried-out-twice" } : { kind: "refused-yet-made" };
    default:
      return {
        kind: "hidden",
        forMs: chance.happens(0.3) ? undefined : longDelay(chance),
        answered: chance.happens(0.3),
      };
  }
}

/** From less than a time-out to more than every window; most often around the settle window of a quarter of an hour. */
function longDelay(chance: Chance): number {
  return chance.pick([
    chance.between(1, 30) * SECOND,
    chance.between(1, 14) * MINUTE,
    chance.between(14, 40) * MINUTE,
    chance.between(1, 12) * HOUR,
  ]);
}

/** Statuses that prove nothing, and the two that do, whose answers are then true. */
function oddAnswer(chance: Chance): RequestEffect {
  const status = chance.pick([
    ...([202, 302, 400, 401, 403, 404, 405, 413, 429, 502, 503] as const),
    ...([409, 409, 409, 500, 500, 500] as const),
  ]);
  const forms: readonly [AnswerForm, ...AnswerForm[]] = [
    ...(["errors", "errors", "echo", "echo", "html", "empty", "half-json"] as const),
  ];
  const form = chance.pick(forms);
  const isProof = (status === 400 || status === 404) && (form === "errors" || form === "echo");
  return { kind: "answer", status, form, carriedOut: !isProof && chance.happens(0.6) };
}

function lookUpEffect(chance: Chance): RequestEffect {
  switch (chance.between(1, 8)) {
    case 1:
      return { kind: "refused-connection" };
    case 2:
      return { kind: "cut", silent: chance.happens(0.5) };
    case 3:
      return { kind: "half-body" };
    case 4:
      return { kind: "other-filters" };
    case 5:
    case 6:
      return { kind: "pages-shift", rows: chance.pick([-40, -3, -1, 1, 3, 40]) };
    case 7:
      return { kind: "slow", byMs: chance.between(1, 40) * SECOND };
    default: {
      const status = chance.pick([200, 400, 404, 409, 429, 500, 503]);
      return { kind: "answer", status, form: chance.pick(["errors", "html", "empty"]), carriedOut: false };
    }
  }
}

function drawEvent(chance: Chance): EventEffect {
  switch (chance.between(1, 12)) {
    case 1:
    case 2:
      return {
        kind: "outage",
        forMs: longDelay(chance),
        how: chance.pick(["refused-connection", "503", "silence"]),
      };
    case 3:
    case 4:
      return {
        kind: "clock-jump",
        byMs: chance.pick([
          -20 * SECOND,
          20 * SECOND,
          -chance.between(1, 50) * HOUR,
          chance.between(1, 50) * HOUR,
          3 * YEAR,
        ]),
        backAfterMs: chance.between(1, 600) * SECOND,
      };
    case 5:
      return { kind: "reboot", laterMs: chance.between(0, 200) };
    case 6:
      return { kind: "lying-flush", writes: chance.between(1, 40), anchorSurvives: chance.happens(0.5) };
    case 7:
      return { kind: "second-process", laterMs: chance.between(0, 2000) };
    case 8:
      return { kind: "repeats-refused", status: chance.pick([400, 404, 409]) };
    default:
      return {
        kind: "crash",
        moment: chance.pick(["before", "after", "later"]),
        laterMs: chance.between(0, 300),
      };
  }
}
