/**
 * HTML templates, in which every inserted value is escaped unless it is HTML made here, so nothing from a file can
 * become a tag; and the style of the report page.
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

/** The style of the report page: black on white for printing, without external fonts, images or scripts. */
export const pageStyle = html`
  body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; font: 1rem/1.45 system-ui, sans-serif; color: #1a1a1a; background: #fff; }
  h1 { font-size: 1.6rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
  h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; border-bottom: 2px solid #1a1a1a; }
  h3 { font-size: 1.05rem; margin: 2rem 0 .25rem; break-after: avoid; }
  h3 small { font-weight: normal; color: #555; }
  p { margin: .25rem 0 .75rem; max-width: 60rem; }
  .verdict { padding: .75rem 1rem; border-left: .5rem solid; background: #f6f6f6; }
  .accepted { border-color: #0b5d1e; } .rejected, .refused { border-color: #8f1414; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; }
  dt { color: #555; } dd { margin: 0; overflow-wrap: anywhere; }
  .kinds { columns: 2; padding: 0; list-style: none; }
  a { color: #0b3d91; }
  table { border-collapse: collapse; table-layout: fixed; width: 100%; margin: .5rem 0; }
  th:nth-child(1) { width: 5.5rem; } th:nth-child(2) { width: 12rem; } th:nth-child(3) { width: 30%; }
  .destinations th:nth-child(1) { width: 50%; } .destinations th:nth-child(2) { width: 12%; }
  .destinations th:nth-child(3) { width: auto; } .destinations th:nth-child(4) { width: 8rem; }
  th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #ccc; }
  th { border-bottom: 2px solid #555; white-space: nowrap; }
  td { overflow-wrap: anywhere; }
  code { font: .92em ui-monospace, monospace; white-space: pre-wrap; }
  summary { cursor: pointer; padding: .4rem 0; color: #0b3d91; }
  footer { margin-top: 3rem; color: #555; font-size: .9rem; }
  @media (max-width: 40rem) {
    .kinds { columns: 1; } dl { grid-template-columns: 1fr; }
    thead { display: none; } tr, td { display: block; }
    tr { padding: .4rem 0; border-bottom: 1px solid #ccc; } td { padding: .1rem 0; border: 0; }
    .destinations td:nth-child(4)::before { content: "first as "; }
  }
  @media print {
    body { margin: 0; max-width: none; font-size: 10pt; }
    tr { break-inside: avoid; } thead { display: table-header-group; }
    a { color: inherit; text-decoration: none; }
  }
`;
