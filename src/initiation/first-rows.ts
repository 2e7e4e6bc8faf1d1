/**
 * The first row of each of a file's texts, where there may be half a million of them. Exact: two texts are the same only where
 * all their bytes are. They lie one behind the other in a few blocks of bytes, since strings in a map take several times as
 * much memory and time.
 */
export class FirstRows {
  private readonly blocks: Buffer[] = [];
  /** Behind the last text, counted over all blocks. */
  private end = 0;
  private count = 0;
  /** Four numbers for each text, in the order in which they came: its row, its two hashes, and where it begins. */
  private entries = new Int32Array(CAPACITY_MIN * ENTRY_LENGTH);
  /** A hash table with open addressing: numbers of entries, from 1. */
  private slots = new Int32Array(CAPACITY_MIN * SLOTS_PER_ENTRY);

  /** The row that had this text first; undefined where none had, and then it is this one. */
  earlierRow(text: string, row: number): number | undefined {
    // Written where it would be kept: most texts are new.
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

  /** The block in which the text has room behind the others; a new one where the last is full. */
  private blockFor(text: string): Buffer {
    const bytesMax = text.length * UTF8_BYTES_MAX + 1;
    const last = this.blocks.at(-1);
    if (last !== undefined && this.end + bytesMax <= this.blocks.length * BLOCK_BYTES) return last;
    if (bytesMax > BLOCK_BYTES) throw new RangeError(`no file has a text of ${text.length} characters`);
    const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.end = this.blocks.length * BLOCK_BYTES;
    this.blocks.push(block);
    return block;
  }

  /** Where the text at `position` is entered, or would be. The stride is another hash: texts made to share one part at the other. */
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

/** Room for the longest row that intake lets through. */
const BLOCK_BYTES = 2 * 1024 * 1024;
const UTF8_BYTES_MAX = 3;
/** No byte of UTF-8. */
const END_OF_TEXT = 0xff;

/** Powers of two. */
const CAPACITY_MIN = 1024;
const SLOTS_PER_ENTRY = 2;
const ENTRY_LENGTH = 4;

/** FNV-1a, and the same with Knuth's multiplier. */
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;
const STRIDE_FACTOR = 0x9e3779b1;
