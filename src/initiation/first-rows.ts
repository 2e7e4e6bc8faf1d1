/** Remembers the first row of each distinct text of a file. */
export class FirstRows {
  private readonly rows = new Map<string, number>();

  /** The earlier row with this text; undefined if there is none, and then `row` becomes the first. */
  earlierRow(text: string, row: number): number | undefined {
    const earlier = this.rows.get(text);
    if (earlier === undefined) this.rows.set(text, row);
    return earlier;
  }
}
