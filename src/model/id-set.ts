/**
 * A set of ids that takes 16 bytes and a free slot for each UUID. A service may show millions, and a Set of texts
 * would take a hundred bytes for each.
 */

/** Words of 32 bits in a UUID. */
const WORDS = 4;
const SLOTS_FIRST = 1024;

export class IdSet {
  private slots = new Uint32Array(SLOTS_FIRST * WORDS);
  private taken = new Uint8Array(SLOTS_FIRST);
  private uuids = 0;
  /** Ids that are not UUIDs. */
  private readonly others = new Set<string>();
  private readonly words = new Uint32Array(WORDS);

  get size(): number {
    return this.uuids + this.others.size;
  }

  has(id: string): boolean {
    return readUuid(id, this.words) ? this.taken[this.slotOf(this.words)] === 1 : this.others.has(id);
  }

  /** Returns whether the id is new. */
  add(id: string): boolean {
    if (!readUuid(id, this.words)) {
      const before = this.others.size;
      return this.others.add(id).size > before;
    }
    const slot = this.slotOf(this.words);
    if (this.taken[slot] === 1) return false;
    this.put(slot, this.words);
    this.uuids += 1;
    if (this.uuids * 2 > this.taken.length) this.grow();
    return true;
  }

  addAll(ids: IdSet): void {
    for (const other of ids.others) this.others.add(other);
    for (let slot = 0; slot < ids.taken.length; slot += 1) {
      if (ids.taken[slot] === 0) continue;
      this.words.set(ids.slots.subarray(slot * WORDS, (slot + 1) * WORDS));
      const mine = this.slotOf(this.words);
      if (this.taken[mine] === 1) continue;
      this.put(mine, this.words);
      this.uuids += 1;
      if (this.uuids * 2 > this.taken.length) this.grow();
    }
  }

  /** The id's slot, or the free one where it belongs. */
  private slotOf(words: Uint32Array): number {
    // Destructuring would iterate and take several times as long.
    const a = words[0] ?? 0;
    const b = words[1] ?? 0;
    const c = words[2] ?? 0;
    const d = words[3] ?? 0;
    const mask = this.taken.length - 1;
    let slot = hashOf(a, b, c, d) & mask;
    for (; this.taken[slot] === 1; slot = (slot + 1) & mask) {
      const at = slot * WORDS;
      const { slots } = this;
      if (slots[at] === a && slots[at + 1] === b && slots[at + 2] === c && slots[at + 3] === d) break;
    }
    return slot;
  }

  private put(slot: number, words: Uint32Array): void {
    this.slots.set(words, slot * WORDS);
    this.taken[slot] = 1;
  }

  private grow(): void {
    const { slots, taken } = this;
    this.slots = new Uint32Array(slots.length * 2);
    this.taken = new Uint8Array(taken.length * 2);
    for (let slot = 0; slot < taken.length; slot += 1) {
      if (taken[slot] === 0) continue;
      const words = slots.subarray(slot * WORDS, (slot + 1) * WORDS);
      this.put(this.slotOf(words), words);
    }
  }
}

/**
 * Ids chosen to collide would make the set slow. But each one needs its own payout, and a reading ends at its
 * pages.
 */
function hashOf(a: number, b: number, c: number, d: number): number {
  let hash = Math.imul(a ^ (b >>> 7), 0x9e3779b1) ^ Math.imul(c, 0x85ebca6b) ^ Math.imul(d, 0xc2b2ae35);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const UUID_LENGTH = 36;
const HYPHEN = 45;

/** Fills `words` from a UUID in lower case; false for any other text. */
function readUuid(id: string, words: Uint32Array): boolean {
  if (id.length !== UUID_LENGTH) return false;
  let digits = 0;
  let word = 0;
  for (let at = 0; at < UUID_LENGTH; at += 1) {
    const code = id.charCodeAt(at);
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (code !== HYPHEN) return false;
      continue;
    }
    const isDigit = code >= 48 && code <= 57;
    if (!isDigit && (code < 97 || code > 102)) return false;
    word = (word << 4) | (isDigit ? code - 48 : code - 87);
    digits += 1;
    if (digits % 8 === 0) words[digits / 8 - 1] = word;
  }
  return true;
}
