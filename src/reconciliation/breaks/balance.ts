/** The balance of a custody account is not what its movements imply, or cannot be proved. */
import type { BalanceProofRow } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import type { Decimal } from "../../money/index.ts";
import { breakKind, type Finding } from "../break-kind.ts";
import { amountText, custodyName, tooMuchOrLittle } from "../wording.ts";

interface BalanceFinding extends Finding {
  readonly row: BalanceProofRow;
  /** "treasury-btc" */
  readonly account: string;
}

export const balanceBreak = breakKind<BalanceFinding>({
  kind: "balance",
  severity: ({ row }) => (row.difference === undefined ? "warning" : "alarm"),
  *detect({ balanceProof, policy }) {
    for (const row of balanceProof) {
      if (row.ties) continue;
      const { custodyAccountId, expected, found } = row;
      yield {
        key: `custody-account:${custodyAccountId}`,
        custodyAccountId,
        row,
        account: custodyName(custodyAccountId, policy),
        field: "total",
        ...present({ expected: expected?.normalized().toString(), found: found?.normalized().toString() }),
      };
    }
  },
  sentence: ({ row, account }) => {
    const subject = `Custody account ${account}`;
    const { opening, expected, found, difference, currency } = row;
    if (opening === undefined || expected === undefined)
      return `${subject} has no opening balance in ${currency}, so its balance is not proved; \`paydrop reconcile baseline\` takes one.`;
    if (found === undefined || difference === undefined)
      return `${subject} should hold ${amountText({ currency, value: expected })}, but the service gave no balance in ${currency}.`;
    return `${subject} should hold ${amountText({ currency, value: expected })} (${rollForward(row, opening)}), but the service says ${amountText({ currency, value: found })}: ${tooMuchOrLittle(difference, currency)}${uncounted(row)}.`;
  },
});

function rollForward({ received, transferredIn, sent, fees }: BalanceProofRow, opening: Decimal): string {
  return `opening ${opening.normalized()} + received ${received.normalized()} + transferred in ${transferredIn.normalized()} - sent ${sent.normalized()} - fees ${fees.normalized()}`;
}

function uncounted({ uncountedMovements }: BalanceProofRow): string {
  if (uncountedMovements === 0) return "";
  return `; ${uncountedMovements} movements without an amount or in another currency are not counted`;
}
