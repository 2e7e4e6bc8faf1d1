/** The treasury of the ledger differs from the booked movements. */
import { amountText, custodyName } from "../wording.ts";
import type { BreakRule } from "./break-rule.ts";

export const booksTieRule: BreakRule = {
  kind: "ledger-treasury",
  severity: "alarm",
  find: ({ untiedLedger, policy }) =>
    untiedLedger.map(({ custodyAccountId, currency, ledger, shown }) => {
      const difference = ledger.minus(shown);
      const apart = { currency, value: difference.absolute() };
      const side = difference.isNegative() ? "less" : "more";
      return {
        key: `custody-account:${custodyAccountId}`,
        custodyAccountId,
        // As for balances: the totals move every day, the difference does not.
        field: "difference",
        found: difference.normalized().toString(),
        amount: apart,
        sentence:
          `The ledger's treasury of ${custodyName(custodyAccountId, policy)} has ${amountText(apart)} ` +
          `${side} than the booked movements, as the service shows them. See \`paydrop ledger report ` +
          `tie-out\`.`,
      };
    }),
};
