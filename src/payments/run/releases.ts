/**
 * Whether the approvals of a batch release it: the approvers are proven and approved this way of sending, there are
 * as many as the sender's own rules require, and their approvals are neither expired nor still in their waiting
 * time. Asked in the transaction of each intent.
 */

import type { Config } from "../../config/index.ts";
import { type Problem, problem } from "../../faults/index.ts";
import {
  type BatchId,
  type Instant,
  type InstructionFields,
  minuteText,
  readApproved,
  type Sending,
  whyOtherwise,
} from "../../model/index.ts";
import type { JudgedApprovals } from "../../people/index.ts";
import type { Identity } from "../../proof/identity.ts";
import { judgedApprovals } from "../../proof/judged-approvals.ts";
import { getBatch } from "../../store/batches.ts";
import type { Transaction } from "../../store/sql.ts";
import type { ReleaseStamps } from "../sending/index.ts";

export interface Releases {
  /** Why a payment of the batch may not be sent this way now; undefined if it may. */
  whyNot(batch: BatchId, fields: InstructionFields, asked: Asked): Transaction<Problem | undefined>;
  /** Forgets the verdicts "not enough approvals": waiting times may have passed since. */
  lookAgain(): void;
}

interface Asked {
  readonly sending: Sending;
  readonly at: Instant;
  /** The stamps that this transaction has already read, if it shares them. */
  readonly stamps?: ReleaseStamps | undefined;
}

interface Release {
  /** Changes with the roster and the batch's approvals; the verdict is then computed again. */
  readonly stamp: string;
  readonly approvals: JudgedApprovals;
}

export function releasesBy(identity: Identity, { approval }: Pick<Config, "approval">): Releases {
  const known = new Map<string, Release>();
  return { whyNot, lookAgain };

  function* whyNot(
    batch: BatchId,
    { payOn, reference }: InstructionFields,
    asked: Asked,
  ): Transaction<Problem | undefined> {
    const { at } = asked;
    const where = { reference };
    const { approvals } = yield* releaseOf(batch, asked);
    const state = approvals.stateOf({ at, payOn });
    switch (state.kind) {
      case "none":
      case "partial":
        return problem("APPROVAL_LACKING", { batch }, where);
      case "run out":
        return problem("APPROVAL_EXPIRED", { batch }, where);
      case "does not fit":
        return problem("APPROVAL_UNFIT", { batch, reason: state.why }, where);
      case "held until":
        return problem("APPROVAL_COOLING", { batch, when: minuteText(state.until) }, where);
      case "approved until":
        return undefined;
    }
  }

  function lookAgain(): void {
    for (const [key, { approvals }] of known) if (!approvals.isEnough) known.delete(key);
  }

  function* releaseOf(id: BatchId, { sending, at, stamps }: Asked): Transaction<Release> {
    const { custodyAccountId, operation, authorize, route, keyId, baseUrl } = sending;
    const key = `${id} ${custodyAccountId} ${operation} ${authorize} ${keyId} ${baseUrl} ${route}`;
    const stamp = stamps?.get(id) ?? (yield* identity.stampOf(id));
    stamps?.set(id, stamp);
    const before = known.get(key);
    if (before?.stamp === stamp) return before;
    const release = { stamp, approvals: yield* judged(id, sending, at) };
    known.set(key, release);
    return release;
  }

  function* judged(id: BatchId, sending: Sending, at: Instant): Transaction<JudgedApprovals> {
    return yield* judgedApprovals(identity, yield* getBatch(id), approval, at, ({ approved }) => {
      const otherwise = whyOtherwise(readApproved(approved), sending);
      return otherwise && approvedFor(id, otherwise);
    });
  }
}

export function approvedFor(batch: BatchId, otherwise: string): string {
  return `batch ${batch} was approved for ${otherwise}`;
}
