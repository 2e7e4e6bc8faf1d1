/**
 * Stores the shared strings, and which of them the cells show. They are stored one after another as UTF-8, because
 * hundreds of thousands of JavaScript strings take several times as much memory. Does not know how a workbook encodes
 * them.
 */
export class SharedTexts {
  /** Number of texts. */
  length = 0;
  private readonly bytes: Buffer;
  /** Start offset of each text, then the end of the last one. */
  private starts = new Uint32Array(COUNT_MIN + 1);
  private marks = new Uint8Array(COUNT_MIN);

  /** `bytesMax`: upper bound for all texts as UTF-8. Memory is allocated only as texts are added. */
  constructor(bytesMax: number) {
    this.bytes = Buffer.allocUnsafeSlow(bytesMax);
  }

  /**
   * `runStyles` as in run-styles.ts. The text must not contain lone surrogates, which neither UTF-8 nor XML can
   * represent. Throws a RangeError beyond `bytesMax`.
   */
  add(text: string, runStyles = 0): void {
    if (this.length === this.marks.length) this.grow();
    const start = this.starts[this.length] ?? 0;
    const room = this.bytes.length - start;
    // Otherwise the end of the text would be lost silently.
    if (room < text.length * UTF8_BYTES_MAX && room < Buffer.byteLength(text)) {
      throw new RangeError("the shared texts are longer than their part");
    }
    this.marks[this.length] = (text.trim() === "" ? BLANK : 0) + runStyles;
    this.length += 1;
    this.starts[this.length] = start + this.bytes.write(text, start);
  }

  at(index: number): string | undefined {
    if (!this.has(index)) return undefined;
    return this.bytes.toString("utf8", this.starts[index], this.starts[index + 1]);
  }

  has(index: number): boolean {
    return index >= 0 && index < this.length;
  }

  bytesAt(index: number): number {
    return (this.starts[index + 1] ?? 0) - (this.starts[index] ?? 0);
  }

  /** Whether a text is only white space. */
  isBlank(index: number): boolean {
    return ((this.marks[index] ?? 0) & BLANK) !== 0;
  }

  /** The run styles of a text, as in run-styles.ts. */
  runStylesAt(index: number): number {
    return (this.marks[index] ?? 0) & ~(BLANK | SHOWN);
  }

  setShown(index: number): void {
    this.marks[index] = (this.marks[index] ?? 0) | SHOWN;
  }

  isShown(index: number): boolean {
    return ((this.marks[index] ?? 0) & SHOWN) !== 0;
  }

  /** Call before another sheet is read. */
  forgetShown(): void {
    for (let index = 0; index < this.length; index += 1)
      this.marks[index] = (this.marks[index] ?? 0) & ~SHOWN;
  }

  /** The old buffer is freed at once; waiting for garbage collection would double the memory. */
  private grow(): void {
    const count = 2 * this.marks.length;
    this.marks = new Uint8Array(this.marks.buffer.transfer(count));
    this.starts = new Uint32Array(this.starts.buffer.transfer((count + 1) * Uint32Array.BYTES_PER_ELEMENT));
  }
}

const COUNT_MIN = 1024;

/** UTF-8 bytes per UTF-16 code unit. */
const UTF8_BYTES_MAX = 3;

const BLANK = 1;
const SHOWN = 2;
