/**
 * Randomly falsified answers to finds and balances, in the interface's form: values of other payouts, impossible
 * amounts and days, states that go back, ids that nobody assigned, rows that are missing, repeated or swapped.
 */
import { parseJson, writeJson } from "../../src/wire/index.ts";
import type { Chance } from "../simulation/chance.ts";

type Members = Record<string, unknown>;
type Pool = readonly [unknown, ...unknown[]];

/** A number as `parseJson` reads it. */
const number = (digits: string) => `\u0000${digits}`;

const AMOUNTS: Pool = [
  ...(["0", "-1", "1e-8", "1E+3", "1e400", "1e-400", "-0", "0.30000000000000004"].map(number) as [string]),
  number("99999999999999999999999999"),
];
const CURRENCIES: Pool = [
  "btc",
  "ETH",
  "EUR",
  "",
  "BTC ",
  "=BTC",
  '"',
  "BTC;x",
  "\n",
  "B\u0000",
  "1INCH",
  "\ud800",
];
const INSTANTS: Pool = [
  "1970-01-01T00:00:00.000Z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "9999-12-31T23:59:59-14:00",
  "2199-06-01T12:00:00.123456789+05:30",
  "2026-03-28T01:30:00.000+0100",
  "2026-11-22",
];
const TEXTS: Pool = [
  '=HYPERLINK("http://x")',
  "\t=1",
  "a\r\n; date:2020-01-01",
  "x\u0000y",
  "\ud800",
  "\u202e",
  "",
  "a, tag:b",
  "(x)  y  ; z",
  "%41",
  Array.from({ length: 5000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20000))).join(""),
];
const ACCOUNTS: Pool = [
  "6f1cbb7e-0000-4000-8000-000000000001",
  "6F1CBB7E-0000-4000-8000-000000000002",
  "6f1cbb7e-0000-4000-8000-0000000000aa",
];

const POOLS: Readonly<Record<string, Pool>> = {
  amount: AMOUNTS,
  rate: ["0", "-1", "1e-9", "1e9", "1e400"].map(number) as [string],
  currency: CURRENCIES,
  currencyCode: CURRENCIES,
  payoutState: [
    "SENDING",
    "SENT",
    "COMPLETED",
    "SEND_FAILED",
    "CREATE_TIMEOUT",
    "completed",
    "SENT\u0000",
    "",
  ],
  depositState: ["CREATED", "RECEIVING_FUNDS", "COMPLETED", "EXPIRED", "VOID", "=1+1", ""],
  state: ["UNCONFIRMED", "CONFIRMED", ""],
  confirmedDate: INSTANTS,
  createdDate: INSTANTS,
  expiryDate: INSTANTS,
  confirmations: ["0", "-5", "999999999999", "1.5"].map(number) as [string],
  subtractFee: [true, false, null],
  accountId: ACCOUNTS,
  destinationAccountId: ACCOUNTS,
  txHash: TEXTS,
  transactionId: TEXTS,
  reference: TEXTS,
  generalLedgerName: TEXTS,
  generalLedgerProject: TEXTS,
  debitOrderAlphanumericId: TEXTS,
  customerId: TEXTS,
};

/** Remembers what the service has said, as a source of other payouts' values. */
export class Untruths {
  private readonly chance: Chance;
  private readonly said = new Map<string, unknown[]>();

  constructor(chance: Chance) {
    this.chance = chance;
  }

  /** The answer with one to four untruths; unchanged if it has no rows. */
  untrue(answer: string): string {
    const root = parseJson(answer) as { results?: Members; balances?: unknown[] };
    const rows = (root.results?.["content"] ?? root.balances ?? []) as Members[];
    this.remember(rows);
    for (let left = this.chance.pick([1, 1, 2, 4]); left > 0 && rows.length > 0; left -= 1)
      if (root.results !== undefined && this.chance.happens(0.2)) this.changePage(root.results, rows);
      else this.changeRow(rows[this.chance.between(0, rows.length - 1)] ?? {});
    return writeJson(root);
  }

  private remember(rows: readonly Members[]): void {
    for (const row of rows)
      for (const { holder, name } of placesIn(row))
        this.said.set(name, [...(this.said.get(name) ?? []).slice(-200), structuredClone(holder[name])]);
  }

  /** Every name is equally likely, however often it occurs. */
  private changeRow(row: Members): void {
    const { chance } = this;
    const byName = [...Map.groupBy(placesIn(row), ({ name }) => name).values()];
    const alike = byName[chance.between(0, byName.length - 1)] ?? [];
    const place = alike[chance.between(0, alike.length - 1)];
    if (place === undefined) return;
    const { holder, name } = place;
    if (chance.happens(0.15)) delete holder[name];
    else if (name === "payoutId" || name === "depositId") holder[name] = chance.uuid();
    else holder[name] = this.otherValue(name);
  }

  private otherValue(name: string): unknown {
    const pool = POOLS[name];
    const said = this.said.get(name) ?? [];
    if (pool !== undefined && this.chance.happens(0.7)) return this.chance.pick(pool);
    return structuredClone(said[this.chance.between(0, said.length - 1)]);
  }

  private changePage(page: Members, rows: Members[]): void {
    const { chance } = this;
    const at = chance.between(0, rows.length - 1);
    switch (chance.pick(["twice", "gone", "in secret", "backwards", "total", "pages", "size"])) {
      case "twice":
        rows.splice(at, 0, structuredClone(rows[at] ?? {}));
        break;
      case "gone":
        rows.splice(at, 1);
        break;
      case "in secret":
        rows.splice(at, 1);
        page["totalElements"] = number(String(rows.length));
        break;
      case "backwards":
        rows.reverse();
        break;
      case "total":
        page["totalElements"] = number(chance.pick(["0", "-1", "1000", "9007199254740991"]));
        break;
      case "pages":
        page["totalPages"] = number(chance.pick(["0", "-1", "7"]));
        break;
      case "size":
        page["size"] = number(chance.pick(["0", "1", "-1", "100000"]));
    }
  }
}

interface Place {
  readonly holder: Members;
  readonly name: string;
}

function* placesIn(holder: Members): Generator<Place> {
  for (const [name, value] of Object.entries(holder)) {
    if (!Array.isArray(holder)) yield { holder, name };
    if (typeof value === "object" && value !== null) yield* placesIn(value as Members);
  }
}
