/** Sends what is approved and due, as the only sender of its key. */
import { type ExecutionOptions, type ExecutionReport, execute } from "../execution/index.ts";
import { inExecutionLane } from "./execution-policy.ts";
import type { Workplace } from "./workplace.ts";

/** Throws LANE_TAKEN while another process pays, AUDIT_CHAIN_BROKEN, or a SERVICE_ fault. */
export function payStep(workplace: Workplace, options: ExecutionOptions = {}): Promise<ExecutionReport> {
  return inExecutionLane(workplace, (tools) => execute(tools, options));
}
