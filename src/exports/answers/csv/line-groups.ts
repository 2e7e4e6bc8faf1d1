/**
 * The lines of a sent CSV in groups: each header or row of the answer with all lines it takes, and every other record (titles,
 * blank lines, what stands below the table) by itself. Where rows begin was found by intake and is not judged again.
 */
import { invariant } from "../../../faults/index.ts";
import type { AnswerLine } from "../answer-line.ts";
import { splitFields } from "./fields.ts";

export interface LineGroup {
  /** From 1. */
  readonly firstLine: number;
  /** Without its last line break. */
  readonly text: string;
  /** Empty at the end of a file without one. */
  readonly lineBreak: string;
  /** Undefined for what is no line of the table. */
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
    let line = 0;
    for await (const text of linesIn(chunks)) {
      line += 1;
      if (awaited?.line === line) {
        yield* groupsOf(held, line - held.length, answer);
        held = [];
        answer = awaited;
        awaited = await next();
      }
      held.push(text);
      if (splitFields(withoutBreak(held.join("")), delimiter) === undefined) continue;
      if (answer?.brokenLine !== undefined && line < answer.brokenLine) continue;
      yield* groupsOf(held, line - held.length + 1, answer);
      held = [];
      answer = undefined;
    }
    yield* groupsOf(held, line - held.length + 1, answer);
    invariant(awaited === undefined, `line ${awaited?.line} of the sent file is not there any more`);
  } finally {
    await coming.return?.();
  }
}

/** A quote that nothing closed took the lines below with it: they are given back to themselves. */
function* groupsOf(
  lines: readonly string[],
  firstLine: number,
  answer: AnswerLine | undefined,
): Generator<LineGroup> {
  const taken = answer?.brokenLine === undefined ? lines.length : answer.brokenLine - firstLine + 1;
  const first = lines.slice(0, taken).join("");
  if (lines.length > 0) yield { firstLine, ...split(first), ...(answer === undefined ? {} : { answer }) };
  for (const [index, line] of lines.slice(taken).entries())
    yield { firstLine: firstLine + taken + index, ...split(line) };
}

function split(text: string): { readonly text: string; readonly lineBreak: string } {
  const bare = withoutBreak(text);
  return { text: bare, lineBreak: text.slice(bare.length) };
}

function withoutBreak(text: string): string {
  return text.replace(/(?:\r\n|\n|\r)$/, "");
}

/** Each line with its line break: CRLF, LF or CR. */
async function* linesIn(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of chunks) {
    const text = rest + chunk;
    // A carriage return at the end may be the first half of a CRLF.
    const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r(?!$))/g) ?? [];
    yield* lines;
    rest = text.slice(lines.reduce((sum, { length }) => sum + length, 0));
  }
  yield* rest.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}
