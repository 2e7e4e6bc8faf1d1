/** All break rules, in the order in which a report shows their kinds within one severity. */
import { balanceRule } from "./balance.ts";
import type { BreakRule } from "./break-rule.ts";
import {
  failedRule,
  feeRule,
  sentAmountRule,
  stuckRule,
  unknownDepositStateRule,
  unknownPayoutStateRule,
} from "./course.ts";
import {
  depositAfterVoidRule,
  depositCurrencyRule,
  depositLateRule,
  depositOverRule,
  depositUnderRule,
} from "./deposits.ts";
import {
  againstStandingRule,
  duplicateReferenceRule,
  missingRule,
  mixedUpRule,
  notShownRule,
  paidTwiceRule,
  unexpectedRule,
} from "./existence.ts";
import {
  amountRule,
  currencyRule,
  custodyAccountRule,
  destinationRule,
  ledgerFieldRule,
  referenceRule,
} from "./fields.ts";

export const BREAK_RULES: readonly BreakRule[] = [
  duplicateReferenceRule,
  paidTwiceRule,
  againstStandingRule,
  unexpectedRule,
  missingRule,
  mixedUpRule,
  notShownRule,
  destinationRule,
  amountRule,
  currencyRule,
  depositCurrencyRule,
  custodyAccountRule,
  sentAmountRule,
  failedRule,
  balanceRule,
  unknownPayoutStateRule,
  unknownDepositStateRule,
  stuckRule,
  feeRule,
  referenceRule,
  ledgerFieldRule,
  depositAfterVoidRule,
  depositLateRule,
  depositUnderRule,
  depositOverRule,
];
