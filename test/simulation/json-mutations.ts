/**
 * Random changes to a JSON text: members and elements are removed, repeated, renamed, moved, or get another type or
 * value. Numbers keep the digits that they were sent with. The meaning of a change is not known here.
 */
import { parseJson, writeJson } from "../../src/wire/index.ts";
import type { Chance } from "./chance.ts";

export interface MutatedText {
  readonly text: string;
  /** What was changed, one sentence per change. */
  readonly how: readonly string[];
}

export interface Material {
  /** Paths where changes rarely matter: ".results.pageable.offset". */
  readonly seldom: RegExp;
  /** Another value for a key, taken from elsewhere; undefined if there is none. */
  elsewhere(key: string): unknown;
}

/** Applies one to three changes. */
export function mutatedJson(text: string, chance: Chance, { seldom, elsewhere }: Material): MutatedText {
  const root = { "": parseJson(text) };
  const how: string[] = [];
  let inText: InText | undefined;
  for (let changes = chance.pick([1, 1, 2, 3]); changes > 0; changes -= 1) {
    if (chance.happens(0.12)) inText = chance.pick([doubleMember, cut, append]);
    else how.push(changeSomething({ root, chance, seldom, elsewhere }));
  }
  const written = writeJson(root[""]);
  if (inText === undefined) return { text: written, how };
  const changed = inText(written, chance);
  return { text: changed.text, how: [...how, ...changed.how] };
}

type Holder = Record<string, unknown>;

interface Place {
  readonly holder: Holder;
  readonly key: string;
  readonly path: string;
}

interface Mutation extends Material {
  /** The document is treated as a member "", so that the whole of it can be changed too. */
  readonly root: Holder;
  readonly chance: Chance;
}

type Change = (place: Place, mutation: Mutation) => string | undefined;

/** A change that does not fit its place is drawn again. */
function changeSomething(mutation: Mutation): string {
  const { chance } = mutation;
  for (;;) {
    const place = somePlace(mutation);
    const how = chance.pick(CHANGES)(place, mutation);
    if (how !== undefined) return `${place.path} ${how}`;
  }
}

/** Every name is equally likely, however often it occurs; places in lists a little more than those around them. */
function somePlace({ root, chance, seldom }: Mutation): Place {
  const isSeldom = chance.happens(0.1);
  const places = [...placesIn(root, "")].filter(({ path }) => isSeldom || !seldom.test(path));
  const inLists = places.filter(({ path }) => /\[\d+\]./.test(path));
  const around = places.filter((place) => !inLists.includes(place));
  const some = inLists.length > 0 && chance.happens(0.6) ? inLists : around;
  const byName = [...Map.groupBy(some, nameOf).values()];
  const alike = byName[chance.between(0, byName.length - 1)] ?? [];
  const place = alike[chance.between(0, alike.length - 1)];
  if (place === undefined) throw new Error("a document is a place itself");
  return place;
}

function nameOf({ path }: Place): string {
  return path.slice(path.lastIndexOf(".") + 1).replaceAll(/\d+(?=\])/g, "");
}

function* placesIn(holder: Holder, path: string): Generator<Place> {
  for (const [key, value] of Object.entries(holder)) {
    const here = key === "" ? path : Array.isArray(holder) ? `${path}[${key}]` : `${path}.${key}`;
    yield { holder, key, path: here };
    if (isHolder(value)) yield* placesIn(value, here);
  }
}

function isHolder(value: unknown): value is Holder {
  return typeof value === "object" && value !== null;
}

const remove: Change = ({ holder, key }) => {
  if (key === "") return undefined;
  if (Array.isArray(holder)) holder.splice(Number.parseInt(key, 10), 1);
  else delete holder[key];
  return "was removed";
};

const retype: Change = (place, { chance }) =>
  put(
    place,
    chance.pick([null, null, "", "x", "1", {}, [], [null], true, number("0"), number("17"), deep()]),
  );

/** Another value of the same type. */
const change: Change = (place, mutation) => {
  const value = place.holder[place.key];
  if (typeof value === "boolean") return put(place, !value);
  if (typeof value === "string" && value.startsWith(NUMBER_MARK))
    return put(place, number(asJson(otherDigits(value.slice(1), mutation.chance))));
  if (typeof value === "string") return put(place, otherText(value, mutation.chance));
  if (Array.isArray(value)) return changeList(value, mutation.chance);
  return undefined;
};

/** The value that another place of the same name has. */
const swap: Change = (place, { root, chance }) => {
  const others = [...placesIn(root, "")].filter(
    (other) => nameOf(other) === nameOf(place) && other.holder !== place.holder && areApart(place, other),
  );
  const other = others[chance.between(0, others.length - 1)];
  if (other === undefined) return undefined;
  const [here, there] = [place.holder[place.key], other.holder[other.key]];
  put(place, structuredClone(there));
  if (chance.happens(0.3)) return `became what ${other.path} is`;
  put(other, here);
  return `changed places with ${other.path}`;
};

/** Neither contains the other. */
function areApart({ path }: Place, other: Place): boolean {
  return !path.startsWith(other.path) && !other.path.startsWith(path);
}

const mixUp: Change = (place, { elsewhere }) => {
  const value = elsewhere(place.key);
  return value === undefined ? undefined : put(place, value);
};

const rename: Change = ({ holder, key }, { chance }) => {
  if (Array.isArray(holder) || key === "") return undefined;
  const name = chance.pick([
    key.toLowerCase(),
    key.toUpperCase(),
    `${key}s`,
    "__proto__",
    "constructor",
    "0",
    "id",
  ]);
  const value = holder[key];
  delete holder[key];
  // An assignment would not create a member `__proto__`.
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
  return `was renamed to ${name}`;
};

const CHANGES = [
  remove,
  remove,
  retype,
  retype,
  change,
  change,
  change,
  change,
  swap,
  mixUp,
  rename,
] as const;

const NUMBER_MARK = "\u0000";

/** A number as `parseJson` reads it. */
function number(digits: string): string {
  return NUMBER_MARK + digits;
}

/** More levels than any reader accepts. */
function deep(): unknown {
  return Array.from({ length: 600 }).reduce((inner: unknown) => [inner], null);
}

function put({ holder, key }: Place, value: unknown): string {
  holder[key] = value;
  const text = writeJson(value);
  return `became ${text.length > 100 ? `${text.slice(0, 100)}...` : text}`;
}

function asJson(digits: string): string {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(digits) ? digits : "7";
}

function otherDigits(digits: string, chance: Chance): string {
  const value = Number.parseFloat(digits);
  return chance.pick([
    "0",
    "1",
    "-1",
    `-${digits.replace("-", "")}`,
    String(Number.isSafeInteger(value) ? value + 1 : 2),
    String(Number.isSafeInteger(value) ? value - 1 : 3),
    `${digits}0`.replace(/^00/, "0"),
    digits.replace(/\d(?=\D*$)/, (last) => String((Number.parseInt(last, 10) + 1) % 10)),
    "1e400",
    "1E-8",
    "0.5",
    "2147483648",
    "99999999999999999999999",
  ]);
}

function otherText(text: string, chance: Chance): string {
  if (text === "") return "x";
  if (/^\d{4}-\d\d-\d\dT/.test(text) && chance.happens(0.7)) return otherDate(text, chance);
  const at = chance.between(0, text.length - 1);
  const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)];
  return chance.pick([
    before + nextCharacter(here) + after,
    before + nextCharacter(here) + after,
    before + after,
    // Never as the first character, where it would mark a number.
    `${text}${chance.pick([" ", "\u0000", "\ud800", "\u202e", "'", "0"])}`,
    ` ${text}`,
    text.toUpperCase(),
    text.toLowerCase(),
    text + text,
    "",
    before,
    text.length < 1000 ? text.repeat(300) : "",
  ]);
}

/** Digits stay digits and letters stay letters, so that an id usually stays one. */
function nextCharacter(character: string): string {
  const next = "1234567890".charAt("0123456789".indexOf(character));
  if (/\d/.test(character)) return next;
  const letter = "bcdefa".charAt("abcdef".indexOf(character));
  return /[a-f]/.test(character) ? letter : String.fromCodePoint((character.codePointAt(0) ?? 64) + 1);
}

function otherDate(text: string, chance: Chance): string {
  const rest = text.slice(4);
  const hour = Number.parseInt(text.slice(11, 13), 10);
  return chance.pick([
    `1970${rest}`,
    `2199${rest}`,
    `9999${rest}`,
    `0000${rest}`,
    `${text.slice(0, 11)}${String((hour + 23) % 24).padStart(2, "0")}${text.slice(13)}`,
    `${text.slice(0, 5)}02-30${text.slice(10)}`,
    text.replace("Z", "+14:00"),
    text.replace("Z", ""),
    text.slice(0, 10),
  ]);
}

function changeList(list: unknown[], chance: Chance): string | undefined {
  const at = chance.between(0, list.length - 1);
  const one = list[at];
  const how = chance.pick([
    "emptied",
    "lost one",
    "has one twice",
    "has one elsewhere",
    "backwards",
  ] as const);
  if (how === "emptied") list.length = 0;
  else if (list.length === 0) return undefined;
  else if (how === "lost one") list.splice(at, 1);
  else if (how === "has one twice") list.splice(chance.between(0, list.length), 0, structuredClone(one));
  else if (how === "has one elsewhere")
    list.splice(chance.between(0, list.length - 1), 0, ...list.splice(at, 1));
  else list.reverse();
  return `is a list that ${how} (at ${at})`;
}

type InText = (text: string, chance: Chance) => MutatedText;

const doubleMember: InText = (text, chance) => {
  const members = [...text.matchAll(/"\w+":(?:"(?:[^"\\]|\\.)*"|[-\d.eE+]+|true|false|null)/g)];
  const [member = ""] = members[chance.between(0, members.length - 1)] ?? [];
  if (member === "") return append(text, chance);
  const name = member.slice(0, member.indexOf(":"));
  const first = chance.happens(0.5) ? member : `${name}:null`;
  return { text: text.replace(member, () => `${first},${member}`), how: [`${first} comes before ${member}`] };
};

const cut: InText = (text, chance) => {
  const at = chance.between(0, text.length);
  return { text: text.slice(0, at), how: [`cut after ${at} characters`] };
};

const append: InText = (text, chance) => {
  const more = chance.pick(["\n", "}", "x", ",", text, "\u0000", "<!-- -->"]);
  return { text: text + more, how: [`followed by ${JSON.stringify(more.slice(0, 30))}`] };
};
