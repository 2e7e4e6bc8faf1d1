/** Submissions: why an instruction is not paid, or not known to be paid (ARCHITECTURE.md, "The money protocol"). */
import { entriesOf, text } from "./entry.ts";

/** Why a payment is not paid another way: it is being paid again already. */
const PAID_AGAIN = {
  "paid-again": "it is paid again as {as}",
  "begun-again": text(
    "paying it again as {as} was begun and not submitted;",
    "`paydrop pay again {quoted} --as {quotedAs} --reason WHY` goes on with it",
  ),
} as const;

export const executionFaults = entriesOf("needs-person", {
  LANE_TAKEN: {
    message: "another process already works with this client key{holder}",
    fix: "Let it finish, or stop it. Two processes on one key would disturb each other's nonces.",
    next: "will-retry",
  },
  LANE_LOST: {
    message: "this process may no longer use its client key: {reason}",
    fix: "Run it again: it first looks for what was being sent.",
    next: "will-retry",
  },
  NONCES_EXHAUSTED: {
    message: "the next nonce would exceed the int64 range",
    fix: "Ask the service's operator for a new key.",
  },
  IDENTITY_CHANGED: {
    message: "payments in doubt were sent with another {what}: {count}",
    fix: "Put the old setting back and run `paydrop pay`, or decide each payment that `paydrop doubt` lists.",
  },
  ANOTHER_SERVICE: {
    message:
      "{baseUrl} does not show payout {payoutId}, created at {before}: nothing is sent to this other service",
    fix:
      "Put `service.baseUrl` (PAYDROP_SERVICE_BASE_URL) back, or run `paydrop reconcile baseline` to use this " +
      "service from now on.",
  },
  APPROVAL_EXPIRED: {
    message: "the approval of batch {batch} has expired, so this payout is not sent",
    fix: "Approve the batch again, or `paydrop reject` it.",
  },
  APPROVAL_LACKING: {
    message: "batch {batch} no longer has the approvals that the rules require, so this payout is not sent",
    fix: "`paydrop status` shows who must approve it now.",
  },
  APPROVAL_UNFIT: {
    message: "this payout is held back: {reason}",
    fix: "See `paydrop preview {batch}`. Approve it again, correct the configuration, or `paydrop reject` it.",
  },
  PAYOUT_IN_DOUBT: {
    message: "it is not known whether the service created this payout: {evidence}",
    fix:
      "Do not pay it in another way. `paydrop pay` looks for it again, and repeats the request only if " +
      "`nonce.rule` allows that. `paydrop doubt` shows what may be decided.",
  },
  PAYOUT_REFUSED: {
    message: "the service refused this payout ({status}): {text}",
    fix:
      "If it is right, correct what the service names and run `paydrop reopen REFERENCE --reason WHY`. If it is " +
      "wrong, run `paydrop doubt resolve REFERENCE --abandon --reason WHY`, and send it in corrected under a " +
      "new reference.",
    next: "service-refused",
  },
  PAYOUT_HELD: {
    message: "this payout is held: {reason}",
    fix: "Compare it with what the service shows; `paydrop doubt` shows what may be decided.",
  },
  LOOK_INCOMPLETE: {
    message: "this payment was not sent, because the look for an existing payout was incomplete: {reason}",
    fix:
      "The next run looks again. If the reason stays the same, run `paydrop reject REFERENCE --reason WHY` " +
      "and submit it under another reference.",
    next: "will-retry",
  },
  PAYMENT_OVER_LIMIT: {
    message: "{amount} is above `limits.{key}` ({limit}), so this payout can never be sent",
    fix: "Have treasury raise the limit, or `paydrop reject` the payment.",
  },
  DAY_LIMIT_REACHED: {
    message: "{amount} more{where} would exceed the limit of {limit} per day",
    fix: "It is sent automatically on the next day that has room for it, or treasury raises `limits.{key}`.",
    next: "will-retry",
  },
  FIRST_CREATION_REFUSED: {
    message: "the service refused the run's first payout, so the run stopped",
    fix:
      "Check the username, the custody account and `otp`. Then run `paydrop reopen REFERENCE --reason WHY`, and " +
      "`paydrop pay`.",
    next: "service-refused",
  },
  KEY_REFUSED: {
    message: "the service refused the client key or the signature, so the run stopped: {evidence}",
    fix: "Check PAYDROP_KEY, PAYDROP_SIGNING_SECRET and `signing.scheme`, then run `paydrop pay` again.",
    next: "service-refused",
  },
  ONE_TIME_CODE_USED_UP: {
    message:
      "the service refused a one-time code that the previous payout had used, so the run stopped: {evidence}",
    fix: "Set `otp.singleUse: true`. Then run `paydrop reopen REFERENCE --reason WHY`, and `paydrop pay`.",
    next: "correct-usage",
  },
  REFUSED_IN_A_ROW: {
    message: "the service refused {count} payouts in a row, so the run stopped; the last one {evidence}",
    fix:
      "Correct what the service names; set `otp.singleUse: true` if it takes each code once. Then run `paydrop " +
      "reopen REFERENCE --reason WHY`, and `paydrop pay`.",
    next: "service-refused",
  },
  CONFLICTS_IN_A_ROW: {
    message: "the service answered {count} payouts in a row with a conflict, so the run stopped",
    fix: "Find out what else uses this key, check `nonce.rule`, and run `paydrop pay` again.",
  },
  SERVICE_OUT: {
    message: "the service does not answer, so the run stopped: {evidence}",
    fix: "Run `paydrop pay` again when the service is back. Payments that were not sent go out then.",
    next: "will-retry",
  },
  CREATIONS_UNANSWERED: {
    message: "the service answers look-ups, but gives new payouts no outcome, so the run stopped: {evidence}",
    fix: "Ask the service's operator. Until it is fixed, each `paydrop pay` leaves one more payment in doubt.",
  },
  CREATIONS_PAUSED: {
    message: "the last {count} payouts all ended in doubt, so scheduled runs send nothing new until {until}",
    fix: "`paydrop doubt` shows what the service said. Once it is fixed, `paydrop pay` sends without waiting.",
    next: "will-retry",
  },
  LANE_PAUSED: {
    message: "a payout is in doubt, and under `nonce.rule: increasing` nothing may be sent after it",
    fix: "`paydrop pay` looks for it again. If it stays in doubt, ask the service's operator with its reference.",
  },
  LANE_FREE_AGAIN: {
    message:
      "under `nonce.rule: increasing` nothing was sent after a payout in doubt; its outcome is known now",
    fix: "Run `paydrop pay` again.",
    next: "will-retry",
  },
  DECISION_REFUSED: {
    message: "this decision is not possible: {reason}",
    reasons: {
      ...PAID_AGAIN,
      standing: "it is {standing}",
      held: "it is {standing}: {why}",
      undecidable: "it is {standing}, and there is nothing to decide in this way",
      "not-refused": "it is {standing}, not refused",
      accepted: "it is accepted with payout {payout}",
      "accepted-already": "it is accepted with payout {payout} already",
      unlike: "the payout has {differences}",
      owned: "payout {payout} belongs to {owner}",
      unshown: "the service shows no payout {payout}",
      unreadable: "the service shows payout {payout}, but not so that it can be read: {problem}",
      shown: "the service shows payout {payout} for it, which is {state}",
      "shown-under": "the service shows {payouts} under it",
      incomplete: "it was {look}; try again",
      "incomplete-abandon": "it was {look}; try again, or add {option} if that will not change",
      stopped: "the command was stopped before anything was sent",
      left: "it is {standing}, and only what has not left can be withdrawn",
      "left-accepted": text(
        "it is accepted, and only what has not left can be withdrawn;",
        "`paydrop payouts void` asks the service to void its payout",
      ),
      approved: "it was approved meanwhile; recall it if it must not be paid",
      awaiting: "its batch {batch} awaits approval: recall the batch, and submit a file without this payment",
      "not-awaiting": "it no longer awaits approval: recall the payments that must not be sent",
      "none-waits": "no payment of this batch waits to be sent",
      "none-open": "nothing of it is in doubt or held",
      "none-refused": "no payment of this batch is refused and not paid or submitted again",
      submitted: text(
        "the same amount was submitted to the same destination since as {named}, which is {standing};",
        "if both are to be paid, `paydrop pay again` asks for an approval of this one",
      ),
      "not-in-doubt": "it is {outcome}, not in doubt",
      subject: "it is about {subject}, not about {named}",
      "no-deposit": "the service shows no deposit {deposit} under its reference",
      "deposit-owned": "deposit {deposit} is that of change {change}",
      look: "{look}",
      "look-again": "{look}; try again",
      "look-abandon": "{look}; try again, or add {option} if that will not change",
    },
    fix: "`paydrop doubt` and `paydrop explain REFERENCE` show the evidence and what may be decided.",
  },
  PAY_AGAIN_REFUSED: {
    message: "the payment may not be paid again: {reason}",
    reasons: {
      ...PAID_AGAIN,
      standing: "it is {standing}",
      undecided: "nobody has decided that",
      look: "{obstacle}",
    },
    fix:
      "Only a payment that was refused, never sent, or failed without paying may be paid again (`paydrop " +
      "explain REFERENCE`). If it was abandoned in doubt and is still owed, submit it in another file, under a " +
      "new reference.",
  },
  SENDING_STOPPED: {
    message: "nothing is sent: {reason}",
    fix: "`paydrop go --reason WHY` lets payments go out again.",
  },
  SENDING_RESTS: {
    message: "nothing new is sent now: {reason}",
    fix: "Nothing to do: the daemon sends again automatically; without it, run `paydrop pay` then.",
    next: "will-retry",
  },
  STOP_ORDER_CHANGED: {
    message: "another stop order was given meanwhile and is in force: {order}",
    fix: "Find out why; then lift it with `paydrop go --reason WHY`.",
  },
  SUBMISSION_CHANGED: {
    message: "the request would differ from the one that was sent before (fields, operation, address or key)",
    fix: "Restore the configuration of then, or abandon the payment; `paydrop doubt` shows the consequences.",
  },
  PAYOUT_SHOWN_CHANGED: {
    message: "the service shows this payout with other values than were sent: {what}",
    fix:
      "Find out why before more is paid; until then doubts of this key are not sent again. If the service " +
      "changes references, set `reference.maxLength` and `reference.pattern`; if it shows no callbackUrl, " +
      "`service.correlation: reference`. Otherwise ask its operator.",
  },
  DEPOSIT_SHOWN_CHANGED: {
    message: "the service shows this deposit with other values than were requested: {what}",
    fix: "Do not use its address, and ask the service's operator.",
  },
  ANOTHER_PAYOUT_SHOWN: {
    message: text(
      "the service answered with payout {payoutId}, but shows {others} under its reference: perhaps it is paid",
      "twice",
    ),
    fix:
      "Compare them with `paydrop payouts show ID`, and ask the service's operator. Void only a payout that no " +
      "payment of ours asked for; if two payments have each other's, `paydrop reconcile` says what to do.",
  },
  CUSTODY_ACCOUNT_GONE: {
    message: "the custody account {id} of this payment is no longer in the configuration",
    fix: "Restore it under `custodyAccounts`; until then nothing is sent from it.",
  },
  CHANGE_IN_DOUBT: {
    message: "it is not known whether {operation} of {subject} was done: {evidence}",
    fix:
      "Look with `payouts show` or `deposits show` before you ask for it again. `paydrop doubt` shows what may " +
      "be decided.",
  },
  DEPOSIT_ALREADY_ASKED_FOR: {
    message: "{person} asked for a deposit with this reference at {when}; its depositId is {depositId}",
    fix: "`paydrop deposits show REFERENCE` shows it; use another reference for another deposit.",
    next: "correct-usage",
  },
  OTP_FAILED: {
    message: "no one-time code could be made: {reason}",
    fix: "Check `otp` in the configuration and PAYDROP_OTP_SECRET.",
    next: "correct-usage",
  },
});
