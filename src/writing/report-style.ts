/**
 * The style of a report page: light and dark, narrow, and on paper. Uses no font, picture, script or other host.
 */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --bg: #f8f8f6; --surface: #fff; --sunken: #f2f2ef; --line: #e5e5e0; --edge: #83837b;
  --ink: #1b1c20; --ink-2: #4c4e56; --ink-3: #666872; --ok: #156239; --ok-soft: #e5f3ea; --warn: #7f4b00;
  --warn-soft: #fbf0d9;
  --bad: #a8231c; --bad-soft: #fcebe9; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #131418; --surface: #1a1c21; --sunken: #21242a; --line: #2c2f37; --edge: #7c818d; --ink: #eceef2;
    --ink-2: #bbbfc9; --ink-3: #9ba0ac; --ok: #83d7a6; --ok-soft: #17301f; --warn: #f0c26c; --warn-soft: #352a12;
    --bad: #ff9f96; --bad-soft: #3c1c1a; }
}
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink);
  font: 400 14.5px/1.5 system-ui, -apple-system, "Segoe UI", Roboto,
  "Helvetica Neue", "Noto Sans", Arial, sans-serif; font-variant-numeric: tabular-nums;
  -webkit-text-size-adjust: 100%; }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; max-width: 1080px; margin: 0 auto;
  padding: 32px 24px 64px; }
h1, h2, p, dl, dd, figure, table { margin: 0; padding: 0; }
h1 { font-size: 24px; font-weight: 650; line-height: 1.25; }
h2 { font-size: 17px; font-weight: 620; }
.lede { margin-top: 6px; max-width: 76ch; font-size: 17px; text-wrap: pretty; }
.mute, .sub, .key, .z, .u, caption, section > header p { color: var(--ink-3); }
.z, .u { font-weight: 400; }
.amt { white-space: nowrap; }
.sub { display: block; font-size: 13px; font-weight: 400; }
.old { color: var(--warn); font-weight: 560; }
.mono { font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; font-size: 13px;
  overflow-wrap: anywhere; }
.vh { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(168px, 1fr)); border: 1px solid var(--line);
  border-radius: 9px; background: var(--surface); overflow: hidden; }
.tiles > div { padding: 14px 20px; border: solid var(--line); border-width: 1px 0 0 1px; margin: -1px 0 0 -1px; }
.tiles dt { color: var(--ink-3); font-size: 13px; }
.tiles dd { margin-top: 2px; font-size: 18px; font-weight: 620; }
.tiles dd + dd { color: var(--ink-3); font-size: 13px; font-weight: 400; }
section { border: 1px solid var(--line); border-radius: 9px; background: var(--surface); overflow: hidden; }
section > header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 12px; padding: 16px 20px 12px; }
section > header p { font-size: 13px; }
.body { padding: 0 20px 16px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 8px 12px; border-top: 1px solid var(--line); text-align: left; vertical-align: top;
  font-weight: 400; }
th:first-child, td:first-child { padding-left: 20px; }
th:last-child, td:last-child { padding-right: 20px; }
thead th, thead td { background: var(--sunken); color: var(--ink-2); font-size: 13px; font-weight: 560; }
tbody th { font-weight: 560; }
.cards tbody th, td.told { min-width: 9em; overflow-wrap: anywhere; }
.num { text-align: right; }
.dense th, .dense td { padding-block: 6px; }
.report td:not(.num) { white-space: normal; min-width: 6em; max-width: 30em; overflow-wrap: anywhere; }
.total th, .total td { border-top: 1px solid var(--edge); font-weight: 620; }
.in { display: block; padding-left: 18px; font-weight: 400; }
.stick th:first-child, .stick td:first-child { position: sticky; left: 0; background: var(--surface); }
.stick thead th:first-child, .stick thead td:first-child { background: var(--sunken); }
.scroll { overflow-x: auto; }
.scroll th, .scroll td { white-space: nowrap; }
.badge { display: inline-block; padding: 0 8px; border-radius: 10px; font-size: 13px; font-weight: 560;
  line-height: 20px;
  background: var(--sunken); color: var(--ink-2); white-space: nowrap; }
.badge.ok { background: var(--ok-soft); color: var(--ok); }
.badge.warn { background: var(--warn-soft); color: var(--warn); }
.badge.bad { background: var(--bad-soft); color: var(--bad); }
.badge .z, .badge .u { color: inherit; }
.chart { width: 100%; height: auto; display: block; font: 11px system-ui, sans-serif; }
.chart text { fill: var(--ink-3); }
.chart .val { fill: var(--ink); font-weight: 600; }
.chart .grid { stroke: var(--line); }
.chart .base { stroke: var(--edge); }
.chart .a { fill: var(--bad); }
.chart .w2 { fill: var(--warn-soft); stroke: var(--warn); stroke-width: 1.5; }
.chart .gap { fill: none; stroke: var(--edge); stroke-dasharray: 3 3; }
.key { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: 13px; }
.key span::before { content: ""; display: inline-block; width: 11px; height: 11px; margin-right: 7px;
  background: var(--bad); }
.key .kw::before { background: var(--warn-soft); border: 1.5px solid var(--warn); }
.key .kg::before { background: none; border: 1px dashed var(--edge); }
.kv { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 6px 16px; }
.kv dt { color: var(--ink-3); }
@media (max-width: 700px) {
  main { gap: 16px; padding: 16px 12px 48px; }
  .chart { font-size: 21px; }
  .chart .alt { display: none; }
  .kv { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .kv dd { margin-bottom: 8px; }
  .cards, .cards tbody, .cards tr, .cards th, .cards td { display: block; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards tbody th, td.told { min-width: 0; }
  .cards tr { padding: 10px 20px; border-top: 1px solid var(--line); }
  .cards th, .cards td, .cards th:first-child, .cards td:first-child { padding: 1px 0; border: 0; text-align: left;
    overflow-wrap: anywhere; }
  .cards td:empty { display: none; }
  .cards td[data-l]::before { content: attr(data-l) " "; color: var(--ink-3); font-size: 13px; }
}
@page { size: A4 landscape; margin: 12mm; }
@media print {
  :root { color-scheme: light; --bg: #fff; --surface: #fff; --sunken: #fff; --line: #bbb; --edge: #777; --ink: #000;
    --ink-2: #222;
    --ink-3: #444; --ok: #0a4d2a; --ok-soft: #fff; --warn: #5c3600; --warn-soft: #fff; --bad: #8a1812;
    --bad-soft: #fff; }
  body { font-size: 9pt; }
  main { display: block; max-width: none; padding: 0; }
  main > * + * { margin-top: 10pt; }
  h1 { font-size: 15pt; }
  h2 { font-size: 11pt; break-after: avoid; }
  .lede { font-size: 11pt; }
  .tiles dd { font-size: 11pt; }
  th, td { padding: 3pt 5pt; }
  .badge { border: 0.5pt solid; }
  section { overflow: visible; }
  section > header { break-after: avoid; }
  section.whole, figure, tr, .tiles { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  .stick th:first-child, .stick td:first-child { position: static; }
  .chart { width: 170mm; }
  .key span::before { print-color-adjust: exact; }
}
`;
