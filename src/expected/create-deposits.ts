/**
 * Deposits for expectations. Each is requested from the service at most once, as a change, inside the lane, and
 * only after a look by reference that found none. A deposit in doubt is looked up and never requested again; a
 * person decides about it.
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
import { keep } from "./status.ts";

export interface DepositsMade {
  readonly made: number;
  readonly problems: readonly Problem[];
}

/** The person who requested it is on record with the file. */
const PAYDROP = "paydrop";

/**
 * Continues with the other keys if one fails. Returns the service's faults as problems; an aborted `signal` ends it
 * early.
 */
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
async function unmade({ store, config }: Workplace): Promise<readonly ExpectationRow[]> {
  const { due, files } = await store.read(function* () {
    return { due: yield* listUnmadeDeposits(), files: yield* listExpectedFiles(FILES_MAX) };
  });
  const waiting = files.filter(({ approvedAt }) => config.expected.approval && approvedAt === undefined);
  const numbers = new Set(waiting.map(({ number }) => number));
  return due.filter(({ file }) => !numbers.has(file));
}

const FILES_MAX = 100_000;

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
    const unasked: ExpectationRow[] = [];
    for (const expectation of due) if (!(await this.isAskedFor(expectation))) unasked.push(expectation);
    const { elsewhere, doubt } = await this.look(unasked);
    for (const expectation of unasked) {
      if (signal?.aborted) return;
      const { reference } = expectation;
      const depositId = elsewhere.get(reference);
      if (depositId !== undefined)
        await this.refuse(expectation, problem("EXPECTED_AT_SERVICE", { reference, depositId }));
      else if (doubt !== undefined) this.report(expectation, "EXPECTED_NOT_SENT_YET", doubt);
      else await this.askFor(expectation);
    }
  }

  /** Whether an earlier request has made the deposit or may have, even if its process died. */
  private async isAskedFor(expectation: ExpectationRow): Promise<boolean> {
    const changes = await this.tools.store.read(() => findChanges(expectation.reference));
    const made = changes.find(({ outcome }) => outcome === "accepted");
    const { depositId } = made ?? {};
    const { reference } = expectation;
    if (made !== undefined && depositId !== undefined && !isAskedAs(made, expectation))
      await this.refuse(expectation, problem("EXPECTED_AT_SERVICE", { reference, depositId }));
    else if (depositId !== undefined) await this.noteMade(expectation, depositId, undefined);
    else if (changes.length > 0) this.report(expectation, "EXPECTED_IN_DOUBT");
    return changes.length > 0;
  }

  /** By reference, the deposits that the service shows although we requested none; or why that is unknown. */
  private async look(some: readonly ExpectationRow[]) {
    const elsewhere = new Map<string, string>();
    if (some.length === 0) return { elsewhere, doubt: undefined };
    const { complete, found, doubts } = await lookForDeposits(this.tools, {
      references: some.map(({ reference }) => reference),
    });
    for (const { element } of found)
      if (element.reference) elsewhere.set(element.reference, element.depositId);
    return {
      elsewhere,
      doubt: complete ? undefined : `the service did not show everything: ${doubts.join("; ")}`,
    };
  }

  /**
   * Requests a deposit. If the service says that its rate has expired, tries the next rate, and last none. Each
   * further try first needs a look by reference that finds no deposit.
   */
  private async askFor(expectation: ExpectationRow): Promise<void> {
    // Taken once: a rate may expire while it is asked for.
    const rates = this.ratesFor(expectation);
    for (const [at, until] of rates.entries()) {
      if (at > 0) {
        const { elsewhere, doubt } = await this.look([expectation]);
        const depositId = elsewhere.get(expectation.reference);
        const { reference } = expectation;
        if (depositId !== undefined)
          return this.refuse(expectation, problem("EXPECTED_AT_SERVICE", { reference, depositId }));
        if (doubt !== undefined) return this.report(expectation, "EXPECTED_NOT_SENT_YET", doubt);
      }
      const expired = await this.askWith(expectation, until);
      if (expired === undefined) return;
      if (at === rates.length - 1) return this.refuse(expectation, expired);
    }
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

  /** Returns the problem of an expired rate; no deposit was made then. */
  private async askWith(
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
      const report = await change(this.tools, request);
      await this.noteOutcome(expectation, report);
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
    await this.tools.store.write(() => noteDepositRefused(id, keep({ ...why, reference })));
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

/**
 * Whether a deposit was requested with the expected values: a person may have requested another one under the
 * reference.
 */
function isAskedAs({ requested }: Change, { custodyAccountId, amount }: ExpectationRow): boolean {
  const asked = requested?.amount;
  return requested?.custodyAccountId === custodyAccountId && asked !== undefined && sameAmount(asked, amount);
}
