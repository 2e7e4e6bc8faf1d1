/** A Bloom filter with 16 bits per text: one false positive in about a thousand, no false negatives. */
export class BloomFilter {
  /** Whether nothing was added. */
  isEmpty = true;
  private readonly bits: Uint8Array;

  /** `capacity`: the number of texts it is sized for; beyond it false positives become more frequent. */
  constructor(capacity: number) {
    this.bits = new Uint8Array(Math.ceil((capacity * BITS_PER_TEXT) / 8) + 1);
  }

  add(text: string): void {
    this.isEmpty = false;
    const { start, stride } = probesOf(text);
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = this.bitAt(start + probe * stride);
      this.bits[bit >> 3] = (this.bits[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  /** False if the text was certainly not added. */
  mayHold(text: string): boolean {
    const { start, stride } = probesOf(text);
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = this.bitAt(start + probe * stride);
      if (((this.bits[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }

  private bitAt(probe: number): number {
    // As an unsigned number of 32 bits: the remainder of a larger one takes ten times as long.
    return (probe >>> 0) % (this.bits.length * 8);
  }
}

const BITS_PER_TEXT = 16;
const PROBES = 6;

/** Any number of hashes derived from two: Kirsch and Mitzenmacher, "Less hashing, same performance". */
function probesOf(text: string): { readonly start: number; readonly stride: number } {
  let start = 0x811c9dc5;
  let stride = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    start = Math.imul(start ^ code, 0x01000193);
    stride = Math.imul(stride ^ code, 0x9e3779b1);
  }
  return { start: mixed(start), stride: mixed(stride) };
}

/** The finalizer of MurmurHash3. Without it, texts that differ only in their last characters share too many bits. */
function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
