/** The lane: every call of every face that changes something at the service is made inside it, one process at a time. */
import type { ExecutionPolicy } from "../execution/index.ts";
import { Anchor, checkAnchor } from "../store/anchor.ts";
import { verifyAudit } from "../store/audit.ts";
import { takeLane } from "../store/lane-lock.ts";
import type { Service, Workplace } from "./workplace.ts";

export type LanePolicy = Pick<ExecutionPolicy, "keyId" | "nonceRule" | "nonceFloor">;

/** Does `work` as the only sender of its key. Throws LANE_TAKEN while another process sends, AUDIT_CHAIN_BROKEN, DATABASE_BEHIND_ANCHOR. */
export async function inLane<Result>(
  workplace: Workplace,
  work: (service: Service, policy: LanePolicy) => Promise<Result>,
): Promise<Result> {
  const { config } = workplace;
  const service = workplace.service();
  const lane = takeLane(config.databasePath, service.keyId);
  try {
    await checkRecord(workplace);
    return await work(service, {
      keyId: service.keyId,
      nonceRule: config.nonce.rule,
      nonceFloor: config.nonce.floor,
    });
  } finally {
    lane.release();
  }
}

/** Before the first send: the record is whole, and the database is the newest there was. */
async function checkRecord({ store, config }: Workplace): Promise<void> {
  await store.read(() => verifyAudit());
  const anchored = new Anchor(config.anchorPath).read();
  if (anchored !== undefined) await store.read(() => checkAnchor(anchored, config.anchorPath));
}
