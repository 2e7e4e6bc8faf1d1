/**
 * What a payout template offers: its columns with their notes, formats and values to choose from, and an example row. How it
 * is written as CSV or workbook is not said here.
 */
import { type ColumnName, EXAMPLE_REFERENCE, type PayoutColumn, payoutColumns } from "../../model/columns.ts";

/** What a configuration and its chart of accounts know. */
export interface TemplateKnowledge {
  /** The one that pays by default comes first. */
  readonly custodyAccounts: readonly { readonly name: string; readonly currency: string }[];
  readonly feePolicy?: string;
  /** Of the chart of accounts; empty where it maps any. */
  readonly generalLedgerNames: readonly string[];
  readonly generalLedgerProjects: readonly string[];
  readonly generalLedgerDistributions: readonly string[];
}

interface NamedColumn extends PayoutColumn {
  readonly name: ColumnName;
}

export interface TemplateColumn extends NamedColumn {
  /** To choose from; empty where anything may be written. */
  readonly choices: readonly string[];
  /** Whether other values than the choices are taken. */
  readonly takesOthers: boolean;
  readonly exampleCell: string;
}

export interface Template {
  /**
   * Labels of the control totals that stand above the header, each with an empty cell beside it: who fills them in has them
   * compared with the rows. They are not summed by formulas: a total that follows its rows proves nothing about them.
   */
  readonly totalLabels: readonly string[];
  readonly columns: readonly TemplateColumn[];
}

/** Without a configuration a template offers what the interface alone fixes. */
export function payoutTemplate(knowledge?: TemplateKnowledge): Template {
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

/** What the person who fills the column in should know, in a few lines. */
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

/** A custody account may also be named by its UUID, and what the chart does not map is booked to suspense. */
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

/**
 * The example can never be paid by accident: each of its three needed cells is refused by itself, so that no half-edited row passes.
 * Every other cell is as a payment may have it.
 */
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
