/** An amount on a page: all decimals of its currency, never cut; its final zeros are pale. */
import { currencyScales, type Decimal } from "../money/index.ts";
import { type Html, html } from "./html.ts";

const { scaleOf } = currencyScales({});

/** With its currency; `unit` false: without it, for a column of one currency. */
export function amountHtml(value: Decimal, currency: string, unit = true): Html {
  const text = value.rounded(decimalsShown(value, currency)).toString();
  const zeros = text.includes(".") ? (/\.?0+$/.exec(text)?.[0] ?? "") : "";
  const pale = zeros !== "" && html`<span class="z">${zeros}</span>`;
  return html`<span class="amt">${text.slice(0, text.length - zeros.length)}${pale}
    ${unit && html` <span class="u">${currency}</span>`}</span>`;
}

/** All decimals of the currency, or more if the value has more. */
export function decimalsShown(value: Decimal, currency: string): number {
  const least = value.normalized().scale;
  return Math.max(scaleOf(currency) ?? value.scale, least);
}
