/**
 * The rules between the columns of a row: required values, one custody account with its currency and amount, one
 * destination, the fee fields. A rule whose columns could not be read reports nothing.
 */
import { isProblem, type Problem, problem } from "../faults/index.ts";
import { bitcoinOnlyColumns } from "../model/columns.ts";
import { findCustodyAccount, type InstructionFields } from "../model/index.ts";
import { shownText } from "../model/shown-text.ts";
import { suggestion } from "../model/words.ts";
import { currencyShown, type Decimal } from "../money/index.ts";
import { checkAmount } from "./amounts/amount-rules.ts";
import type { RecognizedAddress } from "./destinations/address-networks.ts";
import { checkDestination } from "./destinations/destination-rules.ts";
import type { CustodyAccount, InitiationPolicy } from "./policy.ts";
import type { RowContext } from "./row-context.ts";

/**
 * Applies every rule and reports each violation at the column to correct. Returns the fields of the instruction, with the
 * configured defaults for empty cells; undefined if a required value is missing.
 */
export function applyRowRules(context: RowContext): InstructionFields | undefined {
  checkRequired(context);
  const custodyAccount = checkCustodyAccount(context);
  const value = custodyAccount && checkAmount(context, custodyAccount.currency);
  if (custodyAccount !== undefined) checkBitcoinOnly(context, custodyAccount.currency);
  const address = checkDestination(context, custodyAccount);
  checkFee(context);
  checkPayOn(context);
  checkUsername(context);
  return custodyAccount && value && instructionFields(context, custodyAccount, value, address);
}

/** Requires every member, absent ones as undefined: objects of one shape are faster. */
type Complete<Fields> = { readonly [Name in keyof Required<Fields>]: Fields[Name] | undefined };

function instructionFields(
  { row: { values }, policy: { defaults } }: RowContext,
  custodyAccount: CustodyAccount,
  value: Decimal,
  address: RecognizedAddress | undefined,
): InstructionFields | undefined {
  const { reference } = values;
  if (reference === undefined) return undefined;
  return {
    username: values.username ?? defaults.username,
    custodyAccountId: custodyAccount.id,
    reference,
    customerId: values.customerId,
    callbackUrl: values.callbackUrl ?? defaults.callbackUrl,
    amount: { currency: custodyAccount.currency, value: value.normalized() },
    destinationAddress: address?.text,
    destinationAccountId: values.destinationAccountId,
    feePolicy: values.feePolicy ?? defaults.feePolicy,
    customFeeRateSatPerVbyte: values.customFeeRate,
    verifyBalance: values.verifyBalance ?? defaults.verifyBalance,
    subtractFee: values.subtractFee,
    useCoinConsolidation: values.useCoinConsolidation,
    batchingAllowed: values.batchingAllowed,
    orderCodeName: values.orderCodeName,
    generalLedgerName: values.generalLedgerName ?? defaults.generalLedgerName,
    generalLedgerProject: values.generalLedgerProject ?? defaults.generalLedgerProject,
    generalLedgerDistribution: values.generalLedgerDistribution ?? defaults.generalLedgerDistribution,
    payOn: values.payOn,
  } satisfies Complete<InstructionFields>;
}

/** The currency that a row itself, or the name of its amount column, says. */
export function namedCurrency(
  currency: string | undefined,
  amountCurrency: string | undefined,
  unit: string | undefined,
): string | undefined {
  return currency === undefined ? (amountCurrency ?? unit) : currencyShown(currency);
}

function checkRequired({ row, label, hasColumn, report }: RowContext): void {
  for (const column of ["reference", "amount"] as const) {
    const isMissing = row.values[column] === undefined && !row.unreadable.has(column);
    if (isMissing && hasColumn(column)) report(column, problem("VALUE_MISSING", { field: label(column) }));
  }
}

function checkCustodyAccount({
  row,
  policy,
  amountCurrency,
  report,
}: RowContext): CustodyAccount | undefined {
  const { accountId, currency } = row.values;
  if (row.unreadable.has("accountId") || row.unreadable.has("currency")) return undefined;
  const inRow = currency === undefined ? undefined : currencyShown(currency);
  const unit = row.values.amount?.unit;
  const code =
    inRow ?? amountCurrency ?? (policy.scales.scaleOf(unit ?? "") === undefined ? undefined : unit);
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

function checkBitcoinOnly({ row, label, report }: RowContext, currency: string): void {
  if (currency === "BTC") return;
  for (const column of bitcoinOnlyColumns)
    if (row.values[column] !== undefined)
      report(column, problem("FIELD_BITCOIN_ONLY", { field: label(column), currency }));
}

function checkFee({ row, policy, report }: RowContext): void {
  if (row.unreadable.has("feePolicy") || row.unreadable.has("customFeeRate")) return;
  const { feePolicy, customFeeRate } = row.values;
  const effective = feePolicy ?? policy.defaults.feePolicy;
  if (effective === "CUSTOM") {
    if (customFeeRate === undefined)
      report("customFeeRate", problem("CUSTOM_FEE_RATE_UNFIT", { feePolicy: "CUSTOM", found: "empty" }));
  } else if (customFeeRate !== undefined) {
    const found = feePolicy ?? (effective === undefined ? "empty" : `${effective} by default`);
    report("customFeeRate", problem("CUSTOM_FEE_RATE_UNFIT", { feePolicy: found, found: customFeeRate }));
  }
}

function checkPayOn({ row, policy, label, warn }: RowContext): void {
  const { payOn } = row.values;
  if (payOn !== undefined && payOn < policy.today)
    warn("payOn", problem("PAY_ON_PAST", { field: label("payOn"), text: payOn, today: policy.today }));
}

/** Affiliate programs list their partners under this name. */
function checkUsername({ row, policy, warn }: RowContext): void {
  const { username: found } = row.values;
  const { username: expected } = policy.defaults;
  if (found !== undefined && found !== expected)
    warn("username", problem("USERNAME_DIFFERS", { found: shownText(found), expected }));
}

/**
 * The custody account that pays a row: the one it names, the default, or the only one of its currency. `named` is the row's
 * accountId (a name or a UUID), `currency` its currency; either may be empty.
 */
export function chooseCustodyAccount(
  named: string | undefined,
  currency: string | undefined,
  { custodyAccounts, defaults }: Pick<InitiationPolicy, "custodyAccounts" | "defaults">,
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
