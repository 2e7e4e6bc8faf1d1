/**
 * A payout, a deposit and a search page with every field of the interface document's tables, written by hand as the
 * service would send them; beside each, what the client must read from it.
 */
import { Decimal } from "../../src/money/index.ts";

export const PAYOUT_ID = "0d5d6e8a-3b1c-4f6e-9a57-1c2f8e6b4d01";
export const DEPOSIT_ID = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
export const CUSTODY_ACCOUNT_ID = "6f1cbb7e-0000-4000-8000-000000000001";
export const OTHER_ACCOUNT_ID = "6f1cbb7e-0000-4000-8000-000000000002";

/** Without blanks between its parts, so that an element's raw text can be compared byte for byte. */
const compact = (text: string) => text.replace(/\n\s*/g, "");

export const RATE = compact(`{"rate":58123.4500,
  "fromCurrency":{"currencyCode":"BTC","numericCode":0,"numericCodeAsString":"000","displayName":"Bitcoin","symbol":"₿","defaultFractionDigits":8},
  "toCurrency":{"currencyCode":"EUR","numericCode":978,"numericCodeAsString":"978","displayName":"Euro","symbol":"€","defaultFractionDigits":2},
  "measuredDate":"2026-11-20T09:29:30.000Z"}`);

export const RATE_READ = {
  rate: Decimal.of("58123.4500"),
  fromCurrency: {
    currencyCode: "BTC",
    numericCode: 0,
    numericCodeAsString: "000",
    displayName: "Bitcoin",
    symbol: "₿",
    defaultFractionDigits: 8,
  },
  toCurrency: {
    currencyCode: "EUR",
    numericCode: 978,
    numericCodeAsString: "978",
    displayName: "Euro",
    symbol: "€",
    defaultFractionDigits: 2,
  },
  measuredDate: "2026-11-20T09:29:30.000Z",
};

export const FUNDS = compact(`{"txHash":"f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16",
  "transactionId":"TX-77","amount":{"currency":"BTC","amount":0.10},"fee":{"currency":"BTC","amount":1.41E-6},
  "createdDate":"2026-11-20T09:31:00.000Z","confirmedDate":"2026-11-20T09:45:00.000Z","state":"UNCONFIRMED",
  "rate":${RATE},"confirmations":3}`);

export const FUNDS_READ = {
  txHash: "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16",
  transactionId: "TX-77",
  amount: { currency: "BTC", amount: Decimal.of("0.10") },
  fee: { currency: "BTC", amount: Decimal.of("0.00000141") },
  createdDate: "2026-11-20T09:31:00.000Z",
  confirmedDate: "2026-11-20T09:45:00.000Z",
  state: "UNCONFIRMED",
  rate: RATE_READ,
  confirmations: 3,
};

export const PAYOUT = compact(`{"payoutId":"${PAYOUT_ID}","clientId":"11111111-2222-4333-8444-555555555555",
  "accountId":"${CUSTODY_ACCOUNT_ID}","callbackUrl":"https://pay.example.com/hook/c0ffee","reference":"INV-2026/0042",
  "requestedAmount":{"currency":"BTC","amount":0.100000000000000001},"createdDate":"2026-11-20T10:30:00.250+0100",
  "debitOrderAlphanumericId":"DO-9","destinationAddress":"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "destinationAccountId":"${OTHER_ACCOUNT_ID}","payoutState":"COSIGNER_AUTHORIZATIONS_PENDING","sentFunds":${FUNDS},
  "authorization":{"id":"22222222-2222-4333-8444-555555555555","state":"PENDING","cosignerAuthorizations":[
  {"state":"PENDING","userGroupName":"board","username":"ada","expire":"2026-11-21T09:30:00.000Z"}]},
  "feePolicy":"CUSTOM","customFeeRate":7,"subtractFee":false,"useCoinConsolidation":true,"orderCodeName":"OC-1",
  "generalLedgerName":"5100","generalLedgerProject":"Alpha","generalLedgerDistribution":"EU","batchingAllowed":true}`);

export const PAYOUT_READ = {
  payoutId: PAYOUT_ID,
  clientId: "11111111-2222-4333-8444-555555555555",
  accountId: CUSTODY_ACCOUNT_ID,
  callbackUrl: "https://pay.example.com/hook/c0ffee",
  reference: "INV-2026/0042",
  requestedAmount: { currency: "BTC", amount: Decimal.of("0.100000000000000001") },
  createdDate: "2026-11-20T09:30:00.250Z",
  debitOrderAlphanumericId: "DO-9",
  destinationAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  destinationAccountId: OTHER_ACCOUNT_ID,
  payoutState: "COSIGNER_AUTHORIZATIONS_PENDING",
  sentFunds: [FUNDS_READ],
  authorization: {
    id: "22222222-2222-4333-8444-555555555555",
    state: "PENDING",
    cosignerAuthorizations: [
      { state: "PENDING", userGroupName: "board", username: "ada", expire: "2026-11-21T09:30:00.000Z" },
    ],
  },
  feePolicy: "CUSTOM",
  customFeeRate: 7,
  subtractFee: false,
  useCoinConsolidation: true,
  orderCodeName: "OC-1",
  generalLedgerName: "5100",
  generalLedgerProject: "Alpha",
  generalLedgerDistribution: "EU",
  batchingAllowed: true,
};

export const DEPOSIT = compact(`{"depositId":"${DEPOSIT_ID}","accountId":"${CUSTODY_ACCOUNT_ID}",
  "callbackUrl":"https://pay.example.com/hook/d0","reference":"ORDER-7","customerId":"C-7",
  "requestedAmountInFiat":{"currency":"EUR","amount":1000.00},
  "requestedAmountInCryptoAtFixedRate":{"currency":"BTC","amount":0.01720475},
  "receiverAddress":"bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3","verificationSignature":"MEUCIQ==",
  "depositState":"RECEIVING_FUNDS","createdDate":"2026-11-20T09:30:00.000Z","expiryDate":"2026-11-20T10:30:00.000Z",
  "creditOrderId":"33333333","creditOrderAlphanumericId":"CO-3","fixedExchangeRate":${RATE},
  "receivedFunds":[${FUNDS},${FUNDS.replace("TX-77", "TX-78")}],
  "duplicatedFromDepositId":"8c9e6679-7425-40de-944b-e07fc1f90ae7"}`);

export const DEPOSIT_READ = {
  depositId: DEPOSIT_ID,
  accountId: CUSTODY_ACCOUNT_ID,
  callbackUrl: "https://pay.example.com/hook/d0",
  reference: "ORDER-7",
  customerId: "C-7",
  requestedAmountInFiat: { currency: "EUR", amount: Decimal.of("1000.00") },
  requestedAmountInCryptoAtFixedRate: { currency: "BTC", amount: Decimal.of("0.01720475") },
  receiverAddress: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
  verificationSignature: "MEUCIQ==",
  depositState: "RECEIVING_FUNDS",
  createdDate: "2026-11-20T09:30:00.000Z",
  expiryDate: "2026-11-20T10:30:00.000Z",
  creditOrderId: "33333333",
  creditOrderAlphanumericId: "CO-3",
  fixedExchangeRate: RATE_READ,
  receivedFunds: [FUNDS_READ, { ...FUNDS_READ, transactionId: "TX-78" }],
  duplicatedFromDepositId: "8c9e6679-7425-40de-944b-e07fc1f90ae7",
};

/** A search with a single page: every field, with its elements inserted as given. */
export function pageOf(...elements: string[]): string {
  const sort =
    '[{"direction":"ASC","nullHandling":"NATIVE","ascending":true,"property":"createdDate","ignoreCase":false}]';
  return compact(`{"content":[${elements.join(",")}],"totalPages":1,"totalElements":${elements.length},"size":200,
    "number":0,"numberOfElements":${elements.length},"first":true,"last":true,"empty":false,"sort":${sort},
    "pageable":{"offset":0,"sort":${sort},"unpaged":false,"paged":true,"pageNumber":0,"pageSize":200}}`);
}

const SORT_READ = [
  { direction: "ASC", nullHandling: "NATIVE", ascending: true, property: "createdDate", ignoreCase: false },
];

/** What is read from such a page, besides its elements. */
export const PAGE_READ = {
  totalPages: 1,
  totalElements: 1,
  size: 200,
  number: 0,
  numberOfElements: 1,
  first: true,
  last: true,
  empty: false,
  sort: SORT_READ,
  pageable: { offset: 0, sort: SORT_READ, unpaged: false, paged: true, pageNumber: 0, pageSize: 200 },
};

/** The text without one member, wherever it occurs. */
export function without(text: string, member: string): string {
  const at = text.indexOf(`"${member}":`);
  if (at < 0) throw new Error(`the sample has no ${member}`);
  return `${text.slice(0, at)}"was_${member}":${text.slice(at + member.length + 3)}`;
}

/** The text with null for every member except those named. */
export function nullsBut(kept: readonly string[], text: string): string {
  const members = Object.keys(JSON.parse(text)).filter((member) => !kept.includes(member));
  const needed = kept.map((member) => `"${member}":${JSON.stringify(JSON.parse(text)[member])}`);
  return `{${[...needed, ...members.map((member) => `"${member}":null`)].join(",")}}`;
}

/** Matches a reason that names this member as the wrong place: "balances.0.btcBalance: ...". */
export function placeOf(member: string): RegExp {
  return new RegExp(`(^|[ .])${member}: `);
}
