/** People's identities and signed statements, proven from the configured root by their keys. */
export { type DecisionName, type HeldDecision, heldDecision, MAY_DECIDE, mayTake } from "./decision.ts";
export { enrolmentCode, INVITATION_MS, invitationKey, signByCode, signByKey } from "./enrolment-code.ts";
export { type Credential, fingerprintOf, type PublicKey, readPublicKey } from "./public-key.ts";
export { isNameUnder, namespaceOf, type People, type Person, type Roster, rosterFrom } from "./roster.ts";
export {
  type ApprovalState,
  type AskedPayment,
  approvalEnds,
  type GivenApprovals,
  givenInVain,
  isApproved,
  type JudgedApprovals,
  judgeApprovals,
  peopleMissing,
  validApprovals,
} from "./rules/approval-state.ts";
export {
  ed25519Key,
  SIGNATURE_NAMESPACE,
  signatureKey,
  TRIAL_NAMESPACE,
  whyNotSigned,
} from "./ssh-signature.ts";
export {
  canonicalText,
  type DecisionStatement,
  type RosterChange,
  type RosterRoot,
  readDecision,
  readRosterChange,
  rootHash,
  type SignedStatement,
  statementHash,
  statementText,
} from "./statement.ts";
export { statementWords } from "./statement-words.ts";
