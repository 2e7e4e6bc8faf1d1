/** All break rules, and the order of their kinds in a report. */
import type { BreakKind } from "../../model/index.ts";
import { balanceRule } from "./balance.ts";
import type { BreakRule } from "./break-rule.ts";
import { COURSE_RULES } from "./course.ts";
import { DEPOSIT_RULES } from "./deposits.ts";
import { EXISTENCE_RULES } from "./existence.ts";
import { FIELD_RULES } from "./fields.ts";

export const BREAK_RULES: readonly BreakRule[] = [
  ...EXISTENCE_RULES,
  ...FIELD_RULES,
  ...COURSE_RULES,
  ...DEPOSIT_RULES,
  balanceRule,
];

/** Within one severity. */
export const KIND_ORDER: readonly BreakKind[] = [
  "duplicate-reference",
  "paid-twice",
  "against-standing",
  "unexpected",
  "missing",
  "mixed-up",
  "not-shown",
  "destination",
  "amount",
  "currency",
  "custody-account",
  "sent-amount",
  "failed",
  "balance",
  "unknown-state",
  "stuck",
  "fee",
  "reference",
  "ledger-field",
  "deposit-after-void",
  "deposit-late",
  "deposit-under",
  "deposit-over",
];
