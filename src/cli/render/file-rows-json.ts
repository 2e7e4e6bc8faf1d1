/** A file's cells as JSON in the documented form, written row by row so that no file is too long. */
import type { RawRow } from "../../intake/index.ts";
import type { FileRows, SheetRows } from "../../pipeline/rows-step.ts";

/**
 * Yields one JSON document. In the list of rows, the index is the line from 0; an empty list is a line on which no row
 * begins. Encoding and delimiter are those of a CSV.
 */
export async function* fileRowsJson({
  verdict,
  recognised,
  sheets,
  problems,
}: FileRows): AsyncGenerator<string> {
  const { format, encoding, delimiter } = recognised ?? {};
  yield `${JSON.stringify({ verdict, format: format ?? null, encoding, delimiter }).slice(0, -1)},"sheets":[`;
  yield* listed(sheets, sheetJson);
  yield '],"problems":[';
  yield* listed(problems(), async function* (problem) {
    yield JSON.stringify(problem);
  });
  yield "]}\n";
}

async function* sheetJson(sheet: SheetRows): AsyncGenerator<string> {
  const { name, visibility } = sheet;
  yield `\n${JSON.stringify({ name, visible: visibility === "visible" }).slice(0, -1)},"rows":[`;
  yield* listed(sheet.rows(), rowJson());
  yield "]}";
}

/** Yields each row, after an empty list for each line skipped since the previous row. */
function rowJson(): (row: RawRow) => AsyncGenerator<string> {
  let next = 1;
  return async function* ({ line, cells }) {
    for (; next < line; next += 1) yield "\n[],";
    next += 1;
    yield `\n${JSON.stringify(cells.map(({ kind, text }) => ({ kind, text })))}`;
  };
}

/** Yields the members, separated by commas. */
async function* listed<Member>(
  members: Iterable<Member> | AsyncIterable<Member>,
  pieces: (member: Member) => AsyncIterable<string>,
): AsyncGenerator<string> {
  let separator = "";
  for await (const member of members) {
    yield separator;
    yield* pieces(member);
    separator = ",";
  }
}
