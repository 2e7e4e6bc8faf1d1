/**
 * The contents of a payout template, in any format: the columns on its first sheet with an example row, and the
 * others.
 */
import { writeFile } from "node:fs/promises";
import { stringify } from "csv-stringify/sync";
import { type ColumnName, EXAMPLE_REFERENCE, type PayoutColumn, payoutColumns } from "../../model/columns.ts";
import { guardFormula } from "../../model/index.ts";

/** Facts from a configuration and its chart of accounts. */
export interface TemplateKnowledge {
  /** The default payer first. */
  readonly custodyAccounts: readonly { readonly name: string; readonly currency: string }[];
  /** Whether a row must name its custody account, because several may pay it and there is no default. */
  readonly isPayerOpen: boolean;
  /** From the chart of accounts; empty if it maps any name. */
  readonly generalLedgerNames: readonly string[];
  readonly generalLedgerProjects: readonly string[];
  readonly generalLedgerDistributions: readonly string[];
}

export interface TemplateColumn extends PayoutColumn {
  readonly name: ColumnName;
  /** The template's name for the column, by which it is read. */
  readonly heading: string;
  /** Whether it is on the first sheet; any other may be added there. */
  readonly isAsked: boolean;
  /** Empty if anything may be written. */
  readonly choices: readonly string[];
  /** Whether values other than the choices are accepted. */
  readonly takesOthers: boolean;
  readonly exampleCell: string;
}

/**
 * The columns, with those that the template asks for first. Without a configuration it offers only what the
 * interface fixes.
 */
export function payoutTemplate(knowledge: TemplateKnowledge | undefined): readonly TemplateColumn[] {
  const currencies = new Set(knowledge?.custodyAccounts.map(({ currency }) => currency) ?? ["BTC"]);
  const asked = [
    ...ASKED,
    ...(currencies.size > 1 ? (["currency"] as const) : []),
    ...(knowledge?.isPayerOpen === true ? (["accountId"] as const) : []),
  ];
  const columns: readonly (PayoutColumn & Pick<TemplateColumn, "name">)[] = payoutColumns;
  return columns
    .filter(({ bitcoinOnly }) => currencies.has("BTC") || bitcoinOnly !== true)
    .map((column): TemplateColumn => {
      const { name } = column;
      const choices = column.choices ?? knownChoices(name, knowledge);
      const [heading, isAsked, takesOthers] = [headingOf(name), asked.includes(name), TAKE_OTHERS.has(name)];
      return { ...column, heading, isAsked, choices, takesOthers, exampleCell: exampleCell(column, choices) };
    })
    .toSorted((a, b) => orderIn(asked, a.name) - orderIn(asked, b.name));
}

const ASKED: readonly ColumnName[] = [
  "reference",
  "customerId",
  "destinationAddress",
  "amount",
  "generalLedgerName",
  "generalLedgerProject",
  "generalLedgerDistribution",
];

function headingOf(name: ColumnName): string {
  return name === "customerId" ? "payee" : name === "destinationAddress" ? "address" : name;
}

function orderIn(asked: readonly ColumnName[], name: ColumnName): number {
  return asked.includes(name) ? asked.indexOf(name) : asked.length;
}

/** A custody account may also be given as a UUID, and names that the chart does not map go to suspense. */
const TAKE_OTHERS: ReadonlySet<ColumnName> = new Set<ColumnName>([
  "accountId",
  "generalLedgerName",
  "generalLedgerProject",
  "generalLedgerDistribution",
]);

function knownChoices(name: ColumnName, knowledge: TemplateKnowledge | undefined): readonly string[] {
  if (knowledge === undefined) return [];
  switch (name) {
    case "accountId":
      return knowledge.custodyAccounts.map((custody) => custody.name);
    case "currency":
      return [...new Set(knowledge.custodyAccounts.map((custody) => custody.currency))];
    case "generalLedgerName":
      return knowledge.generalLedgerNames;
    case "generalLedgerProject":
      return knowledge.generalLedgerProjects;
    case "generalLedgerDistribution":
      return knowledge.generalLedgerDistributions;
    default:
      return [];
  }
}

/** The example's three required cells are each refused, so that a half-edited row cannot be paid. */
function exampleCell(
  { name, example }: Pick<TemplateColumn, "name" | "example">,
  [choice = ""]: readonly string[],
): string {
  switch (name) {
    case "reference":
      return EXAMPLE_REFERENCE;
    case "amount":
      return "0.00";
    case "destinationAddress":
      return "(the payee's address)";
    case "customerId":
      return example;
    case "currency":
    case "accountId":
    case "generalLedgerName":
      return choice;
    default:
      return "";
  }
}

/** "Known: Contractors, Salaries, ..."; empty if anything may be written. */
export function choicesText({ choices, takesOthers }: TemplateColumn): string {
  const shown = choices.length > CHOICES_SHOWN ? [...choices.slice(0, CHOICES_SHOWN), "..."] : choices;
  return choices.length === 0 ? "" : `${takesOthers ? "Known" : "One of"}: ${shown.join(", ")}`;
}

const CHOICES_SHOWN = 12;

/** "amount: What is paid: plain digits ...", with the choices. */
export function meaningOf(column: TemplateColumn): string {
  return `${column.heading}: ${column.description} ${choicesText(column)}`.trim();
}

/** UTF-8 with a byte order mark, commas, CRLF (RFC 4180), so that a double click opens it in a spreadsheet. */
export async function writeTemplateCsv(path: string, columns: readonly TemplateColumn[]): Promise<void> {
  const asked = columns.filter(({ isAsked }) => isAsked);
  const lines = [
    asked.map(({ heading }) => heading),
    asked.map((column) => guardFormula(column.exampleCell)),
  ];
  await writeFile(path, stringify(lines, { bom: true, record_delimiter: "windows" }));
}
