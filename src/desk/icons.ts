/** The pictures of the navigation, drawn as lines. */
import { type Html, html } from "./html.ts";

const drawn = (path: Html) => html`<svg class="i" viewBox="0 0 16 16" aria-hidden="true">${path}</svg>`;

export const BRAND = html`<svg viewBox="0 0 20 20" aria-hidden="true">
  <path d="M10 1.2c3 4.2 5.8 7 5.8 10.8a5.8 5.8 0 0 1-11.6 0C4.2 8.200 7 5.4 10 1.2z"/></svg>`;
export const KEY = drawn(html`<path d="M10.4 2a3.6 3.6 0 1 0 .01 0zM7.9 8.1L2.4 13.6M4.4 11.6l1.6 1.6"/>`);
export const SEARCH = drawn(html`<path d="M7 2.2a4.8 4.8 0 1 0 .01 0zM10.6 10.6l3.2 3.2"/>`);

/** The picture of a page, by its label. */
export function icon(label: string): Html {
  return drawn(PATHS[label] ?? html``);
}

const PATHS: Readonly<Record<string, Html>> = {
  Today: html`<path d="M8 1.8v1.6M8 12.6v1.6M1.8 8h1.6M12.6 8h1.6M3.6 3.6l1.1 1.1M11.3 11.3l1.1 1.1M3.6
    12.4l1.1-1.1M11.3 4.7l1.1-1.1M5.2 8a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0"/>`,
  Files: html`<path d="M3.5 1.8h6l3 3v9.4h-9zM9.3 1.8v3.2h3.2M5.8 8h4.4M5.8 10.8h4.4"/>`,
  Payments: html`<path d="M2 5.2h11M10.4 2.6L13 5.2l-2.6 2.6M14 10.8H3M5.6 8.2L3 10.8l2.6 2.6"/>`,
  Doubts: html`<path d="M8 1.8a6.2 6.2 0 1 0 .01 0zM6.2 6.3c0-2.4 3.7-2.4 3.7 0c0 1.4-1.9 1.5-1.9 3M8 11.6v.1"/>`,
  Expected: html`<path d="M8 1.8v7.6M4.8 6.4L8 9.6l3.2-3.2M2.2 10.4v3.4h11.6v-3.4"/>`,
  Nights: html`<path d="M13.6 9.6A6 6 0 0 1 6.4 2.4a6 6 0 1 0 7.2 7.2z"/>`,
  Books: html`<path d="M3 2.2h8.2a1.6 1.6 0 0 1 1.6 1.6v10H4.4A1.4 1.4 0 0 1 3 12.4zM3 12.4A1.4 1.4 0 0 1
    4.4 11h8.4M6 5.4h4"/>`,
  Jobs: html`<path d="M8 1.8a6.2 6.2 0 1 0 .01 0zM8 4.8V8l2.2 1.6"/>`,
  Record: html`<path d="M8 1.6l5.4 2v4c0 3.4-2.3 5.8-5.4 6.8c-3.1-1-5.4-3.4-5.4-6.8v-4zM5.6 7.8l1.8 1.8l3.2-3.4"/>`,
  People: html`<path d="M6 7.4a2.6 2.6 0 1 0 0-5.2a2.6 2.6 0 0 0 0 5.2zM1.4 13.8c0-5.6 9.2-5.6 9.2 0M10.4
    2.5a2.6 2.6 0 0 1 0 4.7M12 9.6c1.7.5 2.6 2 2.6 4.2"/>`,
};
