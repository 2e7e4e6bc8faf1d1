/** Deposits as the service shows them, for people. */
import type { SearchReport } from "../../pipeline/search-step.ts";
import type { Deposit } from "../../wire/index.ts";
import type { Colors } from "../output.ts";
import { fieldsText } from "./fields-text.ts";
import { shown } from "./problem-text.ts";
import { figures, textTable } from "./text-table.ts";
import { fundsText, instantText, moneyText, type NameOf, rateText, searchNotes } from "./wire-text.ts";

export function depositsText(report: SearchReport<Deposit>, nameOf: NameOf): string {
  if (report.found.length === 0)
    return ["The service shows no such deposit.", ...searchNotes(report)].join("\n");
  const table = textTable(
    ["deposit", "reference", figures("asked for"), "to", "state", figures("received"), "created"],
    report.found.map((deposit) => [
      deposit.depositId,
      deposit.reference ?? "",
      moneyText(deposit.requestedAmountInFiat ?? deposit.requestedAmountInCryptoAtFixedRate),
      nameOf(deposit.accountId),
      deposit.depositState,
      (deposit.receivedFunds ?? []).map(({ amount }) => moneyText(amount)).join(" + "),
      instantText(deposit.createdDate),
    ]),
  );
  return [table, ...searchNotes(report)].join("\n");
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
