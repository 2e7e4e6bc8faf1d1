/**
 * People who decide between two runs, each in their own process: about doubts, held and refused payments, and about
 * paying again. A careful person knows from the service's operator what was created, and waits until nothing can be in
 * flight. A careless one decides anything about anything, and the program must refuse what the service contradicts.
 */
import { Fault as KnownFault } from "../../src/faults/index.ts";
import { type Instruction, payoutId } from "../../src/model/index.ts";
import { approveStep } from "../../src/payments/approve-step.ts";
import { createPayoutStep } from "../../src/payments/create-payout-step.ts";
import { type Resolving, reopenStep, resolveDoubtStep } from "../../src/payments/doubt-step.ts";
import { payAgainStep } from "../../src/payments/pay-again-step.ts";
import { recallStep } from "../../src/payments/recall-step.ts";
import type { Creation } from "../../src/sandbox/index.ts";
import { findByPayoutIds, findByReference, listByStanding } from "../../src/store/instructions.ts";
import type { Transaction } from "../../src/store/sql.ts";
import { listSubmissions } from "../../src/store/submissions.ts";
import { statusOfBatches } from "../../src/views/batch-status.ts";
import { type Doubt, listDoubts } from "../../src/views/doubts.ts";
import type { Workplace } from "../../src/workplace/workplace.ts";
import { listInstructions } from "../read-all.ts";
import type { Chance } from "./chance.ts";

export type Temper = "absent" | "careful" | "erring";

export interface PeopleDoors {
  readonly temper: Temper;
  readonly chance: Chance;
  /** A separate stream: which abandoned payment is requested again. */
  readonly givingUp: Chance;
  /** A separate stream; undefined if nobody recalls anything. */
  readonly takingBack: Chance | undefined;
  /** Nothing is in flight for longer than this. */
  readonly onItsWayMaxMs: number;
  /** Whether a request for it was ever written. */
  hasLeft(reference: string): boolean;
  /** What the service's operator says was created. */
  creations(): readonly Creation[];
  /** Whether the service has shown a payout with this reference since before the present process began. */
  wasShown(reference: string): boolean;
  /** Whether a falsified answer has told the present process about it. */
  wasToldOtherwise(reference: string): boolean;
  /** Records a broken promise. */
  break(sentence: string): void;
  trace(text: string): void;
}

/** A file from the inbox takes one approver more than its rule says. */
const APPROVERS = ["bob", "cleo", "dora"] as const;

export class People {
  /** References that were re-sent by a person. */
  readonly sentAgain = new Set<string>();
  readonly abandoned = new Set<string>();
  /** By an earlier payment's reference, the payment that pays it again. */
  readonly paidAgain = new Map<string, string>();
  /** References of payments that were recalled before they left, to be submitted again. */
  readonly takenBack = new Set<string>();
  /** Decisions that the program carried out, and those that it refused. */
  decided = 0;
  refused = 0;
  private readonly doors: PeopleDoors;

  constructor(doors: PeopleDoors) {
    this.doors = doors;
  }

  /** One sitting: whatever a person finds to decide. */
  async decide(workplace: Workplace): Promise<void> {
    if (this.doors.takingBack !== undefined) await this.takeBack(workplace, this.doors.takingBack);
    await this.attempt("approve", () => approveAll(workplace));
    const { payments } = await listDoubts(workplace);
    for (const doubt of payments.slice(0, 3)) await this.decideDoubt(workplace, doubt);
    const [refused] = await workplace.store.read(() => listByStanding("refused"));
    if (refused !== undefined) await this.decideRefused(workplace, refused);
    if (this.doors.temper !== "erring") return;
    await this.decideAnything(workplace);
    await this.payGivenUpAgain(workplace);
  }

  private async decideDoubt(workplace: Workplace, doubt: Doubt): Promise<void> {
    const { temper, creations, onItsWayMaxMs } = this.doors;
    const { reference } = doubt.instruction.fields;
    const [only, second] = creations().filter((creation) => creation.reference === reference);
    if (temper === "erring") return this.resolve(workplace, doubt.instruction, this.anyWay());
    if (only !== undefined && second === undefined)
      return this.resolve(workplace, doubt.instruction, { by: "accept", payoutId: only.payoutId });
    if (doubt.ageMs < onItsWayMaxMs) return;
    const by =
      doubt.instruction.standing === "in doubt" && this.doors.chance.happens(0.5) ? "resend" : "abandon";
    await this.resolve(workplace, doubt.instruction, { by });
  }

  private async decideRefused(workplace: Workplace, instruction: Instruction): Promise<void> {
    if (this.doors.chance.happens(0.5)) await this.reopen(workplace, instruction);
    else await this.payAgain(workplace, instruction);
  }

  /** Although nobody knows whether it was paid. */
  private async payGivenUpAgain(workplace: Workplace): Promise<void> {
    const abandoned = await workplace.store.read(() => listByStanding("abandoned"));
    const instruction = abandoned[this.doors.givingUp.between(0, abandoned.length - 1)];
    if (instruction !== undefined) await this.payAgain(workplace, instruction);
  }

  /** About any payment, whatever its standing. */
  private async decideAnything(workplace: Workplace): Promise<void> {
    const { chance } = this.doors;
    const all = await this.holders(workplace, () => listInstructions());
    const instruction = all[chance.between(0, all.length - 1)];
    if (instruction === undefined) return;
    const act = chance.pick(["reopen", "pay again", "resolve"] as const);
    if (act === "reopen") await this.reopen(workplace, instruction);
    else if (act === "pay again") await this.payAgain(workplace, instruction);
    else await this.resolve(workplace, instruction, this.anyWay());
  }

  private anyWay(): Resolving {
    const { chance, creations } = this.doors;
    const by = chance.pick(["accept", "resend", "abandon"] as const);
    if (by !== "accept") return { by };
    const known = creations();
    return { by, payoutId: known[chance.between(0, known.length - 1)]?.payoutId ?? chance.uuid() };
  }

  private async isAnothers({ store }: Workplace, reference: string): Promise<boolean> {
    const made = this.doors.creations().filter((creation) => creation.reference === reference);
    const ids = made.map((creation) => payoutId(creation.payoutId));
    const owners = await store.read(() => findByPayoutIds(ids));
    return owners.some(({ fields }) => fields.reference !== reference);
  }

  private async resolve(workplace: Workplace, instruction: Instruction, resolving: Resolving): Promise<void> {
    const { reference } = instruction.fields;
    // Recorded first, because the process may die after the decision.
    if (resolving.by === "resend") this.sentAgain.add(reference);
    if (resolving.by === "abandon") this.abandoned.add(reference);
    // If its payout became another row's through a mixed-up answer, abandoning the row is the only way out.
    const isContradicted =
      instruction.standing === "in doubt" &&
      this.doors.wasShown(reference) &&
      (resolving.by === "resend" ||
        (resolving.by === "abandon" && !(await this.isAnothers(workplace, reference))));
    const isDone = await this.attempt(`${resolving.by} ${reference}`, () =>
      resolveDoubtStep(workplace, decisionOn(reference), resolving),
    );
    // An answer with less than the service has contradicts nothing, and one that showed another payout prevents nobody
    // from abandoning.
    const isShownAnother = resolving.by === "abandon" && this.doors.wasToldOtherwise(reference);
    if (isDone && isContradicted && this.doors.wasShown(reference) && !isShownAnother)
      this.doors.break(`${resolving.by} of ${reference}, which the service shows`);
  }

  /** Submits again what was recalled in an earlier sitting; otherwise recalls something. */
  private async takeBack(workplace: Workplace, chance: Chance): Promise<void> {
    const withdrawn = await this.holders(workplace, () => listByStanding("withdrawn"));
    for (const instruction of withdrawn) await this.handIn(workplace, instruction, chance);
    const approved = await this.holders(workplace, () => listByStanding("approved"));
    const instruction = approved[chance.between(0, approved.length - 1)];
    if (withdrawn.length > 0 || instruction === undefined || !chance.happens(0.5)) return;
    const { reference } = instruction.fields;
    // A payment that was sent, refused and re-opened is abandoned by a recall.
    if (this.doors.hasLeft(reference)) this.abandoned.add(reference);
    else this.takenBack.add(reference);
    await this.attempt(`take back ${reference}`, () => recallStep(workplace, decisionOn(reference)));
  }

  /** Without those that gave their references up. */
  private holders(
    { store }: Workplace,
    list: () => Transaction<readonly Instruction[]>,
  ): Promise<Instruction[]> {
    return store.read(function* (): Transaction<Instruction[]> {
      const holders: Instruction[] = [];
      for (const each of yield* list())
        if (each.standing !== "withdrawn" || (yield* findByReference(each.fields.reference))?.id === each.id)
          holders.push(each);
      return holders;
    });
  }

  private async handIn(workplace: Workplace, { fields }: Instruction, chance: Chance): Promise<void> {
    const {
      reference,
      amount,
      destinationAddress = "",
      custodyAccountId: accountId,
      customerId = "",
    } = fields;
    const cells = {
      reference,
      amount: amount.value.toString(),
      currency: amount.currency,
      destinationAddress,
      accountId,
      customerId,
    };
    // The same rows would not be accepted again.
    const corrected = { ...cells, orderCodeName: chance.uuid() };
    const request = { cells: corrected, submittedBy: "ann", approvedBy: [] };
    await this.attempt(`hand in ${reference} again`, async () => {
      const { submitted } = await createPayoutStep(workplace, request);
      if (submitted.verdict !== "accepted")
        this.doors.break(
          `${reference} was taken back and is not taken again: ${JSON.stringify(submitted.problems)}`,
        );
    });
  }

  private async reopen(
    workplace: Workplace,
    { fields: { reference }, standing }: Instruction,
  ): Promise<void> {
    const isDone = await this.attempt(`re-open ${reference}`, () =>
      reopenStep(workplace, decisionOn(reference)),
    );
    if (isDone && standing !== "refused")
      this.doors.break(`${reference} was re-opened and had been ${standing}`);
  }

  /**
   * Whether every request that left for it was refused; whether one was carried out nevertheless is judged at the
   * service.
   */
  private async isRefused({ store }: Workplace, { id }: Instruction): Promise<boolean> {
    const submissions = await store.read(() => listSubmissions(id));
    return submissions.every(({ outcome }) => outcome === "refused" || outcome === "not sent");
  }

  private async payAgain(workplace: Workplace, instruction: Instruction): Promise<void> {
    const { fields, standing } = instruction;
    const { reference } = fields;
    const newReference = `${reference}-AGAIN`;
    const request = { ...decisionOn(reference), newReference };
    const mayBe =
      standing === "refused" || (standing === "abandoned" && (await this.isRefused(workplace, instruction)));
    // Recorded first, as above.
    if (mayBe) this.paidAgain.set(reference, newReference);
    const isDone = await this.attempt(`pay ${reference} again`, () => payAgainStep(workplace, request));
    if (isDone && !mayBe) this.doors.break(`${reference} is paid again and had been ${standing}`);
  }

  /** Returns whether the program did it; a refusal with a reason is not a fault. */
  private async attempt(what: string, act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      this.decided += 1;
      this.doors.trace(`a person: ${what}`);
      return true;
    } catch (error) {
      if (!(error instanceof KnownFault) || error.problem.code === "INVARIANT_BROKEN") throw error;
      this.refused += 1;
      this.doors.trace(`a person: ${what}: ${error.message}`);
      return false;
    }
  }
}

/** Everybody who has not approved a batch yet approves it, by the digest shown. */
export async function approveAll(workplace: Workplace): Promise<void> {
  for (const { batch, approvedBy, standings, runOut } of await statusOfBatches(workplace)) {
    // Approvals that were signed by a clock that was ahead do not hold yet.
    if (runOut.length === 0 && !standings.some(({ standing }) => standing === "received")) continue;
    for (const person of APPROVERS) {
      if (approvedBy.includes(person)) continue;
      if ((await approveStep(workplace, batch.digest, person)).isReleased) break;
    }
  }
}

function decisionOn(reference: string) {
  return { reference, person: "tess", reason: "asked the service's operator" };
}
