/** Open breaks of each night as bars, drawn as SVG with the class names of a page's chart. */

import { type Html, html } from "../../model/html.ts";
import { type Day, daysBetween, daysLater, dayWords, type NightSummary } from "../../model/index.ts";
import { lastOfEachDay, type NightReport, openBreaks } from "../rules/night-report.ts";

const [WIDTH, LEFT, TOP, BASE] = [700, 26, 26, 140] as const;

/** If a period has more days than this, only the last ones are drawn: narrower bars would be indistinguishable. */
const DAYS_MAX = 92;
const LABELS_MAX = 14;

/** The last night of each day: alarms below, warnings and notes above, a dashed outline if it was incomplete. */
export function nightsChart(trend: NightReport["trend"]): Html {
  const last = lastOfEachDay(trend.nights);
  const days = daysOf(trend);
  const nights = days.map((day) => last.get(day));
  const most = Math.max(2, ...nights.map((night) => (night === undefined ? 0 : openBreaks(night))));
  const step = Math.max(1, Math.ceil(most / 3));
  const top = step * Math.ceil(most / step);
  const heightOf = (count: number) => ((BASE - TOP) * count) / top;
  const place = (WIDTH - LEFT) / days.length;
  const grid = Array.from({ length: top / step + 1 }, (_, index) => {
    const y = round(BASE - heightOf(index * step));
    return html`<line class="${index === 0 ? "base" : "grid"}" x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/>
      <text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${index * step}</text>`;
  });
  const bars = nights.map((night, index) => {
    const middle = LEFT + place * (index + 0.5);
    return [night && bar(night, middle, Math.min(28, place * 0.7), heightOf), label(days, index, middle)];
  });
  const [note, id] = [summaryOf(trend, nights), `nights-${trend.from}-${trend.to}`];
  return html`<figure><svg class="chart" viewBox="0 0 ${WIDTH} 168" role="img" aria-labelledby="${id}">
    <title id="${id}">${note}</title>${grid}${bars}</svg></figure>
<p class="key"><span>alarms</span><span class="kw">warnings and notes</span>
  <span class="kg">incomplete night</span></p>`;
}

function daysOf({ from, to }: NightReport["trend"]): Day[] {
  const shown = Math.min(daysBetween(from, to) + 1, DAYS_MAX);
  return Array.from({ length: shown }, (_, index) => daysLater(to, index - shown + 1));
}

function bar(night: NightSummary, middle: number, width: number, heightOf: (count: number) => number): Html {
  const count = openBreaks(night);
  const [left, all, alarms] = [round(middle - width / 2), heightOf(count), heightOf(night.alarms)];
  const rectangle = (kind: string, below: number, height: number) =>
    height > 0 &&
    html`<rect class="${kind}" x="${left}" y="${round(BASE - below - height)}" width="${round(width)}"
      height="${round(height)}"/>`;
  const shape = night.isComplete
    ? [rectangle("w2", alarms, all - alarms), rectangle("a", 0, alarms)]
    : rectangle("gap", 0, Math.max(all, 12));
  const value = html`<text class="val" x="${round(middle)}" y="${round(BASE - all - 6)}" text-anchor="middle">
    ${count}</text>`;
  return html`${shape}${width > 9 && night.isComplete && value}`;
}

/**
 * The day of the month, with the month's name for the first day and where a month begins. If there is little room,
 * some days are left out.
 */
function label(days: readonly Day[], index: number, middle: number): Html | false {
  const every = Math.ceil(days.length / LABELS_MAX);
  const [day, fromEnd] = [days[index] ?? "", days.length - 1 - index];
  if (fromEnd % every !== 0) return false;
  const [number = "", month = ""] = dayWords(day).split(" ");
  const isNamed = day.endsWith("-01") || fromEnd + every >= days.length;
  const words = isNamed ? `${number} ${month.slice(0, 3)}` : number;
  return html`<text x="${round(middle)}" y="158"
    text-anchor="middle"${(fromEnd / every) % 2 === 1 && html` class="alt"`}>${words}</text>`;
}

function summaryOf({ from, to }: NightReport["trend"], nights: readonly (NightSummary | undefined)[]) {
  const known = nights.filter((night) => night !== undefined);
  const most = Math.max(0, ...known.map(openBreaks));
  const now = known.at(-1);
  const incomplete = known.filter(({ isComplete }) => !isComplete).map(({ day }) => dayWords(day));
  const parts = [
    `Open breaks from ${dayWords(from)} to ${dayWords(to)}: ${most} at most, ` +
      `${now === undefined ? "none" : openBreaks(now)} at the end.`,
    incomplete.length > 0 && `Incomplete: ${incomplete.join(", ")}.`,
  ];
  return parts.filter((part) => part !== false).join(" ");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
