/**
 * Searches a file that is not read as a table for private keys before it is archived: the readable text in its raw
 * bytes, and in those of a zip archive's parts. Encrypted or otherwise packed content cannot be searched.
 */
import { stat } from "node:fs/promises";
import { Fault } from "../faults/index.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import type { FileLimits } from "./file-limits.ts";
import { fileChunks } from "./open-file.ts";

/**
 * Whether the first 64 MiB of the file, or 16 MiB of an archive's parts, contain a private key. Payment files are
 * not longer, and the search must not take minutes. Faults: those of a file that cannot be read.
 */
export async function fileHoldsKey(path: string, limits: FileLimits): Promise<boolean> {
  return (await chunksHoldKey(fileChunks(path))) || (await partsHoldKey(path, limits));
}

async function partsHoldKey(path: string, limits: FileLimits): Promise<boolean> {
  if (!(await isArchive(path))) return false;
  const { openArchive } = await import("./xlsx/archive.ts");
  const archive = await unlessRefused(openArchive(path, limits));
  if (archive === undefined) return false;
  let bytesLeft = UNPACKED_BYTES_MAX;
  try {
    for (const name of archive.partNames) {
      bytesLeft -= archive.inflatedBytes(name);
      if (bytesLeft < 0) return false;
      if (await unlessRefused(chunksHoldKey(archive.read(name)))) return true;
    }
    return false;
  } finally {
    archive.close();
  }
}

/** Looks at the end of the file, because other bytes may precede a zip archive. */
async function isArchive(path: string): Promise<boolean> {
  const { size } = await stat(path);
  let end = "";
  for await (const chunk of fileChunks(path, Math.max(0, size - END_BYTES_MAX)))
    end += chunk.toString("latin1");
  return end.includes("PK\x05\x06");
}

/** The end record, with its longest comment. */
const END_BYTES_MAX = 22 + 0xffff;

/** Undefined if an archive, or a part of it, is damaged or refused; its raw bytes have been searched already. */
async function unlessRefused<Found>(looking: Promise<Found>): Promise<Found | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

const UNPACKED_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Whether the first 64 MiB contain a private key. In markup it searches only texts that people typed: each text and
 * each attribute value by itself. Names of elements and attributes are also words of the seed list (`left`, `style`,
 * `number`), so that four borders of a cell would look like a phrase.
 */
export async function chunksHoldKey(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  let tail = "";
  let isMarkup: boolean | undefined;
  let bytesLeft = SEARCHED_BYTES_MAX;
  for await (const chunk of chunks) {
    isMarkup ??= beginsAsMarkup(chunk);
    const text = tail + writtenText(chunk);
    if (isMarkup ? markupHoldsKey(text.replace(BETWEEN_PARTS, "")) : holdsPrivateKey(text)) return true;
    tail = isMarkup ? fromLastTag(text) : text.slice(-KEY_CHARACTERS_MAX);
    bytesLeft -= chunk.length;
    if (bytesLeft <= 0) break;
  }
  return false;
}

const SEARCHED_BYTES_MAX = 64 * 1024 * 1024;

/** Judges by the first bytes, because a part of a workbook may have any name. */
export function beginsAsMarkup(start: Uint8Array): boolean {
  const written = Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, 256)).toString("latin1");
  return /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?[\0\s]*</.test(written);
}

/** Taking markup apart costs more than searching it, and is seldom needed. */
function markupHoldsKey(markup: string): boolean {
  return holdsPrivateKey(markup) && holdsPrivateKey(typedText(markup));
}

/** The texts and attribute values of markup, separated by text that is not a word of a seed phrase. */
function typedText(markup: string): string {
  return markup.replace(TAG, (tag) =>
    [APART, ...Array.from(tag.matchAll(VALUE), typedIn), APART].join(APART),
  );
}

function typedIn([name, one, other]: RegExpMatchArray): string {
  return one ?? other ?? name;
}

const APART = " xml ";
/**
 * Does not match a comment, a CDATA section or a document type, whose text is searched. The last tag may end in the
 * next chunk.
 */
const TAG = /<[A-Za-z/?][^<>]*(?:>|$)/g;
/** A name as long as this is not a real one: `<KEY>`. */
const VALUE = /"([^"]*)(?:"|$)|'([^']*)(?:'|$)|[^\s"'=<>/]{30,}/g;
/** The markup in a workbook between the parts of one text in several fonts. */
const BETWEEN_PARTS = new RegExp(
  [
    String.raw`<\/(?:\w+:)?t>\s*<\/(?:\w+:)?r>\s*`,
    String.raw`<(?:\w+:)?r>\s*(?:<(?:\w+:)?rPr>.{0,500}?<\/(?:\w+:)?rPr>\s*)?`,
    String.raw`<(?:\w+:)?t(?:\s[^<>]{0,40})?>`,
  ].join(""),
  "gs",
);

/**
 * The end of a text, long enough for a key that continues in the next chunk. Begins with a tag if there is one
 * near.
 */
function fromLastTag(text: string): string {
  const from = Math.max(0, text.length - KEY_CHARACTERS_MAX);
  const tag = text.lastIndexOf("<", from);
  return text.slice(tag >= from - TAG_CHARACTERS_MAX ? Math.max(0, tag) : from);
}

/** Longer than any tag that spreadsheet programs write. */
const TAG_CHARACTERS_MAX = 16 * 1024;

/** Readable text: long runs of ASCII (in UTF-16 with zero bytes between), unlike random bytes. */
function writtenText(chunk: Uint8Array): string {
  const written = Buffer.allocUnsafe(chunk.length);
  let length = 0;
  // A run that began in the previous chunk may end soon.
  let runStart = -RUN_BYTES_MIN;
  for (const byte of chunk) {
    if (byte === 0) continue;
    if (byte < 0x7f && (byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d))) {
      written[length++] = byte;
      continue;
    }
    if (length - runStart < RUN_BYTES_MIN) length = Math.max(0, runStart);
    if (length === 0 || written[length - 1] !== BETWEEN_RUNS) written[length++] = BETWEEN_RUNS;
    runStart = length;
  }
  return written.toString("latin1", 0, length);
}

/** Shorter than the shortest key. */
const RUN_BYTES_MIN = 20;
const BETWEEN_RUNS = 0x01;

/** Enough for the longest seed phrase in UTF-16, and for a key broken into lines. */
const KEY_CHARACTERS_MAX = 1024;
