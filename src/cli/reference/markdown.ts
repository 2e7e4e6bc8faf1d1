/** Builds the Markdown of the reference's pages. */

/** Escapes `<`, which would begin an HTML tag in Markdown, except between backticks. */
export function prose(text: string): string {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 0 ? part.replaceAll("<", "\\<") : part))
    .join("`");
}

/** A table; cells are Markdown already. Empty without rows. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) =>
    `|${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join("|")}|`;
  return [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line), ""];
}

/** A page from its lines, ending in one line break. */
export function page(lines: readonly string[]): string {
  return `${lines.join("\n").trimEnd()}\n`;
}
