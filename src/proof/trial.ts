/**
 * A trial's roster: every person named in the trial is added at once, by a change that the trial's root signs like
 * any other.
 */
import { isPersonName, ROLES } from "../model/index.ts";
import {
  type Roster,
  rootHash,
  rosterFrom,
  signByKey,
  statementText,
  TRIAL_NAMESPACE,
} from "../people/index.ts";
import type { Transaction } from "../store/sql.ts";
import { listRosterChanges } from "../store/statements.ts";
import { isTrial, rootOf } from "../workplace/root.ts";
import { credentialOf, TRIAL_ADMIN, TRIAL_PEOPLE, trialKeyOf } from "../workplace/trial-keys.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { readRoster } from "./identity.ts";
import { keepChange, nextChange } from "./people-step.ts";

/** Adds the people of every trial to its roster; does nothing in a real installation. */
export async function introduceAll(workplace: Workplace): Promise<void> {
  await introduce(workplace, TRIAL_ADMIN);
}

/**
 * In a trial, adds a new person to the roster, with every role and their own key, after the people of every trial.
 * Does nothing in a real installation, or for a person whom an admin has revoked.
 */
export async function introduce({ config, store, context }: Workplace, person: string): Promise<void> {
  const { trialKeys } = config.people;
  if (!isTrial(config) || trialKeys === undefined || !isPersonName(person)) return;
  const root = rootOf(config, "decide");
  if (isNamed(await store.read(() => readRoster(config, root)), person)) return;
  // Keys are made before the transaction, because it may run more than once.
  const names = [TRIAL_ADMIN, ...TRIAL_PEOPLE, person];
  const keys = new Map(names.map((name) => [name, trialKeyOf(trialKeys, name)]));
  const rootKey = trialKeyOf(trialKeys, TRIAL_ADMIN);
  await store.write(function* (): Transaction<void> {
    let roster = rosterFrom(root, yield* listRosterChanges(rootHash(root)));
    for (const [name, key] of keys) {
      if (isNamed(roster, name)) continue;
      const roles = name === TRIAL_ADMIN ? (["admin"] as const) : ROLES;
      const what = { change: "add" as const, name, roles: [...roles], credential: credentialOf(key) };
      const text = statementText(nextChange(roster, root, context.clock.now(), TRIAL_ADMIN, what));
      roster = yield* keepChange(root, { text, signature: signByKey(text, rootKey, TRIAL_NAMESPACE) });
    }
  });
}

function isNamed({ people, changes }: Roster, person: string): boolean {
  return people.has(person) || changes.some(({ name }) => name === person);
}
