/**
 * The rules between the columns of a row: required values, one custody account with its currency and amount, one
 * destination that it can pay, the fee fields. A rule whose columns could not be read reports nothing.
 */
import { isProblem, type Problem, problem } from "../../faults/index.ts";
import { bitcoinOnlyColumns, type ColumnName } from "../../model/columns.ts";
import { findCustodyAccount, type InstructionFields } from "../../model/index.ts";
import { looksLikePrivateKey } from "../../model/private-key.ts";
import { escapedText, shownText } from "../../model/shown-text.ts";
import { suggestion } from "../../model/words.ts";
import { currencyShown, Decimal } from "../../money/index.ts";
import {
  type NetworkKind,
  networkOf,
  type RecognizedAddress,
  recognizeAddress,
} from "../../readers/address.ts";
import type { columnReaders } from "./cell-readers.ts";
import { type AmountReading, fillsNumberCell, valueAt } from "./column-format.ts";
import type { FoundColumns } from "./find-columns.ts";
import { overLimit } from "./limits.ts";
import type { CustodyAccount, InitiationPolicy } from "./policy.ts";

type ColumnReaders = ReturnType<typeof columnReaders>;

/** A row's values; undefined if the cell is empty or could not be read. */
export type RowValues = {
  readonly [Name in ColumnName]: Exclude<ReturnType<ColumnReaders[Name]>, Problem> | undefined;
};

/** The input of every rule, and its functions to report. */
export interface RowContext {
  readonly values: RowValues;
  /** The columns whose cells could not be read. */
  readonly unreadable: ReadonlySet<ColumnName>;
  readonly policy: InitiationPolicy;
  readonly columns: Pick<FoundColumns, "positions" | "amountCurrency" | "givesReferences">;
  /** A column's header as written, for messages. */
  readonly label: (column: ColumnName) => string;
  readonly report: (column: ColumnName, what: Problem) => void;
  readonly warn: (column: ColumnName, what: Problem) => void;
}

/**
 * Applies every rule and reports each violation at the column to correct. Returns the fields of the instruction,
 * with the configured defaults for empty cells; undefined if a required value is missing.
 */
export function applyRowRules(context: RowContext): InstructionFields | undefined {
  checkPlainValues(context);
  const custodyAccount = checkCustodyAccount(context);
  const value = custodyAccount && checkAmount(context, custodyAccount.currency);
  const address = checkDestination(context, custodyAccount);
  checkFees(context, custodyAccount);
  return custodyAccount && value && instructionFields(context, custodyAccount, value, address);
}

/** Requires every member, absent ones as undefined: objects of one shape are faster. */
type Complete<Fields> = { readonly [Name in keyof Required<Fields>]: Fields[Name] | undefined };

function instructionFields(
  { values, columns, policy: { defaults } }: RowContext,
  custodyAccount: CustodyAccount,
  value: Decimal,
  address: RecognizedAddress | undefined,
): InstructionFields | undefined {
  // References are assigned after the other rows were read.
  const reference = values.reference ?? (columns.givesReferences ? "" : undefined);
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

/** The currency that the row itself, or the name of its amount column, gives. */
export function namedCurrency(
  currency: string | undefined,
  amountCurrency: string | undefined,
  unit: string | undefined,
): string | undefined {
  return currency === undefined ? (amountCurrency ?? unit) : currencyShown(currency);
}

/** Affiliate programs list their partners in a column called `username`. */
function checkPlainValues({ values, unreadable, columns, policy, label, report, warn }: RowContext): void {
  for (const column of ["reference", "amount"] as const) {
    const isMissing = values[column] === undefined && !unreadable.has(column);
    const isGiven = column === "reference" && columns.givesReferences;
    if (isMissing && !isGiven && columns.positions.has(column))
      report(column, problem("VALUE_MISSING", { field: label(column) }));
  }
  const { payOn, username } = values;
  const { today, defaults, workingDayFrom } = policy;
  if (payOn !== undefined) {
    const goesOn = workingDayFrom(payOn);
    const said = () => ({ field: label("payOn"), text: payOn });
    if (goesOn < today) warn("payOn", problem("PAY_ON_PAST", { ...said(), today }));
    else if (goesOn !== payOn) warn("payOn", problem("PAY_ON_DAY_OFF", { ...said(), day: goesOn }));
  }
  if (username === undefined || username === defaults.username) return;
  const params = { found: shownText(username), expected: defaults.username };
  warn("username", problem("USERNAME_DIFFERS", params));
}

function checkCustodyAccount(context: RowContext): CustodyAccount | undefined {
  const { values, unreadable, policy, report } = context;
  const { amountCurrency } = context.columns;
  const { accountId, currency, amount } = values;
  if (unreadable.has("accountId") || unreadable.has("currency")) return undefined;
  const isKnown = (code = "") => policy.scales.scaleOf(code) !== undefined;
  const code = namedCurrency(currency, amountCurrency, isKnown(amount?.unit) ? amount?.unit : undefined);
  const isUnknown = code !== undefined && !isKnown(code);
  const chosen = isUnknown ? unknownCurrency(code, policy) : chooseCustodyAccount(accountId, code, policy);
  if (isProblem(chosen)) {
    report(chosen.code === "CURRENCY_UNKNOWN" ? "currency" : "accountId", chosen);
    return undefined;
  }
  const wrong = [code, amountCurrency].find((each) => each !== undefined && each !== chosen.currency);
  if (wrong === undefined) return chosen;
  const differs = { currency: wrong, custodyAccount: chosen.name, expected: chosen.currency };
  const isInRow = currency !== undefined && wrong === code;
  report(isInRow ? "currency" : "amount", problem("CURRENCY_DIFFERS", differs));
  return undefined;
}

/**
 * The value to pay. It differs from the cell's only if a calculated amount is rounded. Undefined after a problem.
 */
function checkAmount({ values, policy, report, warn }: RowContext, currency: string): Decimal | undefined {
  const scale = policy.scales.scaleOf(currency);
  const perRow = policy.limits.perRow[currency];
  const { amount } = values;
  if (scale === undefined) report("currency", problem("CURRENCY_SCALE_UNKNOWN", { currency }));
  else if (perRow === undefined || policy.limits.perFile[currency] === undefined)
    report("currency", problem("CURRENCY_WITHOUT_LIMIT", { currency }));
  if (scale === undefined || perRow === undefined || amount === undefined) return undefined;
  const isRounded = policy.roundCalculated === "half-even" && amount.isCalculated;
  const meant = valueAt(amount, scale);
  const value = isRounded ? halfEven(meant, scale) : meant;
  const breach =
    amountBreach(value === amount.value ? amount : { ...amount, value }, currency, scale) ??
    overLimit({ currency, value }, perRow, "perRow");
  if (breach !== undefined) report("amount", breach);
  else if (!value.equals(meant))
    warn("amount", problem("AMOUNT_ROUNDED", { text: amount.text, rounded: `${value}` }));
  return breach === undefined ? value : undefined;
}

/** Why an amount cannot be meant as it is read, in a currency of so many decimals. */
export function amountBreach(
  { value, text, fromNumberCell, isCalculated, unit, decimals }: AmountReading,
  currency: string,
  scale: number,
): Problem | undefined {
  const found = value.normalized().scale;
  const step = decimals === undefined ? undefined : Decimal.of(`1e${-decimals}`);
  const shown = step === undefined ? value : value.dividedBy(step, 0).times(step);
  if (value.isZero() || value.isNegative()) return problem("AMOUNT_NOT_POSITIVE", { text });
  if (unit !== undefined && currencyShown(unit) !== currency)
    return problem("AMOUNT_SHOWN_OTHERWISE", { text: `${value}`, unit, currency });
  const tooPrecise = { text, found, currency, scale };
  if (found > scale && isCalculated)
    return problem("AMOUNT_NOT_ROUNDED", { ...tooPrecise, rounded: `${halfEven(value, scale)}` });
  if (found > scale) return problem("AMOUNT_TOO_PRECISE", tooPrecise);
  if (!shown.equals(value)) return problem("AMOUNT_SHOWN_ROUNDED", { text: `${value}`, shown: `${shown}` });
  // The currency has more decimals than the cell could hold: the digits that were cut off may have been money.
  const isCut = fromNumberCell && found < scale && fillsNumberCell(value);
  return isCut ? problem("AMOUNT_PRECISION_LOST", { text }) : undefined;
}

/** Rounds half to even: `rounded` takes a half away from zero. */
function halfEven(value: Decimal, scale: number): Decimal {
  const rounded = value.rounded(scale);
  const unit = Decimal.of(`1e-${scale}`);
  const isHalf = rounded.minus(value).absolute().times(Decimal.of("2")).equals(unit);
  return isHalf && /[13579]$/.test(rounded.toString()) ? rounded.minus(unit) : rounded;
}

/** Operations whose table in the interface lists P2PKH, P2SH and Bech32 (P2WPKH and P2WSH) as supported formats. */
const BITCOIN_ONLY_OPERATIONS: ReadonlySet<string> = new Set([
  "createPayout",
  "createPayoutV2",
  "createAndFirstAuthorizationPayout",
  "createAndFirstAuthorizationPayoutV2",
]);

/** The address types that the creations list; for others "the address formats of Ethereum or Litecoin". */
const LISTED_TYPES: ReadonlySet<string> = new Set(["P2PKH", "P2SH", "P2WPKH", "P2WSH", "Ethereum"]);

/** The destination address if it may be paid from the custody account; otherwise reports the problem. */
function checkDestination(
  { values, unreadable, policy, columns, report, warn }: RowContext,
  custodyAccount: CustodyAccount | undefined,
): RecognizedAddress | undefined {
  const { destinationAddress, destinationAccountId } = values;
  const hasAddress = destinationAddress !== undefined || unreadable.has("destinationAddress");
  const hasAccount = destinationAccountId !== undefined || unreadable.has("destinationAccountId");
  const column = columns.positions.has("destinationAddress") ? "destinationAddress" : "destinationAccountId";
  if (hasAddress && hasAccount) report("destinationAccountId", problem("DESTINATION_TWICE", {}));
  else if (!hasAddress && !hasAccount && columns.positions.has(column))
    report(column, problem("DESTINATION_MISSING", {}));
  if (custodyAccount !== undefined && destinationAccountId === custodyAccount.id)
    report("destinationAccountId", problem("DESTINATION_IS_SOURCE", {}));
  if (destinationAddress === undefined) return undefined;
  const address = recognizeAddress(destinationAddress);
  const refusal = addressRefusal(address, custodyAccount, policy.network);
  if (refusal !== undefined) report("destinationAddress", refusal);
  if ("malformed" in address) return undefined;
  if (refusal === undefined && !address.hasChecksum)
    warn(
      "destinationAddress",
      problem("ADDRESS_WITHOUT_CHECKSUM", { text: escapedText(destinationAddress) }),
    );
  return address;
}

/** Why the address must not be paid; while the custody account is unknown, only a secret is reported. */
function addressRefusal(
  address: ReturnType<typeof recognizeAddress>,
  custodyAccount: CustodyAccount | undefined,
  kind: NetworkKind,
): Problem | undefined {
  if ("malformed" in address && looksLikePrivateKey(address.text)) return problem("ADDRESS_IS_SECRET", {});
  if (custodyAccount === undefined) return undefined;
  const { name, currency, createOperation: operation = "createPayoutV2" } = custodyAccount;
  const network = networkOf(currency, kind);
  if (network === undefined || (currency !== "BTC" && BITCOIN_ONLY_OPERATIONS.has(operation)))
    return problem("ADDRESS_CURRENCY_UNSUPPORTED", { custodyAccount: name, currency, operation });
  const { text } = address;
  if ("malformed" in address) {
    const { malformed: reason } = address;
    return problem("ADDRESS_MALFORMED", { text: escapedText(text), network: network.name, reason });
  }
  const { type, networks } = address;
  if (!networks.includes(network)) {
    const found = networks.map((network) => network.name).join(" or ");
    return problem("ADDRESS_WRONG_NETWORK", { text, found, expected: network.name });
  }
  return LISTED_TYPES.has(type) ? undefined : problem("ADDRESS_TYPE_UNSUPPORTED", { text, type });
}

function checkFees(
  { values, unreadable, policy, label, report }: RowContext,
  account: CustodyAccount | undefined,
): void {
  const { feePolicy, customFeeRate } = values;
  const currency = account?.currency ?? "BTC";
  for (const column of currency === "BTC" ? [] : bitcoinOnlyColumns)
    if (values[column] !== undefined)
      report(column, problem("FIELD_BITCOIN_ONLY", { field: label(column), currency }));
  if (unreadable.has("feePolicy") || unreadable.has("customFeeRate")) return;
  const byDefault = policy.defaults.feePolicy;
  const isCustom = (feePolicy ?? byDefault) === "CUSTOM";
  if (isCustom === (customFeeRate !== undefined)) return;
  const stated = feePolicy ?? (byDefault === undefined ? "empty" : `${byDefault} by default`);
  const params = { feePolicy: isCustom ? "CUSTOM" : stated, found: customFeeRate ?? "empty" };
  report("customFeeRate", problem("CUSTOM_FEE_RATE_UNFIT", params));
}

/**
 * The custody account that pays a row: the one it names, the default, or the only one of its currency. `named` is
 * the row's accountId (a name or a UUID), `currency` its currency; either may be empty.
 */
export function chooseCustodyAccount(
  named: string | undefined,
  currency: string | undefined,
  policy: Pick<InitiationPolicy, "custodyAccounts"> & {
    readonly defaults: Pick<InitiationPolicy["defaults"], "custodyAccount">;
  },
): CustodyAccount | Problem {
  const { custodyAccounts, defaults } = policy;
  if (named !== undefined) {
    return findCustodyAccount(named, custodyAccounts) ?? unknownAccount(named, custodyAccounts);
  }
  const { custodyAccount: given } = defaults;
  const defaultName = typeof given === "object" ? given[currency ?? onlyCurrency(custodyAccounts)] : given;
  const byDefault = defaultName === undefined ? undefined : findCustodyAccount(defaultName, custodyAccounts);
  const candidates = custodyAccounts.filter((each) => currency === undefined || each.currency === currency);
  if (byDefault !== undefined && candidates.includes(byDefault)) return byDefault;
  const [only, another] = candidates;
  if (only === undefined) return unknownCurrency(currency ?? "", policy);
  if (another === undefined) return only;
  return problem("CUSTODY_ACCOUNT_AMBIGUOUS", {
    currency: listed(candidates.map((account) => account.currency)),
    allowed: listed(candidates.map(({ name }) => name)),
  });
}

function unknownAccount(text: string, custodyAccounts: readonly CustodyAccount[]): Problem {
  const names = custodyAccounts.map(({ name }) => name);
  const params = { text: shownText(text), allowed: listed(names), suggestion: suggestion(text, names) };
  return problem("CUSTODY_ACCOUNT_UNKNOWN", params);
}

/** The currency, if all custody accounts have the same one; otherwise "". */
export function onlyCurrency(custodyAccounts: readonly CustodyAccount[]): string {
  const [only = "", another] = new Set(custodyAccounts.map(({ currency }) => currency));
  return another === undefined ? only : "";
}

function unknownCurrency(
  text: string,
  { custodyAccounts }: Pick<InitiationPolicy, "custodyAccounts">,
): Problem {
  const allowed = listed(custodyAccounts.map(({ currency }) => currency));
  return problem("CURRENCY_UNKNOWN", { text: shownText(text), allowed });
}

function listed(words: readonly string[]): string {
  return [...new Set(words)].join(", ");
}
