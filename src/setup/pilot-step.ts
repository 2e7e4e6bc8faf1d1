/**
 * First contact with a service: one small approved payout end to end, and a record of behaviour that the interface
 * does not define: whether the signature is accepted, which nonces are valid, how soon a created payout is visible,
 * and which of its fields come back as sent.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../context/files.ts";
import {
  correlatedCallbackUrl,
  GENERAL_LEDGER_FIELDS,
  hasEnded,
  type Instruction,
  payoutStateMeaning,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { PAYOUTS, track } from "../observation/index.ts";
import { type CreatedPayout, createPayoutStep, type PayoutRequest } from "../payments/create-payout-step.ts";
import { type NonceTrial, tryNonces } from "../payments/run/nonce-trial.ts";
import { appendAudit } from "../store/audit.ts";
import { findPayoutSighting } from "../store/observed.ts";
import { findLastSubmission } from "../store/submissions.ts";
import { showBalances } from "../views/balances-step.ts";
import { searchPayouts } from "../views/search-step.ts";
import { type Payout, writeDocument } from "../wire/index.ts";
import { openFolders } from "../workplace/folders.ts";
import { underKeyOf, type Workplace } from "../workplace/workplace.ts";

export interface PilotRequest extends PayoutRequest {
  /** How long to wait for the payout to become visible, and then for its final state. */
  readonly waitMs: number;
  /** Whether to create up to three deposits to learn the nonce rule. */
  readonly triesNonces: boolean;
}

/** One field of the payout, as sent and as the service shows it. */
interface Echo {
  readonly field: string;
  readonly sent: string;
  readonly shown: string | undefined;
  readonly isSame: boolean;
}

export interface PilotReport extends CreatedPayout {
  /** The scheme with which a signed look-up was accepted before anything was sent. */
  readonly signature: { readonly scheme: string; readonly isAccepted: true };
  readonly nonce?: string;
  readonly nonceTrial?: NonceTrial;
  /** Milliseconds from acceptance to the first look that showed it; absent if none did. */
  readonly visibleByIdAfterMs?: number;
  readonly visibleByReferenceAfterMs?: number;
  readonly echoes: readonly Echo[];
  readonly payoutState?: string;
  /** Path of the record; absent if no payout was accepted. */
  readonly path?: string;
}

/** Runs the pilot. Throws a ServiceFault when the first look-up is refused, and what `createPayoutStep` throws. */
export async function pilotStep(
  workplace: Workplace,
  request: PilotRequest,
  onStage: (stage: string) => void = () => undefined,
): Promise<PilotReport> {
  const { config, store } = workplace;
  onStage("asking for balances: is the signature accepted?");
  await showBalances(workplace, [], "path");
  const signature = { scheme: config.signing.scheme, isAccepted: true } as const;

  onStage("one payout: submitted, approved, sent");
  let acceptedAtMs = 0;
  const created = await createPayoutStep(workplace, request, {
    onSubmitted: () => {
      acceptedAtMs = workplace.context.clock.monotonicMs();
    },
  });
  const { instruction } = created;
  if (instruction?.payoutId === undefined) return { ...created, signature, echoes: [] };
  const submission = await store.read(() => findLastSubmission(instruction.id));

  const { custodyAccountId, reference } = instruction.fields;
  onStage("looking for it");
  const seen = await watchAppear(workplace, instruction, acceptedAtMs, request.waitMs);
  let nonceTrial: NonceTrial | undefined;
  if (request.triesNonces) {
    onStage("three deposits: which nonces does the service accept?");
    nonceTrial = await tryNonces(workplace, custodyAccountId, reference, request.submittedBy);
  }
  onStage("following it to its end");
  const view = underKeyOf(workplace, custodyAccountId);
  const payoutState = await watchEnd(view, instruction.payoutId, request.waitMs);
  const report: PilotReport = {
    ...created,
    signature,
    ...present({ nonce: submission?.nonce.toString(), nonceTrial }),
    ...seen,
    ...present({ payoutState }),
  };
  return { ...report, path: await writeRecord(workplace, instruction, report, request.submittedBy) };
}

const FIRST_PAUSE_MS = 50;
const PAUSE_MAX_MS = 2000;

/** Yields for each look: at once, then after longer and longer pauses until the time is up. */
async function* looks({ context: { clock } }: Workplace, sinceMs: number, waitMs: number) {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
    yield;
    if (clock.monotonicMs() - sinceMs > waitMs) return;
    await clock.sleep(pauseMs);
  }
}

type Appearance = Pick<PilotReport, "visibleByIdAfterMs" | "visibleByReferenceAfterMs" | "echoes">;

async function watchAppear(
  workplace: Workplace,
  instruction: Instruction,
  acceptedAtMs: number,
  waitMs: number,
): Promise<Appearance> {
  const { clock } = workplace.context;
  const { payoutId = "", fields } = instruction;
  let byIdMs: number | undefined;
  let byReferenceMs: number | undefined;
  let payout: Payout | undefined;
  const sinceMs = () => Math.round(clock.monotonicMs() - acceptedAtMs);
  for await (const _ of looks(workplace, acceptedAtMs, waitMs)) {
    if (byIdMs === undefined) {
      [payout] = await found(workplace, { ids: [payoutId] });
      if (payout !== undefined) byIdMs = sinceMs();
    }
    if (byReferenceMs === undefined) {
      const named = await found(workplace, { references: [fields.reference] });
      if (named.some((payout) => payout.payoutId === payoutId)) byReferenceMs = sinceMs();
    }
    if (byIdMs !== undefined && byReferenceMs !== undefined) break;
  }
  return {
    ...present({ visibleByIdAfterMs: byIdMs, visibleByReferenceAfterMs: byReferenceMs }),
    echoes: payout === undefined ? [] : echoesOf(instruction, payout),
  };
}

async function found(
  workplace: Workplace,
  filter: { readonly ids?: readonly string[]; readonly references?: readonly string[] },
): Promise<readonly Payout[]> {
  return (await searchPayouts(workplace, { ...filter, limit: 20, by: "path" })).found;
}

function echoesOf(instruction: Instruction, payout: Payout): Echo[] {
  const { fields } = instruction;
  const { amount, currency } = payout.requestedAmount;
  const text = (field: string, sent: string | undefined, shown: string | undefined): Echo[] =>
    sent === undefined ? [] : [{ field, sent, shown, isSame: sent === shown }];
  return [
    ...text("reference", fields.reference, payout.reference),
    ...text("callbackUrl", correlatedCallbackUrl(instruction), payout.callbackUrl),
    {
      field: "requestedAmount",
      sent: `${fields.amount.value} ${fields.amount.currency}`,
      shown: `${amount} ${currency}`,
      isSame: amount.equals(fields.amount.value) && currency === fields.amount.currency,
    },
    ...text("accountId", fields.custodyAccountId, payout.accountId),
    ...text("destinationAddress", fields.destinationAddress, payout.destinationAddress),
    ...text("destinationAccountId", fields.destinationAccountId, payout.destinationAccountId),
    ...GENERAL_LEDGER_FIELDS.flatMap((field) => text(field, fields[field], payout[field])),
  ];
}

/** The payout's state once it is final, or the last one seen when the time is up. */
async function watchEnd(workplace: Workplace, payoutId: string, waitMs: number): Promise<string | undefined> {
  const { tools } = workplace.service();
  let state: string | undefined;
  for await (const _ of looks(workplace, workplace.context.clock.monotonicMs(), waitMs)) {
    await track(tools, PAYOUTS, [payoutId]);
    state = (await workplace.store.read(() => findPayoutSighting(payoutId)))?.state;
    if (hasEnded(payoutStateMeaning(state ?? ""))) break;
  }
  return state;
}

async function writeRecord(
  workplace: Workplace,
  { fields: { reference }, payoutId }: Instruction,
  report: PilotReport,
  person: string,
): Promise<string> {
  const { config, store, context } = workplace;
  await openFolders(workplace, "outbox");
  const path = join(config.folders.outbox, `${reference.replace(/[^A-Za-z0-9._-]+/g, "-")}.pilot.json`);
  await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, `${writeDocument(report)}\n`));
  await store.write(() =>
    appendAudit({
      at: context.clock.now(),
      person,
      action: "pilot",
      subject: reference,
      detail: { payoutId: payoutId ?? "", record: path },
    }),
  );
  return path;
}
