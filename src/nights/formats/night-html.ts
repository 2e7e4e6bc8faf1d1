/** A report as one self-contained HTML page, to read, to send and to print. */

import { amountHtml } from "../../model/amount-html.ts";
import { kindWords } from "../../model/break-words.ts";
import { counted } from "../../model/counted.ts";
import { type Html, html, type Part } from "../../model/html.ts";
import { DAY_MS, dayWords, HOUR_MS, localMinuteText, MINUTE_MS } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import { figuresTable, reportPage, section } from "../../writing/report-page.ts";
import type { Night, NightBreak } from "../rules/night.ts";
import { lookSentence } from "../rules/night-look.ts";
import {
  aboutOf,
  type NightReport,
  nightSentence,
  openBreaks,
  type Period,
  type PeriodBreak,
  reportTitle,
} from "../rules/night-report.ts";
import { bothSidesTable, countIn, moneyHtml, proofTable } from "./night-parts.ts";
import { nightsChart } from "./nights-chart.ts";

export function nightHtml(report: NightReport): string {
  const { night, period } = report;
  const title = reportTitle(report);
  const body = html`<main>
<header><h1>${title}</h1><p class="lede">${period && `At its end, on ${dayWords(night.day)}: `}
  ${nightSentence(night)}</p>${night.look && html`<p class="lede">${lookSentence(night.look, night.timeZone)}</p>`}
  </header>
${tiles(night)}
${period && periodSections(report, period, night)}
${section("Both sides", "where the money of our payments stands", bothSidesTable(night), true)}
${section("Balance proof", "the expected balance of each account, and the balance that the service shows", [
  proofTable(night),
  behindTheProof(night),
])}
${breakSections(night)}
${changeSections(night)}
${section(
  period === undefined ? "14 nights" : "Trend",
  "open breaks each night",
  html`<div class="body">${nightsChart(report.trend)}</div>`,
  true,
)}
${section("Record", "", html`<div class="body">${record(report)}</div>`, true)}
</main>`;
  return reportPage(title, body);
}

function tiles({ breaks, proof, incomplete, totals, look }: Night): Html {
  const off = proof.filter(({ ties }) => !ties).length;
  const { alarms, warnings, notes } = breaks;
  const seen = `${counted(totals.payouts.seen, "payout")}, ${counted(totals.deposits.seen, "deposit")}`;
  const whole = incomplete === undefined;
  return html`<dl class="tiles">
<div><dt>Comparison</dt><dd>${badge(whole, "complete", "incomplete")}</dd>
<dd>${whole ? `${seen} ${look?.kind === "short" ? "known" : "seen"}` : incomplete.message}</dd></div>
<div><dt>Balances</dt><dd>${badge(off === 0, "all tie", `${off} of ${proof.length} not proved`)}</dd>
<dd>${off === 0 ? "to the last digit" : "see the balance proof"}</dd></div>
<div><dt>At stake</dt><dd>${breaks.atStake.length === 0 ? "nothing" : moneyHtml(breaks.atStake)}</dd>
<dd>${breaks.atStake.length === 0 ? "no open break has an amount" : "in open breaks"}</dd></div>
<div><dt>Open breaks</dt><dd>${openBreaks(breaks)}</dd>
<dd>${counted(alarms, "alarm")}, ${counted(warnings, "warning")}, ${counted(notes, "note")}</dd></div></dl>`;
}

function badge(isGood: boolean, good: string, bad: string): Html {
  return html`<span class="badge ${isGood ? "ok" : "bad"}">${isGood ? good : bad}</span>`;
}

/** The figures of the proof that are not in its table. */
function behindTheProof({ proof, timeZone }: Night): Html {
  const titles = [
    "Account",
    "Unconfirmed in",
    "Unconfirmed out",
    "Fees shown twice",
    "Fees on receipts",
    "Not counted",
  ];
  const rows = proof.map((row) => {
    const figure = (text: string) =>
      html`<td class="num">${amountHtml(Decimal.of(text), row.currency, false)}</td>`;
    const { unconfirmedIn, unconfirmedOut, sharedFees, depositFees, uncountedMovements, openedAt, foundAt } =
      row;
    const times = [
      openedAt && `opening: ${localMinuteText(timeZone, openedAt)}`,
      foundAt && `balance: ${localMinuteText(timeZone, foundAt)}`,
    ];
    return html`<tr><th scope="row">${row.account} <span class="u">${row.currency}</span>
      ${times.map((time) => time !== undefined && html`<span class="sub">${time}</span>`)}</th>
      ${[unconfirmedIn, unconfirmedOut, sharedFees, depositFees].map(figure)}
      <td class="num">${uncountedMovements}</td></tr>`;
  });
  return figuresTable("Further figures of the proof", titles, rows);
}

function breakSections(night: Night): Part {
  const { breaks } = night;
  const count = openBreaks(breaks);
  if (count === 0) return section("Breaks", `none is open, ${breaks.settled} settled`, "", true);
  const ages = breaks.ageing
    .filter((each) => each.count > 0)
    .map(
      ({ bucket, count: many, atStake }) =>
        html`<tr><th scope="row">${bucket}</th><td class="num">${many}</td>
        <td class="num">${moneyHtml(atStake)}</td></tr>`,
    );
  const rest = breaks.leftOut > 0 ? `the worst ${breaks.listed.length} of ${count}` : counted(count, "break");
  return [
    section(
      "Breaks by age",
      "how long they have been open",
      figuresTable("Open breaks by age", ["Open for", "Breaks", "At stake"], ages),
      true,
    ),
    section(
      "Breaks",
      `${rest}, the worst and oldest first; ${breaks.settled} settled`,
      breaksTable(breaks.listed, openFor),
    ),
  ];
}

function breaksTable<Listed extends NightBreak>(list: readonly Listed[], last: (each: Listed) => Part): Html {
  const rows = list.map(
    (each) => html`<tr><th scope="row">${aboutOf(each)}
      <span class="sub">${kindWords(each)}, ${each.opening}</span></th>
<td><span class="badge ${each.severity === "alarm" ? "bad" : each.severity === "warning" ? "warn" : ""}">
  ${each.severity}</span></td>
<td class="told">${each.sentence}${bothValues(each)}</td>
<td data-l="Open for">${last(each)}</td><td data-l="Owner">${each.owner ?? html`<span class="mute">nobody</span>`}</td>
<td class="num" data-l="At stake">${each.stake && moneyHtml([each.stake])}</td></tr>`,
  );
  const titles = ["About", "How bad", "What differs", "Open for", "Owner"];
  return html`<table class="cards"><caption class="vh">Breaks</caption><thead>
  <tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}<th scope="col" class="num">At stake</th></tr>
  </thead><tbody>${rows}</tbody></table>`;
}

function bothValues({ field, expected, found }: NightBreak): Html | false {
  const values = [expected !== undefined && `${expected} expected`, found !== undefined && `${found} found`];
  const words = values.filter((value) => value !== false).join(", ");
  return field !== undefined && html`<span class="sub">${field}${words !== "" && `: ${words}`}</span>`;
}

/** "8 days of 1 day allowed" */
function openFor({ age }: NightBreak): Part {
  const words = daysWords(age.ms);
  return html`${age.isOver ? html`<span class="old">${words}</span>` : words}
    <span class="sub">of ${counted(age.allowedDays, "day")} allowed</span>`;
}

function daysWords(ms: number): string {
  if (ms < 2 * HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} days`;
}

function changeSections({ accounts, projects, since, timeZone }: Night): Part {
  const from = since === undefined ? "since the beginning" : `since ${localMinuteText(timeZone, since)}`;
  const accountRows = accounts.map(
    ({ account, payouts, deposits }) =>
      html`<tr><th scope="row">${account}</th><td class="num">${countIn(payouts)}</td>
      <td class="num">${moneyHtml(payouts)}</td><td class="num">${countIn(deposits)}</td>
      <td class="num">${moneyHtml(deposits)}</td></tr>`,
  );
  const projectRows = projects.map(
    ({ project, arrived }) =>
      html`<tr><th scope="row">${project === "" ? html`<span class="mute">without a project</span>` : project}</th>
      <td class="num">${countIn(arrived)}</td><td class="num">${moneyHtml(arrived)}</td></tr>`,
  );
  if (accounts.length === 0)
    return section("Accounts", `no payout or deposit was seen to change ${from}`, "", true);
  return [
    section(
      "Accounts",
      `payouts and deposits that were seen to change ${from}`,
      figuresTable(
        "Changes by custody account",
        ["Account", "Payouts", "Requested", "Deposits", "Received"],
        accountRows,
      ),
    ),
    projects.length > 0 &&
      section(
        "Ledger projects",
        `payouts that arrived ${from}`,
        figuresTable("Arrived payouts by ledger project", ["Project", "Payouts", "Requested"], projectRows),
      ),
  ];
}

function periodSections(
  { trend }: NightReport,
  { opened, closed, isCut }: Period,
  { timeZone }: Night,
): Part {
  const nights = trend.nights.map(
    (each) =>
      html`<tr><th scope="row">${dayWords(each.day)}</th><td>${localMinuteText(timeZone, each.comparedAt)}</td>
      <td>${badge(each.isComplete, "complete", "incomplete")}</td><td class="num">${each.alarms}</td>
      <td class="num">${each.warnings}</td><td class="num">${each.notes}</td></tr>`,
  );
  const cut = isCut ? ", the first ones of more" : "";
  const ended = (each: PeriodBreak) =>
    html`${daysWords(each.age.ms)}<span
      class="sub">${
        each.settledBy !== undefined
          ? `settled by ${each.settledBy}: ${each.reason ?? ""}`
          : each.closedAt === undefined
            ? "still open"
            : "healed"
      }</span>`;
  return [
    section(
      "Nights",
      counted(nights.length, "night"),
      figuresTable("Nights", ["Day", "Compared", "Comparison", "Alarms", "Warnings", "Notes"], nights),
    ),
    section(
      "Opened in these days",
      `${counted(opened.length, "break")}${cut}`,
      opened.length > 0 && breaksTable(opened, ended),
    ),
    section(
      "Closed in these days",
      `${counted(closed.length, "break")}${cut}`,
      closed.length > 0 && breaksTable(closed, ended),
    ),
  ];
}

function record({ number, night }: NightReport): Html {
  const { audit, comparedAt, timeZone, problems, problemsLeftOut } = night;
  const listed = problems.map(({ code, message }) => html`<dt>${code}</dt><dd>${message}</dd>`);
  return html`<dl class="kv"><dt>Compared</dt><dd>${localMinuteText(timeZone, comparedAt)}, night ${number}</dd>
<dt>Audit record</dt><dd>${counted(audit.entries, "entry", "entries")}, of which the last one has the hash
  <span class="mono">${audit.head}</span></dd>
${listed}${problemsLeftOut > 0 && html`<dt>More problems</dt><dd>${problemsLeftOut}</dd>`}</dl>`;
}
