/**
 * The daemon's loop of notices. Each minute it writes messages about new cases, then delivers those that are due. It
 * takes no payment lane, and waits only for its own channels.
 */
import { isDeepStrictEqual } from "node:util";
import { sleepUnlessAborted } from "../context/clock.ts";
import type { Log, LogFields } from "../context/log.ts";
import { Fault } from "../faults/index.ts";
import type { NoticeChannel } from "../model/index.ts";
import { type Figures, figuresOf } from "../views/figures.ts";
import { exclusively } from "../workplace/exclusively.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { send } from "./channels.ts";
import { directoryOf } from "./directory.ts";
import { findAll, type Remembered } from "./find.ts";
import { Outbox } from "./outbox.ts";
import { afterAttempt } from "./rules/delivery.ts";
import { collect, type Writing } from "./rules/messages.ts";
import { type Directory, recipientsOf } from "./rules/recipients.ts";
import { noticesOf } from "./rules/wording.ts";
import { sendEvents } from "./send-events.ts";
import { writeEvents } from "./write-events.ts";

const ROUND_EVERY_MS = 60_000;
/** Messages per channel and round. */
const SENT_AT_ONCE = 100;

/** "mail through smtp.example.com"; undefined if no channel is configured. Throws the faults of `noticesSecrets`. */
export function channelsText({ config, noticesSecrets }: Workplace): string | undefined {
  const { chatUrl, events } = noticesSecrets();
  const channels = [
    ...(config.notices.mail === undefined ? [] : [`mail through ${config.notices.mail.host}`]),
    ...(chatUrl === undefined ? [] : [`the chat at ${new URL(chatUrl).host}`]),
    ...(events === undefined ? [] : [`events to ${new URL(events.url).host}`]),
  ];
  return channels.length === 0 ? undefined : channels.join(" and ");
}

/**
 * `withUnstoredRuns` adds to the figures the runs that the database could not store. Resolves once `signal` has
 * aborted and deliveries have ended.
 */
export async function runNotices(
  workplace: Workplace,
  signal: AbortSignal,
  withUnstoredRuns: (figures: Figures) => Figures = (figures) => figures,
): Promise<void> {
  const { clock, log } = workplace.context;
  const outbox = new Outbox();
  const remembered: Remembered = { payees: new Map() };
  do
    await exclusively(workplace, "notices", async (alone) => {
      const directory = await directoryOf(alone);
      // A failure to find new cases must not stop the delivery of written messages.
      await writeNew(alone, outbox, remembered, directory, withUnstoredRuns).catch((error: unknown) =>
        log.warn("notices not looked for", logFieldsOf(error)),
      );
      await whenAllEnded([deliver(alone, outbox, directory, signal), sendToSystems(alone, signal)]);
    }).catch((error: unknown) => log.warn("notices not looked for", logFieldsOf(error)));
  while (await sleepUnlessAborted(clock, ROUND_EVERY_MS, signal));
}

/** Throws the first failure after all have ended: until then this process must be the only one that sends. */
async function whenAllEnded(works: readonly Promise<void>[]): Promise<void> {
  for (const ended of await Promise.allSettled(works)) if (ended.status === "rejected") throw ended.reason;
}

async function sendToSystems(workplace: Workplace, signal: AbortSignal): Promise<void> {
  if (workplace.noticesSecrets().events === undefined) return;
  await writeEvents(workplace);
  await sendEvents(workplace, signal);
}

function logFieldsOf(error: unknown): LogFields {
  if (error instanceof Fault) return { code: error.problem.code, message: error.problem.message };
  return { message: error instanceof Error ? error.message : String(error) };
}

export function writingOf({ config, context }: Workplace): Writing {
  const { installation } = config.people;
  return { now: context.clock.now(), origin: config.desk?.origin, installation };
}

async function writeNew(
  workplace: Workplace,
  outbox: Outbox,
  remembered: Remembered,
  directory: Directory,
  withUnstoredRuns: (figures: Figures) => Figures,
): Promise<void> {
  const { config, store, context } = workplace;
  const findings = await findAll(workplace, withUnstoredRuns(await figuresOf(workplace)), remembered);
  const before = await outbox.casesBefore(store);
  const { cases, messages } = collect(
    noticesOf(findings, config),
    before,
    (notice) => recipientsOf(notice, directory, config),
    writingOf(workplace),
  );
  if (messages.length === 0 && isDeepStrictEqual(sorted(cases), sorted(before))) return;
  const isWritten = await hasWritten(context.log, outbox.add(store, cases, messages));
  if (!isWritten && store.isShared) outbox.forgetNew();
}

/** Logs a failure: the outbox keeps in memory what it could not write. */
async function hasWritten(log: Log, written: Promise<void>): Promise<boolean> {
  try {
    await written;
    return true;
  } catch (error) {
    log.warn("notices not written", logFieldsOf(error));
    return false;
  }
}

function sorted(cases: readonly { readonly event: string; readonly item: string }[]) {
  return cases.toSorted((a, b) => (`${a.event} ${a.item}` < `${b.event} ${b.item}` ? -1 : 1));
}

/** The channels work in parallel: if one does not answer, the other continues. */
async function deliver(
  workplace: Workplace,
  outbox: Outbox,
  directory: Directory,
  signal: AbortSignal,
): Promise<void> {
  const { store, context } = workplace;
  const channels: readonly NoticeChannel[] = ["mail", "chat"];
  await whenAllEnded(
    channels.map(async (channel) => {
      for (const message of await outbox.due(store, channel, context.clock.now(), SENT_AT_ONCE)) {
        if (signal.aborted) return;
        const attempt = await send(workplace, message, directory);
        const { retryHours } = workplace.config.notices;
        const tried = afterAttempt(message, attempt, context.clock.now(), retryHours);
        if (!attempt.isTaken) logFailure(workplace, tried);
        const isWritten = await hasWritten(context.log, outbox.update(store, tried));
        // On a shared database another process may have taken over, and then sends the rest.
        if (attempt.isDown === true || (!isWritten && store.isShared)) return;
      }
    }),
  );
}

function logFailure(
  { context }: Workplace,
  { channel, recipient, about, outcome, attempts, answer }: ReturnType<typeof afterAttempt>,
): void {
  const whom = recipient === "" ? channel : `${channel} to ${recipient}`;
  const message = `${whom}, about ${about}: ${answer}`;
  if (outcome === "given up") context.log.error("notice given up", { attempt: attempts, message });
  else context.log.warn("notice not delivered", { attempt: attempts, message });
}
