/** Shows a kept night: its proof, both sides, the nights before it as a chart, and its report for download. */
import { fault, orProblem } from "../../faults/index.ts";
import { dayWords, REPORT_FORMATS, type ReportFormat } from "../../model/index.ts";
import {
  bothSidesTable,
  lookSentence,
  type NightReport,
  nightSentence,
  nightsChart,
  proofTable,
  reportBytes,
  reportName,
  reportStep,
} from "../../nights/index.ts";
import { type Html, html } from "../html.ts";
import { type Answer, field, type Page, SEE, type Visit } from "../page.ts";
import { empty, head, panel, time } from "../parts.ts";
import { said } from "../plain-words.ts";

export const nightPages: readonly Page[] = [
  { method: "GET", path: "/nights/:day", roles: SEE, handle: nightPage },
  { method: "GET", path: "/nights/:number/report/:format", roles: SEE, handle: download },
];

/** Undefined before the first night. */
export async function lastNight({ workplace }: Visit): Promise<NightReport | undefined> {
  const found = await orProblem(
    () => reportStep(workplace),
    ({ code }) => code === "NAME_UNKNOWN",
  );
  return "night" in found ? found : undefined;
}

async function nightPage(visit: Visit): Promise<Answer> {
  const { workplace, params, query } = visit;
  const day = params["day"] ?? "";
  const number = field(query, "number");
  const isNumber = /^\d{1,15}$/.test(number);
  const report = await reportStep(workplace, { night: isNumber ? Number(number) : day });
  const { night } = report;
  const title = `Night of ${dayWords(night.day)}`;
  const crumbs = html`<a href="/nights">Nights</a>`;
  const lede = html`${nightSentence(night)} Compared ${time(visit, night.comparedAt)}, and shown here as it was then.`;
  const listed = night.breaks.listed.map(
    ({ opening, severity, sentence }) =>
      html`<li><a href="/nights/break?name=${opening}">${opening}</a><p>${severity}: ${said(visit, sentence)}</p></li>`,
  );
  const more = night.breaks.leftOut > 0 && html`<li><span></span><p>${night.breaks.leftOut} more</p></li>`;
  const open =
    listed.length === 0
      ? empty("No breaks", "Nothing differed.")
      : html`<ol class="list log">${listed}${more}</ol>`;
  const content = html`${head(title, lede, nightDownloads(report), crumbs)}
${panel("breaks-then", "Breaks that were open then", open)}
${nightPanels(report)}`;
  return { title, content };
}

/** Its proof, both sides, and the nights before it. */
export function nightPanels(report: NightReport): Html {
  const { night, trend } = report;
  const proofNote = "the expected balance of each account, and the balance that the service shows";
  const looked =
    night.look && html`<div class="body"><p>${lookSentence(night.look, night.timeZone)}</p></div>`;
  return html`${panel("balance-proof", "Balance proof", [proofTable(night), looked], { note: proofNote })}
${panel("both-sides", "Both sides", bothSidesTable(night))}
${panel("nights-14", "14 nights", html`<div class="body">${nightsChart(trend)}</div>`, {
  note: "open breaks each night",
})}
${keptNights(report)}`;
}

/** For each day of the chart that has a night, newest first: its last night, as reported then. */
function keptNights({ trend }: NightReport): Html {
  const days = [...new Set(trend.nights.map(({ day }) => day))].reverse();
  const links = days.map((day) => html`<li><a href="/nights/${day}">${dayWords(day)}</a></li>`);
  return panel("kept", "Nights as they were", html`<ol class="list">${links}</ol>`);
}

const FORMATS: Readonly<Record<ReportFormat, { readonly label: string; readonly type: string }>> = {
  xlsx: { label: "Excel", type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
  html: { label: "One page to print", type: "application/octet-stream" },
  json: { label: "JSON", type: "application/json" },
};

/** The buttons that download its report. */
export function nightDownloads({ number }: NightReport): Html {
  const formats = ["xlsx", "html", "json"] as const;
  return html`${formats.map(
    (format) => html`<a class="btn" href="/nights/${number}/report/${format}">${FORMATS[format].label}</a>`,
  )}`;
}

/** Made from the stored night, not from a file that somebody may have changed. */
async function download({ workplace, params }: Visit): Promise<Answer> {
  const { number = "" } = params;
  const format = REPORT_FORMATS.find((each) => each === params["format"]);
  if (format === undefined || !/^\d{1,15}$/.test(number))
    throw fault("NAME_UNKNOWN", {
      what: "such report of a night",
      how: "Choose one on the page of the nights.",
    });
  const report = await reportStep(workplace, { night: Number(number) });
  const bytes = await reportBytes(report, format);
  return { fileName: `${reportName(report)}.${format}`, type: FORMATS[format].type, bytes };
}
