/**
 * Takes off the Ctrl-Z (0x1A) with which DOS programs end a text, and with which some fill its last block of 128 bytes.
 * It proves that the text is complete, so it stands for the end of the last line where that is missing. A Ctrl-Z before
 * other text is kept, and refused like any invisible character.
 */

const END_MARK = "\x1a";
const BLOCK_CHARACTERS = 128;

export async function* withoutEndMark(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let marks = "";
  let last = "";
  for await (const chunk of chunks) {
    const text = marks + chunk;
    let end = text.length;
    while (end > 0 && text.length - end < BLOCK_CHARACTERS && text[end - 1] === END_MARK) end -= 1;
    marks = text.slice(end);
    if (end === 0) continue;
    last = text.charAt(end - 1);
    yield text.slice(0, end);
  }
  if (marks !== "" && last !== "" && last !== "\n" && last !== "\r") yield "\n";
}
