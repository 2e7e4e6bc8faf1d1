/** An amount goes through a binary number on its way. */

import { Decimal } from "../../../src/money/index.ts";
import * as original from "../../../src/payments/sending/creation-body.ts";

export * from "../../../src/payments/sending/creation-body.ts";

export const businessFields: typeof original.businessFields = (...given) => {
  const fields = original.businessFields(...given);
  const { currency, amount } = fields.requestedAmount;
  const rounded = Decimal.of(Number.parseFloat(amount.toString()).toFixed(7));
  return { ...fields, requestedAmount: { currency, amount: rounded } };
};
