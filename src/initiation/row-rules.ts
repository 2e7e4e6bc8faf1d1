/**
 * The rules between the columns of a row: required values, one custody account with its currency and amount, one
 * destination, the fee fields. A rule whose columns could not be read reports nothing.
 */
import { isProblem, type Problem, problem } from "../faults/index.ts";
import { bitcoinOnlyColumns } from "../model/columns.ts";
import { findCustodyAccount } from "../model/index.ts";
import { shownText } from "../model/shown-text.ts";
import { suggestion } from "../model/words.ts";
import { currencyShown } from "../money/index.ts";
import { checkAmount } from "./amounts/amount-rules.ts";
import type { RecognizedAddress } from "./destinations/address-networks.ts";
import { checkDestination } from "./destinations/destination-rules.ts";
import type { CustodyAccount, InitiationPolicy } from "./policy.ts";
import type { RuleContext } from "./rule-context.ts";

/** What the rules determined; complete only if none of them reported a problem. */
export interface RuledRow {
  readonly custodyAccount: CustodyAccount | undefined;
  readonly address: RecognizedAddress | undefined;
  /** The currency of the custody account, where neither the row nor its header names one. */
  readonly assumedCurrency: string | undefined;
}

/** Applies every rule and reports each violation at the column to correct. */
export function applyRowRules(context: RuleContext): RuledRow {
  checkRequired(context);
  const custodyAccount = checkCustodyAccount(context);
  if (custodyAccount !== undefined) {
    checkAmount(context, custodyAccount.currency);
    checkBitcoinOnly(context, custodyAccount.currency);
  }
  const address = checkDestination(context, custodyAccount);
  checkFee(context);
  checkPayOn(context);
  checkUsername(context);
  const { currency, amount } = context.reading.values;
  const named = currency ?? context.amountCurrency ?? amount?.unit;
  return {
    custodyAccount,
    address,
    assumedCurrency: named === undefined ? custodyAccount?.currency : undefined,
  };
}

function checkRequired({ reading, label, hasColumn, report }: RuleContext): void {
  for (const column of ["reference", "amount"] as const) {
    const isMissing = reading.values[column] === undefined && !reading.problems.has(column);
    if (isMissing && hasColumn(column)) report(column, problem("VALUE_MISSING", { field: label(column) }));
  }
}

function checkCustodyAccount({
  reading,
  policy,
  amountCurrency,
  report,
}: RuleContext): CustodyAccount | undefined {
  const { accountId, currency } = reading.values;
  if (reading.problems.has("accountId") || reading.problems.has("currency")) return undefined;
  const inRow = currency === undefined ? undefined : currencyShown(currency);
  const code = inRow ?? amountCurrency;
  if (code !== undefined && policy.scales.scaleOf(code) === undefined) {
    report("currency", unknownCurrency(code, policy.custodyAccounts));
    return undefined;
  }
  const chosen = chooseCustodyAccount(accountId, code, policy);
  if (isProblem(chosen)) {
    report(chosen.code === "CURRENCY_UNKNOWN" ? "currency" : "accountId", chosen);
    return undefined;
  }
  const wrong = [code, amountCurrency].find((each) => each !== undefined && each !== chosen.currency);
  if (wrong === undefined) return chosen;
  const differs = { currency: wrong, custodyAccount: chosen.name, expected: chosen.currency };
  report(wrong === inRow ? "currency" : "amount", problem("CURRENCY_DIFFERS", differs));
  return undefined;
}

function checkBitcoinOnly({ reading, label, report }: RuleContext, currency: string): void {
  if (currency === "BTC") return;
  for (const column of bitcoinOnlyColumns)
    if (reading.values[column] !== undefined)
      report(column, problem("FIELD_BITCOIN_ONLY", { field: label(column), currency }));
}

function checkFee({ reading, policy, report }: RuleContext): void {
  if (reading.problems.has("feePolicy") || reading.problems.has("customFeeRate")) return;
  const { feePolicy, customFeeRate } = reading.values;
  const effective = feePolicy ?? policy.defaults.feePolicy;
  if (effective === "CUSTOM") {
    if (customFeeRate === undefined) report("customFeeRate", problem("CUSTOM_FEE_RATE_MISSING", {}));
  } else if (customFeeRate !== undefined) {
    const found = feePolicy ?? (effective === undefined ? "empty" : `${effective} by default`);
    report("customFeeRate", problem("CUSTOM_FEE_RATE_UNUSED", { feePolicy: found }));
  }
}

function checkPayOn({ reading, policy, label, warn }: RuleContext): void {
  const { payOn } = reading.values;
  if (payOn !== undefined && payOn < policy.today)
    warn("payOn", problem("PAY_ON_PAST", { field: label("payOn"), text: payOn, today: policy.today }));
}

/** Affiliate programs list their partners under this name. */
function checkUsername({ reading, policy, warn }: RuleContext): void {
  const { username: found } = reading.values;
  const { username: expected } = policy.defaults;
  if (found !== undefined && found !== expected)
    warn("username", problem("USERNAME_DIFFERS", { found: shownText(found), expected }));
}

/**
 * The custody account that pays a row: the one it names, the default, or the only one of its currency. `named` is the row's
 * accountId (a name or a UUID), `currency` its currency; either may be empty.
 */
function chooseCustodyAccount(
  named: string | undefined,
  currency: string | undefined,
  { custodyAccounts, defaults }: InitiationPolicy,
): CustodyAccount | Problem {
  if (named !== undefined)
    return findCustodyAccount(named, custodyAccounts) ?? unknown(named, custodyAccounts);
  const { custodyAccount: given } = defaults;
  const defaultName = typeof given === "object" ? given[currency ?? onlyCurrency(custodyAccounts)] : given;
  const byDefault = defaultName === undefined ? undefined : findCustodyAccount(defaultName, custodyAccounts);
  if (byDefault !== undefined && (currency === undefined || byDefault.currency === currency))
    return byDefault;
  const candidates = custodyAccounts.filter(
    (account) => currency === undefined || account.currency === currency,
  );
  const [only, another] = candidates;
  if (only === undefined) return unknownCurrency(currency ?? "", custodyAccounts);
  if (another === undefined) return only;
  const currencies = listed(candidates.map((account) => account.currency));
  return problem("CUSTODY_ACCOUNT_AMBIGUOUS", { currency: currencies, allowed: names(candidates) });
}

/** The currency, if all custody accounts have the same one; otherwise "". */
function onlyCurrency(custodyAccounts: readonly CustodyAccount[]): string {
  const [only = "", another] = new Set(custodyAccounts.map(({ currency }) => currency));
  return another === undefined ? only : "";
}

function unknown(text: string, custodyAccounts: readonly CustodyAccount[]): Problem {
  return problem("CUSTODY_ACCOUNT_UNKNOWN", {
    text: shownText(text),
    allowed: names(custodyAccounts),
    suggestion: suggestion(
      text,
      custodyAccounts.map(({ name }) => name),
    ),
  });
}

function unknownCurrency(text: string, custodyAccounts: readonly CustodyAccount[]): Problem {
  const allowed = listed(custodyAccounts.map((account) => account.currency));
  return problem("CURRENCY_UNKNOWN", { text: shownText(text), allowed });
}

function names(custodyAccounts: readonly CustodyAccount[]): string {
  return listed(custodyAccounts.map((account) => account.name));
}

function listed(words: readonly string[]): string {
  return [...new Set(words)].join(", ");
}
