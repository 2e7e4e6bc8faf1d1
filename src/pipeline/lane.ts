/** The lane: every call of every face that changes something at the service is made inside it, one process at a time. */
import type { ExecutionPolicy } from "../execution/index.ts";
import { verifyAudit } from "../store/audit.ts";
import { takeLane } from "../store/lane-lock.ts";
import type { Service, Workplace } from "./workplace.ts";

export type LanePolicy = Pick<ExecutionPolicy, "keyId" | "nonceRule" | "nonceFloor">;

/** Does `work` as the only sender of its key. Throws LANE_TAKEN while another process sends, and AUDIT_CHAIN_BROKEN. */
export async function inLane<Result>(
  workplace: Workplace,
  work: (service: Service, policy: LanePolicy) => Promise<Result>,
): Promise<Result> {
  const { store, config } = workplace;
  const service = workplace.service();
  const lane = takeLane(config.databasePath, service.keyId);
  try {
    await store.read(() => verifyAudit());
    return await work(service, {
      keyId: service.keyId,
      nonceRule: config.nonce.rule,
      nonceFloor: config.nonce.floor,
    });
  } finally {
    lane.release();
  }
}
