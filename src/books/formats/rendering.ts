/** A journal is written part by part, because it may be too long for memory. */
import type { JournalEntry, TextEncoding } from "../../model/index.ts";

/** Content to append to a file. `name`: without the number of the export batch, such as "journal.csv". */
export interface Piece {
  readonly name: string;
  /** Bytes if the file is not text. */
  readonly content: string | Promise<Buffer>;
}

/** Renders a journal as one or several files. `add` gets its entries in journal order, in parts of any length. */
export interface Rendering {
  /** The encoding of its files; UTF-8 if absent. */
  readonly encoding?: TextEncoding;
  begin(): readonly Piece[];
  /** Throws INVARIANT_BROKEN. */
  add(entries: readonly JournalEntry[]): readonly Piece[];
  /** The content after the last entry. */
  end?(): readonly Piece[];
}

/** A rendering as one file: `head`, then the text of each part. */
export function inOneFile(
  name: string,
  head: string,
  textOf: (entries: readonly JournalEntry[]) => string,
): Rendering {
  return {
    begin: () => [{ name, content: head }],
    add: (entries) => [{ name, content: textOf(entries) }],
  };
}
