/**
 * Reads a sent CSV as it is written: its text after the byte order mark, its lines grouped by the answer's rows, and
 * their fields with their quotes. Intake has decided where rows begin.
 */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { TextDecoder } from "node:util";
import { invariant } from "../../../faults/index.ts";
import { present } from "../../../model/present.ts";
import type { CsvSource } from "../../../model/row.ts";
import type { AnswerLine } from "../answer-line.ts";

export interface LineGroup {
  /** From 1. */
  readonly firstLine: number;
  /** Without the last line break. */
  readonly text: string;
  /** Empty at the end of a file without a final line break. */
  readonly lineBreak: string;
  /** Undefined if the group is not a line of the table. */
  readonly answer?: AnswerLine;
}

export async function* lineGroups(
  chunks: AsyncIterable<string>,
  delimiter: string,
  answers: AsyncIterable<AnswerLine>,
): AsyncGenerator<LineGroup> {
  const coming = answers[Symbol.asyncIterator]();
  const next = async (): Promise<AnswerLine | undefined> => (await coming.next()).value ?? undefined;
  try {
    let awaited = await next();
    let answer: AnswerLine | undefined;
    let held: string[] = [];
    let isQuoteOpen = false;
    let line = 0;
    for await (const text of linesIn(chunks)) {
      line += 1;
      if (awaited?.line === line) {
        // A quote above the table was never closed.
        if (held.length > 0) yield groupOf(held, line - held.length, answer);
        held = [];
        isQuoteOpen = false;
        answer = awaited;
        awaited = await next();
      }
      held.push(text);
      // Line by line, because a cell may contain hundreds of thousands of lines.
      isQuoteOpen = splitFields(isQuoteOpen ? `"${text}` : text, delimiter) === undefined;
      const goesOn = answer?.brokenLine === undefined ? isQuoteOpen : line < answer.brokenLine;
      if (goesOn) continue;
      yield groupOf(held, line - held.length + 1, answer);
      held = [];
      isQuoteOpen = false;
      answer = undefined;
    }
    if (held.length > 0) yield groupOf(held, line - held.length + 1, answer);
    invariant(awaited === undefined, `line ${awaited?.line} of the sent file is missing`);
  } finally {
    await coming.return?.();
  }
}

function groupOf(lines: readonly string[], firstLine: number, answer: AnswerLine | undefined): LineGroup {
  const whole = lines.join("");
  const text = whole.replace(/(?:\r\n|\n|\r)$/, "");
  return { firstLine, text, lineBreak: whole.slice(text.length), ...present({ answer }) };
}

/** Yields each line with its line break: CRLF, LF or CR. */
async function* linesIn(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split(BEHIND_LINE_BREAK);
    // The last line may continue in the next chunk, even after a carriage return, which may be half of a CRLF.
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

const BEHIND_LINE_BREAK = /(?<=\n|\r(?!\n))/;

/** Undefined if a quoted field is not closed: the record continues on the next line, or is broken. */
export function splitFields(record: string, delimiter: string): string[] | undefined {
  const fields: string[] = [];
  for (let start = 0; ; ) {
    let behindQuotes = start;
    if (record.charAt(start) === '"') {
      QUOTED.lastIndex = start;
      if (!QUOTED.test(record)) return undefined;
      behindQuotes = QUOTED.lastIndex;
    }
    const end = record.indexOf(delimiter, behindQuotes);
    if (end < 0) return [...fields, record.slice(start)];
    fields.push(record.slice(start, end));
    start = end + delimiter.length;
  }
}

const QUOTED = /"[^"]*(?:""[^"]*)*"(?!")/y;

export function textOfField(field: string): string {
  return field.startsWith('"') && field.endsWith('"') && field.length > 1
    ? field.slice(1, -1).replaceAll('""', '"')
    : field;
}

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** `mark`: the file's byte order mark, if any. */
export async function sentText({ path, encoding }: CsvSource) {
  const file = await open(path, "r");
  try {
    const { buffer } = await file.read(Buffer.alloc(encoding.skipBytes), 0, encoding.skipBytes, 0);
    return { mark: buffer, chunks: decoded(path, encoding) };
  } finally {
    await file.close();
  }
}

async function* decoded(path: string, { label, skipBytes }: CsvSource["encoding"]): AsyncGenerator<string> {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  const bytes: AsyncIterable<Buffer> = createReadStream(path, {
    start: skipBytes,
    highWaterMark: CHUNK_BYTES,
  });
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

const CHUNK_BYTES = 256 * 1024;
