/**
 * A set of ids that takes some 20 bytes for each UUID. A service may show millions, and a Set of texts would take a
 * hundred bytes for each.
 */

/** Words of 32 bits in a UUID. */
const WORDS = 4;

/** UUIDs by the first bits of their hash: one part after the other grows, so that few are copied at a time. */
const PARTS = 64;
const HASHES_OF_PART = 2 ** 32 / PARTS;

const SLOTS_FIRST = 16;
/** The share of its slots that a part fills before it grows. */
const FILLED_MAX = 0.8;
const GROWTH = 1.25;

export class IdSet {
  private parts: Part[] = [];
  private uuids = 0;
  /** Ids that are not UUIDs, and the UUID of zeros. */
  private readonly others = new Set<string>();
  private readonly words = new Uint32Array(WORDS);

  get size(): number {
    return this.uuids + this.others.size;
  }

  has(id: string): boolean {
    const { words } = this;
    if (!readUuid(id, words)) return this.others.has(id);
    const hash = hashOf(words, 0);
    return this.parts[partOf(hash)]?.has(words, hash) === true;
  }

  /** Returns whether the id is new. */
  add(id: string): boolean {
    if (readUuid(id, this.words)) return this.addUuid(this.words, 0);
    const before = this.others.size;
    return this.others.add(id).size > before;
  }

  /** Takes all ids away from the other set: of millions, a copy would take much memory. */
  takeAll(from: IdSet): void {
    for (const other of from.others) this.others.add(other);
    if (this.uuids === 0) {
      [this.parts, this.uuids] = [from.parts, from.uuids];
      [from.parts, from.uuids] = [[], 0];
    }
    for (const part of from.parts) part.each((slots, at) => this.addUuid(slots, at));
    from.clear();
  }

  /** Call it when the ids are not needed any more: the memory is free at once, not when garbage is next collected. */
  clear(): void {
    for (const part of this.parts) part.end();
    this.parts = [];
    this.uuids = 0;
    this.others.clear();
  }

  private addUuid(from: Uint32Array, at: number): boolean {
    if (this.parts.length === 0) this.parts = Array.from({ length: PARTS }, () => new Part());
    const hash = hashOf(from, at);
    const isNew = this.parts[partOf(hash)]?.add(from, at, hash) === true;
    if (isNew) this.uuids += 1;
    return isNew;
  }
}

/** UUIDs in slots by their hash, each in its own or the next free one. A free slot is zero. */
class Part {
  private slots = new Uint32Array(SLOTS_FIRST * WORDS);
  private count = 0;

  has(words: Uint32Array, hash: number): boolean {
    return !isFree(this.slots, this.placeOf(words, 0, hash));
  }

  /** Returns whether the UUID at this place is new. */
  add(from: Uint32Array, at: number, hash: number): boolean {
    const place = this.placeOf(from, at, hash);
    if (!isFree(this.slots, place)) return false;
    copyUuid(from, at, this.slots, place);
    this.count += 1;
    if (this.count * WORDS > this.slots.length * FILLED_MAX) this.grow();
    return true;
  }

  each(take: (slots: Uint32Array, at: number) => void): void {
    const { slots } = this;
    for (let at = 0; at < slots.length; at += WORDS) if (!isFree(slots, at)) take(slots, at);
  }

  /** Where the UUID is, or the free place where it belongs. */
  private placeOf(from: Uint32Array, at: number, hash: number): number {
    const { slots } = this;
    const share = (hash % HASHES_OF_PART) / HASHES_OF_PART;
    let place = Math.floor((share * slots.length) / WORDS) * WORDS;
    while (!isFree(slots, place) && !isSame(slots, place, from, at)) {
      place += WORDS;
      if (place === slots.length) place = 0;
    }
    return place;
  }

  private grow(): void {
    const former = this.slots;
    this.slots = new Uint32Array(Math.ceil((former.length / WORDS) * GROWTH) * WORDS);
    for (let at = 0; at < former.length; at += WORDS)
      if (!isFree(former, at)) copyUuid(former, at, this.slots, this.placeOf(former, at, hashOf(former, at)));
    free(former);
  }

  end(): void {
    free(this.slots);
  }
}

/** Gives the memory back at once. */
function free(slots: Uint32Array<ArrayBuffer>): void {
  slots.buffer.transfer(0);
}

function isFree(slots: Uint32Array, at: number): boolean {
  return slots[at] === 0 && slots[at + 1] === 0 && slots[at + 2] === 0 && slots[at + 3] === 0;
}

function isSame(left: Uint32Array, leftAt: number, right: Uint32Array, rightAt: number): boolean {
  for (let word = 0; word < WORDS; word += 1) if (left[leftAt + word] !== right[rightAt + word]) return false;
  return true;
}

function copyUuid(from: Uint32Array, at: number, to: Uint32Array, place: number): void {
  for (let word = 0; word < WORDS; word += 1) to[place + word] = from[at + word] ?? 0;
}

function partOf(hash: number): number {
  return Math.floor(hash / HASHES_OF_PART);
}

/**
 * Of 32 bits. Ids chosen to collide would make the set slow. But each one needs its own payout, and a reading ends at
 * its pages.
 */
function hashOf(words: Uint32Array, at: number): number {
  // Destructuring would iterate and take several times as long.
  const a = words[at] ?? 0;
  const b = words[at + 1] ?? 0;
  const c = words[at + 2] ?? 0;
  const d = words[at + 3] ?? 0;
  let hash = Math.imul(a ^ (b >>> 7), 0x9e3779b1) ^ Math.imul(c, 0x85ebca6b) ^ Math.imul(d, 0xc2b2ae35);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const UUID_LENGTH = 36;
const HYPHEN = 45;

/** Fills `words` from a UUID in lower case; false for any other text and for the UUID of zeros. */
function readUuid(id: string, words: Uint32Array): boolean {
  if (id.length !== UUID_LENGTH) return false;
  let digits = 0;
  let word = 0;
  let isZero = true;
  for (let at = 0; at < UUID_LENGTH; at += 1) {
    const code = id.charCodeAt(at);
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (code !== HYPHEN) return false;
      continue;
    }
    const isDigit = code >= 48 && code <= 57;
    if (!isDigit && (code < 97 || code > 102)) return false;
    word = (word << 4) | (isDigit ? code - 48 : code - 87);
    if (code !== 48) isZero = false;
    digits += 1;
    if (digits % 8 === 0) words[digits / 8 - 1] = word;
  }
  return !isZero;
}
