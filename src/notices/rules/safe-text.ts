/**
 * Makes texts from outside safe for a message: on one line, of limited length, without links, and without a whole
 * address or key.
 */
import { shownText } from "../../model/shown-text.ts";

const SHOWN_LENGTH_MAX = 120;
/** As long as the shortest address of a coin, and longer than any word. */
const LONG = /[A-Za-z0-9]{25,}|[A-Za-z0-9]{8}(?:-[A-Za-z0-9]{4}){3}-[A-Za-z0-9]{12}/g;

/** A chat would turn `<!here>` into a call and `[pay](address)` into a link. */
function withoutMarkup(text: string): string {
  return text.replaceAll("<", "(").replaceAll(">", ")").replaceAll("](", "] (");
}

/** "bc1qw508...f3t4": the beginning and end of anything that may be an address, a key or an id. */
export function safeText(text: string): string {
  const shown = withoutMarkup(shownText(text)).replace(
    LONG,
    (long) => `${long.slice(0, 8)}...${long.slice(-4)}`,
  );
  return shown.length <= SHOWN_LENGTH_MAX ? shown : `${shown.slice(0, SHOWN_LENGTH_MAX)}...`;
}
