/** Payouts as the service shows them, for people. */
import { GENERAL_LEDGER_FIELDS, minuteText } from "../../model/index.ts";
import { formatAmount } from "../../money/index.ts";
import type { OwnPayout } from "../../payments/named/own-payout.ts";
import type { Payout } from "../../wire/index.ts";
import type { Colors } from "../output.ts";
import { shown } from "./problem-text.ts";
import { fieldsText } from "./text-parts.ts";
import { figures, textTable } from "./text-table.ts";
import { fundsText, instantText, moneyText, type NameOf, yesNo } from "./wire-text.ts";

export function payoutsText(payouts: readonly Payout[], nameOf: NameOf): string {
  return textTable(
    ["payout", "reference", figures("amount"), "from", "state", "created"],
    payouts.map((payout) => [
      payout.payoutId,
      payout.reference ?? "",
      moneyText(payout.requestedAmount),
      nameOf(payout.accountId),
      payout.payoutState,
      instantText(payout.createdDate),
    ]),
  );
}

/** A payout that the service does not show yet, described by its payment. */
export function unshownPayoutText({ payoutId, fields }: OwnPayout): string {
  const { reference, amount, destinationAddress, destinationAccountId } = fields;
  const requested = fieldsText([
    ["reference", reference],
    ["amount", formatAmount(amount)],
    ["to address", destinationAddress],
    ["to account", destinationAccountId],
  ]);
  return `${shown(payoutId)}, which the service answered for this payment and does not show yet\n${requested}`;
}

/** Every field, and who must still authorize, from which group, until when. */
export function payoutText(payout: Payout, nameOf: NameOf, colors: Colors): string {
  const fields = fieldsText([
    ["reference", payout.reference],
    ["amount", moneyText(payout.requestedAmount)],
    ["from", nameOf(payout.accountId)],
    ["to address", payout.destinationAddress],
    ["to account", payout.destinationAccountId && nameOf(payout.destinationAccountId)],
    ["created", instantText(payout.createdDate)],
    ["fee policy", feeText(payout)],
    ["fee subtracted", yesNo(payout.subtractFee)],
    ["batching allowed", yesNo(payout.batchingAllowed)],
    ["coin consolidation", yesNo(payout.useCoinConsolidation)],
    ["order code", payout.orderCodeName],
    ["debit order", payout.debitOrderAlphanumericId],
    [
      "ledger",
      GENERAL_LEDGER_FIELDS.map((field) => payout[field])
        .filter(Boolean)
        .join(" / "),
    ],
    ["callbackUrl", payout.callbackUrl],
    ...(payout.sentFunds ?? []).map((funds) => ["sent", fundsText(funds)] as const),
    ["authorization", payout.authorization?.state],
  ]);
  const head = `${colors.bold(payout.payoutId)} ${shown(payout.payoutState)}`;
  return [head, fields, ...signatures(payout)].filter((part) => part !== "").join("\n");
}

type Authorization = NonNullable<Payout["authorization"]>;
type Signer = NonNullable<Authorization["cosignerAuthorizations"]>[number];

function signatures({ authorization }: Payout): string[] {
  const all = authorization?.cosignerAuthorizations ?? [];
  if (all.length === 0) return [];
  const open = all.filter(({ state }) => state === "PENDING");
  const rows = all.map(({ username, userGroupName, state, expire }) => [
    username ?? "",
    userGroupName ?? "",
    state ?? "",
    expire === undefined ? "" : minuteText(expire),
  ]);
  const table = textTable(["cosigner", "group", "state", "until"], rows);
  return [
    open.length === 0
      ? "  nobody must still authorize it"
      : `  must still authorize it: ${open.map(signerText).join("; ")}`,
    table.replace(/^/gm, "  "),
  ];
}

function signerText({ username, userGroupName, expire }: Signer): string {
  const group = userGroupName === undefined ? "" : ` of ${shown(userGroupName)}`;
  const until = expire === undefined ? "" : `, until ${minuteText(expire)}`;
  return `${shown(username ?? "somebody")}${group}${until}`;
}

function feeText({ feePolicy, customFeeRate }: Payout): string | undefined {
  return customFeeRate === undefined ? feePolicy : `${feePolicy ?? ""} ${customFeeRate} sat/vB`.trim();
}
