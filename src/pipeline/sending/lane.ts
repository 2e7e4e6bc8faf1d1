/** The lane: every call that changes something at the service is made inside it, by one process at a time. */
import type { ExecutionPolicy } from "../../execution/index.ts";
import { anchorOf, checkAnchor } from "../../store/anchor.ts";
import { verifyAudit } from "../../store/audit.ts";
import { type Lane, whileHeld } from "../../store/store.ts";
import { agreeBeforeSending } from "../workplace/agreement.ts";
import type { Service } from "../workplace/service.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { localStopOrder, stopFilesOf } from "./stop-order.ts";

export type LanePolicy = Pick<
  ExecutionPolicy,
  "keyId" | "nonceRule" | "nonceFloor" | "whyLaneClosed" | "stopOrder"
>;

/** Upper bound between the last check of the lane and the first byte of a request. */
const SENDING_MARGIN_MS = 5_000;

/**
 * Does `work` as the only sender of its key. Throws LANE_TAKEN while another process sends, AUDIT_CHAIN_BROKEN,
 * DATABASE_BEHIND_ANCHOR, and CONFIGURATION_DIFFERS if machines that share the database would not send alike.
 */
export async function inLane<Result>(
  workplace: Workplace,
  work: (service: Service, policy: LanePolicy) => Promise<Result>,
): Promise<Result> {
  const { config } = workplace;
  const service = workplace.service();
  return whileHeld(workplace.store, await takeLane(workplace, service.keyId), async (store, lane) => {
    await checkRecord(workplace);
    const tools = { ...service.tools, store };
    const stopFiles = stopFilesOf(config);
    return work(
      { ...service, tools },
      {
        keyId: service.keyId,
        nonceRule: config.nonce.rule,
        nonceFloor: config.nonce.floor,
        whyLaneClosed: () => lane.whyClosed(),
        stopOrder: () => localStopOrder(stopFiles)?.reason ?? lane.stopOrder(),
      },
    );
  });
}

/** Takes the lane of a client key, which may no longer be configured. Throws LANE_TAKEN. */
export function takeLane(
  { config, store }: Pick<Workplace, "config" | "store">,
  keyId: string,
): Promise<Lane> {
  return store.takeLane(keyId, config.http.timeoutMs + SENDING_MARGIN_MS);
}

/** Before the first send: audit chain intact, database not behind its anchor, machines agree. */
async function checkRecord(workplace: Workplace): Promise<void> {
  const { store, config } = workplace;
  await verifyAudit(store);
  await store.read(checkAnchor(anchorOf(config)));
  await agreeBeforeSending(workplace);
}
