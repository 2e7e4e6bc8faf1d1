/**
 * Hands the database over to a roster of another root: an admin of the present roster signs for the new root, whose
 * keys then begin a new roster. Approvals under the old roster become void for payments that were not sent.
 */
import { fault } from "../faults/index.ts";
import { type RosterRoot, rootHash } from "../people/index.ts";
import { appendAudit } from "../store/audit.ts";
import { claimFor, setOwner } from "../store/roster-root.ts";
import type { Transaction } from "../store/sql.ts";
import { isTrial, ownerIn } from "../workplace/root.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { proveDecision } from "./prove.ts";

export interface HandOver extends Pick<RosterRoot, "installation" | "fingerprints"> {
  readonly reason: string;
  /** An admin of the present roster, who signs. */
  readonly person: string;
}

/** Throws as `proveDecision`; also USAGE in a trial, or if the database already has that root. */
export async function handOverStep(
  workplace: Workplace,
  { installation, fingerprints, reason, person }: HandOver,
): Promise<{ readonly root: string }> {
  const { config, store, context } = workplace;
  const root = rootHash({ installation, fingerprints });
  const owner = ownerIn(config);
  const how = "Name the new root, and run this with the configuration that has the old one.";
  if (isTrial(config))
    throw fault("USAGE", {
      what: "the database of a trial stays one",
      how: "Start again with `paydrop init`.",
    });
  if (owner?.root === root) throw fault("USAGE", { what: "this is the root that the roster has", how });
  const detail = { installation, root: [...fingerprints] };
  await proveDecision(workplace, { decision: "hand over", person, subject: root, reason, detail });
  await store.write(function* (): Transaction<void> {
    if (owner !== undefined) yield* claimFor(owner);
    yield* setOwner({ root, isTrial: false });
    const said = { reason, installation, root: fingerprints.join(" ") };
    yield* appendAudit({ at: context.clock.now(), person, action: "hand over", subject: root, detail: said });
  });
  return { root };
}
