/**
 * Reads payouts and deposits in their usual form, several times as fast as their schemas. A value accepted here
 * equals the schema's result; values refused here are left to the schema.
 */
import { Decimal } from "../money/index.ts";
import { type Deposit, deposit } from "./deposit.ts";
import { NUMBER_MARK } from "./json.ts";
import { type Funds, funds, type Money, money } from "./money.ts";
import { type Payout, payout } from "./payout.ts";

/** As the schema `payout`, for a value of `parseJson`. Throws a ZodError. */
export function parsePayout(value: unknown): Payout {
  return readPayout(value) ?? payout.parse(value);
}

/** As the schema `deposit`, for a value of `parseJson`. Throws a ZodError. */
export function parseDeposit(value: unknown): Deposit {
  return readDeposit(value) ?? deposit.parse(value);
}

/** As the schema `money`, for a value of `parseJson`. Throws a ZodError. */
export function parseMoney(value: unknown): Money {
  const read = moneyMembers(value);
  return read === REFUSED ? money.parse(value) : (read as Money);
}

/** As an array of the schema `funds`, for a value of `parseJson`. Throws a ZodError. */
export function parseFunds(value: unknown): readonly Funds[] {
  const read = fundsList(value);
  return read === REFUSED ? funds.array().parse(value) : (read as Funds[]);
}

/** Undefined for a payout that the schema must judge. */
export function readPayout(value: unknown): Payout | undefined {
  const read = readPayoutMembers(value);
  return read === REFUSED ? undefined : (read as Payout);
}

/** Undefined for a deposit that the schema must judge. */
export function readDeposit(value: unknown): Deposit | undefined {
  const read = readDepositMembers(value);
  return read === REFUSED ? undefined : (read as Deposit);
}

const REFUSED = Symbol("refused");

type Reader = (value: unknown) => unknown;

/** At most 30 digits on either side of the point are read here. */
const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?$/;
const INTEGER = /^-?\d{1,15}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UTC_INSTANT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
/** The positions where the day of the month begins and ends. */
const DAY = [8, 10] as const;
/** Every month has at least this many days. */
const DAYS_MIN = "28";

const LIST_MAX = 1000;

const text: Reader = (value) =>
  typeof value === "string" && !value.startsWith(NUMBER_MARK) ? value : REFUSED;
const boolean: Reader = (value) => (typeof value === "boolean" ? value : REFUSED);
const uuid: Reader = (value) => (typeof value === "string" && UUID.test(value) ? value : REFUSED);
const uuidOrEmpty: Reader = (value) => (value === "" ? undefined : uuid(value));
const dateTimeOrEmpty: Reader = (value) => {
  if (value === "") return undefined;
  if (typeof value !== "string" || !UTC_INSTANT.test(value)) return REFUSED;
  // Date would turn 30 February into 2 March.
  return value.slice(...DAY) <= DAYS_MIN || new Date(value).toISOString() === value ? value : REFUSED;
};
const decimal = numberOf(DECIMAL, (digits) => Decimal.parse(digits) ?? REFUSED);
const integer = numberOf(INTEGER, (digits) => Number.parseInt(digits, 10));

function numberOf(form: RegExp, read: (digits: string) => unknown): Reader {
  return (value) => {
    if (typeof value !== "string" || !value.startsWith(NUMBER_MARK)) return REFUSED;
    const digits = value.slice(NUMBER_MARK.length);
    return form.test(digits) ? read(digits) : REFUSED;
  };
}

function listOf(element: Reader): Reader {
  return (value) => {
    if (!Array.isArray(value) || value.length > LIST_MAX) return REFUSED;
    const read: unknown[] = [];
    for (const each of value) {
      const one = element(each);
      if (one === REFUSED) return REFUSED;
      read.push(one);
    }
    return read;
  };
}

type Readers = Readonly<Record<string, Reader>>;

/**
 * In the order of the schema. Members that are not `required` may be null or absent; others are kept as they are.
 */
function membersOf(known: Readers, required: readonly string[] = []): Reader {
  const readers = Object.entries(known).map(([name, read]) => ({
    name,
    read,
    mayLack: !required.includes(name),
  }));
  const names = new Set(Object.keys(known));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return REFUSED;
    const sent = value as Readonly<Record<string, unknown>>;
    const read: Record<string, unknown> = {};
    let others = 0;
    for (const _name in sent) others += 1;
    for (const { name, read: readMember, mayLack } of readers) {
      const member = sent[name];
      if (member === undefined && mayLack) continue;
      others -= 1;
      const one = member === null && mayLack ? undefined : readMember(member);
      if (one === REFUSED) return REFUSED;
      read[name] = one;
    }
    if (others === 0) return read;
    for (const name of Object.keys(sent)) {
      if (names.has(name)) continue;
      // Assigning it would replace the prototype.
      if (name === "__proto__") return REFUSED;
      read[name] = sent[name];
    }
    return read;
  };
}

const moneyMembers = membersOf({ currency: text, amount: decimal }, ["currency", "amount"]);

const currency = membersOf(
  {
    currencyCode: text,
    numericCode: integer,
    numericCodeAsString: text,
    displayName: text,
    symbol: text,
    defaultFractionDigits: integer,
  },
  ["currencyCode"],
);

const exchangeRate = membersOf(
  { rate: decimal, fromCurrency: currency, toCurrency: currency, measuredDate: dateTimeOrEmpty },
  ["rate", "fromCurrency", "toCurrency"],
);

const fundsMembers = membersOf({
  txHash: text,
  transactionId: text,
  amount: moneyMembers,
  fee: moneyMembers,
  createdDate: dateTimeOrEmpty,
  confirmedDate: dateTimeOrEmpty,
  state: text,
  rate: exchangeRate,
  confirmations: integer,
});

const fundsList = listOf(fundsMembers);

/** One object, or an array of them. */
const sentFunds: Reader = (value) => fundsList(Array.isArray(value) ? value : [value]);

const cosignerAuthorization = membersOf({
  state: text,
  userGroupName: text,
  username: text,
  expire: dateTimeOrEmpty,
});

const authorization = membersOf({
  id: uuidOrEmpty,
  state: text,
  cosignerAuthorizations: listOf(cosignerAuthorization),
});

const readPayoutMembers = membersOf(
  {
    payoutId: uuid,
    clientId: uuidOrEmpty,
    accountId: uuid,
    callbackUrl: text,
    reference: text,
    requestedAmount: moneyMembers,
    createdDate: dateTimeOrEmpty,
    debitOrderAlphanumericId: text,
    destinationAddress: text,
    destinationAccountId: uuidOrEmpty,
    payoutState: text,
    sentFunds,
    authorization,
    feePolicy: text,
    customFeeRate: integer,
    subtractFee: boolean,
    useCoinConsolidation: boolean,
    orderCodeName: text,
    generalLedgerName: text,
    generalLedgerProject: text,
    generalLedgerDistribution: text,
    batchingAllowed: boolean,
  },
  ["payoutId", "accountId", "requestedAmount", "payoutState"],
);

const readDepositMembers = membersOf(
  {
    depositId: uuid,
    accountId: uuid,
    callbackUrl: text,
    reference: text,
    customerId: text,
    requestedAmountInFiat: moneyMembers,
    requestedAmountInCryptoAtFixedRate: moneyMembers,
    receiverAddress: text,
    verificationSignature: text,
    depositState: text,
    createdDate: dateTimeOrEmpty,
    expiryDate: dateTimeOrEmpty,
    creditOrderId: text,
    creditOrderAlphanumericId: text,
    fixedExchangeRate: exchangeRate,
    receivedFunds: listOf(fundsMembers),
    duplicatedFromDepositId: uuidOrEmpty,
  },
  ["depositId", "accountId", "depositState"],
);
