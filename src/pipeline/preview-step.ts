/** Before an approval: what a batch or a file would do to the balances, and what in it needs a second look. */
import { type BalanceEffects, balanceEffects } from "../approval/index.ts";
import { isOfService, isProblem, orProblem, type Problem } from "../faults/index.ts";
import { type Batch, type ControlTotal, controlTotals, type DraftInstruction } from "../model/index.ts";
import { listAudit } from "../store/audit.ts";
import { listByBatch, sumApproved } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { showBalances } from "./balances-step.ts";
import { batchNamed } from "./payments/named.ts";
import { type BatchScreening, isUnsent, screenBatch } from "./screening/screening.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface BatchPreview extends Omit<BatchScreening, "refusals"> {
  readonly batch: Batch;
  /** Totals of the unsent payments; only these are previewed. */
  readonly unsent: readonly ControlTotal[];
  readonly awaitsApproval: boolean;
  /** Number of payments whose references were taken from withdrawn ones. */
  readonly withdrawnBefore: number;
  /** Why payments of the batch may not be approved. */
  readonly problems: readonly Problem[];
  readonly balances: BalanceEffects;
  /** Why `balances` is empty: this environment has no secrets, which an approver need not have. */
  readonly balancesLeftOut?: Problem;
}

/** A batch by its number or digest. Throws BATCH_UNKNOWN, and what `screenBatch` throws. */
export async function previewStep(workplace: Workplace, idOrDigest: string): Promise<BatchPreview> {
  const { store } = workplace;
  const batch = await store.read(() => batchNamed(idOrDigest));
  const instructions = await store.read(() => listByBatch(batch.id));
  const unsent = instructions.filter(isUnsent);
  const { refusals, ...screened } = await screenBatch(workplace, batch.id);
  const balances = await orProblem(() => previewBalances(workplace, unsent, batch), isOfSecrets);
  return {
    batch,
    unsent: controlTotals(unsent.map(({ fields }) => fields.amount)),
    awaitsApproval: unsent.some(({ standing }) => standing === "received"),
    withdrawnBefore: await store.read(() => countWithdrawnBefore(batch)),
    ...screened,
    problems: refusals,
    ...(isProblem(balances)
      ? { balances: { effects: [], problems: [] }, balancesLeftOut: balances }
      : { balances }),
  };
}

function isOfSecrets({ code }: Problem): boolean {
  return code === "SECRET_MISSING" || code === "SECRET_UNREADABLE";
}

/** As it was written down when the batch was stored. */
function* countWithdrawnBefore({ id }: Batch): Transaction<number> {
  const submitted = (yield* listAudit([id])).find(({ action }) => action === "submit");
  const count = submitted?.detail["withdrawnBefore"];
  return typeof count === "number" ? count : 0;
}

/**
 * What the custody accounts would hold after these payments and all approved, unsent ones; asks the service. If it does
 * not answer, that becomes a problem of the preview, so that the rest is still shown. Throws SECRET_MISSING.
 */
export async function previewBalances(
  workplace: Workplace,
  drafts: readonly DraftInstruction[],
  batch?: Batch,
): Promise<BalanceEffects> {
  const { config, scales, store } = workplace;
  if (drafts.length === 0) return { effects: [], problems: [] };
  const approved = await store.read(() => sumApproved(batch?.id));
  const balances = await orProblem(() => showBalances(workplace, [], "path"), isOfService);
  return isProblem(balances)
    ? { effects: [], problems: [balances] }
    : balanceEffects(drafts, config.custodyAccounts, balances, approved, scales);
}
