/** Posts settled movements to the journal: each fact once, balanced, by the chart of accounts. */
import type { Config } from "../../config/index.ts";
import { unlessStopped } from "../../context/context.ts";
import type { Problem } from "../../faults/index.ts";
import type { Instant } from "../../model/index.ts";
import { noteNamesOfHistory } from "../../observation/index.ts";
import { anchorOf, checkAnchor } from "../../store/anchor.ts";
import { listBalances } from "../../store/balances.ts";
import { isHistoryUnnamed } from "../../store/compared.ts";
import { type HeldRow, replaceHeld } from "../../store/held.ts";
import { firstEntry, insertEntries } from "../../store/ledger-entries.ts";
import { addToLedgerSums, forgetLedgerSums, listLedgerSums } from "../../store/ledger-sums.ts";
import type { Transaction } from "../../store/sql.ts";
import type { Store } from "../../store/store.ts";
import {
  endWaiting,
  listNotBooked,
  neighboursWait,
  notePosted,
  ownedWait,
  postEverythingAgain,
  readPostedSoFar,
  replaceNotBooked,
  replacePayoutFacts,
} from "../../store/unposted.ts";
import { writeJson } from "../../wire/index.ts";
import { exclusivelyOrFault } from "../../workplace/exclusively.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { openChart } from "../chart/chart-file.ts";
import { entryWindows } from "../entry-windows.ts";
import { postingPolicy } from "../ledger-policy.ts";
import type { NotBooked } from "../rules/derived.ts";
import { refuseClosedAhead } from "../rules/policy.ts";
import { type Posted, postFacts } from "../rules/post-facts.ts";
import { checkCurrency, LedgerSums, type TrialBalance } from "../rules/trial-balance.ts";
import { type Settled, settledByController, settledSources, unpostedScope } from "./settled-sources.ts";

export interface LedgerReport {
  /** How many entries this run has posted. */
  readonly posted: number;
  /** Problems of movements that are on suspense, held back and not settled, or booked with a question. */
  readonly problems: readonly Problem[];
  readonly notBooked: readonly NotBooked[];
  /** The trial balance over all entries ever posted. */
  readonly trialBalance: TrialBalance;
}

/** As `postSettled`, in its own exclusive run. Throws UNDER_WAY while another process posts or exports. */
export function ledgerStep(workplace: Workplace): Promise<LedgerReport> {
  return exclusivelyOrFault(workplace, "ledger-export", postSettled);
}

/**
 * Posts new and changed movements, and tries held ones again. Works in parts: what is posted before a problem
 * stays, and the next run goes on after it. Runs exclusively: two processes would reverse each other's entries.
 * Throws CHART_UNUSABLE; LEDGER_CURRENCY_CHANGED; INVARIANT_BROKEN before the entry is stored; the faults of
 * `refuseClosedAhead`; and those of `checkAnchor`, because a restored database does not recognise our own payments.
 */
export async function postSettled(workplace: Workplace): Promise<LedgerReport> {
  const { store, context, config } = workplace;
  const { functionalCurrency } = config.ledger;
  await store.read(checkAnchor(anchorOf(config)));
  refuseClosedAhead(config.ledger, context.clock.now());
  const chart = await openChart(config.ledger.chart);
  const policy = await postingPolicy(workplace, chart, await openPosting(workplace));
  const held: Problem[] = [];
  const booked: Problem[] = [];
  let posted = 0;
  for await (const settled of settledSources(store, policy, unpostedScope(store))) {
    unlessStopped(context);
    const result = postFacts(settled, settled.posted, chart, settled.policy);
    const sums = new LedgerSums(functionalCurrency);
    sums.add(result.entries);
    const at = context.clock.now();
    await store.write(function* () {
      yield* insertEntries(result.entries, at);
      yield* addToLedgerSums(sums.sums());
      if (result.entries.length > 0) yield* notePosted(at);
      yield* keepSources(settled, result, at);
    });
    posted += result.entries.length;
    held.push(...result.held);
    booked.push(...result.problems);
  }
  const isSettled = await settledByController(store);
  const { notBooked, sums } = await store.read(function* () {
    return {
      notBooked: yield* listNotBooked(),
      sums: yield* listLedgerSums(),
    };
  });
  return {
    posted,
    problems: withoutRepeats([...held, ...booked]).filter((problem) => !isSettled(problem)),
    notBooked: notBooked.map(({ id, state, ...row }) => ({ sourceId: id, sourceState: state, ...row })),
    trialBalance: new LedgerSums(functionalCurrency, sums).trialBalance(),
  };
}

/**
 * Prepares a run: checks the currency of the books, and puts on the waiting list what may now be booked differently.
 * That is everything ever seen if the policy has changed or nothing was posted yet (then the running sums are made
 * anew); otherwise payouts that belong to an instruction now, and neighbours of waiting elements. Returns when an
 * entry was last posted; empty if none was.
 */
async function openPosting({ store, config, context, scales }: Workplace): Promise<Instant> {
  const { functionalCurrency } = config.ledger;
  if (await store.read(() => isHistoryUnnamed())) await noteNamesOfHistory(store);
  const { first, soFar, openings } = await store.read(function* () {
    return {
      first: yield* firstEntry(),
      soFar: yield* readPostedSoFar(),
      openings: yield* listBalances("opening"),
    };
  });
  if (first !== undefined) checkCurrency(first, functionalCurrency);
  const opened = openings.map(({ custodyAccountId, observedAt }) => [custodyAccountId, observedAt]).sort();
  const policy = writeJson([RULES_EDITION, rulesOf(config), opened, scales.scaleOf(functionalCurrency)]);
  const before = soFar === undefined ? await sumAll(store, functionalCurrency) : undefined;
  const postedAt = before?.postedAt ?? soFar?.postedAt ?? "";
  if (soFar?.policy !== policy)
    await store.write(function* (): Transaction<void> {
      yield* postEverythingAgain({ policy, postedAt });
      if (before === undefined) return;
      yield* forgetLedgerSums();
      yield* addToLedgerSums(before.sums.sums());
    });
  await store.write(() => ownedWait());
  while ((await store.write(() => neighboursWait())) > 0) unlessStopped(context);
  return postedAt;
}

/** Raise it when a rule books movements that it did not book before: then everything is derived again. */
const RULES_EDITION = 1;

/**
 * The settings that decide how a movement is booked. An entry keeps its accounts and its day when the chart or the
 * calendar changes, so these are left out.
 */
function rulesOf({ ledger, custodyAccounts }: Config): unknown {
  const {
    chart: _chart,
    exports: _exports,
    closedThrough: _closed,
    onUnmapped: _unmapped,
    ...rules
  } = ledger;
  return [rules, custodyAccounts.map(({ id, name, currency }) => [id, name, currency])];
}

/** A deposit without a value reports that for each of its receipts and for its apply; once is enough. */
function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [writeJson(problem), problem])).values()];
}

/** Stores the facts about these sources that the next run needs. Held ones stay on the waiting list. */
function* keepSources(
  { kind, sources, notBooked }: Settled,
  { entries, held, problems }: Posted,
  at: Instant,
): Transaction<void> {
  const withProblem = new Set(
    [...held, ...problems].flatMap(({ payoutId, depositId }) => payoutId ?? depositId ?? []),
  );
  const ids = sources.map(({ id }) => id);
  yield* replaceNotBooked(
    kind,
    ids,
    notBooked.map(({ sourceId: id, sourceState: state, ...row }) => ({ id, state, ...row })),
  );
  const confirmed = new Map(sources.map(({ id, confirmedAt }) => [id, confirmedAt]));
  yield* replaceHeld(
    kind,
    ids,
    heldBack({ entries, held, problems }).map((problem) => heldRow(problem, confirmed)),
    at,
  );
  // A payout booked as a payment before counts as a transfer once it is booked as one.
  const transfers = new Set(
    entries.filter((entry) => entry.kind === "transfer").map(({ sourceId }) => sourceId),
  );
  if (kind === "payout")
    yield* replacePayoutFacts(ids, {
      transfers: sources.filter(({ id, isTransfer }) => isTransfer || transfers.has(id)).map(({ id }) => id),
      unowned: sources.filter(({ isUnowned }) => isUnowned).map(({ id }) => id),
    });
  yield* endWaiting(
    kind,
    sources.filter(({ id, waits }) => !waits && !withProblem.has(id)),
  );
}

/** Leaves out the questions of entries, because these are booked. */
function heldBack({ entries, held, problems }: Posted): readonly Problem[] {
  const asked = new Set(
    entries.flatMap(({ sourceId, questions = [] }) =>
      questions.map(({ code, message }) => writeJson([sourceId, code, message])),
    ),
  );
  return [...held, ...problems].filter(
    ({ payoutId, depositId, code, message }) => !asked.has(writeJson([payoutId ?? depositId, code, message])),
  );
}

function heldRow(problem: Problem, confirmed: ReadonlyMap<string, Instant | undefined>): HeldRow {
  const { payoutId, depositId, reference, code, message, fix, next } = problem;
  const id = payoutId ?? depositId ?? "";
  return { id, reference, code, message, fix, next, confirmedAt: confirmed.get(id) };
}

/** Sums all entries. `postedAt`: the latest time at which an entry was posted, empty if there is none. */
export async function sumAll(store: Store, functionalCurrency: string) {
  const sums = new LedgerSums(functionalCurrency);
  let postedAt: Instant = "";
  for await (const window of entryWindows(store)) {
    sums.add(window.map(({ entry }) => entry));
    for (const each of window) if (each.postedAt > postedAt) postedAt = each.postedAt;
  }
  return { sums, postedAt };
}
