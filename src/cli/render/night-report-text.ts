/**
 * Renders the report of a night, or of a period, for a terminal: its sentence, both sides, the proof, and the
 * nights.
 */
import { localMinuteText, type NightSummary } from "../../model/index.ts";
import { lookSentence, type NightReport, nightSentence, reportTitle } from "../../nights/index.ts";
import type { Colors } from "../output.ts";
import { shown } from "./problem-text.ts";
import { proofText } from "./proof-text.ts";
import { lines } from "./text-parts.ts";
import { figures, textTable } from "./text-table.ts";

export function nightReportText(report: NightReport, colors: Colors): string {
  const { night, trend, period } = report;
  const { accepted, agree, differ, notShown, undecided, gone } = night.totals;
  const classes = Object.entries({
    accepted,
    agree,
    differ,
    "not shown": notShown,
    undecided,
    "finished and gone": gone,
  });
  const both = classes.flatMap(([name, sums]) =>
    sums.map(({ currency, count, amount }) => [name, String(count), `${amount} ${currency}`]),
  );
  const { opened = [], closed = [] } = period ?? {};
  return lines(
    colors.bold(reportTitle(report)),
    shown(nightSentence(night)),
    night.look && lookSentence(night.look, night.timeZone),
    textTable(["our payments", figures("payments"), figures("sum")], both),
    "Balance proof:",
    proofText(night.proof.map(({ difference = "an unknown amount", ...row }) => ({ ...row, difference }))),
    night.breaks.listed.length > 0 && "Open breaks:",
    ...night.breaks.listed.map(
      ({ opening, severity, sentence }) => `  ${opening} ${severity}: ${shown(sentence)}`,
    ),
    night.breaks.leftOut > 0 && `  and ${night.breaks.leftOut} more`,
    period && `${opened.length} opened and ${closed.length} closed in these days.`,
    "Nights:",
    textTable(
      ["compared", "", ...["alarms", "warnings", "notes"].map(figures)],
      trend.nights.map((each) => nightRow(each, night.timeZone)),
    ),
    `Audit record: ${night.audit.entries} entries, the last one ${night.audit.head}`,
  );
}

function nightRow(night: NightSummary, timeZone: string): string[] {
  const { comparedAt, isComplete, alarms, warnings, notes } = night;
  const counts = [alarms, warnings, notes].map(String);
  return [localMinuteText(timeZone, comparedAt), isComplete ? "" : "incomplete", ...counts];
}
