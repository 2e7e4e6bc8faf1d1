/**
 * Requests deposits for expectations from the service: each at most once, inside the lane, and only after a look by
 * reference that finds none. A deposit in doubt is never requested again; a person decides about it.
 */

import { Fault, type Problem, problem } from "../faults/index.ts";
import { ServiceFault } from "../gateway/index.ts";
import { chunks } from "../model/chunks.ts";
import { type Change, type ExpectationRow, type Instant, MINUTE_MS, shifted } from "../model/index.ts";
import { present } from "../model/present.ts";
import { isFiat, sameAmount } from "../money/index.ts";
import { lookForDeposits } from "../observation/index.ts";
import { depositChange } from "../payments/change-step.ts";
import { inLane } from "../payments/run/lane.ts";
import { type ChangeReport, change, resolveEarlierChanges } from "../payments/sending/index.ts";
import { requireSandbox } from "../proof/sandbox-only.ts";
import { findChanges } from "../store/changes.ts";
import {
  listExpectedFiles,
  listUnmadeDeposits,
  noteDepositMade,
  noteDepositRefused,
  noteRateAsked,
} from "../store/expected.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { waitingNumbers } from "./status.ts";

export interface DepositsMade {
  readonly made: number;
  readonly problems: readonly Problem[];
}

/** Who requests it; the person who sent the file is on record with the file. */
const PAYDROP = "paydrop";

/** A key that fails does not stop the others: its fault is returned as a problem. `signal` ends it early. */
export async function createDeposits(workplace: Workplace, signal?: AbortSignal): Promise<DepositsMade> {
  const due = await unmade(workplace);
  let made = 0;
  const problems: Problem[] = [];
  for (const view of workplace.underKeys) {
    const own = new Set<string>(view.config.custodyAccounts.map(({ id }) => id));
    const some = due.filter(({ custodyAccountId }) => own.has(custodyAccountId));
    if (some.length === 0) continue;
    try {
      const done = await createUnderKey({ ...view, store: workplace.store }, some, signal);
      made += done.made;
      problems.push(...done.problems);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problems.push(error.problem);
    }
  }
  return { made, problems };
}

/** Leaves out expectations whose file waits for approval. */
async function unmade(workplace: Workplace): Promise<readonly ExpectationRow[]> {
  const { due, files } = await workplace.store.read(function* () {
    return { due: yield* listUnmadeDeposits(), files: yield* listExpectedFiles() };
  });
  const waiting = waitingNumbers(workplace, files);
  return due.filter(({ file }) => !waiting.has(file));
}

async function createUnderKey(
  workplace: Workplace,
  due: readonly ExpectationRow[],
  signal: AbortSignal | undefined,
): Promise<DepositsMade> {
  await requireSandbox(workplace);
  return inLane(workplace, async ({ tools, codes }, policy) => {
    const run = new CreationRun({ ...workplace, store: tools.store }, { ...tools, codes, policy });
    await resolveEarlierChanges({ ...tools, codes, policy });
    for (const some of chunks(due, workplace.config.paging.idsPerRequest)) {
      if (signal?.aborted) break;
      await run.create(some, signal);
    }
    return { made: run.made, problems: run.problems };
  });
}

type Tools = Parameters<typeof change>[0];

interface Look {
  readonly elsewhere: ReadonlyMap<string, string>;
  readonly doubt: string | undefined;
}

class CreationRun {
  made = 0;
  readonly problems: Problem[] = [];
  private readonly workplace: Workplace;
  private readonly tools: Tools;

  constructor(workplace: Workplace, tools: Tools) {
    this.workplace = workplace;
    this.tools = tools;
  }

  async create(due: readonly ExpectationRow[], signal: AbortSignal | undefined): Promise<void> {
    const unrequested: ExpectationRow[] = [];
    for (const expectation of due)
      if (!(await this.concludeEarlierRequest(expectation))) unrequested.push(expectation);
    const look = await this.look(unrequested);
    for (const expectation of unrequested) {
      if (signal?.aborted) return;
      if (await this.mayRequest(expectation, look)) await this.request(expectation);
    }
  }

  /** Notes what became of an earlier request, also one by a process that died. Returns false if there was none. */
  private async concludeEarlierRequest(expectation: ExpectationRow): Promise<boolean> {
    const changes = await this.tools.store.read(() => findChanges(expectation.reference));
    const made = changes.find(({ outcome }) => outcome === "accepted");
    const { depositId } = made ?? {};
    const { reference } = expectation;
    if (made !== undefined && depositId !== undefined && !hasExpectedTerms(made, expectation))
      await this.refuse(expectation, problem("EXPECTED_AT_SERVICE", { reference, depositId }));
    else if (depositId !== undefined) await this.noteMade(expectation, depositId, undefined);
    else if (changes.length > 0) this.report(expectation, "EXPECTED_IN_DOUBT");
    return changes.length > 0;
  }

  /** By reference, the deposits that the service shows although we requested none; or why that is unknown. */
  private async look(some: readonly ExpectationRow[]): Promise<Look> {
    const elsewhere = new Map<string, string>();
    if (some.length === 0) return { elsewhere, doubt: undefined };
    const references = some.map(({ reference }) => reference);
    const { complete, found, doubts } = await lookForDeposits(this.tools, { references });
    for (const { element } of found)
      if (element.reference) elsewhere.set(element.reference, element.depositId);
    const doubt = complete ? undefined : `the service did not show everything: ${doubts.join("; ")}`;
    return { elsewhere, doubt };
  }

  /** Whether the look allows a request. If not, refuses the expectation, or reports why it is not requested yet. */
  private async mayRequest(expectation: ExpectationRow, { elsewhere, doubt }: Look): Promise<boolean> {
    const { reference } = expectation;
    const depositId = elsewhere.get(reference);
    if (depositId !== undefined)
      await this.refuse(expectation, problem("EXPECTED_AT_SERVICE", { reference, depositId }));
    else if (doubt !== undefined) this.report(expectation, "EXPECTED_NOT_SENT_YET", doubt);
    return depositId === undefined && doubt === undefined;
  }

  /**
   * Requests a deposit. If the service says that its rate has expired, tries the next rate, and last none; each
   * further try needs a new look that finds no deposit.
   */
  private async request(expectation: ExpectationRow): Promise<void> {
    let expired: Problem | undefined;
    // Read once: a rate may expire while it is requested.
    for (const [at, until] of this.ratesFor(expectation).entries()) {
      if (at > 0 && !(await this.mayRequest(expectation, await this.look([expectation])))) return;
      expired = await this.requestWith(expectation, until);
      if (expired === undefined) return;
    }
    if (expired !== undefined) await this.refuse(expectation, expired);
  }

  /** In the order of the tries; undefined: no rate is fixed. */
  private ratesFor({ rateUntil, amount }: ExpectationRow): readonly (Instant | undefined)[] {
    if (rateUntil === undefined || !isFiat(amount.currency)) return [undefined];
    const now = this.workplace.context.clock.now();
    const { rateMinutes } = this.workplace.config.expected;
    return [
      ...(rateUntil > now ? [rateUntil] : []),
      ...(rateMinutes === undefined ? [] : [shifted(now, rateMinutes * MINUTE_MS)]),
      undefined,
    ];
  }

  /** Returns a problem if the rate has expired; then no deposit was made. */
  private async requestWith(
    expectation: ExpectationRow,
    until: Instant | undefined,
  ): Promise<Problem | undefined> {
    const { id, reference, custodyAccountId, customerId, amount } = expectation;
    await this.tools.store.write(() => noteRateAsked(id, until));
    const request = depositChange(this.workplace, {
      ...{ custodyAccountId, reference, requestedAmount: amount, person: PAYDROP },
      ...present({ customerId, expiresAt: until }),
      by: this.workplace.config.expected.createBy,
    });
    try {
      await this.noteOutcome(expectation, await change(this.tools, request));
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      const { failure, problem: why } = error;
      if (why.code === "SERVICE_RATE_EXPIRED") return why;
      // Not sent: the next requests would fail in the same way.
      if (failure.consequence === "not sent") throw error;
      // A conflict concerns the request, such as its nonce, and is no objection to the deposit.
      if (failure.condition === "conflict")
        this.report(expectation, "EXPECTED_NOT_SENT_YET", failure.serviceText);
      else
        await this.refuse(
          expectation,
          problem("EXPECTED_REFUSED", { reference, reason: failure.serviceText }),
        );
    }
    return undefined;
  }

  private async noteOutcome(expectation: ExpectationRow, report: ChangeReport): Promise<void> {
    const { depositId, receiverAddress, isInDoubt } = report;
    if (isInDoubt || depositId === undefined) this.report(expectation, "EXPECTED_IN_DOUBT");
    else await this.noteMade(expectation, depositId, receiverAddress);
  }

  private async noteMade(
    { id }: ExpectationRow,
    depositId: NonNullable<Change["depositId"]>,
    address: string | undefined,
  ): Promise<void> {
    await this.tools.store.write(() => noteDepositMade(id, depositId, address));
    this.made += 1;
  }

  private async refuse({ id, reference }: ExpectationRow, why: Problem): Promise<void> {
    await this.tools.store.write(() => noteDepositRefused(id, JSON.stringify({ ...why, reference })));
    this.problems.push({ ...why, reference });
  }

  private report(
    { reference }: ExpectationRow,
    code: "EXPECTED_IN_DOUBT" | "EXPECTED_NOT_SENT_YET",
    reason = "",
  ): void {
    const said =
      code === "EXPECTED_IN_DOUBT" ? problem(code, { reference }) : problem(code, { reference, reason });
    this.problems.push({ ...said, reference });
  }
}

/** False if a person has requested another deposit under the reference. */
function hasExpectedTerms({ requested }: Change, { custodyAccountId, amount }: ExpectationRow): boolean {
  const asked = requested?.amount;
  return requested?.custodyAccountId === custodyAccountId && asked !== undefined && sameAmount(asked, amount);
}
