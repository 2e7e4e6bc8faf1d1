/**
 * The texts that the cells of a workbook refer to by index, and which of them its cells show. They lie one behind the other as
 * UTF-8, since hundreds of thousands of strings take several times as much memory. How a workbook spells them is not known here.
 */
export class SharedTexts {
  /** How many there are. */
  length = 0;
  private readonly bytes: Buffer;
  /** Where each begins; behind the last, where it ends. */
  private starts = new Uint32Array(COUNT_MIN + 1);
  private marks = new Uint8Array(COUNT_MIN);

  /** `bytesMax` is what all of them take as UTF-8. Memory is taken only for what is added. */
  constructor(bytesMax: number) {
    this.bytes = Buffer.allocUnsafeSlow(bytesMax);
  }

  /** `runLooks` as in run-looks.ts. The text has no lone surrogates, which UTF-8 cannot hold: XML has none either. Throws a RangeError above `bytesMax`. */
  add(text: string, runLooks = 0): void {
    if (this.length === this.marks.length) this.grow();
    const start = this.starts[this.length] ?? 0;
    const room = this.bytes.length - start;
    // Without it the end of the text would be missing, and nobody would know.
    if (room < text.length * UTF8_BYTES_MAX && room < Buffer.byteLength(text)) {
      throw new RangeError("the shared texts are longer than their part");
    }
    this.marks[this.length] = (text.trim() === "" ? BLANK : 0) + runLooks;
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

  /** Of white space alone. */
  isBlank(index: number): boolean {
    return ((this.marks[index] ?? 0) & BLANK) !== 0;
  }

  /** As in run-looks.ts. */
  runLooksAt(index: number): number {
    return (this.marks[index] ?? 0) & ~(BLANK | SHOWN);
  }

  setShown(index: number): void {
    this.marks[index] = (this.marks[index] ?? 0) | SHOWN;
  }

  isShown(index: number): boolean {
    return ((this.marks[index] ?? 0) & SHOWN) !== 0;
  }

  /** Before another sheet is read. */
  forgetShown(): void {
    for (let index = 0; index < this.length; index += 1)
      this.marks[index] = (this.marks[index] ?? 0) & ~SHOWN;
  }

  /** What was is freed at once: what waits to be collected takes as much again. */
  private grow(): void {
    const count = 2 * this.marks.length;
    this.marks = new Uint8Array(this.marks.buffer.transfer(count));
    this.starts = new Uint32Array(this.starts.buffer.transfer((count + 1) * Uint32Array.BYTES_PER_ELEMENT));
  }
}

const COUNT_MIN = 1024;

/** Of one UTF-16 code unit. */
const UTF8_BYTES_MAX = 3;

const BLANK = 1;
const SHOWN = 2;
