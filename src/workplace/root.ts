/** The root of the roster, as configured. */
import type { Config } from "../config/index.ts";
import { fault } from "../faults/index.ts";
import { type RosterRoot, rootHash } from "../people/index.ts";
import type { RosterOwner } from "../store/roster-root.ts";

/** Throws PEOPLE_ROOT_MISSING if the configuration has none. */
export function rootOf(config: Pick<Config, "people">, action: string): RosterRoot {
  const root = rootIfAny(config);
  if (root === undefined) throw fault("PEOPLE_ROOT_MISSING", { action }, { key: "people.root" });
  return root;
}

/** As `rootOf`; undefined if the configuration has none. */
export function rootIfAny(config: Pick<Config, "people">): RosterRoot | undefined {
  const { installation, root } = config.people;
  if (installation === undefined || root.length === 0) return undefined;
  return { installation, fingerprints: root, isTrial: isTrial(config) };
}

/** Whether the faces sign for any person named, with keys that are worthless elsewhere. */
export function isTrial({ people }: Pick<Config, "people">): boolean {
  return people.trialKeys !== undefined;
}

/** The owner that the configuration expects the database to have; undefined without a root. */
export function ownerIn(config: Pick<Config, "people">): RosterOwner | undefined {
  const root = rootIfAny(config);
  return root && { root: rootHash(root), isTrial: isTrial(config) };
}
