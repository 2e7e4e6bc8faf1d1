/** Five honest rows below a heading row, the same each time, and what they mean. */
import { stringify } from "csv-stringify/sync";
import { addressOf } from "../bitcoin-addresses.ts";
import type { HeadingRow, Kind } from "./headings.ts";

export interface MeantPayment {
  readonly reference: string;
  readonly destination: string;
  readonly amount: string;
}

export const ROWS = 5;

/** The payments that an honest sender means by the file. */
export function meantBy(row: HeadingRow, number: number): readonly MeantPayment[] {
  return lines(row, number).map((cells) => ({
    reference: cells[positionOf(row, "reference")] ?? "",
    destination: cells[positionOf(row, "address")] ?? "",
    amount: (cells[positionOf(row, "amount")] ?? "").replace(",", "."),
  }));
}

/** The names of the columns that must be read as the three that every payment has. */
export function readAs(row: HeadingRow): Readonly<Record<"reference" | "destination" | "amount", string>> {
  const nameOf = (kind: Kind) => row.columns[positionOf(row, kind)]?.[0] ?? "";
  return { reference: nameOf("reference"), destination: nameOf("address"), amount: nameOf("amount") };
}

/** The file as CSV; `number` makes its cells other than those of the other rows. */
export function csvOf(row: HeadingRow, number: number): string {
  const header = row.columns.map(([heading]) => heading);
  return stringify([header, ...lines(row, number)], { delimiter: row.isContinental ? ";" : "," });
}

function positionOf({ columns }: HeadingRow, kind: Kind): number {
  return columns.findIndex(([, each]) => each === kind);
}

function lines(row: HeadingRow, number: number): string[][] {
  return Array.from({ length: ROWS }, (_, index) =>
    row.columns.map(([, kind]) => cellOf(kind, number * ROWS + index, row.isContinental === true)),
  );
}

const PAYEES = ["Acme Hosting", "Nadia Petrova", "Café Lumière", "Otto Sørensen", "Blue Fjord Design"];
const FEW = ["Hosting", "Design", "Hosting"];
const TEXTS = ["as agreed by phone", "second part", "monthly", "thanks for waiting", "see the offer"];

function cellOf(kind: Kind, at: number, isContinental: boolean): string {
  const amount = (0.001 + ((at * 7919) % 900) / 100_000).toFixed(5);
  switch (kind) {
    case "reference":
      return `INV-2026-${String(1000 + ((at * 37) % 8999))}`;
    case "counter":
      return String((at % ROWS) + 1);
    case "payee":
      return PAYEES[at % ROWS] ?? "";
    case "address":
      return addressOf(at);
    case "amount":
      return isContinental ? amount.replace(".", ",") : amount;
    case "currency":
      return "BTC";
    case "date":
      return at % 2 === 0 ? "2026-12-10" : "2026-12-17";
    case "text":
      return TEXTS[at % ROWS] ?? "";
    case "few":
      return FEW[at % FEW.length] ?? "";
    case "email":
      return `${["acme", "nadia", "lumiere", "otto", "fjord"][at % ROWS]}@example.com`;
    case "country":
      return ["DE", "ES", "PL"][at % 3] ?? "";
    case "account":
      return String(4400 + (at % 2) * 10);
    case "empty":
      return "";
  }
}
