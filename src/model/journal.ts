/** Balanced journal entries: made by the ledger stage from settled facts, and rendered by every export. */
import type { Amount, Decimal } from "../money/index.ts";
import type { Day, Instant } from "./instant.ts";
import type { Party } from "./party.ts";

export type EntryKind =
  | "payout-settle"
  | "payout-reverse"
  | "transfer"
  | "deposit-receipt"
  | "deposit-apply"
  | "deposit-reverse";

/** One side of an entry. Exactly one of debit and credit is set; both are in the functional currency. */
export interface JournalLine {
  /** Logical account: "treasury:6f1c...", "network-fees", "suspense", a generalLedgerName. */
  readonly accountKey: string;
  /** The ledger account that the chart maps it to: its code in the ERP and its name in plain-text journals. */
  readonly account: LedgerAccount;
  readonly debit?: Decimal | undefined;
  readonly credit?: Decimal | undefined;
  /** Signed crypto quantity, debit positive; absent on a fiat-only line. */
  readonly quantity?: Amount | undefined;
  readonly memo: string;
  readonly project?: string | undefined;
  readonly distribution?: string | undefined;
  /** Further dimensions of the chart, by name: costCenter, class, department, location or the company's own. */
  readonly dimensions?: Readonly<Record<string, string>> | undefined;
  /** The party of the line, as the chart says. */
  readonly party?: Party | undefined;
}

/** "costCenter=CC1; region=EU", in the order of their names. */
export function dimensionsText(dimensions: JournalLine["dimensions"] = {}): string {
  return Object.entries(dimensions)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("; ");
}

export interface LedgerAccount {
  /** "6200" */
  readonly code: string;
  /** Colon-separated, as in plain-text accounting: "expenses:contractors". */
  readonly name: string;
}

export interface EntryRate {
  readonly rate: Decimal;
  readonly from: string;
  readonly to: string;
  /** funds: the movement's own rate; fixed: the rate promised by its deposit. */
  readonly origin: "funds" | "fixed";
}

/** An open question about an entry, with the fix for a person. */
interface EntryQuestion {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

export interface JournalEntry {
  /** Deterministic and unique: "payout:<payoutId>:settle:1", reversed by "payout:<payoutId>:settle:1:reverse". */
  readonly entryId: string;
  /** The fact it books (or, for a reversal, no longer books): "payout:<payoutId>:settle". */
  readonly factId: string;
  /** Number of this posting of its fact, from 1; a reversal has the number of the entry it reverses. */
  readonly revision: number;
  /** The fact's content hash at posting; if it changes, the entry is reversed and posted again. */
  readonly contentHash: string;
  readonly kind: EntryKind;
  /** payoutId or depositId. */
  readonly sourceId: string;
  readonly sourceState: string;
  readonly reference?: string | undefined;
  readonly orderId?: string | undefined;
  /** The booking date, in the company's time zone. */
  readonly bookDay: Day;
  /** The actual date; differs from bookDay only if its period was closed. */
  readonly documentDay: Day;
  readonly valueInstant: Instant;
  /** Absent if nothing was converted, or if the lines were converted earlier. */
  readonly rateUsed?: EntryRate | undefined;
  readonly reversalOf?: string | undefined;
  readonly narration: string;
  readonly txHash?: string | undefined;
  /** The currency of its debits and credits. */
  readonly currency: string;
  readonly lines: readonly JournalLine[];
  /** Stored with the entry, because they are found once, when it is posted; absent without any. */
  readonly questions?: readonly EntryQuestion[] | undefined;
}

const TREASURY = "treasury:";

/** The custody account whose treasury a line books; undefined for every other line. */
export function treasuryAccountOf({ accountKey }: Pick<JournalLine, "accountKey">): string | undefined {
  return accountKey.startsWith(TREASURY) ? accountKey.slice(TREASURY.length) : undefined;
}

/**
 * The sum of one ledger account; `custodyAccount`: for treasury lines, else ""; `currency`: of the quantity, ""
 * without one.
 */
export interface LedgerSum extends LedgerAccount {
  readonly custodyAccount: string;
  readonly currency: string;
  readonly debit: Decimal;
  readonly credit: Decimal;
  /** Debit positive. */
  readonly quantity: Decimal;
}

/** What the entry is about. A payout and a deposit may have the same id. */
export function sourceKindOf({ kind }: Pick<JournalEntry, "kind">): "payout" | "deposit" {
  return kind.startsWith("deposit") ? "deposit" : "payout";
}
