/** How a file was read, for the summary of its answer: totals, columns, what was not read, and how often what was found. */
import type { Problem } from "../../faults/index.ts";
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

/** The groups of a summary that say how the file was read; empty ones are left out. */
export function readingGroups(reading: SheetReading, findings: readonly Problem[]): SummaryGroup[] {
  const groups: SummaryGroup[] = [
    { heading: "How the columns were read", facts: reading.columns.map(columnFact) },
    { heading: "What was not read", facts: notReadFacts(reading) },
    {
      heading: "Lines that are not payments",
      facts: [...sectionFacts(reading), ...totalLineFacts(reading), ...noteFacts(reading)],
    },
    { heading: "Problems and warnings by kind", facts: kindFacts(findings) },
  ];
  return groups.filter(({ facts }) => facts.length > 0);
}

const HOW: Readonly<Record<ReadColumn["foundBy"], string>> = {
  name: "by its name",
  content: "by its content",
  configuration: "by the configuration",
  layout: "by the accepted layout",
};

function columnFact({ heading, name, foundBy, evidence }: ReadColumn): Fact {
  const how = evidence === undefined ? HOW[foundBy] : `${HOW[foundBy]}: ${evidence}`;
  return [heading, `${name}, ${how}`];
}

function notReadFacts({ unread, otherSheets, pictureCount }: SheetReading): Fact[] {
  const pictures = pictureCount === 1 ? "1 picture" : `${pictureCount} pictures`;
  return [
    ...unread.filter(({ kind }) => kind !== "empty").map(unreadFact),
    ...otherSheets.map((sheet): Fact => ["Sheet", sheet]),
    ...(pictureCount === 0 ? [] : [["Pictures", `${pictures} not read`] as const]),
  ];
}

function unreadFact({ heading, kind, values }: UnreadColumn): Fact {
  const label = heading === "" ? "(column without a name)" : heading;
  if (kind === "text")
    return [label, `${values.map(({ value }) => value).join(", ")} and others, beside their rows`];
  const shown = values.slice(0, VALUES_SHOWN).map(({ value, count }) => `${value} (${count})`);
  const more = values.length - shown.length;
  return [label, [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ")];
}

const VALUES_SHOWN = 20;

function sectionFacts({ sections }: SheetReading): Fact[] {
  return sections.map(({ line, heading, totals }) => [
    `Line ${line}: ${heading}`,
    totals.length === 0
      ? "a section without payments"
      : `a section: ${totals.map(({ currency, count, amount }) => `${count} payments, ${amount.normalized()} ${currency}`).join(", ")}`,
  ]);
}

function totalLineFacts({ totals }: SheetReading): Fact[] {
  return totals.map(({ line, text, amount, firstLine, lastLine }) => [
    `Line ${line}: ${text === "" ? amount : `${text} ${amount}`}`,
    `the total of lines ${firstLine} to ${lastLine}`,
  ]);
}

function noteFacts({ notes }: SheetReading): Fact[] {
  return notes.map(({ line, place, text }) => [
    line === undefined ? place : `Line ${line}, ${place}`,
    `shown, not paid: ${text}`,
  ]);
}

function kindFacts(findings: readonly Problem[]): Fact[] {
  const kinds = Map.groupBy(findings, ({ code }) => code);
  return [...kinds].map(([code, found]) => [code, found.length === 1 ? "once" : `${found.length} times`]);
}
