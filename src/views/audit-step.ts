/** Verifies the audit record: nobody has changed it, its end is present, and people signed their decisions. */

import { readRosterIfAny } from "../proof/identity.ts";
import { DecisionsRead, listProofs, type RecordedDecision } from "../proof/recorded-decisions.ts";
import { anchorOf, checkNotBehind } from "../store/anchor.ts";
import { verifyAudit } from "../store/audit.ts";
import type { Workplace } from "../workplace/workplace.ts";

export interface AuditReport {
  /** The hash of its last entry. */
  readonly head: string;
  /** Whether there is an anchor, which shows that the record's end is there. */
  readonly hasAnchor: boolean;
  /** Decisions that no statement proves, from the root of this configuration. */
  readonly unproven: readonly (RecordedDecision & { readonly isTakenOver: boolean })[];
}

/** Throws AUDIT_CHAIN_BROKEN if the record was changed, and DATABASE_BEHIND_ANCHOR if its end is missing. */
export async function auditStep({ store, config }: Workplace): Promise<AuditReport> {
  const { roster, proofs } = await store.read(function* () {
    return { roster: yield* readRosterIfAny(config), proofs: yield* listProofs() };
  });
  const decisions = new DecisionsRead(roster, proofs);
  const head = await verifyAudit(store, (entry) => decisions.visit(entry));
  const anchor = anchorOf(config);
  await store.read(checkNotBehind(anchor));
  const all = await store.read(() => decisions.allUnproven());
  const unproven = all.map((each) => ({ ...each, isTakenOver: decisions.isTakenOver(each) }));
  return { head, hasAnchor: anchor.isThere, unproven };
}
