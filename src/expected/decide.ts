/**
 * People's decisions about expectations, each signed: approving a file, matching a receipt, taking back a match,
 * ending an expectation.
 */
import { Fault, fault, isProblem, type Reason } from "../faults/index.ts";
import {
  depositStateMeaning,
  type ExpectationEnd,
  type ExpectationRow,
  type MatchDecision,
  personKey,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { formatAmount } from "../money/index.ts";
import { depositFromWire, lookForDeposits } from "../observation/index.ts";
import { voidDeposit } from "../payments/change-step.ts";
import { proveDecision } from "../proof/prove.ts";
import { appendAudit } from "../store/audit.ts";
import { findChanges } from "../store/changes.ts";
import {
  approveExpectedFile,
  endExpectation,
  expectedFileNumbered,
  findExpectations,
  getExpectation,
  insertMatch,
  listExpectationsOf,
  listExpectedFiles,
  listMatches,
  takeBackMatches,
} from "../store/expected.ts";
import type { Transaction } from "../store/sql.ts";
import { wakeMachines } from "../store/wake.ts";
import { exclusivelyOrFault } from "../workplace/exclusively.ts";
import { underKeyOf, type Workplace } from "../workplace/workplace.ts";
import type { CandidatePart, OpenReceipt } from "./rules/candidates.ts";
import { matchChoice, whyNotEnded, whyNotVoided } from "./rules/decisions.ts";
import type { MatchedExpectation } from "./rules/matching.ts";
import { expectedNow, isWaiting, standingsOf } from "./status.ts";

/**
 * Approves a waiting file, so that it counts. Throws EXPECTED_FILE_NOT_WAITING, EXPECTED_OWN_FILE, and the faults
 * of `proveDecision`.
 */
export async function approveExpectedStep(
  workplace: Workplace,
  number: number,
  person: string,
): Promise<void> {
  const { store, context } = workplace;
  const { file, rows } = await store.read(function* () {
    return { file: yield* expectedFileNumbered(number), rows: yield* listExpectationsOf(number) };
  });
  const notWaiting = (reason: Reason<"EXPECTED_FILE_NOT_WAITING">["reason"]) =>
    fault("EXPECTED_FILE_NOT_WAITING", { file: number, reason });
  if (file === undefined) throw notWaiting("unknown");
  if (!isWaiting(workplace, file)) throw notWaiting("counts");
  if (personKey(file.takenBy) === personKey(person))
    throw fault("EXPECTED_OWN_FILE", { person, file: number });
  const subject = `file ${number}`;
  const expects = rows.map(({ reference, amount, customerId = "" }) =>
    [reference, formatAmount(amount), customerId].filter(Boolean).join(", "),
  );
  const detail = { file: file.name, sha256: file.sha256, expects };
  await proveDecision(workplace, { decision: "approve expected", person, subject, detail });
  const at = context.clock.now();
  await store.write(function* (): Transaction<void> {
    yield* approveExpectedFile(number, at, person);
    yield* appendAudit({ at, person, action: "approve expected", subject, detail: { file: file.name } });
    yield* wakeMachines("expected");
  });
}

export interface Matching {
  readonly depositId: string;
  /** Its key within the deposit; needed if several receipts of the deposit are unmatched. */
  readonly receipt?: string | undefined;
  readonly references: readonly string[];
  readonly person: string;
  readonly reason?: string | undefined;
}

export interface ReceiptMatched {
  readonly parts: readonly CandidatePart[];
  readonly evidence: string;
}

/**
 * Matches a receipt to expectations. Throws EXPECTED_UNKNOWN, EXPECTED_MATCH_REFUSED, the faults of
 * `proveDecision`, and STATEMENT_CHANGED if anything has changed when the statement is signed.
 */
export async function matchReceiptStep(workplace: Workplace, matching: Matching): Promise<ReceiptMatched> {
  const { store, context } = workplace;
  const { person, reason, depositId } = matching;
  const { open, parts, evidence } = await chosen(workplace, matching);
  const { key, amount } = open.receipt;
  const to = partTexts(parts, amount.currency);
  const detail = { receipt: key, to, evidence: [...evidence] };
  const decision = { person, subject: depositId, ...present({ reason }), detail };
  await proveDecision(workplace, { decision: "match receipt", ...decision });
  const again = await chosen(workplace, matching);
  const toAgain = partTexts(again.parts, again.open.receipt.amount.currency);
  if (again.open.receipt.key !== key || toAgain.join() !== to.join())
    throw fault("STATEMENT_CHANGED", { reason: "receipts" });
  const at = context.clock.now();
  const words = evidence.join(", ");
  await store.write(function* (): Transaction<void> {
    if (matchesAround(yield* listMatches(), again.concerned, depositId).join() !== again.around.join())
      throw fault("STATEMENT_CHANGED", { reason: "matches" });
    for (const { expectation, quantity } of parts) {
      const now = yield* getExpectation(expectation.id);
      if (now?.ended !== undefined) throw fault("STATEMENT_CHANGED", { reason: "ended" });
      const counted = { depositId, receipt: key, amount: { ...amount, value: quantity } };
      const decided = { evidence: words, matchedAt: at, matchedBy: person, ...present({ reason }) };
      yield* insertMatch({ expectation: expectation.id, ...counted, ...decided });
    }
    const detail = { receipt: key, to: to.join("; "), evidence: words, ...present({ reason }) };
    yield* appendAudit({ at, person, action: "match receipt", subject: depositId, detail });
  });
  return { parts, evidence: words };
}

function partTexts(parts: readonly CandidatePart[], currency: string): string[] {
  return parts.map(({ expectation, quantity }) => {
    const amount = formatAmount({ currency, value: quantity.normalized() });
    return `${expectation.reference}: ${amount}`;
  });
}

/** The receipt and its parts as the person chose them, by what is known now. Throws as `matchReceiptStep`. */
async function chosen(workplace: Workplace, matching: Matching) {
  const { depositId, receipt, references, reason } = matching;
  const now = await expectedNow(workplace);
  const rows = await workplace.store.read(() => findExpectations(references));
  const standings = references.map((reference): MatchedExpectation => {
    const row = rows.find((each) => each.reference === reference);
    const standing = now.standings.find(({ expectation }) => expectation.id === row?.id);
    if (standing === undefined) throw fault("EXPECTED_UNKNOWN", { name: reference });
    return standing;
  });
  const open = openReceipt(now.open, depositId, receipt);
  const ofDeposit = now.decisions.filter((each) => each.depositId === depositId);
  const matched = new Set(ofDeposit.map((each) => each.expectation));
  const owners = now.standings.filter(
    ({ expectation, state }) =>
      matched.has(expectation.id) || (expectation.depositId === depositId && state !== "withdrawn"),
  );
  const matchedTo = owners.map(({ expectation }) => expectation);
  const choice = matchChoice(open, standings, matchedTo);
  if (isProblem(choice)) throw new Fault(choice);
  if (choice.needsReason && (reason ?? "").trim() === "")
    throw fault("EXPECTED_MATCH_REFUSED", { reason: "unlike" });
  const concerned = choice.parts.map(({ expectation }) => expectation.id);
  return { ...choice, open, concerned, around: matchesAround(now.decisions, concerned, depositId) };
}

/** The numbers of all matches to these expectations, or of this deposit. */
function matchesAround(
  matches: readonly MatchDecision[],
  expectations: readonly number[],
  depositId: string | undefined,
): number[] {
  const concerned = new Set(expectations);
  const around = matches.filter((each) => concerned.has(each.expectation) || each.depositId === depositId);
  return around.map(({ id }) => id);
}

function openReceipt(open: readonly OpenReceipt[], depositId: string, key: string | undefined): OpenReceipt {
  const found = open.filter(
    ({ receipt }) => receipt.depositId === depositId && (key === undefined || receipt.key === key),
  );
  const [only, another] = found;
  if (only === undefined) throw fault("EXPECTED_MATCH_REFUSED", { reason: "unknown" });
  if (another !== undefined) {
    const keys = found.map(({ receipt }) => receipt.key).join(", ");
    throw fault("EXPECTED_MATCH_REFUSED", { reason: "several", keys });
  }
  return only;
}

export interface Unmatching {
  readonly depositId: string;
  readonly receipt?: string | undefined;
  readonly person: string;
  readonly reason: string;
}

/**
 * Takes back the matches of a receipt; returns the references. Throws EXPECTED_MATCH_REFUSED, the faults of
 * `proveDecision`, and STATEMENT_CHANGED if they have changed, or an expectation has ended, when it is signed.
 */
export async function unmatchReceiptStep(
  workplace: Workplace,
  unmatching: Unmatching,
): Promise<readonly string[]> {
  const { store, context } = workplace;
  const { depositId, receipt, person, reason } = unmatching;
  const { matches, rows } = await store.read(() => matchedWith(depositId, receipt));
  const keys = [...new Set(matches.map((each) => each.receipt))];
  const [key] = keys;
  if (key === undefined) throw fault("EXPECTED_MATCH_REFUSED", { reason: "unmatched" });
  if (keys.length > 1)
    throw fault("EXPECTED_MATCH_REFUSED", { reason: "several-matched", keys: keys.join(", ") });
  const ended = rows.find((row) => row?.ended !== undefined);
  if (ended?.ended !== undefined)
    throw fault("EXPECTED_MATCH_REFUSED", { reason: "ended", named: ended.reference, ended: ended.ended });
  const references = rows.flatMap((row) => row?.reference ?? []);
  const detail = { receipt: key, from: references };
  await proveDecision(workplace, { decision: "unmatch receipt", person, subject: depositId, reason, detail });
  const at = context.clock.now();
  await store.write(function* (): Transaction<void> {
    const now = yield* matchedWith(depositId, key);
    if (now.matches.map(({ id }) => id).join() !== matches.map(({ id }) => id).join())
      throw fault("STATEMENT_CHANGED", { reason: "match" });
    if (now.rows.some((row) => row?.ended !== undefined))
      throw fault("STATEMENT_CHANGED", { reason: "ended" });
    yield* takeBackMatches({ depositId, receipt: key }, { at, by: person, reason });
    const detail = { receipt: key, from: references.join(", "), reason };
    yield* appendAudit({ at, person, action: "unmatch receipt", subject: depositId, detail });
  });
  return references;
}

/** The matches of a deposit's receipt, or of all its receipts, and the expectation of each. */
function* matchedWith(depositId: string, receipt: string | undefined) {
  const matches = (yield* listMatches()).filter(
    (each) => each.depositId === depositId && (receipt === undefined || each.receipt === receipt),
  );
  const rows = [];
  for (const each of matches) rows.push(yield* getExpectation(each.expectation));
  return { matches, rows };
}

export interface Ending {
  readonly reference: string;
  readonly end: ExpectationEnd;
  readonly person: string;
  readonly reason: string;
  /** Does not void its deposit at the service. */
  readonly keepDeposit?: boolean | undefined;
}

/**
 * Ends an expectation: less is accepted, or it is withdrawn. The deposit of a withdrawn one is voided if the
 * custody kind allows that; otherwise this throws before a request is sent. Throws EXPECTED_UNKNOWN,
 * EXPECTED_END_REFUSED, EXPECTED_VOID_NOT_ALLOWED, UNDER_WAY, the faults of `proveDecision` and `voidDeposit`, and
 * STATEMENT_CHANGED if something was received or matched while the person signed.
 */
export function endExpectationStep(workplace: Workplace, ending: Ending): Promise<void> {
  return exclusivelyOrFault(workplace, "expected", (alone) => endAlone(alone, ending));
}

async function endAlone(workplace: Workplace, ending: Ending): Promise<void> {
  const { store, context } = workplace;
  const { end, person, reason, keepDeposit = false } = ending;
  const { row, stamp } = await endable(workplace, ending);
  const voids = end === "withdrawn" && !keepDeposit ? await depositToVoid(workplace, row) : undefined;
  const subject = row.reference;
  const detail = { end, deposit: voids === undefined ? "kept, or none" : `voided: ${voids.depositId}` };
  await proveDecision(workplace, { decision: "end expected", person, subject, reason, detail });
  const again = await endable(workplace, ending);
  if (again.stamp !== stamp) throw fault("STATEMENT_CHANGED", { reason: "receipts" });
  if (voids !== undefined) {
    const report = await voidDeposit(workplace, voids, person, "path");
    if (report.isInDoubt) throw endRefused(row, { reason: "voiding" });
  }
  const at = context.clock.now();
  await store.write(function* (): Transaction<void> {
    if (matchesAround(yield* listMatches(), [row.id], row.depositId).join() !== again.around.join())
      throw fault("STATEMENT_CHANGED", { reason: "matches" });
    yield* endExpectation(row.id, { ended: end, at, by: person, reason });
    yield* appendAudit({ at, person, action: "end expected", subject, detail: { ...detail, reason } });
  });
}

/** An expectation that may be ended, and a stamp of what it has received. */
async function endable(workplace: Workplace, { reference, end }: Pick<Ending, "reference" | "end">) {
  const { store } = workplace;
  const [row] = await store.read(() => findExpectations([reference]));
  if (row === undefined) throw fault("EXPECTED_UNKNOWN", { name: reference });
  const { changes, files, matches } = await store.read(function* () {
    const changes = yield* findChanges(row.reference);
    return { changes, files: yield* listExpectedFiles(), matches: yield* listMatches() };
  });
  if (row.depositId === undefined && changes.length > 0) throw endRefused(row, { reason: "requested" });
  const around = matchesAround(matches, [row.id], row.depositId);
  const [standing] = await standingsOf(workplace, [row], files);
  const why = standing && whyNotEnded(standing, end);
  if (why !== undefined) throw endRefused(row, why);
  return { row, around, stamp: [standing?.received, standing?.arriving, ...around].join() };
}

function endRefused({ reference }: ExpectationRow, why: Reason<"EXPECTED_END_REFUSED">): Fault {
  return fault("EXPECTED_END_REFUSED", { reference, ...why }, { reference });
}

/**
 * The deposit, if it is still open at the service. Looks it up first, because money may have come. Throws
 * EXPECTED_VOID_NOT_ALLOWED.
 */
async function depositToVoid(
  workplace: Workplace,
  { depositId, custodyAccountId, reference }: ExpectationRow,
) {
  if (depositId === undefined) return undefined;
  const account = workplace.config.custodyAccounts.find(({ id }) => id === custodyAccountId);
  const why = account === undefined ? ({ reason: "unconfigured" } as const) : whyNotVoided(account);
  if (why !== undefined) throw fault("EXPECTED_VOID_NOT_ALLOWED", { reference, ...why }, { reference });
  const view = underKeyOf(workplace, custodyAccountId);
  const { found } = await lookForDeposits(
    { ...view.service().tools, store: workplace.store },
    { ids: [depositId] },
  );
  const [element] = found.map((each) => each.element);
  const deposit = element && depositFromWire(element, workplace.context.clock.now());
  if (deposit !== undefined && depositStateMeaning(deposit.state) === "closed") return undefined;
  return { depositId, accountId: custodyAccountId };
}
