/**
 * Splits a CSV record into its fields as they are written, quotes included, so that unchanged fields stay identical.
 */

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
