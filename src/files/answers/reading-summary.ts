/**
 * How a file was read, for the summary of its answer: totals, columns, unread parts, and how often each problem was
 * found.
 */
import type { Problem } from "../../faults/index.ts";
import { COLUMN_WORDS } from "../../model/columns.ts";
import type { ControlTotal } from "../../model/index.ts";
import type { ReadColumn, SheetReading, UnreadColumn } from "../../model/sheet-reading.ts";
import type { SummaryGroup } from "./answer.ts";

type Fact = SummaryGroup["facts"][number];

/** "Total BTC: 0.222 in 20 payments" for each currency. */
export function totalFacts(totals: readonly ControlTotal[]): Fact[] {
  return totals.map(({ currency, count, amount }) => [
    `Total ${currency}`,
    `${amount.normalized()} in ${count} ${count === 1 ? "payment" : "payments"}`,
  ]);
}

/** The groups of a summary that say how the file was read. */
export function readingGroups(reading: SheetReading): SummaryGroup[] {
  const others = otherLines(reading).map(({ line, place, text, what }): Fact => {
    return [`${line === undefined ? place : `Line ${line}`}: ${text}`, what];
  });
  return [
    { heading: "How the columns were read", facts: reading.columns.map(columnFact) },
    { heading: "What was not read", facts: notReadFacts(reading) },
    { heading: "Lines that are not payments", facts: others },
  ];
}

/** Sections, totals and notes. A note outside the cells has a place instead of a line. */
export function otherLines({ sections, totals, notes }: SheetReading) {
  return [
    ...sections.map(({ line, heading, totals: sums }) => {
      const sumTexts = sums.map(
        ({ currency, count, amount }) => `${count} payments, ${amount.normalized()} ${currency}`,
      );
      return { line, place: "", what: `a section of ${sumTexts.join(", ") || "no payments"}`, text: heading };
    }),
    ...totals.map(({ line, text, amount, firstLine, lastLine }) => {
      const what = `the total of lines ${firstLine} to ${lastLine}`;
      return { line, place: "", what, text: `${text} ${amount}`.trim() };
    }),
    ...notes.map((note) => ({ ...note, what: "a note: shown, not paid" })),
  ];
}

function columnFact({ heading, name, foundBy, evidence }: ReadColumn): Fact {
  return [
    heading,
    `read as ${COLUMN_WORDS[name]}, found by ${foundBy}${evidence === undefined ? "" : `: ${evidence}`}`,
  ];
}

function notReadFacts({ unread, otherSheets, pictureCount }: SheetReading): Fact[] {
  return [
    ...unread.filter(({ kind }) => kind !== "empty" && kind !== "counter").map(unreadFact),
    ...otherSheets.map((sheet): Fact => ["Sheet", sheet]),
    ...(pictureCount === 0 ? [] : [["Pictures", `${pictureCount} not read`] as const]),
  ];
}

function unreadFact({ heading, kind, values }: UnreadColumn): Fact {
  const label = heading === "" ? "(column without a name)" : heading;
  const some = values.map(({ value }) => value).join(", ");
  if (kind === "text") return [label, `read by people only, beside its rows: ${some} and others`];
  const shown = values.slice(0, VALUES_SHOWN).map(({ value, count }) => `${value} (${count})`);
  const more = values.length - shown.length;
  return [label, [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ")];
}

const VALUES_SHOWN = 20;

/** VALUE_MISSING in words: "value missing: 3 times". */
export function kindsGroup(findings: readonly Problem[]): SummaryGroup {
  const kinds = Map.groupBy(findings, ({ code }) => code.toLowerCase().replaceAll("_", " "));
  const facts = [...kinds].map(([kind, found]): Fact => {
    return [kind, found.length === 1 ? "once" : `${found.length} times`];
  });
  return { heading: "Problems and warnings by kind", facts };
}
