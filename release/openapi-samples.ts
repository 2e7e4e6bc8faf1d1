/**
 * Per operation, the additions of the OpenAPI document to the schemas: a summary, the failures that the interface
 * lists, and a sample of request and answer, as JSON text so that every digit is kept. Ids and hashes are made up.
 */
import { invariant } from "../src/faults/index.ts";

export function notesOf(operationName: string): OperationNotes {
  const notes = operationNotes[operationName];
  invariant(notes !== undefined, `there are no samples of ${operationName}`);
  return notes;
}

interface OperationNotes {
  readonly summary: string;
  /** As in the interface's tables, which have none for the pathless operations. */
  readonly failures?: readonly number[];
  readonly request: string;
  /** Undefined if the answer has no body. */
  readonly answer?: string;
}

const TREASURY = "6f1cbb7e-0000-4000-8000-000000000001";
const PAYOUT = "2b0e7a4c-5f3d-4c1a-9b8e-0d6f3a2c1e01";
const DEPOSIT = "6f1cbb7e-0000-4000-8000-0000000000d1";
const NOW = "2026-03-02T09:00:00.000Z";

const PAYOUT_FIELDS = `
  "username": "treasury-bot",
  "accountId": "${TREASURY}",
  "nonce": 1772442000000001,
  "reference": "PAY-2026-0001",
  "callbackUrl": "https://pay.example.com/hook/5d0c",
  "requestedAmount": { "currency": "BTC", "amount": 0.01500000 },
  "destinationAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "feePolicy": "NORMAL",
  "otpCode": "287082",
  "generalLedgerName": "5100"`;

const DEPOSIT_FIELDS = `
  "accountId": "${TREASURY}",
  "nonce": 1772442000000002,
  "reference": "DEP-2026-0001",
  "customerId": "C-1001",
  "callbackUrl": "https://pay.example.com/hook/7e11",
  "expiryDate": "2026-03-02T10:00:00.000Z",
  "requestedAmount": { "currency": "EUR", "amount": 1000.00 }`;

const EURO = `{ "currencyCode": "EUR", "numericCode": 978, "numericCodeAsString": "978",
  "displayName": "Euro", "symbol": "€", "defaultFractionDigits": 2 }`;
const BITCOIN = `{ "currencyCode": "BTC", "numericCode": 0, "numericCodeAsString": "000",
  "displayName": "Bitcoin", "symbol": "₿", "defaultFractionDigits": 8 }`;
const RATE = `{ "rate": 81234.56, "fromCurrency": ${BITCOIN}, "toCurrency": ${EURO}, "measuredDate": "${NOW}" }`;

const PAYOUT_SAMPLE = `{
  "payoutId": "${PAYOUT}",
  "clientId": "c0000000-0000-4000-8000-000000000001",
  "accountId": "${TREASURY}",
  "callbackUrl": "https://pay.example.com/hook/5d0c",
  "reference": "PAY-2026-0001",
  "requestedAmount": { "currency": "BTC", "amount": 0.01500000 },
  "createdDate": "${NOW}",
  "debitOrderAlphanumericId": "DO-3A2C1E01",
  "destinationAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "payoutState": "COMPLETED",
  "sentFunds": {
    "txHash": "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
    "transactionId": "TX-9f2c6d0b1a7e4c35",
    "amount": { "currency": "BTC", "amount": 0.01500000 },
    "fee": { "currency": "BTC", "amount": 0.00000705 },
    "createdDate": "2026-03-02T09:00:01.500Z",
    "confirmedDate": "2026-03-02T09:00:01.800Z",
    "state": "CONFIRMED",
    "rate": ${RATE},
    "confirmations": 1
  },
  "authorization": {
    "id": "0e4f2a86-77f1-4a3c-8f1b-6a1d0c5b9e02",
    "state": "AUTHORIZED",
    "cosignerAuthorizations": [
      { "state": "AUTHORIZED", "userGroupName": "board", "username": "ada", "expire": "2026-03-09T09:00:00.000Z" }
    ]
  },
  "feePolicy": "NORMAL",
  "generalLedgerName": "5100"
}`;

const DEPOSIT_SAMPLE = `{
  "depositId": "${DEPOSIT}",
  "accountId": "${TREASURY}",
  "callbackUrl": "https://pay.example.com/hook/7e11",
  "reference": "DEP-2026-0001",
  "customerId": "C-1001",
  "requestedAmountInFiat": { "currency": "EUR", "amount": 1000.00 },
  "requestedAmountInCryptoAtFixedRate": { "currency": "BTC", "amount": 0.01231003 },
  "receiverAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "verificationSignature": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
  "depositState": "CREATED",
  "createdDate": "${NOW}",
  "expiryDate": "2026-03-02T10:00:00.000Z",
  "creditOrderId": "${DEPOSIT}",
  "creditOrderAlphanumericId": "CO-000000D1",
  "fixedExchangeRate": ${RATE},
  "receivedFunds": []
}`;

const SORT =
  `[{ "direction": "ASC", "nullHandling": "NATIVE", "ascending": true, "property": "createdDate", ` +
  `"ignoreCase": false }]`;

function envelope(filters: string, element: string): string {
  return `{
    "filters": ${filters},
    "results": {
      "content": [${element}],
      "totalPages": 1, "totalElements": 1, "size": 20, "number": 0, "numberOfElements": 1,
      "first": true, "last": true, "empty": false,
      "sort": ${SORT},
      "pageable": { "offset": 0, "sort": ${SORT}, "unpaged": false, "paged": true, "pageNumber": 0, "pageSize": 20 }
    }
  }`;
}

const FIND_PAYOUTS =
  `{ "queryDate": "${NOW}", "page": 0, "size": 20, "sort": { "createdDate": "ASC" }, ` +
  `"references": ["PAY-2026-0001"] }`;
const FIND_DEPOSITS =
  `{ "queryDate": "${NOW}", "page": 0, "size": 20, "sort": { "createdDate": "ASC" }, "states": ` +
  `["CREATED"] }`;
const SEARCH_PAYOUTS =
  `{ "queryDate": "${NOW}", "page": 0, "size": 20, "sort": ["createdDate,asc"], "payoutIds": ` +
  `"${PAYOUT}" }`;
const SEARCH_DEPOSITS =
  `{ "queryDate": "${NOW}", "page": 0, "size": 20, "sort": ["createdDate"], "depositIds": ` +
  `"${DEPOSIT}" }`;

const PAYOUT_CREATED = `{ "payoutId": "${PAYOUT}" }`;
const DEPOSIT_CREATED = `{ "depositId": "${DEPOSIT}" }`;
const VOID_PAYOUT = `{ "payoutId": "${PAYOUT}", "nonce": 1772442000000003 }`;
const VOID_DEPOSIT = `{ "depositId": "${DEPOSIT}", "nonce": 1772442000000004 }`;

function breakdown(currency: string, amount: string, zero: string): string {
  const money = (value: string) => `{ "currency": "${currency}", "amount": ${value} }`;
  return `{ "total": ${money(amount)}, "available": ${money(amount)}, "confirmed": ${money(amount)},
    "unconfirmedReceived": ${money(zero)}, "locked": ${money(zero)}, "sentUnconfirmed": ${money(zero)},
    "selfUnconfirmedReceived": ${money(zero)} }`;
}

function balances(filters: string): string {
  return `{
    "accountBalanceFiltersDto": ${filters},
    "balances": [{
      "accountId": "${TREASURY}",
      "fundsCanBeSpent": true,
      "btcBalance": ${breakdown("BTC", "12.5", "0")},
      "fiatBalance": ${breakdown("EUR", "1015432.00", "0.00")},
      "exchangeRate": ${RATE}
    }]
  }`;
}

const BALANCES = `{ "accountIds": ["${TREASURY}"], "queryDate": "${NOW}" }`;
const BALANCES_PATHLESS = `{ "accountIds": "${TREASURY}", "queryDate": "${NOW}" }`;
const OF_USER = `{ "username": "ada", "queryDate": "${NOW}" }`;

const CREATION = { failures: [400, 404], request: `{${PAYOUT_FIELDS}}`, answer: PAYOUT_CREATED };

const operationNotes: Readonly<Record<string, OperationNotes>> = {
  getAccountsBalance: {
    summary: "Balances of accounts",
    request: BALANCES,
    answer: balances(BALANCES),
  },
  createDeposit: {
    summary: "Create a deposit",
    failures: [400, 404, 409],
    request: `{${DEPOSIT_FIELDS}}`,
    answer: DEPOSIT_CREATED,
  },
  createDepositSynchronously: {
    summary: "Create a deposit and answer it in full",
    failures: [400, 404, 409, 502],
    request: `{${DEPOSIT_FIELDS}}`,
    answer: DEPOSIT_SAMPLE,
  },
  findDepositFilteredV2: {
    summary: "Find deposits in pages",
    failures: [409],
    request: FIND_DEPOSITS,
    answer: envelope(FIND_DEPOSITS, DEPOSIT_SAMPLE),
  },
  voidDeposit: { summary: "Void a deposit", failures: [404, 409], request: VOID_DEPOSIT },
  authorize: {
    summary: "Authorize a payout as a cosigner; the body is the sandbox's own",
    failures: [403, 404, 409],
    request: `{ "payoutId": "${PAYOUT}", "username": "ada", "otpCode": "287082", "nonce": 1772442000000005 }`,
  },
  createAndFirstAuthorizationPayout: { summary: "Create a payout with its first authorization", ...CREATION },
  createAndFirstAuthorizationPayoutV2: {
    summary: "Create a payout with its first authorization, version 2",
    ...CREATION,
  },
  createPayout: { summary: "Create a payout", ...CREATION },
  createPayoutV2: { summary: "Create a payout, version 2", ...CREATION },
  findPayoutFilteredV2: {
    summary: "Find payouts in pages",
    request: FIND_PAYOUTS,
    answer: envelope(FIND_PAYOUTS, PAYOUT_SAMPLE),
  },
  voidPayout: { summary: "Void a payout", request: VOID_PAYOUT },
  searchPayouts: {
    summary: "Search payouts in pages",
    request: SEARCH_PAYOUTS,
    answer: envelope(SEARCH_PAYOUTS, PAYOUT_SAMPLE),
  },
  searchDeposits: {
    summary: "Search deposits in pages",
    request: SEARCH_DEPOSITS,
    answer: envelope(SEARCH_DEPOSITS, DEPOSIT_SAMPLE),
  },
  createPayoutWithFirstAuthorization: {
    summary: "Create a payout, with its first authorization where `authorize` is true",
    request: `{"authorize": true,${PAYOUT_FIELDS}}`,
    answer: PAYOUT_CREATED,
  },
  createDepositPathless: {
    summary: "Create a deposit",
    request: `{${DEPOSIT_FIELDS}}`,
    answer: DEPOSIT_CREATED,
  },
  voidPayoutPathless: { summary: "Void a payout", request: VOID_PAYOUT },
  voidDepositPathless: { summary: "Void a deposit", request: VOID_DEPOSIT },
  accountBalances: {
    summary: "Balances of accounts; unknown ones are skipped",
    request: BALANCES_PATHLESS,
    answer: balances(BALANCES),
  },
  accountsOfUser: {
    summary: "Accounts in whose approver groups a user is; the answer is the sandbox's own",
    request: OF_USER,
    answer:
      `{ "filters": ${OF_USER}, "accounts": [{ "accountId": "${TREASURY}", "currency": "BTC", ` +
      `"userGroupNames": ["board"] }] }`,
  },
};
