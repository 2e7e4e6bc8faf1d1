/**
 * A preview for approvers: the effect of a batch or a file on the balances, and the findings that need a second
 * look.
 */

import { isOfService, isProblem, orProblem, type Problem } from "../faults/index.ts";
import { textsOfBatch } from "../files/intake/texts-beside.ts";
import type { LastTime } from "../files/reading/index.ts";
import type { Lineage } from "../files/repair/lineage.ts";
import { lastTimeOfBatch } from "../files/screening/last-time.ts";
import { type BatchScreening, isUnsent, screenBatch } from "../files/screening/screening.ts";
import type { BatchReading } from "../model/batch-reading.ts";
import { type Batch, type ControlTotal, controlTotals, type DraftInstruction } from "../model/index.ts";
import { present } from "../model/present.ts";
import type { Question, TextsBeside } from "../model/sheet-reading.ts";
import { type Asked, askedAbout } from "../payments/layout-step.ts";
import { type BalanceEffects, balanceEffects } from "../payments/named/balance-effects.ts";
import { batchNamed } from "../payments/named/named.ts";
import { sendingNow } from "../payments/run/approved-now.ts";
import { wordsOf } from "../payments/run/spoken-words.ts";
import { moreFor, peopleNeededFor } from "../people/decide.ts";
import { identityShown } from "../proof/identity.ts";
import { sumsNow } from "../proof/judged-approvals.ts";
import { listAudit } from "../store/audit.ts";
import { listByBatch, sumApproved } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { showBalances } from "./balances-step.ts";
import { batchLineage } from "./batch-step.ts";

export interface BatchPreview extends Omit<BatchScreening, "refusals" | "questions"> {
  readonly batch: Batch;
  /** The address and the calls with which the configuration would send it. */
  readonly sending: Awaited<ReturnType<typeof sendingNow>>;
  /** The comparison with the last approved file of its layout. */
  readonly lastTime?: LastTime;
  /** The content to approve, as words that approvers compare by telephone. */
  readonly words: string;
  /** Undefined if no rule covers the sums. */
  readonly peopleNeeded?: number;
  /** The sums together with those released shortly before, if these are the reason that more people are needed. */
  readonly together?: readonly ControlTotal[];
  /** Totals of the unsent payments; only these are previewed. */
  readonly unsent: readonly ControlTotal[];
  readonly awaitsApproval: boolean;
  /** How the file was read; absent for a payment that does not come from a file. */
  readonly reading?: BatchReading;
  /** How its file was repaired or corrected; absent if it is as it was sent. */
  readonly lineage?: Lineage;
  /** Texts of its unsent payments, from columns that are not read; absent without such columns. */
  readonly textsBeside?: TextsBeside;
  /** The questions that are still open. */
  readonly questions: readonly Question[];
  /** Payments of known payees to other addresses, each with the one at which its payee is known; for approvers. */
  readonly movedPayees: readonly MovedPayee[];
  /** Number of payments whose references were taken from withdrawn ones. */
  readonly withdrawnBefore: number;
  /** Why payments of the batch may not be approved. */
  readonly problems: readonly Problem[];
  readonly balances: BalanceEffects;
  /** Why `balances` is empty: this environment has no secrets, which an approver need not have. */
  readonly balancesLeftOut?: Problem;
}

export interface MovedPayee {
  readonly row: number;
  readonly knownAddress: string;
  /** How the other address is known, and how many addresses the payee has. */
  readonly where?: string;
}

/** A batch by its number or digest. Throws BATCH_UNKNOWN, and what `screenBatch` throws. */
export async function previewStep(workplace: Workplace, idOrDigest: string): Promise<BatchPreview> {
  const { store, config, context } = workplace;
  const batch = await store.read(() => batchNamed(idOrDigest));
  const instructions = await store.read(() => listByBatch(batch.id));
  const unsent = instructions.filter(isUnsent);
  const { refusals, questions: compared, ...screened } = await screenBatch(workplace, batch.id);
  const now = context.clock.now();
  const identity = await identityShown(workplace);
  const { rules } = config.approval;
  const sums = await store.read(() => sumsNow(identity, batch, config.approval, now));
  const balances = await orProblem(() => previewBalances(workplace, unsent, batch), isOfSecrets);
  const asked = await store.read(() => askedAbout(batch));
  const rows = unsent.map(({ row }) => row);
  const textsBeside = await store.read(() => textsOfBatch(batch.id, asked.reading, rows));
  return {
    batch,
    sending: await sendingNow(workplace, batch),
    words: await wordsOf(workplace, batch),
    ...present({ lastTime: await lastTimeOfBatch(workplace, batch, unsent) }),
    ...present({ peopleNeeded: peopleNeededFor(sums, rules) }),
    ...moreFor(sums, rules),
    unsent: controlTotals(unsent.map(({ fields }) => fields.amount)),
    awaitsApproval: unsent.some(({ standing }) => standing === "received"),
    withdrawnBefore: await store.read(() => countWithdrawnBefore(batch)),
    ...screened,
    ...present({ textsBeside, reading: asked.reading, lineage: await batchLineage(workplace, batch) }),
    questions: asked.open,
    movedPayees: movedPayees(compared),
    warnings: [...fileWarnings(asked, screened), ...screened.warnings],
    problems: refusals,
    ...(isProblem(balances)
      ? { balances: { effects: [], problems: [] }, balancesLeftOut: balances }
      : { balances }),
  };
}

function movedPayees(questions: BatchScreening["questions"]): readonly MovedPayee[] {
  return questions.flatMap(({ row, code, against }) =>
    code !== "DESTINATION_NOT_USUAL" || against?.address === undefined
      ? []
      : [{ row, knownAddress: against.address, ...present({ where: against.where }) }],
  );
}

/** Warnings from the intake of the file that today's screening does not repeat. */
function fileWarnings({ reading }: Asked, { warnings }: Pick<BatchScreening, "warnings">): Problem[] {
  const repeatedToday = new Set(warnings.map(({ code, row }) => `${code} ${row ?? ""}`));
  return reading?.warnings.filter(({ code, row }) => !repeatedToday.has(`${code} ${row ?? ""}`)) ?? [];
}

function isOfSecrets({ code }: Problem): boolean {
  return code === "SECRET_MISSING" || code === "SECRET_UNREADABLE";
}

/** The count that was recorded when the batch was stored. */
function* countWithdrawnBefore({ id }: Batch): Transaction<number> {
  const submitted = (yield* listAudit([id])).find(({ action }) => action === "submit");
  const count = submitted?.detail["withdrawnBefore"];
  return typeof count === "number" ? count : 0;
}

/**
 * What the custody accounts would hold after these payments and all approved, unsent ones; asks the service. If it
 * does not answer, that becomes a problem of the preview, so that the rest is still shown. Throws SECRET_MISSING.
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
