/** Writes the morning digest into the outbox, one message for each recipient and day. */
import { dayIn, localMinuteText } from "../model/index.ts";
import { present } from "../model/present.ts";
import { readComparison } from "../store/comparison.ts";
import { keepMessages, listWrittenKeys } from "../store/notices.ts";
import { statusOfOpenBatches } from "../views/batch-status.ts";
import { listDoubts } from "../views/doubts.ts";
import { figuresOf } from "../views/figures.ts";
import { overviewOf } from "../views/overview.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { directoryOf } from "./directory.ts";
import { findAll } from "./find.ts";
import { digestWords, type WorkFound } from "./rules/digest.ts";
import { messageTo } from "./rules/messages.ts";
import { recipientsOf } from "./rules/recipients.ts";
import { writingOf } from "./run.ts";

/**
 * Returns how many messages were written: none if there are no recipients, or if today's digest was already
 * written.
 */
export async function digestStep(workplace: Workplace): Promise<number> {
  const { config, store, context } = workplace;
  const directory = await directoryOf(workplace);
  const day = dayIn(config.ledger.timeZone, context.clock.now());
  const recipients = recipientsOf({ event: "digest" }, directory, config);
  if (recipients.length === 0) return 0;
  const findings = await findAll(workplace, await figuresOf(workplace), { payees: new Map() });
  const words = digestWords(day, findings, await workFound(workplace));
  const content = { event: "digest", about: day, path: "/", occasion: day, ...words } as const;
  const messages = recipients.map((recipient) => messageTo(recipient, content, writingOf(workplace)));
  return store.write(function* () {
    const known = yield* listWrittenKeys(messages.map(({ key }) => key));
    const fresh = messages.filter(({ key }) => !known.has(key));
    yield* keepMessages(fresh);
    return fresh.length;
  });
}

async function workFound(workplace: Workplace): Promise<WorkFound> {
  const batches = await statusOfOpenBatches(workplace);
  const overview = await overviewOf(workplace, batches, await listDoubts(workplace));
  const { dueToday, later, sending, openBreaks: breaks, noticesGivenUp: notDelivered } = overview;
  const { comparedAt } = await workplace.store.read(() => readComparison());
  const { timeZone } = workplace.config.ledger;
  return {
    ...{ dueToday: dueToday.totals, later: later.totals, sending: sending.totals, breaks, notDelivered },
    ...present({ comparedAt: comparedAt && localMinuteText(timeZone, comparedAt) }),
  };
}
