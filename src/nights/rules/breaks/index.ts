/** All break rules. */
import { balanceRule } from "./balance.ts";
import { booksTieRule } from "./books-tie.ts";
import type { BreakRule } from "./break-rule.ts";
import { COURSE_RULES } from "./course.ts";
import { DEPOSIT_FIELD_RULES } from "./deposit-fields.ts";
import { DEPOSIT_RULES } from "./deposits.ts";
import { ERP_RULES } from "./erp.ts";
import { EXISTENCE_RULES } from "./existence.ts";
import { FIELD_RULES } from "./fields.ts";
import { RECEIPT_RULES } from "./receipts.ts";
import { sentClaimedTwiceRule } from "./sent-claimed-twice.ts";
import { WAITING_RULES } from "./waiting.ts";

export const BREAK_RULES: readonly BreakRule[] = [
  ...EXISTENCE_RULES,
  ...FIELD_RULES,
  ...COURSE_RULES,
  ...WAITING_RULES,
  sentClaimedTwiceRule,
  ...DEPOSIT_FIELD_RULES,
  ...DEPOSIT_RULES,
  ...RECEIPT_RULES,
  balanceRule,
  booksTieRule,
  ...ERP_RULES,
];
