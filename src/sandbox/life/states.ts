/**
 * The states of payouts and deposits, a row each, with what ends each and the state after it. The interface lists the
 * states and no transitions; these are the sandbox's own. A state without a row is final.
 */
export type StateEvent =
  /** Time: `stepMs` after the state began, or at the end of the cosigners' time where it waits for them. */
  | "step"
  /** The same, for a payout with cosigners: of whom some have to decide, or all have. */
  | "stepToCosigners"
  | "stepCosigned"
  /** The same, for a payout that confirmed money does not cover. */
  | "stepUncovered"
  | "lastCosigner"
  | "void"
  /** Funds arrived, the requested amount is confirmed, the fixed rate's time is over. */
  | "funds"
  | "paid"
  | "expiry";

interface StateRow extends Readonly<Partial<Record<StateEvent, string>>> {
  /** The failures of the seed's outcomes that take the place of its step. */
  readonly failures?: readonly string[];
}

type Life = Readonly<Record<string, StateRow>>;

const CREATION_FAILURES = ["CREATE_FAILED", "CREATE_TIMEOUT"];

/** A rejection by a cosigner is a void. */
const PAYOUT_LIFE: Life = {
  REQUESTED: { step: "CREATED", failures: CREATION_FAILURES, void: "CANCELLED" },
  CREATED: {
    step: "AUTHORIZED",
    stepToCosigners: "COSIGNER_AUTHORIZATIONS_PENDING",
    stepCosigned: "COSIGNER_AUTHORIZED",
    failures: ["CANCELLED"],
    void: "CANCELLED",
  },
  COSIGNER_AUTHORIZATIONS_PENDING: {
    step: "CANCELLED",
    lastCosigner: "COSIGNER_AUTHORIZED",
    void: "CANCELLED",
  },
  COSIGNER_AUTHORIZED: { step: "AUTHORIZED", void: "CANCELLED" },
  AUTHORIZED: { step: "SIGNING", void: "CANCELLED" },
  SIGNING: { step: "SENDING" },
  SENDING: { step: "SENT", stepUncovered: "SEND_FAILED", failures: ["SEND_FAILED"] },
  SENT: { step: "COMPLETED" },
};

/** An under-paid deposit stays RECEIVING_FUNDS. Funds that arrive in a state without `funds` do not change it. */
const DEPOSIT_LIFE: Life = {
  REQUESTED: { step: "CREATED", failures: CREATION_FAILURES, void: "VOID" },
  CREATED: { funds: "RECEIVING_FUNDS", expiry: "EXPIRED", void: "VOID" },
  RECEIVING_FUNDS: { paid: "COMPLETED" },
};

const FINAL: StateRow = {};

export function payoutRow(payoutState: string): StateRow {
  return PAYOUT_LIFE[payoutState] ?? FINAL;
}

export function depositRow(depositState: string): StateRow {
  return DEPOSIT_LIFE[depositState] ?? FINAL;
}
