/** What a dead process was sending is put back into the queue, as if it had never left. */
import { momentOf } from "../../../src/context/clock.ts";
import * as original from "../../../src/payments/sending/doubts/doubt.ts";
import { settle } from "../../../src/payments/sending/settle.ts";
import { getInstruction } from "../../../src/store/instructions.ts";
import { listUnderWay } from "../../../src/store/submissions.ts";

export * from "../../../src/payments/sending/doubts/doubt.ts";

export const doubtInterrupted: typeof original.doubtInterrupted = async (tools) => {
  const moment = momentOf(tools.context.clock);
  await tools.store.write(function* () {
    for (const { id, instructionId } of yield* listUnderWay()) {
      const outcome = { kind: "not sent", evidence: "the process ended" } as const;
      yield* settle(id, yield* getInstruction(instructionId), outcome, moment);
    }
  });
  return original.doubtInterrupted(tools);
};
