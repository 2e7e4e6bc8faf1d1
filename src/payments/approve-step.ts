/**
 * A checker releases exactly what was shown: the digest names the batch and is recomputed before the approval
 * counts.
 */

import type { Config } from "../config/index.ts";
import { Fault, fault, invariant, isProblem, type Problem } from "../faults/index.ts";
import { growLargest } from "../files/intake/accepted-layouts.ts";
import { type BatchScreening, screenBatch } from "../files/screening/screening.ts";
import { applying } from "../model/applying.ts";
import {
  type AcceptedFinding,
  type Approval,
  type Approved,
  approvedDigest,
  approvedText,
  type Batch,
  BatchDigest,
  type BatchId,
  groupedFindings,
  type Instant,
  type Instruction,
  isOfDestination,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { answeredIds, type Question } from "../model/sheet-reading.ts";
import { type ApprovalDecision, unaccepted, withApproval } from "../people/decide.ts";
import {
  approvalEnds,
  canonicalText,
  isApproved,
  type JudgedApprovals,
  readDecision,
  validApprovals,
} from "../people/index.ts";
import { type Identity, identityOf } from "../proof/identity.ts";
import { judgedApprovals, sumsNow } from "../proof/judged-approvals.ts";
import { keepStatement, signDecision } from "../proof/prove.ts";
import { requirePerson } from "../proof/required-person.ts";
import { introduce } from "../proof/trial.ts";
import { appendAudit } from "../store/audit.ts";
import { insertApproval, latestPayDay, listApprovals, listLines } from "../store/batches.ts";
import { endHeldBack } from "../store/begin-sending.ts";
import { moveBatch } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import type { StoredStatement } from "../store/statements.ts";
import { wakeMachines } from "../store/wake.ts";
import { visitBatch } from "../store/windows.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { evidenceText } from "./decision-evidence.ts";
import { type Asked, acceptReading, askedAbout } from "./layout-step.ts";
import { batchNamed } from "./named/named.ts";
import { approvedNow, whyUnfit } from "./run/approved-now.ts";
import { wordsOf } from "./run/spoken-words.ts";

export interface ApprovalReport extends ApprovalDecision, Omit<BatchScreening, "refusals" | "questions"> {
  readonly batch: Batch;
  readonly approved: Approved;
  /** The approved batch as words that approvers compare by telephone; the signature covers them. */
  readonly words: string;
  /** The number of instructions that this approval released. */
  readonly released: number;
  /** The number of instructions that may be sent again: their earlier approval had expired or did not fit. */
  readonly renewed: number;
  /** The questions about how the file was read that this approval answered with "pay". */
  readonly acceptedQuestions: readonly Question[];
}

export interface ApprovalOptions {
  /** How many repeated payments the person has seen and accepts. */
  readonly acceptRepeats?: number | undefined;
  /** How many payments to look-alike destinations the person has compared and accepts. */
  readonly acceptLookAlikes?: number | undefined;
  /**
   * How many questions about how the file was read the person has seen; the person accepts to pay all their rows.
   */
  readonly acceptReading?: number | undefined;
}

/**
 * Records one person's signed approval. The last one that the rules require releases the batch. Throws the reason
 * if the approval does not count, and STATEMENT_CHANGED if something changed while the person signed.
 */
export async function approveStep(
  workplace: Workplace,
  idOrDigest: string,
  person: string,
  accepted: ApprovalOptions = {},
): Promise<ApprovalReport> {
  const { store, context } = workplace;
  requirePerson(person);
  await checkAgreement(workplace);
  await introduce(workplace, person);
  const identity = await identityOf(workplace);
  const batch = await store.read(() => batchNamed(idOrDigest));
  const screened = await screenBatch(workplace, batch.id);
  const now = await approvedNow(workplace, batch);
  const words = await wordsOf(workplace, batch);
  const seen = { workplace, identity, batch, person, accepted, screened, now, words };
  const signed = await signApproval(seen, await store.read(() => assess(seen, context.clock.now())));
  return store.write(function* (): Transaction<ApprovalReport> {
    const { at } = signed;
    const assessed = yield* assess(seen, at);
    if (!isOf(signed, assessed)) throw fault("STATEMENT_CHANGED", { reason: "batch" });
    return yield* record(seen, assessed, at, signed);
  });
}

/** The stored facts that decide whether an approval counts. */
interface Seen {
  readonly workplace: Workplace;
  readonly identity: Identity;
  readonly batch: Batch;
  readonly person: string;
  readonly accepted: ApprovalOptions;
  readonly screened: BatchScreening;
  readonly now: Awaited<ReturnType<typeof approvedNow>>;
  readonly words: string;
}

interface Assessed {
  readonly asked: Asked;
  readonly approved: Approved;
  /** `approved` as text. */
  readonly text: string;
  readonly decision: ApprovalDecision;
  /** The number of instructions whose former approval has run out. */
  readonly runOut: number;
}

/** Returns the approval that the person would give. Throws the reason if it would not count. */
function* assess(
  { workplace, identity, batch, person, accepted, screened, now }: Seen,
  at: Instant,
): Transaction<Assessed> {
  const { config } = workplace;
  const { approval: policy } = config;
  const asked = yield* askedAbout(batch);
  const isReadingTaken = asked.open.length === accepted.acceptReading;
  const findings = [
    ...groupedFindings(screened.questions.filter(({ code }) => isTaken(code, screened, accepted))),
    ...(isReadingTaken ? yield* asFindings(batch, asked.open) : []),
  ];
  const approved = { ...now, ...present({ layout: asked.layout }), accepted: findings };
  const fitting = yield* judgedApprovals(identity, batch, policy, at, (each) => whyUnfit(each, now));
  const runOut = yield* checkOpen(batch, yield* listApprovals(batch.id), fitting, at);
  const valid = validApprovals(fitting.approvals, at, policy.validDays);
  const together = yield* sumsNow(identity, batch, policy, at);
  const decision = withApproval(together, valid, yield* identity.approver(person), policy.rules);
  if (isProblem(decision)) throw new Fault(decision);
  const [obstacle] = [
    ...screened.refusals,
    ...notAccepted(config, batch.id, { ...screened, ...asked }, accepted),
  ];
  if (obstacle !== undefined) throw new Fault(obstacle);
  return { asked, approved, text: approvedText(approved), decision, runOut };
}

/** Signs the approval. It expires when the approval of the batch's last payment expires. */
async function signApproval(
  { workplace, batch, person, words }: Seen,
  { text }: Assessed,
): Promise<StoredStatement> {
  const { config, context, store } = workplace;
  const { id: subject, fileName: file, fileSha256: sha256, submittedBy } = batch;
  const lastDay = await store.read(() => latestPayDay(subject));
  const expires = approvalEnds(context.clock.now(), lastDay, config.approval.validDays);
  const detail = { approved: JSON.parse(text), file, sha256, submittedBy, words };
  return signDecision(workplace, { decision: "approve", person, subject, detail }, expires);
}

function isOf(signed: StoredStatement, { text }: Assessed): boolean {
  return canonicalText(readDecision(signed.text)?.detail["approved"]) === canonicalText(JSON.parse(text));
}

function* record(
  { workplace, batch, person, screened, words }: Seen,
  { asked, approved, text, decision, runOut }: Assessed,
  at: Instant,
  signed: StoredStatement,
): Transaction<ApprovalReport> {
  yield* keepStatement(signed, workplace.config);
  yield* acceptAsked(workplace, asked, person);
  const { digest } = batch;
  const approval = { person, digest, decidedAt: at, approved: text, statement: signed.hash };
  yield* insertApproval(batch.id, approval, evidenceText(screened, asked.open));
  const released = decision.isReleased ? yield* release(batch, asked, at) : 0;
  const renewed = decision.isReleased ? runOut : 0;
  const { accepted } = approved;
  const now = workplace.context.clock.now();
  yield* appendAudit({
    // The person may have signed some minutes ago, or with a clock that is ahead.
    at: now > at ? now : at,
    person,
    action: "approve",
    subject: batch.id,
    detail: {
      digest: batch.digest,
      approved: approvedDigest(text),
      released,
      ...(renewed > 0 && { renewed }),
      ...(accepted.length > 0 && { accepted: JSON.stringify(accepted) }),
      statement: signed.hash,
    },
  });
  const { refusals: _, questions: __, ...shown } = screened;
  const report = { ...decision, batch, approved, words, released, renewed };
  return { ...report, ...shown, acceptedQuestions: asked.open };
}

/** Counts the instructions that awaited approval. */
function* release(batch: Batch, { reading }: Asked, at: Instant): Transaction<number> {
  const released = yield* moveBatch(batch.id, "received", "approved", at);
  yield* endHeldBack(batch.id);
  yield* wakeMachines("pay");
  if (reading !== undefined) yield* growLargest(batch, reading);
  return released;
}

/**
 * Counts the instructions whose approval has run out, or that are held back. Throws APPROVAL_NOT_OPEN if there are
 * none and nothing in the batch awaits approval. A batch that no longer matches its digest violates an invariant.
 */
function* checkOpen(
  { id, digest }: Batch,
  approvals: readonly Approval[],
  fitting: JudgedApprovals,
  at: Instant,
): Transaction<number> {
  const isRunOut = ({ standing, reason, fields: { payOn } }: Instruction) => {
    if (standing === "approved") return !isApproved(fitting.stateOf({ at, payOn, heldBack: reason }));
    // A payment in doubt may be re-sent. Its own reason says why it is in doubt.
    return standing === "in doubt" && !isApproved(fitting.stateOf({ at, payOn }));
  };
  const computed = new BatchDigest();
  let runOut = 0;
  let isAnyNew = false;
  let isAnyLeft = false;
  yield* visitBatch(id, (window) => {
    computed.add(window);
    runOut += window.filter(isRunOut).length;
    isAnyNew ||= window.some(({ standing }) => standing === "received");
    isAnyLeft ||= window.some(({ standing }) => standing !== "withdrawn");
  });
  invariant(computed.hex() === digest, `batch ${id} no longer matches its digest`);
  if (isAnyNew || runOut > 0) return runOut;
  const people = approvals.map(({ person }) => person).join(", ");
  const standing = isAnyLeft ? `already released by ${people},` : "rejected";
  throw fault("APPROVAL_NOT_OPEN", { batch: id, standing });
}

/** Whether the number that the person stated equals the number of these findings. */
function isTaken(
  code: string,
  { repeatedRows, lookAlikeRows }: Pick<BatchScreening, "repeatedRows" | "lookAlikeRows">,
  { acceptRepeats, acceptLookAlikes }: ApprovalOptions,
): boolean {
  return isOfDestination(code)
    ? lookAlikeRows.length === acceptLookAlikes
    : repeatedRows.length === acceptRepeats;
}

/** The questions as accepted findings, with the rows concerned. */
function* asFindings({ id }: Batch, questions: readonly Question[]): Transaction<AcceptedFinding[]> {
  const rows = new Map([...(yield* listLines(id))].map(([row, line]) => [line, row]));
  return questions.map(({ text, lines }) => ({
    about: text,
    code: "READING_NOT_ACCEPTED",
    rows: lines.flatMap((line) => rows.get(line) ?? []),
  }));
}

function* acceptAsked(
  workplace: Workplace,
  { owner, reading, open }: Asked,
  person: string,
): Transaction<void> {
  if (reading === undefined || open.length === 0) return;
  const pay = open.flatMap(answeredIds).map((id) => [id, "pay"] as const);
  yield* acceptReading(workplace, owner, reading, person, {}, pay);
}

/** Problems for repeats and look-alikes that require acceptance and that this person has not accepted. */
function notAccepted(
  { destinations }: Config,
  batch: BatchId,
  {
    repeatedRows,
    lookAlikeRows,
    asksRepeats,
    open,
  }: Pick<BatchScreening, "repeatedRows" | "lookAlikeRows" | "asksRepeats"> & Pick<Asked, "open">,
  { acceptRepeats, acceptLookAlikes, acceptReading }: ApprovalOptions,
): Problem[] {
  return applying(
    unaccepted("READING_NOT_ACCEPTED", batch, open.length, acceptReading),
    asksRepeats && unaccepted("REPEATS_NOT_ACCEPTED", batch, repeatedRows.length, acceptRepeats),
    destinations.onLookAlike === "accept" &&
      unaccepted("LOOK_ALIKES_NOT_ACCEPTED", batch, lookAlikeRows.length, acceptLookAlikes),
  );
}
