/** Parts of a kept night as HTML, with the class names of the desk: the proof, both sides, what changed. */

import { amountHtml } from "../../model/amount-html.ts";
import { type Html, html, type Part } from "../../model/html.ts";
import type { NightProofRow } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import { figuresTable } from "../../writing/report-page.ts";
import type { Money, Night, NightTotals, Sum } from "../rules/night.ts";

/** "0.015 BTC and 3 EUR"; empty without sums. */
export function moneyHtml(sums: readonly Money[]): Html {
  return html`${sums.map(
    ({ amount, currency }, index) => html`${index > 0 && " and "}${amountHtml(Decimal.of(amount), currency)}`,
  )}`;
}

/**
 * Each account rolled forward: opening + received + moved in - sent - fees = expected, next to the service's
 * balance.
 */
export function proofTable({ proof }: Night): Html {
  const titles = ["Opening", "+ received", "+ moved in", "− sent", "− fees", "= expected", "service says"];
  const rows = proof.map((row) => {
    const { account, currency, ties, opening, received, transferredIn, sent, fees, expected, found } = row;
    const figures = [opening, received, transferredIn, sent, fees, expected, found];
    return html`<tr><th scope="row">${account} <span class="u">${currency}</span>
      <span class="sub">${ties ? html`<span class="badge ok">ties</span>` : offBadge(row)}</span></th>
      ${figures.map((figure) => figureCell(figure, currency))}</tr>`;
  });
  return figuresTable("Balance proof by custody account", ["Account", ...titles], rows);
}

function offBadge({ difference, currency }: NightProofRow): Html {
  if (difference === undefined) return html`<span class="badge warn">not known</span>`;
  return html`<span class="badge bad">off by ${amountHtml(Decimal.of(difference), currency)}</span>`;
}

function figureCell(figure: string | undefined, currency: string): Html {
  return html`<td class="num">${
    figure === undefined
      ? html`<span class="mute">unknown</span>`
      : amountHtml(Decimal.of(figure), currency, false)
  }</td>`;
}

/** The classes of accepted payments by the state of their payouts. */
export const CLASSES = [
  ["agree", "agree"],
  ["differ", "differ"],
  ["notShown", "not shown"],
  ["undecided", "undecided"],
  ["gone", "finished, gone"],
] as const;

/** Our accepted payments by the state of their payouts, and payouts of the service that are not ours. */
export function bothSidesTable({ totals }: Night): Html {
  const currencies = currenciesIn(totals);
  const { payouts, deposits, accepted, unexpected } = totals;
  const ours = deposits.seen - deposits.beforeBaseline;
  const depositsIn: Readonly<Record<string, number>> = {
    agree: ours - deposits.differ,
    differ: deposits.differ,
  };
  const row = (label: Part, count: number, sums?: readonly Sum[], shown?: number) =>
    html`<tr><th scope="row">${label}</th><td class="num">${count}</td>
      ${currencies.map((currency) => html`<td class="num">${sums && sumHtml(sums, currency)}</td>`)}
      <td class="num">${shown}</td></tr>`;
  const classes = CLASSES.map(([name, words]) =>
    row(html`<span class="in">${words}</span>`, countIn(totals[name]), totals[name], depositsIn[name]),
  );
  const titles = ["", "Payouts", ...currencies, "Deposits"];
  return figuresTable("Totals of both sides", titles, [
    row("Ours", countIn(accepted), accepted, ours),
    classes,
    row("Not ours", payouts.unexpected, unexpected),
    payouts.duplicate > 0 && row("Second payouts of a payment", payouts.duplicate),
    row("Before the baseline", payouts.beforeBaseline, undefined, deposits.beforeBaseline),
  ]);
}

function currenciesIn({ accepted, unexpected }: NightTotals): string[] {
  const named = [...accepted, ...unexpected].map(({ currency }) => currency);
  return [...new Set(named)].sort();
}

export function countIn(sums: readonly Sum[]): number {
  return sums.reduce((count, sum) => count + sum.count, 0);
}

function sumHtml(sums: readonly Sum[], currency: string): Html {
  const sum = sums.find((each) => each.currency === currency)?.amount ?? "0";
  return amountHtml(Decimal.of(sum), currency, false);
}
