/** What a payout template offers, whatever its format: columns with notes and choices, and an example row. */
import { writeFile } from "node:fs/promises";
import { stringify } from "csv-stringify/sync";
import { type ColumnName, EXAMPLE_REFERENCE, type PayoutColumn, payoutColumns } from "../../model/columns.ts";
import { guardFormula } from "../../model/index.ts";

/** What is known from a configuration and its chart of accounts. */
export interface TemplateKnowledge {
  /** The default payer first. */
  readonly custodyAccounts: readonly { readonly name: string; readonly currency: string }[];
  readonly feePolicy?: string;
  /** From the chart of accounts; empty if it maps any name. */
  readonly generalLedgerNames: readonly string[];
  readonly generalLedgerProjects: readonly string[];
  readonly generalLedgerDistributions: readonly string[];
}

interface NamedColumn extends PayoutColumn {
  readonly name: ColumnName;
}

export interface TemplateColumn extends NamedColumn {
  /** Empty if anything may be written. */
  readonly choices: readonly string[];
  /** Whether values other than the choices are accepted. */
  readonly takesOthers: boolean;
  readonly exampleCell: string;
}

export interface Template {
  /**
   * Labels of the control totals above the header, each with an empty cell beside it. If filled in, they are compared
   * with the rows. They are not formulas: a total that follows its rows proves nothing about them.
   */
  readonly totalLabels: readonly string[];
  readonly columns: readonly TemplateColumn[];
}

/** Without a configuration the template offers only what the interface fixes. */
export function payoutTemplate(knowledge: TemplateKnowledge | undefined): Template {
  const currencies = new Set(knowledge?.custodyAccounts.map(({ currency }) => currency) ?? ["BTC"]);
  return {
    totalLabels: ["Rows", ...[...currencies].map((currency) => `Total ${currency}`)],
    columns: templateColumns(currencies.has("BTC"), knowledge),
  };
}

function templateColumns(paysBitcoin: boolean, knowledge: TemplateKnowledge | undefined): TemplateColumn[] {
  const columns: readonly NamedColumn[] = payoutColumns;
  return columns
    .filter(({ configured, bitcoinOnly }) => configured !== true && (paysBitcoin || bitcoinOnly !== true))
    .map((column) => {
      const choices = column.choices ?? knownChoices(column.name, knowledge);
      return {
        ...column,
        choices,
        takesOthers: TAKE_OTHERS.has(column.name),
        exampleCell: exampleCell(column, choices, knowledge),
      };
    });
}

/** A few lines for the person who fills the column in. */
export function noteOf({ needed, description, choices, takesOthers, example }: TemplateColumn): string {
  const values = choices.slice(0, CHOICES_IN_NOTE).join(", ");
  const others = choices.length > CHOICES_IN_NOTE ? ", ..." : "";
  return [
    ...(needed === undefined ? [] : [`Needed ${needed}.`]),
    description,
    ...(values === "" ? [] : [`${takesOthers ? "Known" : "One of"}: ${values}${others}`]),
    ...(example === "" || values !== "" ? [] : [`Written like: ${example}`]),
  ].join("\n");
}

const CHOICES_IN_NOTE = 12;

/** A custody account may also be given as a UUID, and names that the chart does not map are booked to suspense. */
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

/** Each of the example's three required cells is refused by itself, so no half-edited row can be paid. */
function exampleCell(
  { name, example }: NamedColumn,
  choices: readonly string[],
  knowledge: TemplateKnowledge | undefined,
): string {
  switch (name) {
    case "reference":
      return EXAMPLE_REFERENCE;
    case "amount":
      return "0.00";
    case "destinationAddress":
      return "(the payee's address)";
    case "currency":
      return knowledge?.custodyAccounts[0]?.currency ?? example;
    case "feePolicy":
      return knowledge?.feePolicy ?? example;
    case "accountId":
    case "generalLedgerName":
      return choices[0] ?? "";
    case "customerId":
      return example;
    default:
      return "";
  }
}

/** UTF-8 with a byte order mark, commas, CRLF (RFC 4180), so that a double click opens it in a spreadsheet program. */
export async function writeTemplateCsv(path: string, { totalLabels, columns }: Template): Promise<void> {
  const lines = [
    ...totalLabels.map((label) => [label, ""]),
    [""],
    columns.map(({ name }) => name),
    columns.map(({ exampleCell }) => exampleCell),
  ].map((texts) => texts.map(guardFormula));
  await writeFile(path, stringify(lines, { bom: true, record_delimiter: "windows" }));
}
