/**
 * The ledger's treasury against the balance proof of a night, by custody account. Both count movements since the
 * opening. The report lists each item that explains a difference, and the part that no item explains.
 */
import {
  compareText,
  type Instant,
  type JournalEntry,
  type LedgerSum,
  movedAfter,
  type NightProofRow,
  netSent,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedPayout,
  replacedReceipts,
} from "../../../model/index.ts";
import { Decimal } from "../../../money/index.ts";
import type { LedgerPolicy } from "../policy.ts";
import { treasuryOf } from "../trial-balance.ts";
import {
  difference,
  figure,
  type ReportRow,
  type ReportTable,
  text,
  totalsByCurrency,
} from "./report-table.ts";

/** How much more the ledger has on a custody account than the proof, because of one payout or deposit. */
export interface TieOutItem {
  readonly custodyAccountId: string;
  readonly currency: string;
  readonly quantity: Decimal;
  readonly source: string;
  readonly reference?: string | undefined;
  readonly why: string;
}

export interface TieOut {
  readonly custodyAccountId: string;
  readonly account: string;
  readonly currency: string;
  readonly proof: NightProofRow | undefined;
  readonly ledger: Decimal;
  /** ledger - (received + moved in - sent - fees) */
  readonly difference: Decimal;
  readonly explained: Decimal;
  readonly unexplained: Decimal;
}

/** A movement that the books lack or have too early, and why. */
export interface Unbooked {
  readonly resource: ObservedPayout | ObservedDeposit;
  readonly why: string;
  /** All its entries. */
  readonly entries: readonly JournalEntry[];
}

/** By custody account, for those in the proof or with treasury lines; `sums`: of treasury lines. */
export function tieOutRows(
  proof: readonly NightProofRow[],
  sums: readonly Pick<LedgerSum, "custodyAccount" | "currency" | "quantity">[],
  items: readonly TieOutItem[],
  nameOf: (custodyAccountId: string) => string,
): readonly TieOut[] {
  const key = (account: string, currency: string) => JSON.stringify([account, currency]);
  const proofs = new Map(proof.map((row) => [key(row.custodyAccountId, row.currency), row]));
  const booked = Map.groupBy(sums, ({ custodyAccount, currency }) => key(custodyAccount, currency));
  const itemsOf = Map.groupBy(items, (item) => key(item.custodyAccountId, item.currency));
  const keys = [...new Set([...proofs.keys(), ...booked.keys()])];
  return keys
    .map((each): TieOut => {
      const [custodyAccountId = "", currency = ""] = JSON.parse(each) as string[];
      const row = proofs.get(each);
      const ledger = Decimal.sum((booked.get(each) ?? []).map(({ quantity }) => quantity));
      const difference = ledger.minus(movedBy(row));
      const explained = Decimal.sum((itemsOf.get(each) ?? []).map(({ quantity }) => quantity));
      return {
        custodyAccountId,
        account: row?.account ?? nameOf(custodyAccountId),
        currency,
        proof: row,
        ledger,
        difference,
        explained,
        unexplained: difference.minus(explained),
      };
    })
    .sort((a, b) => compareText(a.account, b.account) || compareText(a.currency, b.currency));
}

function movedBy(row: NightProofRow | undefined): Decimal {
  if (row === undefined) return Decimal.zero;
  const gained = Decimal.of(row.received).plus(Decimal.of(row.transferredIn));
  return gained.minus(Decimal.of(row.sent)).minus(Decimal.of(row.fees));
}

/**
 * The difference between the element's entries in the ledger and its movements since the opening in the proof;
 * empty if they are equal. `proof`: of the night that was compared at `comparedAt`; later movements and entries are
 * left out.
 */
export function itemsOf(
  { resource, why, entries }: Unbooked,
  proof: readonly NightProofRow[],
  comparedAt: Instant,
  { depositFee }: Pick<LedgerPolicy, "depositFee">,
): readonly TieOutItem[] {
  const source = "payoutId" in resource ? resource.payoutId : resource.depositId;
  const quantities = new Map<string, Decimal>();
  const add = (account: string, currency: string, by: Decimal) => {
    const key = JSON.stringify([account, currency]);
    quantities.set(key, (quantities.get(key) ?? Decimal.zero).plus(by));
  };
  const until = entries.filter(({ valueInstant }) => valueInstant <= comparedAt);
  for (const { custodyAccount, currency, quantity } of treasuryOf(until))
    add(custodyAccount, currency, quantity);
  for (const row of proof) {
    const moved = movedOn(row, resource, comparedAt, depositFee === "deducted");
    if (moved !== undefined) add(row.custodyAccountId, row.currency, moved.negated());
  }
  return [...quantities].flatMap(([key, quantity]) => {
    const [custodyAccountId = "", currency = ""] = JSON.parse(key) as string[];
    if (quantity.isZero()) return [];
    return [{ custodyAccountId, currency, quantity, source, reference: resource.reference, why }];
  });
}

/** The amount that a payout or deposit moved on an account since its opening; undefined if it moved none. */
function movedOn(
  { custodyAccountId, currency, openedAt }: NightProofRow,
  resource: ObservedPayout | ObservedDeposit,
  comparedAt: Instant,
  feeDeducted: boolean,
): Decimal | undefined {
  const sinceOpening = (funds: readonly ObservedFunds[]) =>
    (openedAt === undefined ? funds : movedAfter(funds, openedAt)).filter(
      ({ confirmedAt, createdAt = "" }) => (confirmedAt ?? createdAt) <= comparedAt,
    );
  const sum = (funds: readonly ObservedFunds[], figure: "amount" | "fee") =>
    Decimal.sum(funds.flatMap((each) => (each[figure]?.currency === currency ? [each[figure].value] : [])));
  if ("depositId" in resource) {
    if (resource.custodyAccountId !== custodyAccountId) return undefined;
    const replaced = replacedReceipts(resource.receivedFunds);
    const moved = resource.receivedFunds.filter((funds) => !replaced.includes(funds));
    const counted = sinceOpening(moved);
    return sum(counted, "amount").minus(feeDeducted ? sum(counted, "fee") : Decimal.zero);
  }
  if (resource.requestedAmount.currency !== currency) return undefined;
  const funds = sinceOpening(resource.sentFunds);
  const [sent, fee] = [sum(funds, "amount"), sum(funds, "fee")];
  if (sent.isZero() && fee.isZero()) return undefined;
  const net = netSent(resource.requestedAmount.value, sent, fee, resource.subtractFee) ?? sent;
  if (resource.destinationAccountId === custodyAccountId) return net;
  return resource.custodyAccountId === custodyAccountId ? net.plus(fee).negated() : undefined;
}

/** `night`: as text. */
export function tieOutTables(
  rows: readonly TieOut[],
  items: readonly TieOutItem[],
  night: string,
  nameOf: (custodyAccountId: string) => string,
): readonly ReportTable[] {
  const figures = ["received", "transferredIn", "sent", "fees", "moved", "ledger", "difference"];
  const accounts = rows.map(accountRow);
  const listed = items.map(
    ({ custodyAccountId, currency, quantity, source, reference, why }): ReportRow => ({
      cells: {
        account: nameOf(custodyAccountId),
        why,
        reference,
        currency,
        source,
        quantity: { value: quantity, currency },
      },
    }),
  );
  return [
    {
      name: "Tie-out",
      note: `the treasury of the ledger against the balance proof of ${night}, both since the opening balance`,
      columns: [
        text("account", "Custody account", 22),
        text("currency", "Currency", 9),
        figure("received", "+ received"),
        figure("transferredIn", "+ moved in"),
        figure("sent", "− sent"),
        figure("fees", "− fees"),
        figure("moved", "= proof"),
        figure("ledger", "Ledger"),
        figure("difference", "Ledger − proof"),
        figure("explained", "Explained"),
        figure("unexplained", "Unexplained"),
        text("ties", "Ties", 12),
      ],
      rows: [
        ...accounts,
        ...totalsByCurrency(accounts, "account", "currency", [...figures, "explained", "unexplained"]),
      ],
    },
    {
      name: "Items",
      note: "the items that explain a difference; the rest is unexplained",
      columns: [
        text("account", "Custody account", 22),
        figure("quantity", "Ledger − proof"),
        text("currency", "Currency", 9),
        text("reference", "Reference", 20),
        text("why", "Why", 70),
        text("source", "Payout or deposit", 38),
      ],
      rows: [...listed, ...totalsByCurrency(listed, "account", "currency", ["quantity"])],
    },
  ];
}

function accountRow(row: TieOut): ReportRow {
  const { account, currency, proof } = row;
  const amount = (value: Decimal) => ({ value, currency });
  const shown = (text = "0") => amount(Decimal.of(text));
  return {
    cells: {
      account,
      currency,
      ledger: amount(row.ledger),
      received: shown(proof?.received),
      transferredIn: shown(proof?.transferredIn),
      sent: shown(proof?.sent),
      fees: shown(proof?.fees),
      moved: difference(movedBy(proof), currency, ["received", "transferredIn"], ["sent", "fees"]),
      difference: difference(row.difference, currency, ["ledger"], ["moved"]),
      explained: amount(row.explained),
      unexplained: difference(row.unexplained, currency, ["difference"], ["explained"]),
      ties: row.difference.isZero() ? "ties" : row.unexplained.isZero() ? "explained" : "off",
    },
  };
}
