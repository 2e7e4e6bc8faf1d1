/** The balance of a custody account differs from its movements, or cannot be proved. */
import type { BalanceProofRow, BreakSeverity } from "../../../model/index.ts";
import { present } from "../../../model/present.ts";
import type { Decimal } from "../../../money/index.ts";
import { amountText, custodyName, tooMuchOrLittle, uncountedText } from "../wording.ts";
import type { BreakRule } from "./break-rule.ts";

export const balanceRule: BreakRule = {
  kind: "balance",
  severity: "alarm",
  find: ({ balanceProof, policy }) =>
    balanceProof
      .filter(({ ties }) => !ties)
      .map((row) => {
        const { custodyAccountId, difference } = row;
        return {
          key: `custody-account:${custodyAccountId}`,
          custodyAccountId,
          severity: severityOf(row),
          // Not the totals: they move every day, and would open a settled difference again each time.
          field: "difference",
          ...present({
            found: difference?.normalized().toString(),
            amount: difference && { currency: row.currency, value: difference.absolute() },
          }),
          sentence:
            `Custody account ${custodyName(custodyAccountId, policy)} ` +
            `${balanceText(row)}${policy.custodyAccounts?.has(custodyAccountId) === false ? NOT_ASKED : ""}`,
        };
      }),
};

const NOT_ASKED =
  " It is not in `custodyAccounts`, so its balance was not read. " +
  "Add it, or settle this if the account is closed or not yours.";

function severityOf(row: BalanceProofRow): BreakSeverity {
  if (row.difference === undefined) return "warning";
  return isUnconfirmedOnly(row) ? "note" : "alarm";
}

function balanceText(row: BalanceProofRow): string {
  const { opening, expected, found, difference, currency } = row;
  if (opening === undefined && found === undefined)
    return (
      `has no opening balance in ${currency}, so its balance is not proved. The service gave no ` +
      `balance in ${currency} for \`paydrop reconcile baseline\`.`
    );
  if (opening === undefined || expected === undefined)
    return (
      `has no opening balance in ${currency}, so its balance is not proved. \`paydrop reconcile ` +
      `baseline\` takes one.`
    );
  if (found === undefined || difference === undefined)
    return (
      `should hold ${amountText({ currency, value: expected })}, but the service gave no balance in ` +
      `${currency} that can be read.`
    );
  return (
    `should hold ${amountText({ currency, value: expected })} (${rollForward(row, opening)}), but ` +
    `the service says ${amountText({ currency, value: found })}: ` +
    `${tooMuchOrLittle(difference, currency)}${explanation(row)}${uncountedText(row.uncountedMovements)}.`
  );
}

/** Whether the difference is exactly the unconfirmed movements, which a service may include in its total or not. */
function isUnconfirmedOnly({ difference, unconfirmedIn, unconfirmedOut }: BalanceProofRow): boolean {
  const leftOut = [unconfirmedOut, unconfirmedOut.minus(unconfirmedIn), unconfirmedIn.negated()];
  return leftOut.some((sum) => !sum.isZero() && difference?.equals(sum) === true);
}

/** The sum that exactly equals the difference, and what would make it tie. */
function explanation(row: BalanceProofRow): string {
  const equals = (sum: Decimal) => !sum.isZero() && row.difference?.absolute().equals(sum) === true;
  if (isUnconfirmedOnly(row)) return ", exactly the unconfirmed movements";
  if (equals(row.sharedFees))
    return ", exactly the fees of payouts that share a transaction; the other value of `ledger.batchFee` makes it tie";
  if (equals(row.depositFees))
    return ", exactly the fees shown on receipts; the other value of `ledger.depositFee` makes it tie";
  return "";
}

function rollForward({ received, transferredIn, sent, fees }: BalanceProofRow, opening: Decimal): string {
  return (
    `opening ${opening.normalized()} + received ${received.normalized()} + transferred in ` +
    `${transferredIn.normalized()} - sent ${sent.normalized()} - fees ${fees.normalized()}`
  );
}
