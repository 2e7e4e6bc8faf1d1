/**
 * The journal as plain text for both hledger and ledger. `@@` costs keep each entry's fiat value, so it balances in
 * the functional currency. Texts from outside can neither break a line nor forge a tag or a date.
 */

import type { JournalEntry, JournalLine, LedgerAccount } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import { type JournalFormat, oneLine, quantityText } from "../../writing/cell-text.ts";
import { plainAccountName } from "../chart/plain-name.ts";
import { checkBalance } from "../rules/journal-entries.ts";
import { functionalScale } from "../rules/policy.ts";
import type { TrialBalance } from "../rules/trial-balance.ts";
import { inOneFile, type Rendering } from "./rendering.ts";

/** The names of accounts in hledger, by code; the others have the chart's names. */
type Names = Readonly<Record<string, string>>;

/** `balance`: over all entries; its accounts and commodities are declared first. */
export function hledgerJournal(balance: TrialBalance, format: JournalFormat, own: Names = {}): Rendering {
  const names = new Set(balance.rows.map((account) => nameOf(account, own)));
  const declarations = [...names].sort().map((name) => `account ${name}`);
  const head = [HEADER, ...declarations, "", ...commodities(balance, format), ""].join("\n");
  return inOneFile("journal.hledger", head, (entries) => {
    for (const entry of entries) checkBalance(entry);
    return entries.map((entry) => `\n${entryText(entry, format, own)}\n`).join("");
  });
}

function nameOf({ code, name }: LedgerAccount, own: Names): string {
  return plainAccountName(own[code] ?? name);
}

const HEADER = `\
; Written by Paydrop. Treasury moves at the value of each transaction: gain and loss on holdings is not booked here,
; it is the ERP's to revalue. Days are those of the company's time zone.
`;

function commodities({ rows }: TrialBalance, format: JournalFormat): string[] {
  const scaleByCurrency = new Map([[format.functionalCurrency, functionalScale(format)]]);
  // A sum has as many decimals as the finest quantity in it.
  for (const { value, currency } of rows.flatMap(({ quantities }) => quantities)) {
    const own = format.scales.scaleOf(currency) ?? 0;
    const scale = Math.max(value.scale, own, scaleByCurrency.get(currency) ?? 0);
    scaleByCurrency.set(currency, scale);
  }
  // Declared on two lines: with one, ledger would not notice a cent missing inside `@@` costs.
  return [...scaleByCurrency]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([currency, scale]) => [
      `commodity ${commodity(currency)}`,
      `    format ${sample(scale)} ${commodity(currency)}`,
    ]);
}

/**
 * Has at least one decimal, because hledger requires a decimal mark in a format, and ledger requires digits after
 * it.
 */
function sample(scale: number): string {
  return `1000.${"0".repeat(Math.max(scale, 1))}`;
}

function entryText(entry: JournalEntry, format: JournalFormat, own: Names): string {
  const description = shortened(oneLine(entry.narration), SENTENCE_LENGTH_MAX)
    .replaceAll(";", ",")
    .replaceAll("|", "/");
  const { rateUsed: rate } = entry;
  const tags = tagsOf({
    sourceState: entry.sourceState,
    orderId: entry.orderId,
    documentDay: entry.documentDay === entry.bookDay ? undefined : entry.documentDay,
    txHash: entry.txHash,
    reversalOf: entry.reversalOf,
    rate: rate && `${rate.rate} ${rate.from}/${rate.to} ${rate.origin}`,
  });
  return [
    `${entry.bookDay} ${description}  ; ${tagsOf({ entryId: entry.entryId })}`,
    `    ; ${tags}`,
    ...entry.lines.map((line) => postingText(line, entry.narration, format, own)),
  ].join("\n");
}

function postingText(line: JournalLine, narration: string, format: JournalFormat, own: Names): string {
  const { account, debit, credit, quantity, memo, project, distribution, dimensions, party } = line;
  const value = debit ?? credit ?? Decimal.zero;
  const functional = commodity(format.functionalCurrency);
  const amount =
    quantity === undefined
      ? `${debit === undefined ? value.negated() : value} ${functional}`
      : `${quantityText(quantity, format.scales)} ${commodity(quantity.currency)} @@ ${value} ${functional}`;
  const said = memo === narration ? undefined : memo;
  const tags = tagsOf({ memo: said, project, distribution, ...dimensions, party: party?.id });
  return `    ${nameOf(account, own)}  ${amount}${tags === "" ? "" : `  ; ${tags}`}`;
}

/** Both tools require quotes around symbols with other characters than letters. */
function commodity(currency: string): string {
  return /^[A-Za-z]+$/.test(currency) ? currency : `"${oneLine(currency).replace(/[";]/g, "_")}"`;
}

/**
 * "name:value, name:value". Letters stay; characters that could end or begin a tag or a date are percent-encoded.
 */
function tagsOf(tags: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(tags)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}:${tagValue(name, value)}`))
    .join(", ");
}

/** Our ids keep their colons; their parts were encoded when the id was made. */
const ID_TAGS = new Set(["entryId", "reversalOf"]);

function tagValue(name: string, value: string): string {
  if (ID_TAGS.has(name)) return value;
  const lengthMax = name === "memo" ? SENTENCE_LENGTH_MAX : NAME_LENGTH_MAX;
  return shortened(oneLine(value), lengthMax).replace(/[%,:;|[\]]/g, encodeURIComponent);
}

/** ledger reads lines of at most 4,096 bytes, and names may be of any length. The CSV has them whole. */
const NAME_LENGTH_MAX = 255;
const SENTENCE_LENGTH_MAX = 400;

function shortened(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const characters = [...text];
  return characters.length <= lengthMax ? text : `${characters.slice(0, lengthMax - 1).join("")}…`;
}
