/** A template as CSV: control totals, header and example row. Formats, notes and drop-downs need the workbook. */
import { writeFile } from "node:fs/promises";
import { stringify } from "csv-stringify/sync";
import { guardFormula } from "../../model/index.ts";
import type { Template } from "./template.ts";

/** UTF-8 with a byte order mark, commas, CRLF (RFC 4180), so that a double click opens it in a spreadsheet program. */
export async function writeTemplateCsv(path: string, { totalLabels, columns }: Template): Promise<void> {
  const lines = [
    ...totalLabels.map((label) => [label, ""]),
    [""],
    columns.map(({ name }) => name),
    columns.map(({ exampleCell }) => exampleCell),
  ].map((texts) => texts.map(guardFormula));
  await writeFile(path, stringify(lines, { bom: true, record_delimiter: "windows" }));
}
