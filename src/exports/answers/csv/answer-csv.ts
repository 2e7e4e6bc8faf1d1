/**
 * Writes an answer as CSV: the sent text with fields added, in its own encoding, delimiter, quoting and line breaks,
 * and with all lines around the table. Only fields that a spreadsheet program would run as formulas are changed, apart
 * from formulas of a text alone (`="0123"`).
 */
import { open } from "node:fs/promises";
import { forcedText, guardFormula, unguardFormula } from "../../../model/index.ts";
import { holdsPrivateKey, mayBelongToKey } from "../../../model/private-key.ts";
import type { CsvSource } from "../../../model/row.ts";
import { encoderFor } from "../../encoder.ts";
import { type AnswerContent, type AnswerLine, WITHHELD } from "../answer-line.ts";
import { type LineGroup, lineGroups, quoted, sentText, splitFields, textOfField } from "./line-groups.ts";

export async function writeAnswerCsv(path: string, content: AnswerContent<CsvSource>): Promise<void> {
  const { source } = content;
  const { mark, chunks } = await sentText(source);
  const encode = encoderFor(source.encoding.label);
  const file = await open(path, "w");
  try {
    await file.writeFile(mark);
    let waiting: string[] = [];
    let waitingLength = 0;
    for await (const text of answerText(content, chunks)) {
      waiting.push(text);
      waitingLength += text.length;
      if (waitingLength < CHARACTERS_AT_ONCE) continue;
      await file.writeFile(encode(waiting.join("")));
      waiting = [];
      waitingLength = 0;
    }
    await file.writeFile(encode(waiting.join("")));
  } finally {
    await file.close();
  }
}

const CHARACTERS_AT_ONCE = 64 * 1024;

async function* answerText(
  content: AnswerContent<CsvSource>,
  chunks: AsyncIterable<string>,
): AsyncGenerator<string> {
  const { delimiter } = content.source;
  const writer = recordWriter(content);
  for await (const group of lineGroups(chunks, delimiter, content.lines)) yield writer.write(group);
}

function recordWriter(content: AnswerContent<CsvSource>) {
  /** Number of fields in the sent header, and whether all of them are quoted. */
  let width = 1;
  let quotesAll = false;
  return { write };

  function write({ firstLine, text, lineBreak, answer }: LineGroup): string {
    // The declaration `sep=` is not a row, and its delimiter does not end a field.
    if (firstLine === 1 && answer === undefined && /^"?sep=/i.test(text)) return text + lineBreak;
    const { source, headerLine } = content;
    const fields = splitFields(text, source.delimiter) ?? [text];
    if (firstLine === headerLine) {
      width = fields.length;
      quotesAll = fields.every((field) => field.startsWith('"'));
    }
    const sent = answer?.brokenLine === undefined ? [...fields] : oneField(text);
    // A control total may be shorter than the header, but our columns are to the right of the header's.
    while (answer !== undefined && sent.length < width) sent.push("");
    const kept = sent.flatMap((field, index) => keptField(field, index, firstLine, answer));
    const added = answer?.added.map((added) => asField(guardFormula(added))) ?? [];
    return [...kept, ...added].join(source.delimiter) + lineBreak;
  }

  /**
   * A row whose format is broken is returned as one cell with its text. Split into cells, it could pass for an intact
   * row when the file is dropped again, with our guess in it.
   */
  function oneField(text: string): string[] {
    return [quoted(text.trimEnd()), ...Array<string>(width - 1).fill("")];
  }

  function keptField(
    field: string,
    index: number,
    firstLine: number,
    answer: AnswerLine | undefined,
  ): readonly string[] {
    const { headerLine, dropped, holdsSecret } = content;
    if (firstLine >= headerLine && dropped.has(index)) return [];
    const text = textOfField(field);
    // Lines around the table were not checked for private keys, and a broken row is a single text.
    const isSecret = holdsSecret ? mayBelongToKey : holdsPrivateKey;
    const isUnseen = holdsSecret || answer === undefined;
    const isWithheld = answer?.withheld.has(index) === true || (isUnseen && isSecret(text));
    if (isWithheld) return [asField(WITHHELD)];
    if (forcedText(text) !== undefined) return [field];
    // Avoids guarding twice what an earlier answer guarded.
    const guarded = guardFormula(unguardFormula(text));
    if (guarded === text) return [field];
    return [field.startsWith('"') ? quoted(guarded) : asField(guarded)];
  }

  function asField(text: string): string {
    return quotesAll || text.includes(content.source.delimiter) || /["\r\n]|^\s|\s$/.test(text)
      ? quoted(text)
      : text;
  }
}
