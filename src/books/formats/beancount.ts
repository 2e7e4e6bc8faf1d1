/**
 * The journal for beancount. `@@` costs keep each entry's fiat value; beancount divides them by the quantity. So
 * the file states a tolerance of half the currency's smallest unit, which a missing cent always exceeds.
 */
import { type Problem, problem } from "../../faults/index.ts";
import type { JournalEntry, JournalLine, LedgerAccount, LedgerTable } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import { type JournalFormat, oneLine, quantityText } from "../../writing/cell-text.ts";
import { checkBalance } from "../rules/journal-entries.ts";
import { functionalScale } from "../rules/policy.ts";
import type { TrialBalance } from "../rules/trial-balance.ts";
import { documentNumberOf } from "./ledger-rows.ts";
import { inOneFile, type Rendering } from "./rendering.ts";

type Naming = Pick<LedgerTable, "name" | "accounts">;

/** `balance`: over all entries; its accounts are opened first. */
export function beancountJournal(
  table: Naming & Pick<LedgerTable, "extension">,
  exportNumber: string,
  balance: TrialBalance,
  format: JournalFormat,
): Rendering {
  const currency = format.functionalCurrency;
  const tolerance = Decimal.of(`0.${"0".repeat(functionalScale(format))}5`);
  const opened = [...new Set(balance.rows.map((row) => accountName(table, row)))].sort();
  const head = [
    "; Written by Paydrop. Treasury moves at the value of each transaction; gain and loss on holdings is not " +
      "booked here.",
    `option "inferred_tolerance_default" "${commodity(currency)}:${tolerance}"`,
    "",
    ...opened.map((name) => `1970-01-01 open ${name}`),
    "",
  ].join("\n");
  let position = 0;
  return inOneFile(`${table.name}.${table.extension}`, head, (entries) => {
    let text = "";
    for (const entry of entries) {
      checkBalance(entry);
      position += 1;
      text += `\n${entryText(entry, documentNumberOf({ exportNumber, position }), table, format)}\n`;
    }
    return text;
  });
}

/** An account needs a root that beancount knows, in its name in the chart or in `accounts`. */
export function unfittingInBeancount(table: Naming): (entry: JournalEntry) => Problem | undefined {
  return ({ lines }) => {
    const unrooted = lines.find(({ account }) => !ROOTED.test(accountName(table, account)));
    if (unrooted === undefined) return undefined;
    const text = table.accounts?.[unrooted.account.code] ?? unrooted.account.name;
    return problem("LEDGER_CELL_REFUSED", { name: table.name, column: "account", text });
  };
}

const ROOTED = /^(?:Assets|Liabilities|Equity|Income|Expenses):./;

/** "Assets:Crypto:Btc" for "assets:crypto:btc": each part begins with a capital letter or a digit. */
function accountName({ accounts = {} }: Naming, { code, name }: LedgerAccount): string {
  return (accounts[code] ?? name)
    .split(":")
    .map((part) => part.replace(/[^\p{L}\p{N}-]+/gu, "-"))
    .map((part) => part.replace(/^-+/, ""))
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(":");
}

function entryText(
  entry: JournalEntry,
  documentNumber: string,
  table: Naming,
  format: JournalFormat,
): string {
  const { rateUsed: rate } = entry;
  const metadata = metadataOf({
    entryid: entry.entryId,
    document: documentNumber,
    kind: entry.kind,
    sourcestate: entry.sourceState,
    reference: entry.reference,
    orderid: entry.orderId,
    txhash: entry.txHash,
    reversalof: entry.reversalOf,
    rate: rate && `${rate.rate} ${rate.from}/${rate.to} ${rate.origin}`,
  });
  const documentDay = entry.documentDay === entry.bookDay ? [] : [`  documentdate: ${entry.documentDay}`];
  return [
    `${entry.bookDay} * ${quoted(entry.narration)} ^${link(entry.reversalOf ?? entry.entryId)}`,
    ...metadata.map((line) => `  ${line}`),
    ...documentDay,
    ...entry.lines.flatMap((line) => postingLines(line, entry, table, format)),
  ].join("\n");
}

function postingLines(
  { account, debit, credit, quantity, memo, project, distribution, dimensions, party }: JournalLine,
  { narration }: JournalEntry,
  table: Naming,
  { functionalCurrency, scales }: JournalFormat,
): string[] {
  const value = debit ?? credit ?? Decimal.zero;
  const functional = commodity(functionalCurrency);
  // Without a quantity there is no cost to divide.
  const amount =
    quantity === undefined || quantity.value.isZero()
      ? `${debit === undefined ? value.negated() : value} ${functional}`
      : `${quantityText(quantity, scales)} ${commodity(quantity.currency)} @@ ${value} ${functional}`;
  const said = memo === narration ? undefined : memo;
  const own = Object.entries(dimensions ?? {}).map(([name, value]) => [withSmallInitial(name), value]);
  const metadata = metadataOf({
    memo: said,
    project,
    distribution,
    ...Object.fromEntries(own),
    party: party?.id,
  });
  return [`  ${accountName(table, account)}  ${amount}`, ...metadata.map((line) => `    ${line}`)];
}

/** Metadata keys must begin with a lower-case letter. */
function withSmallInitial(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function metadataOf(values: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${quoted(value)}`],
  );
}

/** A string on one line. Between quotes, beancount escapes only a backslash and a quote. */
function quoted(text: string): string {
  return `"${oneLine(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** Letters, digits, dashes and underscores. A reversal has the link of the entry that it reverses. */
function link(entryId: string): string {
  return entryId.replace(/[^A-Za-z0-9-]/g, (mark) =>
    mark === ":" ? "_" : `.${mark.codePointAt(0)?.toString(16)}.`,
  );
}

/** Capital letters and digits, at least two, beginning with a letter. */
function commodity(currency: string): string {
  const plain = currency.toUpperCase().replace(/[^A-Z0-9]/g, "-");
  const begun = /^[A-Z]/.test(plain) ? plain : `X${plain}`;
  return (begun.length === 1 ? `${begun}X` : begun).replace(/-$/, "X").slice(0, 24);
}
