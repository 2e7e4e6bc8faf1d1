/** What a dead process was sending is put back into the queue, as if it had never left. */
import { momentOf } from "../../../src/context/clock.ts";
import * as original from "../../../src/execution/doubts/doubt.ts";
import { settle } from "../../../src/execution/settle.ts";
import { getInstruction } from "../../../src/store/instructions.ts";
import { listUnderWay } from "../../../src/store/submissions.ts";

export * from "../../../src/execution/doubts/doubt.ts";

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
