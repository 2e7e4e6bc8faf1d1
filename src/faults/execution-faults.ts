/** Submissions: why an instruction is not paid, or not known to be paid (ARCHITECTURE.md, "The money protocol"). */
import { entriesOf } from "./entry.ts";

export const executionFaults = entriesOf("needs-person", {
  LANE_TAKEN: {
    message: "another process holds the lane of this key{holder}",
    fix: "Let it finish, or stop it; two senders on one key would disturb each other's nonces.",
    next: "will-retry",
  },
  LANE_LOST: {
    message: "this process no longer holds the lane of its key: {reason}",
    fix: "Run it again: it first looks for what was being sent. If this happens often, check the connection to the database.",
    next: "will-retry",
  },
  NONCES_EXHAUSTED: {
    message: "the next nonce would exceed the int64 range",
    fix: "Ask the service's operator for a new key.",
  },
  IDENTITY_CHANGED: {
    message: "the {what} is not the one that payments in doubt were sent with: {count}",
    fix: "Put the old setting back and run `paydrop pay`. If it no longer exists, decide about each payment: `paydrop doubt` lists them.",
  },
  ANOTHER_SERVICE: {
    message:
      "{baseUrl} does not show payout {payoutId}, which was created at {before}: it is another service or another environment, so nothing is sent to it",
    fix: "Put `service.baseUrl` back, also in the environment (PAYDROP_SERVICE_BASE_URL). If this is the service from now on, run `paydrop reconcile baseline` to start with it; then payments go out.",
  },
  APPROVAL_EXPIRED: {
    message: "the approval of batch {batch} has expired, so this payout is not sent",
    fix: "Approve the batch again, or reject it with `paydrop reject`.",
  },
  APPROVAL_LACKING: {
    message: "batch {batch} no longer has the approvals that the rules require, so this payout is not sent",
    fix: "`paydrop status` says who must approve it now. Or reject it with `paydrop reject`.",
  },
  APPROVAL_UNFIT: {
    message: "this payout is held back: {reason}",
    fix: "`paydrop preview {batch}` shows what would be approved now, and what of it must be accepted. Approve it again, correct the configuration, or reject the payment with `paydrop reject`.",
  },
  PAYOUT_IN_DOUBT: {
    message: "it is not known whether the service created this payout: {evidence}",
    fix: "Do not pay it in another way. `paydrop pay` looks for it, and sends the same request once more only where `nonce.rule` allows it; if it stays in doubt, `paydrop doubt` says what may be decided.",
  },
  PAYOUT_REFUSED: {
    message: "the service refused this payout ({status}): {text}",
    fix: "If it is right, fix what the service names and run `paydrop reopen REFERENCE --reason WHY`. If it is wrong, give it up first (`paydrop doubt resolve REFERENCE --abandon --reason WHY`), so that nobody re-opens it; then drop it corrected in a new file, under a new reference.",
    next: "service-refused",
  },
  PAYOUT_HELD: {
    message: "this payout is held: {reason}",
    fix: "Nothing is sent. `paydrop doubt` says what may be decided; compare it with what the service shows first.",
  },
  LOOK_INCOMPLETE: {
    message: "this payment is not sent, because the look for it right before was incomplete: {reason}",
    fix: "The next run looks again. If the reason stays the same, the service confuses its reference with others: reject it with `paydrop reject REFERENCE --reason WHY`, and submit it under another reference.",
    next: "will-retry",
  },
  PAYMENT_OVER_LIMIT: {
    message: "{amount} alone is more than `limits.{key}`, {limit}, so this payout can never be sent",
    fix: "Have treasury raise the limit, or reject the payment with `paydrop reject`.",
  },
  DAY_LIMIT_REACHED: {
    message: "{amount} more{where} would exceed the limit of {limit} per day",
    fix: "It is sent automatically on the next day that has room for it, or treasury raises `limits.{key}`.",
    next: "will-retry",
  },
  FIRST_CREATION_REFUSED: {
    message: "the first creation of the run was refused, so the run stopped",
    fix: "Check the username, the one-time code source (`otp`; `otp.singleUse: true` where the service takes each code once) and the custody account, then `paydrop reopen REFERENCE --reason WHY` for that one and `paydrop pay`.",
    next: "service-refused",
  },
  KEY_REFUSED: {
    message: "the service refused the client key or the signature, so the run stopped: {evidence}",
    fix: "Check PAYDROP_KEY, PAYDROP_SIGNING_SECRET and `signing.scheme`, then run `paydrop pay` again.",
    next: "service-refused",
  },
  ONE_TIME_CODE_USED_UP: {
    message:
      "the service refused a one-time code that the previous payout had carried, so the run stopped: {evidence}",
    fix: "Set `otp.singleUse: true`, send the refused one again with `paydrop reopen REFERENCE --reason WHY` (BATCH instead for all of a batch), then run `paydrop pay` again.",
    next: "correct-usage",
  },
  REFUSED_IN_A_ROW: {
    message: "{count} creations in a row were refused, so the run stopped; the last one {evidence}",
    fix: "Correct what the service names, set `otp.singleUse: true` where it takes each one-time code once, send the refused ones again with `paydrop reopen REFERENCE --reason WHY` (BATCH instead for all of a batch), then run `paydrop pay` again.",
    next: "service-refused",
  },
  CONFLICTS_IN_A_ROW: {
    message: "{count} creations in a row met a conflict, so the run stopped",
    fix: "Find out what else uses this key, and check `nonce.rule`; then run `paydrop pay` again.",
  },
  SERVICE_OUT: {
    message: "the service does not answer, so the run stopped: {evidence}",
    fix: "Run `paydrop pay` again when the service is back; what was not sent goes out then.",
    next: "will-retry",
  },
  CREATIONS_UNANSWERED: {
    message:
      "the service answers look-ups, but does not say what became of creations, so the run stopped: {evidence}",
    fix: "Ask the service's operator what is wrong with creations. Until it is fixed, each `paydrop pay` leaves one more payment in doubt; scheduled runs try less and less often.",
  },
  CREATIONS_PAUSED: {
    message:
      "the last {count} creations all ended in doubt, so scheduled runs start nothing new until {until}",
    fix: "Find out what is wrong with creations: `paydrop doubt` shows what the service said. Once it is fixed, `paydrop pay` sends without waiting.",
    next: "will-retry",
  },
  LANE_PAUSED: {
    message: "a payout is in doubt, and under `nonce.rule: increasing` nothing may be sent after it",
    fix: "`paydrop pay` looks for it again; ask the service with the reference if it stays in doubt.",
  },
  LANE_FREE_AGAIN: {
    message:
      "a payout was in doubt, so under `nonce.rule: increasing` nothing was sent after it; its outcome is known now",
    fix: "Run `paydrop pay` again: what was not sent is still due.",
    next: "will-retry",
  },
  DECISION_REFUSED: {
    message: "this decision is refused: {reason}",
    fix: "`paydrop doubt` and `paydrop explain REFERENCE` show the evidence and what may be decided.",
  },
  PAY_AGAIN_REFUSED: {
    message: "the payment may not be paid again: {reason}",
    fix: "Only a payment that was refused, that never left, or whose payout failed without leaving, may be paid again; `paydrop explain REFERENCE` shows its history. If a payment was abandoned in doubt and is still owed, submit it in another file, under a new reference.",
  },
  SENDING_STOPPED: {
    message: "nothing is sent: {reason}",
    fix: "`paydrop go --reason WHY` lets payments go out again.",
  },
  SENDING_RESTS: {
    message: "nothing new is sent now: {reason}",
    fix: "Nothing to do: the daemon goes on by itself, or run `paydrop pay` then. `calendar` of the configuration says when payments are sent.",
    next: "will-retry",
  },
  STOP_ORDER_CHANGED: {
    message: "another stop order was given meanwhile, and it stands: {order}",
    fix: "Find out what it is about; then `paydrop go --reason WHY` lifts it.",
  },
  SUBMISSION_CHANGED: {
    message:
      "the request would differ from the one that was sent before, in its fields, the operation, the address or the key",
    fix: "Restore the configuration as it was then, or abandon the payment: `paydrop doubt` says what that leads to.",
  },
  PAYOUT_SHOWN_CHANGED: {
    message: "the service shows this payout differently from how it was sent: {what}",
    fix: "Find out why before more is paid. If it changes references, `reference.maxLength` and `reference.pattern` can refuse those; if it shows no callbackUrl, set `service.correlation: reference`; if the payout pays something other than what was requested, the service's operator must explain that. Until a payout of this key comes back as it was sent, no payment in doubt is sent again automatically.",
  },
  DEPOSIT_SHOWN_CHANGED: {
    message: "the service shows this deposit differently from what it was asked for with: {what}",
    fix: "Give its address to nobody, and ask the service's operator. `paydrop deposits show ID` shows it again.",
  },
  ANOTHER_PAYOUT_SHOWN: {
    message:
      "the service answered with payout {payoutId}, but under its reference it shows {others}: it may be paid twice, or somebody else used the reference",
    fix: "Compare them with `paydrop payouts show ID`, and ask the service's operator. Void only a payout that no payment asked for: if two payments have each other's payouts, `paydrop reconcile` says how to correct that.",
  },
  CUSTODY_ACCOUNT_GONE: {
    message: "this payment is from the custody account {id}, which the configuration no longer has",
    fix: "Restore the account under `custodyAccounts`; until then nothing is sent from it.",
  },
  CHANGE_IN_DOUBT: {
    message: "it is not known whether {operation} of {subject} was done: {evidence}",
    fix: "`paydrop doubt` lists it with what may be decided; look at it with `payouts show` or `deposits show` before you ask for it again.",
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
