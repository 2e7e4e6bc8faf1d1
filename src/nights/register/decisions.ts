/**
 * Controllers' decisions about breaks: they assign one to a person, add a note, settle it, or open it again. Each
 * decision is signed before it takes effect, and applies to what was shown.
 */
import { fault } from "../../faults/index.ts";
import { type Instant, personKey } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import type { DecisionName } from "../../people/index.ts";
import { personOn, readRoster } from "../../proof/identity.ts";
import { proveDecision } from "../../proof/prove.ts";
import { introduceAll } from "../../proof/trial.ts";
import { appendAudit } from "../../store/audit.ts";
import {
  addBreakNote,
  assignBreaks,
  listOpenBreaks,
  listSettledBreaks,
  proposeSettlement,
  reopenBreaks,
  type SettledBreak,
  type StoredBreak,
  settleBreaks,
} from "../../store/breaks.ts";
import type { Transaction } from "../../store/sql.ts";
import { custodyNames } from "../../workplace/custody-accounts.ts";
import { rootOf } from "../../workplace/root.ts";
import type { Workplace } from "../../workplace/workplace.ts";

interface AboutBreaks {
  /** References, payoutIds, depositIds, custody accounts of balances, and breaks or their openings ("BR-12"). */
  readonly names: readonly string[];
  readonly person: string;
}

export interface BreakDecision extends AboutBreaks {
  readonly reason: string;
}

export interface BreakAssignment extends AboutBreaks {
  readonly owner: string;
}

export interface BreakNoting extends AboutBreaks {
  readonly note: string;
}

/**
 * Settles every open break about one of `names` and returns them. A break that needs two people is proposed, or
 * confirmed if another person proposed it; `proposed` shows that in the returned breaks. Throws NAME_UNKNOWN if a
 * name matches none, SETTLEMENT_PROPOSED to a person who would confirm their own proposal, and STATEMENT_CHANGED if
 * something else is open when the statement is signed; then nothing is settled.
 */
export function settleStep(
  workplace: Workplace,
  { names, person, reason }: BreakDecision,
): Promise<readonly StoredBreak[]> {
  const { settleAlone } = workplace.config.reconciliation;
  const isProposal = (each: StoredBreak) => takesTwo(each, settleAlone) && each.proposed === undefined;
  return decide(workplace, {
    decision: "settle break",
    names,
    person,
    reason,
    list: listOpenBreaks,
    check: (chosen) => {
      const own = chosen.find((each) => waitsForAnother(each, person, settleAlone));
      if (own !== undefined) throw fault("SETTLEMENT_PROPOSED", { person, name: own.opening });
    },
    actionOf: (each) => (isProposal(each) ? "propose to settle break" : "settle break"),
    *carryOut(chosen, at) {
      const {
        alone = [],
        proposals = [],
        confirmed = [],
      } = Object.groupBy(chosen, (each) =>
        isProposal(each) ? "proposals" : takesTwo(each, settleAlone) ? "confirmed" : "alone",
      );
      yield* settleBreaks(alone, { settledAt: at, person, reason });
      yield* proposeSettlement(proposals, { at, person, reason });
      for (const each of confirmed) {
        const proposal = each.proposed ?? { person, reason };
        yield* settleBreaks([each], { ...proposal, settledAt: at, second: person });
      }
      const settled = [...alone, ...confirmed].map(({ proposed: _, ...each }) => each);
      return [...settled, ...proposals.map((each) => ({ ...each, proposed: { at, person, reason } }))];
    },
  });
}

/**
 * Assigns every open break about one of `names` to a person on the roster. Throws PERSON_UNKNOWN; as `settleStep`.
 */
export async function assignBreakStep(
  workplace: Workplace,
  { names, person, owner }: BreakAssignment,
): Promise<readonly StoredBreak[]> {
  const { store, config } = workplace;
  const root = rootOf(config, "assign break");
  await introduceAll(workplace);
  personOn(await store.read(() => readRoster(config, root)), owner);
  return decide(workplace, {
    decision: "assign break",
    names,
    person,
    detail: { owner },
    list: listOpenBreaks,
    *carryOut(chosen) {
      yield* assignBreaks(chosen, owner);
      return chosen.map((each) => ({ ...each, owner }));
    },
  });
}

/** Adds a note to every present break about one of `names`, settled or not. Throws as `settleStep`. */
export function noteBreakStep(
  workplace: Workplace,
  { names, person, note }: BreakNoting,
): Promise<readonly StoredBreak[]> {
  return decide(workplace, {
    decision: "note on break",
    names,
    person,
    reason: note,
    *list() {
      return [...(yield* listOpenBreaks()), ...(yield* listSettledBreaks())];
    },
    *carryOut(chosen, at) {
      yield* addBreakNote(chosen, { at, person, words: note });
      return chosen;
    },
  });
}

/** Opens every settled break about one of `names` again; returns the new openings. Throws as `settleStep`. */
export function reopenBreakStep(
  workplace: Workplace,
  { names, person, reason }: BreakDecision,
): Promise<readonly StoredBreak[]> {
  return decide<SettledBreak>(workplace, {
    decision: "reopen break",
    names,
    person,
    reason,
    list: listSettledBreaks,
    *carryOut(chosen, at) {
      const opened = yield* reopenBreaks(chosen, at);
      yield* addBreakNote(opened, { at, person, words: reason });
      return opened;
    },
  });
}

interface Deciding<Kept extends StoredBreak> extends AboutBreaks {
  readonly decision: DecisionName & `${string}break`;
  readonly reason?: string;
  readonly detail?: Readonly<Record<string, string>>;
  /** The breaks to choose from. */
  list(): Transaction<Kept[]>;
  check?(chosen: readonly Kept[]): void;
  /** The action in the audit record; by default the decision's name. */
  actionOf?(each: Kept): string;
  carryOut(chosen: readonly Kept[], at: Instant): Transaction<readonly StoredBreak[]>;
}

async function decide<Kept extends StoredBreak>(
  workplace: Workplace,
  deciding: Deciding<Kept>,
): Promise<readonly StoredBreak[]> {
  const { store, context, config } = workplace;
  const { decision, names, person, reason, detail = {}, actionOf = () => decision } = deciding;
  const nameOf = custodyNames(config);
  const choose = function* (): Transaction<Kept[]> {
    const kept = yield* deciding.list();
    const named = names.flatMap((name) => breaksNamed(kept, name, nameOf, decision));
    return [...new Set(named)];
  };
  const meant = await store.read(choose);
  deciding.check?.(meant);
  await proveDecision(workplace, {
    decision,
    person,
    subject: names.join(", "),
    ...present({ reason }),
    detail: { ...detail, breaks: saidOf(meant) },
  });
  const at = context.clock.now();
  return store.write(function* (): Transaction<readonly StoredBreak[]> {
    const chosen = yield* choose();
    if (stampOf(chosen) !== stampOf(meant)) throw fault("STATEMENT_CHANGED", { reason: "breaks" });
    yield* appendAudit(
      ...chosen.map((each) => ({
        at,
        person,
        action: actionOf(each),
        subject: each.reference ?? each.id,
        detail: { break: each.id, opening: each.opening, ...detail, ...present({ reason }) },
      })),
    );
    return yield* deciding.carryOut(chosen, at);
  });
}

/** The content that is signed: each opening's sentence, and an earlier proposal with its person. */
function saidOf(breaks: readonly StoredBreak[]): Record<string, string> {
  return Object.fromEntries(
    breaks.map(({ opening, sentence, proposed }) => {
      const before = proposed && ` ${proposed.person} proposed to settle it: ${proposed.reason}`;
      return [opening, `${sentence}${before ?? ""}`];
    }),
  );
}

function stampOf(breaks: readonly StoredBreak[]): string {
  return JSON.stringify(Object.entries(saidOf(breaks)).sort());
}

/** Whether only another person may settle it, because this one has proposed to. */
export function waitsForAnother(
  each: StoredBreak,
  person: string,
  settleAlone: Workplace["config"]["reconciliation"]["settleAlone"],
): boolean {
  return takesTwo(each, settleAlone) && isOwnProposal(each, person);
}

/** Whether more is at stake than one person may settle alone. */
export function takesTwo(
  { amount }: StoredBreak,
  settleAlone: Workplace["config"]["reconciliation"]["settleAlone"],
): boolean {
  const limit = amount && settleAlone[amount.currency];
  return limit !== undefined && amount !== undefined && amount.value.compare(limit) > 0;
}

function isOwnProposal({ proposed }: StoredBreak, person: string): boolean {
  return proposed !== undefined && personKey(proposed.person) === personKey(person);
}

/**
 * A custody account names the break about its balance, not those about its payouts and deposits. The number of a
 * break may be written in lower case, as where breaks are shown.
 */
function breaksNamed<Kept extends StoredBreak>(
  kept: readonly Kept[],
  name: string,
  nameOf: (custodyAccountId: string) => string,
  decision: string,
): readonly Kept[] {
  const named = kept.filter(({ opening, id, kind, reference, payoutId, depositId, custodyAccountId }) => {
    const account = kind === "balance" ? custodyAccountId : undefined;
    const names = [opening, id, reference, payoutId, depositId, account, account && nameOf(account)];
    return names.includes(name) || opening === name.toUpperCase();
  });
  if (named.length > 0) return named;
  const state = decision === "reopen break" ? "settled " : decision === "note on break" ? "" : "open ";
  throw fault("NAME_UNKNOWN", { what: `${state}break for ${name}`, how: NAMES });
}

const NAMES =
  "`paydrop breaks` lists them; name one by its number (BR-12) or by its subject, such as a reference.";
