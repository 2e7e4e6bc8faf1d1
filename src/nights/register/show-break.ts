/** One break with everything known about it: its values, its evidence, who did what, and all its openings. */
import { fault, invariant } from "../../faults/index.ts";
import {
  type Instant,
  type Instruction,
  type ObservedDeposit,
  type ObservedPayout,
  payoutId as toPayoutId,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { depositFromStored, payoutFromStored } from "../../observation/index.ts";
import { listAudit } from "../../store/audit.ts";
import {
  type BreakNote,
  listHistoryOf,
  listNotesOf,
  listOpeningsNamed,
  type Opening,
} from "../../store/breaks.ts";
import { findByPayoutId, findByReference } from "../../store/instructions.ts";
import { listSightingsOf } from "../../store/observed.ts";
import type { Transaction } from "../../store/sql.ts";
import { custodyNames } from "../../workplace/custody-accounts.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { type Age, ageOf } from "../rules/ageing.ts";

export interface BreakStory {
  /** The newest opening. */
  readonly latest: Opening & { readonly age: Age };
  /** The earlier ones, newest first. */
  readonly earlier: readonly Opening[];
  /** The notes of all openings, oldest first. */
  readonly notes: readonly BreakNote[];
  /** The persons it was assigned to, oldest first. */
  readonly given: readonly { readonly at: Instant; readonly person: string; readonly owner: string }[];
  /** The name of its custody account. */
  readonly account?: string;
  /** The payout as the service last showed it. */
  readonly payout?: ObservedPayout;
  readonly deposit?: ObservedDeposit;
  /** The payment concerned. */
  readonly instruction?: Instruction;
}

/** Every break with this name, open or not, newest first. Throws NAME_UNKNOWN. */
export async function showBreakStep(workplace: Workplace, name: string): Promise<readonly BreakStory[]> {
  const { store, config } = workplace;
  const nameOf = custodyNames(config);
  const account = config.custodyAccounts.find(({ id }) => nameOf(id) === name)?.id;
  const stories = await store.read(function* (): Transaction<BreakStory[]> {
    const named = yield* listOpeningsNamed(account ?? name);
    const history = yield* listHistoryOf([...new Set(named.map(({ id }) => id))]);
    const found: BreakStory[] = [];
    for (const openings of Map.groupBy(history, ({ id }) => id).values())
      found.push(yield* storyOf(openings, workplace));
    return found;
  });
  if (stories.length > 0) return stories;
  throw fault("NAME_UNKNOWN", {
    what: `break ${name}`,
    how: "`paydrop breaks list --closed` lists them; name one by its number (BR-12), or by its subject.",
  });
}

function* storyOf([latest, ...earlier]: readonly Opening[], { config, context }: Workplace) {
  invariant(latest !== undefined, "a break has an opening");
  const { payoutId, depositId, custodyAccountId, reference } = latest;
  const [payout] = payoutId === undefined ? [] : yield* listSightingsOf("payout", [payoutId]);
  const [deposit] = depositId === undefined ? [] : yield* listSightingsOf("deposit", [depositId]);
  const ofPayout = payoutId === undefined ? undefined : yield* findByPayoutId(toPayoutId(payoutId));
  const named =
    depositId === undefined && reference !== undefined ? yield* findByReference(reference) : ofPayout;
  const given = yield* listAudit([reference ?? latest.id]);
  return {
    latest: { ...latest, age: ageOf(latest, context.clock.now(), config.reconciliation.allowedDays) },
    earlier,
    notes: yield* listNotesOf([latest, ...earlier]),
    given: given.flatMap(({ at, person, action, detail: { break: about, owner } }) =>
      action === "assign break" && about === latest.id && typeof owner === "string"
        ? [{ at, person, owner }]
        : [],
    ),
    ...present({
      account: custodyAccountId && custodyNames(config)(custodyAccountId),
      payout: payout && payoutFromStored(payout.raw, payout.stateSeenAt),
      deposit: deposit && depositFromStored(deposit.raw, deposit.stateSeenAt),
      instruction: ofPayout ?? named,
    }),
  };
}
