/** The balance of a custody account is not what its movements imply, or cannot be proved. */
import type { BalanceProofRow } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import type { Decimal } from "../../money/index.ts";
import { amountText, shortened, tooMuchOrLittle } from "../wording.ts";
import type { BreakRule } from "./break-rule.ts";

export const balanceRule: BreakRule = {
  kind: "balance",
  severity: "alarm",
  find: ({ balanceProof }) =>
    balanceProof
      .filter(({ ties }) => !ties)
      .map((row) => {
        const { custodyAccountId, expected, found, difference } = row;
        return {
          key: `custody-account:${custodyAccountId}`,
          custodyAccountId,
          severity: difference === undefined ? "warning" : "alarm",
          field: "total",
          ...present({ expected: expected?.normalized().toString(), found: found?.normalized().toString() }),
          sentence: `Custody account ${shortened(custodyAccountId)} ${balanceText(row)}`,
        };
      }),
};

function balanceText(row: BalanceProofRow): string {
  const { opening, expected, found, difference, currency } = row;
  if (opening === undefined || expected === undefined)
    return `has no opening balance in ${currency}, so its balance is not proved; \`paydrop reconcile baseline\` takes one.`;
  if (found === undefined || difference === undefined)
    return `should hold ${amountText({ currency, value: expected })}, but the service gave no balance in ${currency}.`;
  return `should hold ${amountText({ currency, value: expected })} (${rollForward(row, opening)}), but the service says ${amountText({ currency, value: found })}: ${tooMuchOrLittle(difference, currency)}${uncounted(row)}.`;
}

function rollForward({ received, transferredIn, sent, fees }: BalanceProofRow, opening: Decimal): string {
  return `opening ${opening.normalized()} + received ${received.normalized()} + transferred in ${transferredIn.normalized()} - sent ${sent.normalized()} - fees ${fees.normalized()}`;
}

function uncounted({ uncountedMovements }: BalanceProofRow): string {
  if (uncountedMovements === 0) return "";
  return `; ${uncountedMovements} movements without an amount or in another currency are not counted`;
}
