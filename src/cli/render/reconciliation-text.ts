/** The nightly comparison in words: what matched, what did not, and whether every balance rolls forward. */
import type { BalanceProofRow } from "../../model/index.ts";
import type { Sweep } from "../../observation/index.ts";
import type { ReconciliationReport } from "../../pipeline/reconcile-step.ts";
import type { StoredBreak } from "../../store/breaks.ts";
import type { Colors } from "../output.ts";
import { counted, totalsText } from "./counted.ts";
import { problemsText, shown } from "./problem-text.ts";
import { textTable } from "./text-table.ts";

/** Custody accounts by their configured names. */
export type CustodyName = (custodyAccountId: string) => string;

export function reconciliationText(
  report: ReconciliationReport,
  colors: Colors,
  nameOf: CustodyName,
): string {
  const { totals, openBreaks, balanceProof, payoutSweep, depositSweep, problems } = report;
  const lines = [
    `Seen:     ${seen(totals.payouts.seen, "payout", payoutSweep)}, ${seen(totals.deposits.seen, "deposit", depositSweep)}`,
    `Accepted: ${totalsText(totals.accepted)}`,
    `Matched:  ${totalsText(totals.matched)}`,
    openBreaks.length === 0 ? "No breaks." : colors.bold(`${counted(openBreaks.length, "break")}:`),
    ...breaksText(openBreaks, colors),
    "Balance proof:",
    balanceProofText(balanceProof, nameOf),
  ];
  if (problems.length > 0) lines.push(problemsText(problems, colors));
  return lines.join("\n");
}

/** Of one kind a few are read, the others counted: what a service does to every payout is one thing, and must not hide the rest. */
const SHOWN_PER_KIND = 10;

function breaksText(openBreaks: readonly StoredBreak[], colors: Colors): string[] {
  return [...Map.groupBy(openBreaks, ({ kind }) => kind)].flatMap(([kind, group]) => {
    const lines = group.slice(0, SHOWN_PER_KIND).map(({ severity, sentence }) => {
      const painted = severity === "alarm" ? colors.red(severity) : colors.yellow(severity);
      return `  ${painted} ${kind}: ${shown(sentence)}`;
    });
    const others = group.length - lines.length;
    return others > 0 ? [...lines, `  ... and ${others} more ${kind}; \`--json\` lists them all`] : lines;
  });
}

function seen(count: number, what: string, { pagesRead }: Sweep): string {
  return `${counted(count, what)} on ${counted(pagesRead, "page")}`;
}

function balanceProofText(rows: readonly BalanceProofRow[], nameOf: CustodyName): string {
  const figure = (value: { toString(): string } | undefined) => value?.toString() ?? "unknown";
  return textTable(
    [
      { title: "custody account" },
      ...["opening", "received", "transferred in", "sent", "fees", "expected", "service says"].map(
        (title) => ({ title, align: "right" }) as const,
      ),
      { title: "" },
    ],
    rows.map((row) => [
      nameOf(row.custodyAccountId),
      figure(row.opening),
      figure(row.received),
      figure(row.transferredIn),
      figure(row.sent),
      figure(row.fees),
      figure(row.expected),
      figure(row.found),
      row.ties ? `${row.currency} ties` : `${row.currency} off by ${figure(row.difference)}`,
    ]),
  );
}
