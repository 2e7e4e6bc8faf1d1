/** What another key's lane has in flight is taken for what a dead process left behind. */
import { momentOf } from "../../../src/context/clock.ts";
import type * as original from "../../../src/payments/sending/doubts/doubt.ts";
import { settle } from "../../../src/payments/sending/settle.ts";
import { getInstruction } from "../../../src/store/instructions.ts";
import { listUnderWay } from "../../../src/store/submissions.ts";

export * from "../../../src/payments/sending/doubts/doubt.ts";

export const doubtInterrupted: typeof original.doubtInterrupted = ({ store, context }) =>
  store.write(function* () {
    const underWay = yield* listUnderWay();
    for (const { id, instructionId } of underWay) {
      const outcome = { kind: "in doubt", evidence: "the process ended" } as const;
      yield* settle(id, yield* getInstruction(instructionId), outcome, momentOf(context.clock));
    }
    return underWay.length;
  });
