/** The zip archive of a sent workbook, already checked by intake: its parts, as bytes to copy or text to edit. */
import { posix } from "node:path";
import { TextDecoder } from "node:util";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { invariant } from "../../../faults/index.ts";

export class SentPackage {
  readonly entries: ReadonlyMap<string, Entry>;
  private readonly zip: ZipFile;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.zip = zip;
    this.entries = entries;
  }

  static async open(path: string): Promise<SentPackage> {
    const zip = await openPromise(path, { autoClose: false });
    // Without a listener an error of the descriptor would end the process. Reading reports the same error.
    zip.on("error", () => undefined);
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    return new SentPackage(zip, entries);
  }

  /** The part's name as the archive spells it; part names are case-insensitive (ECMA-376 part 2, 6.2.2). */
  find(name: string): string | undefined {
    if (this.entries.has(name)) return name;
    return [...this.entries.keys()].find((known) => known.toLowerCase() === name.toLowerCase());
  }

  /** As stored in the archive, compressed or not. */
  async rawBytes(name: string): Promise<AsyncIterable<Buffer>> {
    return this.zip.openReadStreamPromise(this.entryOf(name), { decodeFileData: false });
  }

  /** The part's XML in chunks, without byte order mark and XML declaration. */
  async *chunks(name: string): AsyncGenerator<string> {
    const stream: AsyncIterable<Buffer> = await this.zip.openReadStreamPromise(this.entryOf(name));
    let decoder: TextDecoder | undefined;
    for await (const bytes of stream) {
      const isFirst = decoder === undefined;
      decoder ??= decoderFor(bytes);
      const text = decoder.decode(bytes, { stream: true });
      yield isFirst ? text.replace(/^\s*<\?xml[^>]*\?>\s*/, "") : text;
    }
    if (decoder !== undefined) yield decoder.decode();
  }

  /** Undefined when there is no such part. */
  async text(name: string | undefined): Promise<string | undefined> {
    const found = name === undefined ? undefined : this.find(name);
    if (found === undefined) return undefined;
    let text = "";
    for await (const chunk of this.chunks(found)) text += chunk;
    return text;
  }

  /** A numbered name that no part has: `xl/comments3.xml` for ("xl/comments", ".xml"). */
  freeName(start: string, end: string): string {
    for (let number = 1; ; number += 1) {
      const name = `${start}${number}${end}`;
      if (this.find(name) === undefined) return name;
    }
  }

  close(): void {
    this.zip.close();
  }

  private entryOf(name: string): Entry {
    const entry = this.entries.get(name);
    invariant(entry !== undefined, `the workbook has no part ${name}`);
    return entry;
  }
}

export function relationshipsPart(name: string): string {
  return posix.join(posix.dirname(name), "_rels", `${posix.basename(name)}.rels`);
}

/** OOXML allows UTF-8 and UTF-16 only (ECMA-376 part 2, 6.1.2). */
function decoderFor(start: Buffer): TextDecoder {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder("utf-16le", { fatal: true });
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder("utf-16be", { fatal: true });
  return new TextDecoder("utf-8", { fatal: true });
}
