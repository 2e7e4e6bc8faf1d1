/** The story of one payment: who did what when, what left, what came back, what the service shows, what is booked. */
import { compareText } from "../model/compare-text.ts";
import type { Batch, Instant, Instruction, Submission } from "../model/index.ts";
import { present } from "../model/present.ts";
import { formatAmount } from "../money/index.ts";
import { payoutFromStored } from "../observation/index.ts";
import { type AuditEntry, listAudit } from "../store/audit.ts";
import { getBatch, listApprovals } from "../store/batches.ts";
import { listOpenBreaks } from "../store/breaks.ts";
import { getByReference } from "../store/instructions.ts";
import { listEntriesAbout } from "../store/ledger-entries.ts";
import { type Look, listLooks } from "../store/looks.ts";
import { findPayoutSighting, listPayoutHistory } from "../store/observed.ts";
import { findPayAgain } from "../store/pay-again.ts";
import type { Transaction } from "../store/sql.ts";
import { listSubmissions } from "../store/submissions.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface StoryLine {
  readonly at: Instant;
  readonly who: string;
  readonly what: string;
}

export interface Story {
  readonly instruction: Instruction;
  readonly file: string;
  /** The events, oldest first. */
  readonly lines: readonly StoryLine[];
  /** The payout's state as last seen. */
  readonly payoutState?: string;
  /** Open reconciliation breaks about it, in their own sentences. */
  readonly breaks: readonly string[];
  /** Journal entries of its payout. */
  readonly entryIds: readonly string[];
  /** The reference under which it is paid again. */
  readonly again?: string;
}

/** The story of the payment with this reference. Throws BATCH_UNKNOWN. */
export function explainStep({ store }: Workplace, reference: string): Promise<Story> {
  return store.read(function* (): Transaction<Story> {
    const instruction = yield* getByReference(reference);
    const { batchId, payoutId, id } = instruction;
    const batch = yield* getBatch(batchId);
    const sighting = payoutId === undefined ? undefined : yield* findPayoutSighting(payoutId);
    const entries = payoutId === undefined ? [] : yield* listEntriesAbout([payoutId]);
    const breaks = (yield* listOpenBreaks()).filter(
      (doubt) => doubt.reference === reference || (payoutId !== undefined && doubt.payoutId === payoutId),
    );
    const again = yield* findPayAgain(id);
    return {
      instruction,
      file: batch.fileName,
      lines: yield* linesOf(instruction, batch),
      ...present({ payoutState: sighting?.state }),
      breaks: breaks.map(({ sentence }) => sentence),
      entryIds: entries.map(({ entryId }) => entryId),
      ...present({ again: again?.standing === undefined ? undefined : again.reference }),
    };
  });
}

/** Oldest first. */
function* linesOf({ id, row, fields, payoutId }: Instruction, batch: Batch): Transaction<StoryLine[]> {
  const { submittedAt, submittedBy, fileName } = batch;
  const amount = formatAmount(fields.amount);
  const lines: StoryLine[] = [
    {
      at: submittedAt,
      who: submittedBy,
      what: `submitted ${fileName}, row ${row}: ${amount} as batch ${batch.id}`,
    },
  ];
  for (const { decidedAt, person } of yield* listApprovals(batch.id))
    lines.push({ at: decidedAt, who: person, what: `approved batch ${batch.id}` });
  const submissions = yield* listSubmissions(id);
  lines.push(...submissions.map(intentLine));
  for (const submission of submissions) lines.push(...(yield* listLooks(submission.id)).map(lookLine));
  lines.push(...(yield* listAudit([fields.reference])).map(auditLine));
  const states = payoutId === undefined ? [] : yield* listPayoutHistory(payoutId);
  for (const { seenAt, raw } of states) {
    const { state } = payoutFromStored(raw, seenAt);
    lines.push({ at: seenAt, who: "the service", what: `shows payout ${payoutId} ${state}` });
  }
  return lines.sort((left, right) => compareText(left.at, right.at));
}

function auditLine({ at, person, action, detail }: AuditEntry): StoryLine {
  const details = Object.entries(detail).map(([name, value]) => `${name} ${value}`);
  return { at, who: person, what: `${action}: ${details.join(", ")}` };
}

function lookLine({ saw, notSent, firstAt, lastAt, times }: Look): StoryLine {
  const again = times === 1 ? "" : `, ${times} times until ${lastAt}`;
  const why = notSent === undefined ? "" : `; not sent again: ${notSent}`;
  return { at: firstAt, who: "paydrop", what: `looked for it${again}: ${saw}${why}` };
}

function intentLine({ intendedAt, operation, nonce, attempt, sends, baseUrl }: Submission): StoryLine {
  const times = sends === 1 ? "" : `, sent ${sends} times`;
  return {
    at: intendedAt,
    who: "paydrop",
    what: `attempt ${attempt}: ${operation} with nonce ${nonce} to ${baseUrl}${times}`,
  };
}
