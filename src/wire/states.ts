/** The interface's states (section States and transitions), as data: an unlisted state is kept and reported. */

export const PAYOUT_STATES = [
  "REQUESTED",
  "CREATE_FAILED",
  "CREATE_TIMEOUT",
  "CREATED",
  "COSIGNER_AUTHORIZATIONS_PENDING",
  "COSIGNER_AUTHORIZED",
  "CANCELLED",
  "AUTHORIZED",
  "SIGNING",
  "SENDING",
  "SENT",
  "COMPLETED",
  "SEND_FAILED",
] as const;

export const DEPOSIT_STATES = [
  "REQUESTED",
  "CREATE_FAILED",
  "CREATE_TIMEOUT",
  "CREATED",
  "RECEIVING_FUNDS",
  "COMPLETED",
  "EXPIRED",
  "VOID",
] as const;

export const FEE_POLICIES = ["SLOW", "NORMAL", "FAST", "CUSTOM"] as const;

export type FeePolicy = (typeof FEE_POLICIES)[number];
