/**
 * Remembers the first row of each distinct text of a file, for up to half a million texts. Exact: two texts are equal
 * only if all their bytes are. The texts are stored one after another in a few byte blocks, because strings in a Map
 * take several times as much memory and time.
 */
export class FirstRows {
  private readonly blocks: Buffer[] = [];
  /** The end of the last text, counted over all blocks. */
  private end = 0;
  private count = 0;
  /** Four numbers per text, in order of arrival: its row, its two hashes, and where it begins. */
  private entries = new Int32Array(CAPACITY_MIN * ENTRY_LENGTH);
  /** A hash table with open addressing; holds entry numbers from 1. */
  private slots = new Int32Array(CAPACITY_MIN * SLOTS_PER_ENTRY);

  /** The earlier row with this text; undefined if there is none, and then `row` becomes the first. */
  earlierRow(text: string, row: number): number | undefined {
    // Written to its final place before the search, since most texts are new.
    const block = this.blockFor(text);
    const start = this.end % BLOCK_BYTES;
    const stop = start + block.write(text, start);
    block[stop] = END_OF_TEXT;
    let hash = HASH_START;
    let stride = HASH_START;
    for (let at = start; at < stop; at += 1) {
      const byte = block[at] ?? 0;
      hash = Math.imul(hash ^ byte, HASH_FACTOR);
      stride = Math.imul(stride ^ byte, STRIDE_FACTOR);
    }
    const slot = this.slotOf(hash, stride, this.end);
    const known = this.slots[slot] ?? 0;
    if (known > 0) return this.entries[(known - 1) * ENTRY_LENGTH];
    const entry = this.count * ENTRY_LENGTH;
    this.entries[entry] = row;
    this.entries[entry + 1] = hash;
    this.entries[entry + 2] = stride;
    this.entries[entry + 3] = this.end;
    this.count += 1;
    this.slots[slot] = this.count;
    this.end += stop + 1 - start;
    if (entry + ENTRY_LENGTH === this.entries.length) this.grow();
    return undefined;
  }

  /** The block with room for the text: the last one, or a new one if that is full. Only the first one begins short. */
  private blockFor(text: string): Buffer {
    const bytesMax = text.length * UTF8_BYTES_MAX + 1;
    if (bytesMax > BLOCK_BYTES) throw new RangeError(`no file has a text of ${text.length} characters`);
    if (this.end + bytesMax > this.blocks.length * BLOCK_BYTES) {
      this.end = this.blocks.length * BLOCK_BYTES;
      this.blocks.push(Buffer.alloc(0));
    }
    const last = this.blocks.length - 1;
    const block = this.blockAt(this.end) ?? Buffer.alloc(0);
    const needed = (this.end % BLOCK_BYTES) + bytesMax;
    if (needed <= block.length) return block;
    const longer = Buffer.allocUnsafeSlow(last === 0 ? Math.min(2 * needed, BLOCK_BYTES) : BLOCK_BYTES);
    longer.set(block);
    this.blocks[last] = longer;
    return longer;
  }

  /** The slot of the text at `position`, or a free one. A second hash is the stride, against crafted collisions. */
  private slotOf(hash: number, stride: number, position: number): number {
    const { entries, slots } = this;
    const mask = slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + (stride | 1)) & mask) {
      const entry = ((slots[slot] ?? 0) - 1) * ENTRY_LENGTH;
      if (entry < 0) return slot;
      const isAlike = entries[entry + 1] === hash && entries[entry + 2] === stride;
      if (isAlike && this.isSame(entries[entry + 3] ?? 0, position)) return slot;
    }
  }

  private isSame(left: number, right: number): boolean {
    const [leftBlock, rightBlock] = [this.blockAt(left), this.blockAt(right)];
    for (let at = 0; ; at += 1) {
      const byte = leftBlock?.[(left % BLOCK_BYTES) + at];
      if (byte !== rightBlock?.[(right % BLOCK_BYTES) + at]) return false;
      if (byte === END_OF_TEXT) return true;
    }
  }

  private blockAt(position: number): Buffer | undefined {
    return this.blocks[Math.floor(position / BLOCK_BYTES)];
  }

  private grow(): void {
    const { entries } = this;
    this.entries = new Int32Array(entries.length * 2);
    this.entries.set(entries);
    this.slots = new Int32Array(this.slots.length * 2);
    for (let entry = 0, number = 1; number <= this.count; entry += ENTRY_LENGTH, number += 1) {
      const [hash, stride, position] = [entries[entry + 1], entries[entry + 2], entries[entry + 3]];
      this.slots[this.slotOf(hash ?? 0, stride ?? 0, position ?? 0)] = number;
    }
  }
}

/** Larger than the longest row that intake accepts. */
const BLOCK_BYTES = 2 * 1024 * 1024;
const UTF8_BYTES_MAX = 3;
/** A byte that never occurs in UTF-8. */
const END_OF_TEXT = 0xff;

/** Capacities are powers of two. */
const CAPACITY_MIN = 1024;
const SLOTS_PER_ENTRY = 2;
const ENTRY_LENGTH = 4;

/** FNV-1a, and a variant with Knuth's multiplier. */
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;
const STRIDE_FACTOR = 0x9e3779b1;
