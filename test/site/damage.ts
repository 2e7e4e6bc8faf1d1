/** Damages bytes between a service and us in random ways, without knowing what they mean. */
import type { Chance } from "../simulation/chance.ts";

/** What arrives of an answer: its pieces, a pause, or the end of the connection. */
export type Damaged = readonly Buffer[] | "held back" | "cut off";

export function damaged(answer: Buffer, chance: Chance): Damaged {
  return chance.pick(DAMAGES)(answer, chance);
}

type Damage = (answer: Buffer, chance: Chance) => Damaged;

const bit: Damage = (answer, chance) => {
  const flipped = Buffer.from(answer);
  const at = chance.between(0, answer.length - 1);
  flipped[at] = (flipped[at] ?? 0) ^ (1 << chance.between(0, 7));
  return [flipped];
};

const inserted: Damage = (answer, chance) => {
  const at = chance.between(0, answer.length);
  const foreign = chance.pick([
    "\0",
    "}",
    "]",
    '"',
    ",",
    "null",
    "\r\n\r\n",
    "{}",
    "0".repeat(40),
    INTERIM,
    EMPTY,
  ]);
  return [answer.subarray(0, at), Buffer.from(foreign), answer.subarray(at)];
};

const INTERIM = "HTTP/1.1 100 Continue\r\n\r\n";
const EMPTY = "HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n";

const lostWithin: Damage = (answer, chance) => {
  const at = chance.between(0, answer.length);
  return [answer.subarray(0, at), answer.subarray(at + chance.between(1, 20))];
};

const inOtherOrder: Damage = (answer, chance) => {
  const at = chance.between(0, answer.length);
  return [answer.subarray(at), answer.subarray(0, at)];
};

const otherStatus: Damage = (answer, chance) => {
  const status = chance.pick([
    101, 103, 200, 201, 202, 204, 301, 304, 400, 403, 404, 409, 429, 500, 503, 999,
  ]);
  return [replaced(answer, /^HTTP\/1\.1 \d+/, `HTTP/1.1 ${status}`)];
};

const otherLength: Damage = (answer, chance) => {
  const length = chance.pick(["0", "1", "99999", "-1", "abc", "18446744073709551616"]);
  return [replaced(answer, /content-length: \d+/i, `content-length: ${length}`)];
};

/** Swaps two texts of the answer: ids, references, states. */
const exchanged: Damage = (answer, chance) => {
  const texts = answer.toString("latin1").match(/"[\w-]{5,36}"/g) ?? [];
  const last = texts.length - 1;
  const [one, other] = [texts[chance.between(0, last)], texts[chance.between(0, last)]];
  if (one === undefined || other === undefined) return [answer];
  const changed = answer.toString("latin1").replaceAll(/"[\w-]{5,36}"/g, (text) => {
    if (text === one) return other;
    return text === other ? one : text;
  });
  return [Buffer.from(changed, "latin1")];
};

const DAMAGES: readonly [Damage, ...Damage[]] = [
  bit,
  inserted,
  lostWithin,
  inOtherOrder,
  otherStatus,
  otherLength,
  exchanged,
  (answer) => [answer, answer],
  (answer, chance) => [answer.subarray(0, chance.between(0, answer.length))],
  () => "held back",
  () => "cut off",
];

function replaced(answer: Buffer, pattern: RegExp, replacement: string): Buffer {
  return Buffer.from(answer.toString("latin1").replace(pattern, replacement), "latin1");
}
