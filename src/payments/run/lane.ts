/** The lane: every call that changes something at the service is made inside it, by one process at a time. */

import { anchorOf, checkAnchor } from "../../store/anchor.ts";
import { verifyAudit } from "../../store/audit.ts";
import { listOpenChanges } from "../../store/changes.ts";
import { type Lane, type Store, unlessTaken, whileHeld } from "../../store/store.ts";
import { listUnderWay } from "../../store/submissions.ts";
import { agreeBeforeSending } from "../../workplace/agreement.ts";
import type { Service } from "../../workplace/service.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { doubtEarlierChanges, doubtInterrupted, type ExecutionPolicy } from "../sending/index.ts";
import { orderOnRecordOnly, watchStopFiles } from "./stop-order.ts";

export type LanePolicy = Pick<
  ExecutionPolicy,
  "keyId" | "nonceRule" | "nonceFloor" | "whyLaneClosed" | "stopOrder"
>;

/** Upper bound between the last check of the lane and the first byte of a request. */
const SENDING_MARGIN_MS = 5_000;

/**
 * Does `work` as the only sender of its key, after `verify` has read the record. Throws LANE_TAKEN while another
 * process sends, AUDIT_CHAIN_BROKEN, DATABASE_BEHIND_ANCHOR, and CONFIGURATION_DIFFERS if machines that share the
 * database would send differently.
 */
export async function inLane<Result>(
  workplace: Workplace,
  work: (service: Service, policy: LanePolicy) => Promise<Result>,
  verify: (store: Store) => Promise<unknown> = verifyAudit,
): Promise<Result> {
  const { config } = workplace;
  const service = workplace.service();
  return whileHeld(workplace.store, await takeLane(workplace, service.keyId), async (store, lane) => {
    await checkRecord(workplace, () => verify(store));
    await agreeBeforeSending(workplace);
    const tools = { ...service.tools, store };
    const watch = watchStopFiles(workplace);
    await watch.noted();
    const onRecord = await orderOnRecordOnly(workplace);
    try {
      return await work(
        { ...service, tools },
        {
          keyId: service.keyId,
          nonceRule: config.nonce.rule,
          nonceFloor: config.nonce.floor,
          whyLaneClosed: () => lane.whyClosed(),
          stopOrder: () => onRecord ?? watch.order() ?? lane.stopOrder(),
        },
      );
    } finally {
      await watch.noted();
    }
  });
}

/** Takes the lane of a client key, which may no longer be configured. Throws LANE_TAKEN. */
function takeLane({ config, store }: Pick<Workplace, "config" | "store">, keyId: string): Promise<Lane> {
  return store.takeLane(keyId, config.http.timeoutMs + SENDING_MARGIN_MS);
}

/** Throws AUDIT_CHAIN_BROKEN, and DATABASE_BEHIND_ANCHOR or another fault of the anchor. */
export async function checkRecord(
  { store, config }: Workplace,
  verify: () => Promise<unknown> = () => verifyAudit(store),
): Promise<void> {
  await verify();
  await store.read(checkAnchor(anchorOf(config)));
}

/**
 * Marks submissions and changes as in doubt that a dead process left without an outcome under a client key that is
 * no longer configured. No run takes that key's lane, so without this no person could ever decide about them. Skips
 * keys with which another process is still sending.
 */
export async function doubtLeftBehind(workplace: Workplace): Promise<void> {
  const { store, context, underKeys } = workplace;
  const own = new Set(underKeys.map((view) => view.service().keyId));
  const underWay = await store.read(function* () {
    const changes = (yield* listOpenChanges()).filter(({ outcome }) => outcome === undefined);
    return [...(yield* listUnderWay()), ...changes];
  });
  const others = new Set(underWay.map(({ keyId }) => keyId).filter((keyId) => !own.has(keyId)));
  for (const keyId of others) {
    const lane = await unlessTaken(takeLane(workplace, keyId));
    if (lane === undefined) continue;
    await whileHeld(store, lane, async (fenced) => {
      const ofLane = { store: fenced, context, policy: { keyId } };
      await doubtInterrupted(ofLane);
      await doubtEarlierChanges(ofLane);
    });
  }
}
