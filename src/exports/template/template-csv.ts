/** A template as CSV: control totals to fill in, header and example row. A CSV has no formats, notes or drop-downs; those are the workbook's. */
import { writeAnswerCsv } from "../answers/csv.ts";
import type { Template } from "./template.ts";

export async function writeTemplateCsv(path: string, template: Template): Promise<void> {
  await writeAnswerCsv(path, linesOf(template));
}

async function* linesOf({ totalLabels, columns }: Template) {
  for (const label of totalLabels) yield line([label, ""]);
  yield line([""]);
  yield line(columns.map(({ name }) => name));
  yield line(columns.map(({ exampleCell }) => exampleCell));
}

function line(texts: readonly string[]) {
  return { cells: [], added: texts, remarks: new Map() };
}
