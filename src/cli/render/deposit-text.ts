/** Deposits as the service shows them, for people. */
import type { Deposit } from "../../wire/index.ts";
import type { Colors } from "../output.ts";
import { shown } from "./problem-text.ts";
import { fieldsText } from "./text-parts.ts";
import { figures, textTable } from "./text-table.ts";
import { fundsText, instantText, moneyText, type NameOf, rateText } from "./wire-text.ts";

export function depositsText(deposits: readonly Deposit[], nameOf: NameOf): string {
  return textTable(
    ["deposit", "reference", figures("asked for"), "to", "state", figures("received"), "created"],
    deposits.map((deposit) => [
      deposit.depositId,
      deposit.reference ?? "",
      moneyText(deposit.requestedAmountInFiat ?? deposit.requestedAmountInCryptoAtFixedRate),
      nameOf(deposit.accountId),
      deposit.depositState,
      (deposit.receivedFunds ?? []).map(({ amount }) => moneyText(amount)).join(" + "),
      instantText(deposit.createdDate),
    ]),
  );
}

/** Every field. */
export function depositText(deposit: Deposit, nameOf: NameOf, colors: Colors): string {
  const fields = fieldsText([
    ["reference", deposit.reference],
    ["customer", deposit.customerId],
    ["asked for", moneyText(deposit.requestedAmountInFiat)],
    ["in crypto", moneyText(deposit.requestedAmountInCryptoAtFixedRate)],
    ["fixed rate", rateText(deposit.fixedExchangeRate)],
    ["rate ends", instantText(deposit.expiryDate)],
    ["to", nameOf(deposit.accountId)],
    ["pay to address", deposit.receiverAddress],
    ["created", instantText(deposit.createdDate)],
    ["credit order", deposit.creditOrderAlphanumericId ?? deposit.creditOrderId],
    ["duplicate of", deposit.duplicatedFromDepositId],
    ["callbackUrl", deposit.callbackUrl],
    ...(deposit.receivedFunds ?? []).map((funds) => ["received", fundsText(funds)] as const),
  ]);
  return `${colors.bold(deposit.depositId)} ${shown(deposit.depositState)}\n${fields}`;
}
