/**
 * Makes well-formed what Excel writes into drawings of a legacy format (VML): the line breaks in the label of a button
 * or check box are HTML's `<br>`, which is never closed.
 */
import type { Archive } from "./archive.ts";

/** The archive, with every line break of its VML parts closed. */
export function withWellFormedVml(archive: Archive): Archive {
  return {
    ...archive,
    read: (partName) =>
      /\.vml$/i.test(partName) ? withClosedLineBreaks(archive.read(partName)) : archive.read(partName),
  };
}

async function* withClosedLineBreaks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let carried = "";
  for await (const chunk of chunks) {
    // In these bytes a tag is the same in UTF-8, which VML is written in.
    const text = carried + chunk.toString("latin1");
    carried = /<(?:b(?:r)?)?$/i.exec(text)?.[0] ?? "";
    yield Buffer.from(text.slice(0, text.length - carried.length).replace(/<br>/gi, "<br/>"), "latin1");
  }
  yield Buffer.from(carried, "latin1");
}
