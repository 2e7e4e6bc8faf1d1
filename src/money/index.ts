export { type Amount, addAmounts, amountOf, formatAmount, sameAmount } from "./amount.ts";
export {
  type CurrencyScales,
  cryptocurrencies,
  currencyScales,
  currencyShown,
  isFiat,
  withCurrencyCodes,
} from "./currency.ts";
export { Decimal } from "./decimal.ts";
export { DecimalColumn } from "./decimal-column.ts";
