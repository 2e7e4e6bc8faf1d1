/** The lane: every call of every face that changes something at the service is made inside it, one process at a time. */
import type { ExecutionPolicy } from "../execution/index.ts";
import { Anchor, checkAnchor } from "../store/anchor.ts";
import { verifyAudit } from "../store/audit.ts";
import { fencedStore, type Lane, type Store } from "../store/store.ts";
import { localStopOrder } from "./stop-order.ts";
import type { Service, Workplace } from "./workplace.ts";

export type LanePolicy = Pick<
  ExecutionPolicy,
  "keyId" | "nonceRule" | "nonceFloor" | "whyLaneClosed" | "stopped"
>;

/** Between the last check and the first byte, beside the request's own time. */
const SENDING_MARGIN_MS = 5_000;

/** Does `work` as the only sender of its key. Throws LANE_TAKEN while another process sends, AUDIT_CHAIN_BROKEN, DATABASE_BEHIND_ANCHOR. */
export async function inLane<Result>(
  workplace: Workplace,
  work: (service: Service, policy: LanePolicy) => Promise<Result>,
): Promise<Result> {
  const { config } = workplace;
  const service = workplace.service();
  return holdingLane(workplace, service.keyId, async (lane, store) => {
    await checkRecord(workplace);
    const tools = { ...service.tools, store };
    return work(
      { ...service, tools },
      {
        keyId: service.keyId,
        nonceRule: config.nonce.rule,
        nonceFloor: config.nonce.floor,
        whyLaneClosed: () => lane.whyClosed(),
        stopped: () => localStopOrder(config)?.reason ?? lane.stopOrder(),
      },
    );
  });
}

/** Does `work` while nobody else sends under a key, be it one of the configuration's or not. Throws LANE_TAKEN. */
export async function holdingLane<Result>(
  { config, store }: Pick<Workplace, "config" | "store">,
  keyId: string,
  work: (lane: Lane, fenced: Store) => Promise<Result>,
): Promise<Result> {
  const lane = await store.takeLane(keyId, config.http.timeoutMs + SENDING_MARGIN_MS);
  try {
    return await work(lane, fencedStore(store, lane));
  } finally {
    await lane.release();
  }
}

/** Before the first send: the record is whole, and the database is the newest there was. */
async function checkRecord({ store, config }: Workplace): Promise<void> {
  await store.read(() => verifyAudit());
  await store.read(() => checkAnchor(new Anchor(config.anchorPath)));
}
