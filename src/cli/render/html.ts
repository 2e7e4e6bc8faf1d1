/**
 * HTML templates: every inserted value is escaped unless it is HTML made here, so nothing from a file can become a tag.
 */
import { shown } from "./problem-text.ts";

/** Created only by `html`. */
class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export type { Html };

/** For a part that is left out. */
export const NOTHING = new Html("");

type Part = Html | readonly Html[] | string | number;

/** html`<td>${text}</td>`: values are escaped, and invisible characters made visible. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(parts.map((part, index) => part + sourceOf(values[index] ?? "")).join(""));
}

function sourceOf(value: Part): string {
  if (value instanceof Html) return value.source;
  if (typeof value === "object") return value.map(({ source }) => source).join("");
  return shown(String(value)).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
