/**
 * What the interface says about a payout's creation, checked in this order: the request alone (400, everything wrong at once),
 * user and one-time code, the accounts it names (404), the request against its account (400).
 * Chosen where the interface is silent: a zero amount, two destinations, CUSTOM without a rate, a rate below 1, a disabled account
 * and an unknown orderCodeName are 400; an unknown username is 404; a wrong one-time code is 400.
 */
import { currencyScales, Decimal } from "../../money/index.ts";
import { FEE_POLICIES, type FeePolicy, type PayoutCreation } from "../../wire/index.ts";
import { invalidParameter, Refusal, refusal } from "../refusal.ts";
import type { SeededClient } from "../seed.ts";
import type { Service } from "../service.ts";
import { breakdownOf, type CustodyAccount } from "../state/accounts.ts";
import { type AddressFormat, bitcoinAddressFormat } from "./addresses.ts";
import { feeOf, feeRateOf } from "./fees.ts";
import { stepOfCode } from "./one-time-code.ts";

/** A creation that may be carried out, with what the payee gets and what the network takes. */
export interface PricedPayout {
  readonly payer: CustodyAccount;
  readonly amount: Decimal;
  readonly fee: Decimal;
}

/** Checks a creation and prices it; throws the refusal of the first rule group that it breaks. */
export function checkedPayout(
  service: Service,
  client: SeededClient,
  creation: PayoutCreation,
  nowMs: number,
): PricedPayout {
  const complaints = complaintsAbout(service, creation);
  if (complaints.length > 0) {
    throw new Refusal(
      400,
      complaints.map((error) => ({ error, code: "INVALID_PARAMETER" })),
    );
  }
  checkUser(service, client, creation.username, creation.otpCode, nowMs);
  const payer = enabledAccount(service, creation.accountId, "accountId");
  if (creation.destinationAccountId !== undefined) {
    existingAccount(service, creation.destinationAccountId, "destinationAccountId");
  }
  return priced(service, creation, payer);
}

/** The client's account, enabled; 404 for one that does not exist or is not the client's, 400 for a disabled one. */
export function enabledAccount(service: Service, accountId: string, field: string): CustodyAccount {
  const found = existingAccount(service, accountId, field);
  if (!found.ownedByClient) throw accountNotFound(accountId, field);
  if (!found.enabled) throw refusal(400, "ACCOUNT_DISABLED", `${field}: ${accountId} is not enabled`);
  return found;
}

/** Checks the user's one-time code and, where codes are for single use, uses it up. */
export function checkUser(
  service: Service,
  client: SeededClient,
  username: string,
  otpCode: string,
  nowMs: number,
): void {
  const user = client.users.find((one) => one.username === username);
  if (user === undefined) throw refusal(404, "USER_NOT_FOUND", "username: there is no such user");
  const step = stepOfCode(user.otpSecret, otpCode, nowMs);
  const fresh = step !== undefined && (!service.policy.otpSingleUse || service.usedCodes.use(username, step));
  if (!fresh) throw refusal(400, "INVALID_ONE_TIME_CODE", "otpCode: wrong, too old or used before");
}

/** An absolute http or https URL. */
export function isCallbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:");
}

/** Whether an amount has more decimals than its currency. */
export function exceedsScale(amount: Decimal, currency: string): boolean {
  const scale = currencyScales().scaleOf(currency);
  return scale !== undefined && amount.normalized().scale > scale;
}

function complaintsAbout(service: Service, creation: PayoutCreation): string[] {
  const { requestedAmount, destinationAddress, destinationAccountId, feePolicy, customFeeRate } = creation;
  const { orderCodeName } = creation;
  const orderCodes = service.seed.orderCodeNames;
  const rules: readonly (readonly [boolean, string])[] = [
    [isAboveZero(requestedAmount.amount), "requestedAmount.amount: expected more than zero"],
    [
      !exceedsScale(requestedAmount.amount, requestedAmount.currency),
      `requestedAmount.amount: more decimals than ${requestedAmount.currency} has`,
    ],
    [isCallbackUrl(creation.callbackUrl), "callbackUrl: malformed URL"],
    [
      (destinationAddress === undefined) !== (destinationAccountId === undefined),
      "expected one of destinationAddress and destinationAccountId",
    ],
    [
      destinationAddress === undefined || formatOf(service, destinationAddress) !== undefined,
      "destinationAddress: expected P2PKH, P2SH or Bech32 (P2WPKH, P2WSH) of this network",
    ],
    [
      feePolicy === undefined || isFeePolicy(feePolicy),
      `feePolicy: expected one of ${FEE_POLICIES.join(", ")}`,
    ],
    [customFeeRate === undefined || feePolicy === "CUSTOM", "customFeeRate: requires feePolicy CUSTOM"],
    [customFeeRate !== undefined || feePolicy !== "CUSTOM", "customFeeRate: missing for feePolicy CUSTOM"],
    [customFeeRate === undefined || customFeeRate >= 1, "customFeeRate: expected at least 1 sat/vb"],
    [
      orderCodeName === undefined || orderCodes === undefined || orderCodes.includes(orderCodeName),
      "orderCodeName: there is no such debit order code",
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, complaint]) => complaint);
}

function priced(service: Service, creation: PayoutCreation, payer: CustodyAccount): PricedPayout {
  const { requestedAmount, destinationAddress, subtractFee = false, verifyBalance = false } = creation;
  if (requestedAmount.currency !== payer.currency) {
    throw invalidParameter(`requestedAmount.currency: the account holds ${payer.currency}`);
  }
  const destination = destinationAddress === undefined ? "P2WPKH" : formatOf(service, destinationAddress);
  const feePolicy = isFeePolicy(creation.feePolicy) ? creation.feePolicy : "NORMAL";
  const rate = feeRateOf(feePolicy, creation.customFeeRate, service.policy.feeRates);
  const fee = feeOf(rate, destination ?? "P2WPKH", creation.useCoinConsolidation ?? false);
  const amount = subtractFee ? requestedAmount.amount.minus(fee) : requestedAmount.amount;
  if (!isAboveZero(amount))
    throw invalidParameter(`requestedAmount.amount: the fee of ${fee} leaves nothing`);
  if (verifyBalance && breakdownOf(payer.balance).available.compare(amount.plus(fee)) < 0) {
    throw refusal(400, "INSUFFICIENT_BALANCE", "the available balance does not cover amount and fee");
  }
  return { payer, amount, fee };
}

function formatOf(service: Service, address: string): AddressFormat | undefined {
  return bitcoinAddressFormat(address, service.policy.network);
}

function isFeePolicy(text: string | undefined): text is FeePolicy {
  return FEE_POLICIES.some((policy) => policy === text);
}

function isAboveZero(amount: Decimal): boolean {
  return amount.compare(Decimal.zero) > 0;
}

function existingAccount(service: Service, accountId: string, field: string): CustodyAccount {
  const found = service.accounts.find(accountId);
  if (found === undefined) throw accountNotFound(accountId, field);
  return found;
}

function accountNotFound(accountId: string, field: string): Refusal {
  return refusal(404, "ACCOUNT_NOT_FOUND", `${field}: there is no account ${accountId}`);
}
