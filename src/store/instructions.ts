/** Instructions and their standings. A standing changes only along the transitions of model/standing.ts. */
import { fault, invariant } from "../faults/index.ts";
import { chunks } from "../model/chunks.ts";
import {
  type BatchId,
  type CustodyAccountId,
  canonicalFields,
  comparedName,
  custodyAccountId,
  type Day,
  type DraftInstruction,
  destinationOf,
  foldedReference,
  type GeneralLedgerFields,
  type Instant,
  type Instruction,
  type InstructionId,
  mayMove,
  type PayoutEnd,
  type PayoutId,
  payoutEndOf,
  readCanonicalFields,
  type ShownStanding,
  STANDINGS,
  type Standing,
} from "../model/index.ts";
import { NO_PAYMENTS, type PaymentSum, withPayment } from "../model/payment-sum.ts";
import { present } from "../model/present.ts";
import { Decimal } from "../money/index.ts";
import { listOpenStates } from "./observed.ts";
import { markResultDue } from "./results-due.ts";
import {
  all,
  allOf,
  column,
  countOf,
  ITEMS_PER_STATEMENT,
  insertRows,
  mapOf,
  run,
  type Statement,
  single,
  sql,
  type Transaction,
} from "./sql.ts";

interface NewInstruction extends DraftInstruction {
  readonly id: InstructionId;
  /** The line in its file; 0 for a payment that does not come from a file. */
  readonly line: number;
}

export function insertInstructions(
  batch: BatchId,
  drafts: readonly NewInstruction[],
  at: Instant,
): Transaction<void> {
  const standing = "received" satisfies Standing;
  return insertRows(
    `insert into instruction (id, batch_id, row, line, reference, folded_reference, payee, fields, currency, ` +
      `amount, destination, pay_on, standing, changed_at)`,
    drafts.map(({ id, row, line, fields }) => {
      const { amount, reference, customerId = "", payOn } = fields;
      const money = [amount.currency, amount.value.toString()];
      const named = [
        reference,
        foldedReference(reference),
        comparedName(customerId),
        canonicalFields(fields),
      ];
      return [id, batch, row, line, ...named, ...money, destinationOf(fields), payOn, standing, at];
    }),
  );
}

export interface Move {
  readonly to: Standing;
  readonly at: Instant;
  readonly reason?: string;
  readonly payoutId?: PayoutId;
}

/** Moves one instruction. Throws if its present standing does not allow that: two writers disagree. */
export function* moveInstruction(id: InstructionId, move: Move): Transaction<void> {
  const { to, payoutId } = move;
  const isAccepted = to === "accepted" && payoutId !== undefined;
  yield* moveEnded(id, move, isAccepted ? yield* endShown(payoutId) : undefined);
}

/** As `moveInstruction`, if the caller knows with which end looks have shown the payout of an accepted payment. */
export function* moveEnded(
  id: InstructionId,
  { to, at, reason, payoutId }: Move,
  end: PayoutEnd | undefined,
): Transaction<void> {
  const moved = yield* run(sql`update instruction
    set standing = ${to}, reason = ${reason}, payout_id = ${payoutId}, payout_end = ${end}, changed_at = ${at}
    where id = ${id} and instr(${ENTRIES[to]}, '/' || standing || '/') > 0`);
  invariant(moved === 1, `instruction ${id} cannot become ${to}`);
  if (MOVING_AGAIN.has(to)) yield* markResultDue(id);
}

/** For a payout that a look showed before it was accepted as the payment's. */
function* endShown(payoutId: PayoutId): Transaction<PayoutEnd | undefined> {
  const state = yield* single<string>(
    sql`select state from observed where kind = 'payout' and id = ${payoutId}`,
  );
  return state === undefined ? undefined : payoutEndOf(state);
}

/**
 * Standings that a finished payment can return to (a refused one is re-opened, an accepted one taken back). Few
 * payments are in them.
 */
const MOVING_AGAIN: ReadonlySet<Standing> = new Set(["approved", "in doubt", "held"]);

/** By standing, the standings from which it may be entered, as text: "/approved/sending/". */
const ENTRIES = Object.fromEntries(
  STANDINGS.map((to) => [to, `/${STANDINGS.filter((from) => mayMove(from, to)).join("/")}/`]),
) as Readonly<Record<Standing, string>>;

/** Moves all instructions of a batch that have standing `from`; returns how many. */
export function* moveBatch(batch: BatchId, from: Standing, to: Standing, at: Instant): Transaction<number> {
  const last = yield* countOf(sql`select max(row) from instruction where batch_id = ${batch}`);
  let moved = 0;
  for (let after = 0; after < last; after += ROWS_MOVED_TOGETHER)
    moved += yield* run(sql`update instruction set standing = ${to}, changed_at = ${at}
      where batch_id = ${batch} and standing = ${from} and row > ${after} and row <= ${after + ROWS_MOVED_TOGETHER}`);
  return moved;
}

/** Rows per statement: a server cancels statements that run too long, and one for a million rows would. */
const ROWS_MOVED_TOGETHER = 50_000;

export interface DueFilter {
  readonly today: Day;
  readonly batch?: BatchId | undefined;
  /** Custody accounts of other lanes. */
  readonly except: readonly CustodyAccountId[];
}

/** Without `reference` and the other columns that repeat some of the fields. */
const INSTRUCTION = sql`select id, batch_id, row, fields, standing, reason, payout_id from instruction`;

/**
 * Approved instructions that are due, ordered by batch and row, at most `count`, after `after`. They are put in order
 * before their fields are read: PostgreSQL, which takes only one to be due, would read the fields of all that wait.
 */
export function listDue(
  filter: DueFilter,
  after: InstructionKey | undefined,
  count: number,
): Transaction<Instruction[]> {
  return instructionsIn(sql`select * from (${INSTRUCTION}
      where standing = 'approved' and (batch_id, row) > (${after?.batchId ?? ""}, ${after?.row ?? 0})
      order by batch_id, row limit ${Number.MAX_SAFE_INTEGER}) as waiting
    where ${isDue(filter)} order by batch_id, row limit ${count}`);
}

export type InstructionKey = Pick<Instruction, "batchId" | "row">;

export function countDue(filter: DueFilter): Transaction<number> {
  return countOf(sql`select count(*) from instruction where ${isDue(filter)}`);
}

function isDue({ today, batch, except }: DueFilter): Statement {
  return sql`standing = 'approved' and coalesce(json_extract(fields, '$.payOn'), '') <= ${today}
    and batch_id = coalesce(${batch}, batch_id) and json_extract(fields, '$.custodyAccountId') not in ${except}`;
}

export function listByStanding(standing: Standing): Transaction<Instruction[]> {
  return instructionsWhere(sql`standing = ${standing} order by batch_id, row`);
}

/** Payments whose payout is not known yet, or may not exist. */
export function listUnresolved(): Transaction<Instruction[]> {
  const standings = ["sending", "in doubt", "held"] as const satisfies readonly Standing[];
  return instructionsWhere(sql`standing in ${standings}`);
}

/** Refused payments that are not paid again under another reference. */
const REFUSED = sql`standing = 'refused'
    and id not in (select earlier_id from again join instruction as later on later.reference = again.reference)`;

export function listRefused(): Transaction<Instruction[]> {
  return instructionsWhere(sql`${REFUSED} order by batch_id, row`);
}

/** By id, since when these payments are in their standing. */
export function* listChangedAt(
  ids: readonly InstructionId[],
): Transaction<ReadonlyMap<InstructionId, Instant>> {
  const changed = new Map<InstructionId, Instant>();
  for (const some of chunks(ids, ITEMS_PER_STATEMENT)) {
    const found = yield* mapOf<InstructionId, Instant>(
      sql`select id, changed_at from instruction where id in ${some}`,
    );
    for (const [id, at] of found) changed.set(id, at);
  }
  return changed;
}

export function countRefused(): Transaction<number> {
  return countOf(sql`select count(*) from instruction where ${REFUSED}`);
}

export function listByBatch(batch: BatchId): Transaction<Instruction[]> {
  return instructionsWhere(sql`batch_id = ${batch} order by row`);
}

/** At most `count` instructions of a batch after `afterRow`, in row order. */
export function listFromBatch(batch: BatchId, afterRow: number, count: number): Transaction<Instruction[]> {
  return instructionsWhere(sql`batch_id = ${batch} and row > ${afterRow} order by row limit ${count}`);
}

/**
 * Payouts of accepted payments that were never seen, or last seen in none of the states `ended`; not of the
 * accounts `except`. Payouts never seen are found through their submissions. Uses cross joins, because SQLite would
 * otherwise start from all accepted payments.
 */
export function* listPayoutsNotIn(
  ended: readonly string[],
  except: readonly CustodyAccountId[],
): Transaction<PayoutId[]> {
  return yield* column(sql`select payout_id from (
      select instruction.* from observed cross join instruction
        where kind = 'payout' and state in ${yield* listOpenStates("payout", ended)}
          and instruction.payout_id = observed.id
      union all select instruction.* from submission cross join instruction
        where outcome = 'accepted' and seen_after_ms is null and instruction.id = instruction_id
          and not exists (select 1 from observed where kind = 'payout' and observed.id = instruction.payout_id)) as open
    where standing = ${"accepted" satisfies Standing} and payout_id is not null
      and json_extract(fields, '$.custodyAccountId') not in ${except}
    order by batch_id, row`);
}

/** All instructions in these standings, at one instant. */
export function* listInStandings(standings: readonly Standing[]): Transaction<Instruction[]> {
  const found: Instruction[] = [];
  for (const standing of standings)
    for (const one of yield* instructionsWhere(sql`standing = ${standing}`)) found.push(one);
  return found;
}

/**
 * At most `count` accepted payments after `after` whose payout was never shown, or is not known. Compares two
 * indexes of ids. `standing || ''` hides the column from the index, which would list all accepted payments.
 */
export function listAcceptedUnshown(
  after: InstructionKey | undefined,
  count: number,
): Transaction<Instruction[]> {
  return instructionsWhere(sql`id in (
        select id from instruction where standing || '' = 'accepted' and payout_id in (
          select payout_id from instruction where payout_id > '' except select id from observed where kind = 'payout')
        union all select id from instruction where standing || '' = 'accepted' and payout_id is null)
      and (batch_id, row) > (${after?.batchId ?? ""}, ${after?.row ?? 0})
    order by batch_id, row limit ${count}`);
}

/** Filters for payments; an absent field does not filter. */
interface PaymentsWanted {
  readonly standing?: ShownStanding;
  readonly currency?: string;
  /** The beginning of the payee, in comparable form. */
  readonly payee?: string;
  /** Payments of files submitted from this instant on. */
  readonly from?: Instant;
  /** Payments of files submitted before this instant. */
  readonly to?: Instant;
}

/** At most `count` instructions before `before`, newest first. */
export function listInstructionsBefore(
  before: InstructionKey | undefined,
  { standing, currency, payee, from, to }: PaymentsWanted,
  count: number,
): Transaction<Instruction[]> {
  const { batchId, row } = before ?? { batchId: AFTER_ALL, row: 0 };
  const wanted = [sql`(batch_id, row) < (${batchId}, ${row})`];
  if (standing !== undefined) wanted.push(standsAt(standing));
  if (currency !== undefined) wanted.push(sql`currency = ${currency}`);
  if (payee !== undefined) wanted.push(sql`payee >= ${payee} and payee < ${payee + AFTER_ALL}`);
  // Batches are numbered in the order of their submission.
  if (from !== undefined)
    wanted.push(sql`batch_id >= (select min(id) from batch where submitted_at >= ${from})`);
  if (to !== undefined) wanted.push(sql`batch_id <= (select max(id) from batch where submitted_at < ${to})`);
  return instructionsWhere(sql`${allOf(wanted)}
    order by batch_id desc, row desc limit ${count}`);
}

/** A condition for payments that stand so. It has no placeholders, so that SQLite finds its partial indexes. */
export function standsAt(standing: ShownStanding): Statement {
  if (standing === "failed") return sql`payout_end = 'failed'`;
  if (standing === "arrived") return sql`standing = 'accepted' and payout_end = 'arrived'`;
  if (standing === "accepted") return sql`standing = 'accepted' and payout_end is null`;
  return { text: `standing = '${standing}'`, values: [] };
}

/** Sorts after every text, so a text with this appended sorts after all texts that begin with it. */
const AFTER_ALL = "\u{10ffff}";

/**
 * At most `count` instructions of each kind: those whose reference or payee begins with this text, and those to
 * this destination. All texts are in comparable form.
 */
export function* listFound(
  { reference, payee, destination }: Readonly<Record<"reference" | "payee" | "destination", string>>,
  count: number,
): Transaction<Instruction[]> {
  return [
    ...(yield* instructionsWhere(sql`folded_reference >= ${reference}
      and folded_reference < ${reference + AFTER_ALL} order by folded_reference limit ${count}`)),
    ...(yield* instructionsWhere(sql`payee >= ${payee} and payee < ${payee + AFTER_ALL} and ${payee} <> ''
      order by payee, destination limit ${count}`)),
    ...(yield* instructionsWhere(sql`destination = ${destination} order by amount, batch_id limit ${count}`)),
  ];
}

/** At most `count` instructions with one of these amounts, as written, newest first. */
export function listOfAmounts(amounts: readonly string[], count: number): Transaction<Instruction[]> {
  return instructionsWhere(sql`amount in ${amounts} order by batch_id desc, row limit ${count}`);
}

/** The instructions with one of these names, each a reference or an id. */
export function listNamed(
  names: readonly string[],
): Transaction<readonly { readonly id: InstructionId; readonly reference: string }[]> {
  return all(sql`
    select id, reference from instruction where reference in ${names}
    union select id, reference from instruction where id in ${names}`);
}

/** Those of the given instructions that were accepted at `at` or later. */
export function listAcceptedSince(ids: readonly InstructionId[], at: Instant): Transaction<InstructionId[]> {
  return column(sql`select id from instruction
    where id in ${ids} and standing = ${"accepted" satisfies Standing} and changed_at >= ${at}`);
}

export function* findByReference(reference: string): Transaction<Instruction | undefined> {
  return (yield* instructionsWhere(sql`reference = ${reference}`))[0];
}

/** The instruction with this reference. Throws BATCH_UNKNOWN if there is none. */
export function* getByReference(reference: string): Transaction<Instruction> {
  const instruction = yield* findByReference(reference);
  if (instruction === undefined) throw fault("BATCH_UNKNOWN", { text: reference });
  return instruction;
}

export function* findInstruction(id: InstructionId): Transaction<Instruction | undefined> {
  return (yield* instructionsWhere(sql`id = ${id}`))[0];
}

export function* getInstruction(id: InstructionId): Transaction<Instruction> {
  const instruction = yield* findInstruction(id);
  invariant(instruction !== undefined, `there is no instruction ${id}`);
  return instruction;
}

export function* findByPayoutId(id: PayoutId): Transaction<Instruction | undefined> {
  return (yield* findByPayoutIds([id]))[0];
}

export function* findByPayoutIds(
  ids: readonly PayoutId[],
): Transaction<(Instruction & { readonly payoutId: PayoutId })[]> {
  const rows = yield* all<InstructionRow & { readonly payout_id: PayoutId }>(
    sql`${INSTRUCTION} where payout_id in ${ids}`,
  );
  return rows.map((row) => Object.assign(instructionFrom(row), { payoutId: row.payout_id }));
}

/** Per custody account, the sum of approved payments not sent yet, leaving out the batch `except`. */
export function* sumApproved(except: BatchId | undefined): Transaction<Map<CustodyAccountId, PaymentSum>> {
  const rows = yield* all<{ custody_account: string; amount: string; is_fee_subtracted: string }>(sql`
    select json_extract(fields, '$.custodyAccountId') as custody_account, amount,
      cast(json_extract(fields, '$.subtractFee') as text) as is_fee_subtracted
    from instruction where standing = ${"approved" satisfies Standing} and batch_id <> ${except ?? ""}`);
  const sums = new Map<CustodyAccountId, PaymentSum>();
  for (const { custody_account, amount, is_fee_subtracted } of rows) {
    const id = custodyAccountId(custody_account);
    sums.set(id, withPayment(sums.get(id) ?? NO_PAYMENTS, Decimal.of(amount), is_fee_subtracted === "1"));
  }
  return sums;
}

/**
 * The median of the last hundred fee rates that people set, in sat/vB, among the newest payments; undefined if
 * there are none.
 */
export function* usualFeeRate(): Transaction<number | undefined> {
  const rates = yield* column<string>(sql`
    select rate from (
      select cast(json_extract(fields, '$.customFeeRateSatPerVbyte') as text) as rate, batch_id, row from instruction
      where standing not in ('received', 'withdrawn') order by batch_id desc, row desc limit 10000
    ) as newest
    where rate is not null order by batch_id desc, row desc limit 100`);
  const sorted = rates.map((rate) => Number.parseInt(rate, 10)).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export interface InstructionRow {
  readonly id: InstructionId;
  readonly batch_id: BatchId;
  readonly row: number;
  readonly fields: string;
  readonly standing: Standing;
  readonly reason: string | null;
  readonly payout_id: PayoutId | null;
}

/** `condition` may be followed by an order and a limit. */
export function instructionsWhere(condition: Statement): Transaction<Instruction[]> {
  return instructionsIn(sql`${INSTRUCTION} where ${condition}`);
}

/** `statement` gives rows of `instruction`. */
export function* instructionsIn(statement: Statement): Transaction<Instruction[]> {
  return (yield* all<InstructionRow>(statement)).map(instructionFrom);
}

/** Converts a database row, possibly joined with others, to an instruction. */
export function instructionFrom(row: InstructionRow): Instruction {
  return {
    id: row.id,
    batchId: row.batch_id,
    row: row.row,
    fields: readCanonicalFields(row.fields),
    standing: row.standing,
    ...present({ reason: row.reason, payoutId: row.payout_id }),
  };
}

export interface LedgerValues {
  readonly fields: GeneralLedgerFields;
  readonly payments: number;
}

/** The combinations of general-ledger fields in all payments except those to `except`, each with its count. */
export function* listLedgerValues(except: readonly string[]): Transaction<LedgerValues[]> {
  const rows = yield* all<{
    name: string | null;
    project: string | null;
    distribution: string | null;
    count: number;
  }>(
    sql`select json_extract(fields, '$.generalLedgerName') as name,
        json_extract(fields, '$.generalLedgerProject') as project,
        json_extract(fields, '$.generalLedgerDistribution') as distribution, count(*) as count
      from instruction where destination not in ${except} group by 1, 2, 3 order by 1, 2, 3`,
  );
  return rows.map(({ name, project, distribution, count }) => ({
    fields: present({
      generalLedgerName: name,
      generalLedgerProject: project,
      generalLedgerDistribution: distribution,
    }),
    payments: count,
  }));
}
