/**
 * Groups the lines of a sent CSV: each header or row of the answer with all its lines, and every other record (titles,
 * blank lines, lines below the table) by itself. Intake has decided where rows begin.
 */
import { invariant } from "../../../faults/index.ts";
import { present } from "../../../model/present.ts";
import type { AnswerLine } from "../answer-line.ts";
import { splitFields } from "./fields.ts";

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
