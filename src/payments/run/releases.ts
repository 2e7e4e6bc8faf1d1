/**
 * Whether the approvals of a batch release it: approvers are who they say and approved this way of sending, there
 * are as many as the sender's own rules require, and their approvals are neither expired nor still cooling. Asked
 * in the transaction of each intent.
 */

import type { Config } from "../../config/index.ts";
import { type Problem, problem } from "../../faults/index.ts";
import {
  type BatchId,
  type Day,
  type Instant,
  type InstructionFields,
  minuteText,
  type Sending,
  shifted,
  whyOtherwise,
} from "../../model/index.ts";
import { approvalEnds, approvedSince } from "../../people/decide.ts";
import type { Identity } from "../../proof/identity.ts";
import { listAuditOfBatches } from "../../store/audit.ts";
import { getBatch } from "../../store/batches.ts";
import { batchAsReleased } from "../../store/releases.ts";
import type { Transaction } from "../../store/sql.ts";
import type { ReleaseStamps } from "../sending/index.ts";
import { valuesOf } from "./stored-batch.ts";

export interface Releases {
  /** Why a payment of the batch may not be sent this way now; undefined if it may. */
  whyNot(batch: BatchId, fields: InstructionFields, asked: Asked): Transaction<Problem | undefined>;
  /** Forgets the verdicts "not enough approvals": waiting times may have passed since. */
  lookAgain(): void;
}

interface Asked {
  readonly sending: Sending;
  readonly at: Instant;
  /** What this transaction has read already, if it shares its readings. */
  readonly stamps?: ReleaseStamps | undefined;
}

interface Release {
  /** Changes with the roster and the batch's approvals; the verdict is then computed again. */
  readonly stamp: string;
  readonly since: Instant | undefined;
  readonly lastAt: Instant | undefined;
  /** What was approved instead, or why approvals do not hold. */
  readonly otherwise: string | undefined;
  /** Whether they do not hold because they have expired. */
  readonly isOver?: boolean;
}

const MINUTE_MS = 60_000;

export function releasesBy(identity: Identity, { approval }: Pick<Config, "approval">): Releases {
  const { rules, validDays, windowHours, coolingMinutes } = approval;
  const known = new Map<string, Release>();
  /** By approval time and payment date. */
  const ends = new Map<string, Instant>();
  return { whyNot, lookAgain };

  function* whyNot(
    batch: BatchId,
    { payOn, reference }: InstructionFields,
    asked: Asked,
  ): Transaction<Problem | undefined> {
    const { at } = asked;
    const where = { reference };
    const { since, lastAt = at, otherwise, isOver } = yield* releaseOf(batch, asked);
    if (isOver === true) return problem("APPROVAL_EXPIRED", { batch }, where);
    if (otherwise !== undefined) return problem("APPROVAL_UNFIT", { batch, reason: otherwise }, where);
    if (since === undefined) return problem("APPROVAL_LACKING", { batch }, where);
    if (endOf(since, payOn) <= at) return problem("APPROVAL_EXPIRED", { batch }, where);
    if (coolingMinutes === 0) return undefined;
    const sendFrom = shifted(lastAt, coolingMinutes * MINUTE_MS);
    if (sendFrom <= at) return undefined;
    return problem("APPROVAL_COOLING", { batch, when: minuteText(sendFrom) }, where);
  }

  function endOf(since: Instant, payOn: Day | undefined): Instant {
    const key = `${since} ${payOn}`;
    const end = ends.get(key) ?? approvalEnds(since, payOn, validDays);
    ends.set(key, end);
    return end;
  }

  function lookAgain(): void {
    for (const [key, { since }] of known) if (since === undefined) known.delete(key);
  }

  function* releaseOf(id: BatchId, { sending, at, stamps }: Asked): Transaction<Release> {
    const key = `${id} ${JSON.stringify(sending)}`;
    const stamp = stamps?.get(id) ?? (yield* identity.stampOf(id));
    stamps?.set(id, stamp);
    const before = known.get(key);
    if (before?.stamp === stamp) return before;
    const release = { stamp, ...(yield* judged(id, sending, at)) };
    known.set(key, release);
    return release;
  }

  function* judged(id: BatchId, sending: Sending, at: Instant): Transaction<Omit<Release, "stamp">> {
    const stored = yield* getBatch(id);
    const approvals = yield* identity.holding(stored, at);
    const batch = yield* identity.judged(yield* batchAsReleased(stored, windowHours, at));
    const differences = new Map(
      valuesOf(approvals).map(({ approval, value }) => [approval, whyOtherwise(value, sending)]),
    );
    const fitting = approvals.filter((approval) => differences.get(approval) === undefined);
    const since = approvedSince(batch, fitting, rules);
    if (since !== undefined) return { since, lastAt: yield* lastApprovedAt(id), otherwise: undefined };
    const isApproved = approvedSince(batch, approvals, rules) !== undefined;
    const unfit = isApproved ? [...differences.values()].find(Boolean) : undefined;
    const [invalid] = yield* identity.whyNotHolding(stored, at);
    const otherwise = unfit === undefined ? invalid?.message : `batch ${id} was approved for ${unfit}`;
    const isOver = unfit === undefined && invalid?.code === "SIGNATURE_EXPIRED";
    return { since, lastAt: undefined, otherwise, isOver };
  }
}

/** When the last approval was recorded; it may have been signed minutes before. */
function* lastApprovedAt(id: BatchId): Transaction<Instant | undefined> {
  const given = (yield* listAuditOfBatches([id])).filter(({ action }) => action === "approve");
  return given
    .map(({ at }) => at)
    .toSorted()
    .at(-1);
}
