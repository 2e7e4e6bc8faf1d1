/**
 * HTML templates that escape every value except HTML made here, so that no text of a file or person becomes a tag.
 */

/** Created only in this file. */
class Html {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }

  /** A copy whose source `change` made from HTML made here. */
  changed(change: (source: string) => string): Html {
    return new Html(change(this.source));
  }
}

export type { Html };

/** Undefined and false give nothing; lists are joined. */
export type Part = Html | readonly Part[] | string | number | undefined | false;

/**
 * html`<td title="${text}">${text}</td>`: put attributes in quotes. Invisible characters are named. An indented
 * line is layout, as in JSX: its line break is nothing between tags and values, and a space beside text or in a
 * tag.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(
    withoutLayout(parts)
      .map((part, index) => part + sourceOf(values[index]))
      .join(""),
  );
}

/** A template has the same parts at each call, and a report calls one for each of its rows. */
const WITHOUT_LAYOUT = new WeakMap<TemplateStringsArray, readonly string[]>();

function withoutLayout(parts: TemplateStringsArray): readonly string[] {
  const known = WITHOUT_LAYOUT.get(parts);
  if (known !== undefined) return known;
  const made = parts.map((part) => part.replace(BETWEEN, "").replace(INDENTED, " "));
  WITHOUT_LAYOUT.set(parts, made);
  return made;
}

const BETWEEN = /(?<=^|>)\n[ \t]+(?=<|$)/g;
const INDENTED = /\n[ \t]+/g;

/** For values of form fields, which must come back unchanged: only escaped. */
export function exact(text: string): Html {
  return new Html(escaped(text));
}

function sourceOf(value: Part): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.source;
  if (typeof value === "object") return value.map(sourceOf).join("");
  return escaped(visible(String(value)));
}

function escaped(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Special white space becomes a space. An invisible character is named, so that it hides nothing. */
export function visible(text: string): string {
  return text
    .replace(ESCAPE, (_, short?: string, long?: string) =>
      String.fromCodePoint(Number(`0x${short ?? long}`)).replace(/\s/, " "),
    )
    .replace(SPACING, " ")
    .replace(INVISIBLE, HIDDEN);
}

const ESCAPE = /\\u(?:([\da-f]{4})|\{([\da-f]{1,5})\})/g;
const SPACING = /(?![\n\r\t ])\s/g;
const INVISIBLE = /(?![\n\r\t])\p{C}/gu;
const HIDDEN = "[hidden character]";
