/** Files of expected receipts and their rows. Of a stored row only its deposit, address and end ever change. */
import {
  custodyAccountId,
  type ExpectationEnd,
  type ExpectationRow,
  type ExpectedFile,
  type ExpectedParty,
  type ExpectedTerms,
  foldedReference,
  type Instant,
  type MatchDecision,
} from "../model/index.ts";
import { amountOf } from "../money/index.ts";
import { markChanged } from "./mark-changed.ts";
import {
  column,
  finds,
  insertOne,
  insertRows,
  objects,
  run,
  type Statement,
  sql,
  type Transaction,
} from "./sql.ts";

type FileRow = Omit<ExpectedFile, "number"> & { readonly id: number };

function* filesIn(statement: Statement): Transaction<ExpectedFile[]> {
  const rows = yield* objects<FileRow>(statement);
  return rows.map(({ id, ...file }) => ({ number: id, ...file }));
}

export function* findExpectedFile(sha256: string): Transaction<ExpectedFile | undefined> {
  return (yield* filesIn(sql`select * from expected_file where sha256 = ${sha256}`))[0];
}

export function* expectedFileNumbered(number: number): Transaction<ExpectedFile | undefined> {
  return (yield* filesIn(sql`select * from expected_file where id = ${number}`))[0];
}

/** The newest file of this name. */
export function* expectedFileNamed(name: string): Transaction<ExpectedFile | undefined> {
  return (yield* filesIn(sql`select * from expected_file where name = ${name} order by id desc limit 1`))[0];
}

/** Files taken in since an instant, oldest first. */
export function listExpectedFilesSince(since: Instant): Transaction<ExpectedFile[]> {
  return filesIn(sql`select * from expected_file where taken_at >= ${since} order by id`);
}

/** The newest files, at most 100,000, newest first. */
export function listExpectedFiles(): Transaction<ExpectedFile[]> {
  return filesIn(sql`select * from expected_file order by id desc limit ${FILES_MAX}`);
}

const FILES_MAX = 100_000;

export function isExpectedStemTaken(stem: string, sha256: string): Transaction<boolean> {
  return finds(sql`select 1 from expected_file where answer_stem = ${stem} and sha256 <> ${sha256}`);
}

/** Stores a file, or the new verdict of a file that was taken in before; returns its number. */
export function* recordExpectedFile(file: Omit<ExpectedFile, "number">): Transaction<number> {
  yield* run(sql`delete from expected_file where sha256 = ${file.sha256} and verdict = 'rejected'`);
  return yield* insertOne(sql`insert into expected_file
    (sha256, name, archived_as, verdict, taken_at, taken_by, answer_stem, reading, approved_at, approved_by)
    values (${file.sha256}, ${file.name}, ${file.archivedAs}, ${file.verdict}, ${file.takenAt}, ${file.takenBy},
      ${file.answerStem}, ${file.reading}, ${file.approvedAt}, ${file.approvedBy}) returning id`);
}

/** Frees the answer name of a rejected file for its correction. */
export function* forgetRejectedFile(stem: string): Transaction<void> {
  yield* run(sql`delete from expected_file where answer_stem = ${stem} and verdict = 'rejected'`);
}

export function* insertExpectations(
  file: number,
  rows: readonly (ExpectedTerms & { readonly line: number })[],
): Transaction<void> {
  yield* insertRows(
    `insert into expected_receipt (file, line, reference, folded, customer_id, custody_account_id, amount, currency,
      due_day, rate_until, creates)`,
    rows.map(({ amount, ...row }) => {
      const named = [row.reference, foldedReference(row.reference), row.customerId, row.custodyAccountId];
      const money = [amount.value.toString(), amount.currency];
      return [file, row.line, ...named, ...money, row.dueDay, row.rateUntil, row.creates ? 1 : 0];
    }),
  );
}

type ReceiptRow = Omit<ExpectationRow, "amount" | "creates" | "custodyAccountId"> & {
  readonly amount: string;
  readonly currency: string;
  readonly creates: number;
  readonly custodyAccountId: string;
  readonly folded: string;
};

function* expectationsIn(statement: Statement): Transaction<ExpectationRow[]> {
  const rows = yield* objects<ReceiptRow>(statement);
  return rows.map(({ amount, currency, creates, custodyAccountId: account, folded: _, ...row }) => ({
    ...row,
    amount: amountOf(amount, currency),
    creates: creates === 1,
    custodyAccountId: custodyAccountId(account),
  }));
}

/** Expectations with one of these references, compared folded. */
export function findExpectations(references: readonly string[]): Transaction<ExpectationRow[]> {
  const folded = references.map(foldedReference);
  return expectationsIn(sql`select * from expected_receipt where folded in ${folded}`);
}

export function* getExpectation(id: number): Transaction<ExpectationRow | undefined> {
  return (yield* expectationsIn(sql`select * from expected_receipt where id = ${id}`))[0];
}

export function listExpectationsOf(file: number): Transaction<ExpectationRow[]> {
  return expectationsIn(sql`select * from expected_receipt where file = ${file} order by line`);
}

/** All expectations, in the order of their arrival. */
export function listExpectations(): Transaction<ExpectationRow[]> {
  return expectationsIn(sql`select * from expected_receipt order by id`);
}

/** Stores the hash of the contents of a file's answer. */
export function* noteExpectedAnswer(number: number, answered: string): Transaction<void> {
  yield* run(sql`update expected_file set answered = ${answered} where id = ${number}`);
}

export function* approveExpectedFile(number: number, at: Instant, by: string): Transaction<void> {
  yield* run(sql`update expected_file set approved_at = ${at}, approved_by = ${by}
    where id = ${number} and approved_at is null`);
}

/** Matches in force. Leaves out those taken back. */
export function listMatches(): Transaction<MatchDecision[]> {
  return matchesIn(sql`select id, expectation, deposit_id, receipt, amount, currency, evidence, reason, matched_at,
      matched_by
    from expected_match where taken_back_at is null order by id`);
}

/**
 * Deposits that are new or changed since an instant. Leaves out deposits that a person created one by one, because
 * their payer is known.
 */
export function listDepositsSeenSince(since: Instant): Transaction<string[]> {
  return column(sql`select id from observed
    where kind = 'deposit' and coalesce(said_at, first_seen_at) >= ${since}
      and not exists (select 1 from change where deposit_id = observed.id
        and not exists (select 1 from expected_receipt where expected_receipt.deposit_id = observed.id))
    order by id`);
}

/**
 * Expectations whose deposit is still to be created: it was neither created nor refused. In the order of their
 * files.
 */
export function listUnmadeDeposits(): Transaction<ExpectationRow[]> {
  return expectationsIn(sql`select * from expected_receipt
    where ended is null and creates = 1 and deposit_id is null and refused is null order by id`);
}

/**
 * Expectations that have a deposit and have not ended. Leaves out those with a known address and a COMPLETED
 * deposit, because nights watch deposits that have ended.
 */
export function listMadeDeposits(): Transaction<ExpectationRow[]> {
  return expectationsIn(sql`select expected_receipt.* from expected_receipt
      left join observed on observed.kind = 'deposit' and observed.id = deposit_id
    where ended is null and deposit_id is not null
      and (address is null or trouble is not null or coalesce(state, '') <> 'COMPLETED')
    order by expected_receipt.id`);
}

/** Records, before the deposit is requested, until when its rate is to be fixed. */
export function* noteRateAsked(id: number, until: Instant | undefined): Transaction<void> {
  yield* run(sql`update expected_receipt set rate_asked = ${until} where id = ${id}`);
}

export function* noteDepositMade(
  id: number,
  depositId: string,
  answeredAddress: string | undefined,
): Transaction<void> {
  yield* run(sql`update expected_receipt
    set deposit_id = ${depositId}, answered_address = ${answeredAddress} where id = ${id} and deposit_id is null`);
  yield* markChanged("deposit", [depositId]);
}

/** `refused`: JSON. */
export function* noteDepositRefused(id: number, refused: string): Transaction<void> {
  yield* run(sql`update expected_receipt set refused = ${refused} where id = ${id}`);
}

/** Stores the verified address. It never changes again. */
export function* noteAddress(id: number, address: string, at: Instant): Transaction<void> {
  yield* run(sql`update expected_receipt
    set address = ${address}, address_since = ${at}, trouble = null where id = ${id} and address is null`);
}

/** `trouble`: JSON; undefined once it has been resolved. */
export function* noteAddressTrouble(id: number, trouble: string | undefined): Transaction<void> {
  yield* run(sql`update expected_receipt set trouble = ${trouble} where id = ${id}`);
}

/** By depositId, the customer whose receipts the deposit collects. Leaves out deposits without an expectation. */
export function* expectedParties(
  depositIds: readonly string[],
): Transaction<ReadonlyMap<string, ExpectedParty>> {
  type Party = Pick<ExpectationRow, "customerId" | "ended"> & {
    readonly depositId: string;
    readonly receipt?: string;
  };
  const own = yield* objects<Party>(sql`select deposit_id, customer_id, ended from expected_receipt
    where deposit_id in ${depositIds} and (ended is null or ended <> 'withdrawn')`);
  const matched = yield* objects<Party>(sql`select expected_match.deposit_id, receipt, customer_id, ended
    from expected_match join expected_receipt on expected_receipt.id = expectation
    where expected_match.deposit_id in ${depositIds} and taken_back_at is null order by expected_match.id`);
  return new Map(
    [...Map.groupBy([...own, ...matched], ({ depositId }) => depositId)].map(([depositId, parties]) => {
      const [{ customerId } = { customerId: undefined }] = parties;
      const of = parties.filter(({ receipt }) => receipt === undefined);
      const receipts = new Set(parties.flatMap(({ receipt }) => receipt ?? []));
      const isSettledShort = of.some(({ ended }) => ended === "settled short");
      return [depositId, { customerId, isOwn: of.length > 0, isSettledShort, receipts }];
    }),
  );
}

/** Ends an expectation by a person's decision; returns 0 if it had ended before. */
export function* endExpectation(
  id: number,
  {
    ended,
    at,
    by,
    reason,
  }: { readonly ended: ExpectationEnd; readonly at: Instant; readonly by: string; readonly reason: string },
): Transaction<number> {
  const deposits = yield* column<string>(sql`select deposit_id from expected_receipt
    where id = ${id} and deposit_id is not null`);
  yield* markChanged("deposit", deposits);
  return yield* run(sql`update expected_receipt
    set ended = ${ended}, ended_at = ${at}, ended_by = ${by}, ended_reason = ${reason}
    where id = ${id} and ended is null`);
}

export function* insertMatch(match: Omit<MatchDecision, "id">): Transaction<void> {
  const { expectation, depositId, receipt, amount, evidence, reason, matchedAt, matchedBy } = match;
  yield* run(sql`insert into expected_match
    (expectation, deposit_id, receipt, amount, currency, evidence, reason, matched_at, matched_by)
    values (${expectation}, ${depositId}, ${receipt}, ${amount.value.toString()}, ${amount.currency},
      ${evidence}, ${reason}, ${matchedAt}, ${matchedBy})`);
  yield* markChanged("deposit", [depositId]);
}

/** Takes back all matches of a receipt; returns their number. */
export function* takeBackMatches(
  { depositId, receipt }: Pick<MatchDecision, "depositId" | "receipt">,
  { at, by, reason }: { readonly at: Instant; readonly by: string; readonly reason: string },
): Transaction<number> {
  const taken = yield* run(sql`update expected_match
    set taken_back_at = ${at}, taken_back_by = ${by}, taken_back_reason = ${reason}
    where deposit_id = ${depositId} and receipt = ${receipt} and taken_back_at is null`);
  yield* markChanged("deposit", [depositId]);
  return taken;
}

interface FormerMatch extends MatchDecision {
  readonly takenBackAt?: Instant | undefined;
  readonly takenBackBy?: string | undefined;
  readonly takenBackReason?: string | undefined;
}

/** Every match of an expectation, including those taken back, oldest first. */
export function listMatchesOf(expectation: number): Transaction<FormerMatch[]> {
  return matchesIn(sql`select * from expected_match where expectation = ${expectation} order by id`);
}

function* matchesIn(statement: Statement): Transaction<FormerMatch[]> {
  const rows = yield* objects<
    Omit<FormerMatch, "amount"> & { readonly amount: string; readonly currency: string }
  >(statement);
  return rows.map(({ amount, currency, ...row }) => ({ ...row, amount: amountOf(amount, currency) }));
}
