/** All break kinds, in the order in which a report shows them within one severity. */
import type { BreakDetector } from "../break-kind.ts";
import { againstStandingBreak } from "./against-standing.ts";
import { amountBreak } from "./amount.ts";
import { balanceBreak } from "./balance.ts";
import { currencyBreak } from "./currency.ts";
import { custodyAccountBreak } from "./custody-account.ts";
import { depositAfterVoidBreak } from "./deposit-after-void.ts";
import { depositLateBreak } from "./deposit-late.ts";
import { depositOverBreak } from "./deposit-over.ts";
import { depositUnderBreak } from "./deposit-under.ts";
import { destinationBreak } from "./destination.ts";
import { duplicateReferenceBreak } from "./duplicate-reference.ts";
import { failedBreak } from "./failed.ts";
import { feeBreak } from "./fee.ts";
import { ledgerFieldBreak } from "./ledger-field.ts";
import { missingBreak } from "./missing.ts";
import { mixedUpBreak } from "./mixed-up.ts";
import { notShownBreak } from "./not-shown.ts";
import { paidTwiceBreak } from "./paid-twice.ts";
import { referenceBreak } from "./reference.ts";
import { sentAmountBreak } from "./sent-amount.ts";
import { stuckBreak } from "./stuck.ts";
import { unexpectedBreak } from "./unexpected.ts";
import { unknownStateBreak } from "./unknown-state.ts";

export const BREAK_KINDS: readonly BreakDetector[] = [
  duplicateReferenceBreak,
  paidTwiceBreak,
  againstStandingBreak,
  unexpectedBreak,
  missingBreak,
  mixedUpBreak,
  notShownBreak,
  destinationBreak,
  amountBreak,
  currencyBreak,
  custodyAccountBreak,
  sentAmountBreak,
  failedBreak,
  balanceBreak,
  unknownStateBreak,
  stuckBreak,
  feeBreak,
  referenceBreak,
  ledgerFieldBreak,
  depositAfterVoidBreak,
  depositLateBreak,
  depositUnderBreak,
  depositOverBreak,
];
