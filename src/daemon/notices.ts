/**
 * Sends notices of what needs somebody to the URL in PAYDROP_NOTICES_URL: a POST of `{ "text": ... }`, as chat programs
 * accept it. A notice is repeated when there is more of the same or something newer, or after a day. One that does not
 * arrive is retried, and holds up nothing else.
 */
import { isDeepStrictEqual } from "node:util";
import { sleepUnlessAborted } from "../context/clock.ts";
import type { Context } from "../context/context.ts";
import { DAY_MS, type Instant, shifted } from "../model/index.ts";
import { present } from "../model/present.ts";
import { listNotices, type Notice, replaceNotices } from "../store/notices.ts";
import { figuresOf } from "../views/figures.ts";
import { type Need, needsOf } from "../views/needs.ts";
import { exclusively } from "../workplace/exclusively.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { described } from "./described.ts";
import { UnrecordedRuns } from "./unrecorded-runs.ts";

const LOOKS_EVERY_MS = 60_000;
const ANSWER_WITHIN_MS = 10_000;
const AHEAD_MAX_MS = 3_600_000;

/** Resolves once `signal` has aborted and requests in flight have ended. */
export async function runNotices(
  workplace: Workplace,
  url: string,
  signal: AbortSignal,
  unrecorded: UnrecordedRuns = new UnrecordedRuns(),
): Promise<void> {
  const { clock, log } = workplace.context;
  const memory: Memory = { unrecorded };
  do
    await tellWhatIsNew(workplace, url, memory).catch((error: unknown) =>
      log.warn("notices not looked for", described(error)),
    );
  while (await sleepUnlessAborted(clock, LOOKS_EVERY_MS, signal));
}

interface Memory {
  readonly unrecorded: UnrecordedRuns;
  /**
   * What the database could not take, while it cannot: otherwise nothing would ever have lasted, or be told again and
   * again.
   */
  notices?: ReadonlyMap<string, Notice> | undefined;
}

/** Of machines that share a database, only one sends. */
async function tellWhatIsNew(workplace: Workplace, url: string, memory: Memory): Promise<void> {
  const { context } = workplace;
  await exclusively(workplace, "notices", async ({ store }) => {
    const figures = memory.unrecorded.among(await figuresOf(workplace));
    const needs = needsOf(figures).filter(({ count }) => count > 0);
    const now = context.clock.now();
    const known = datedBy(now, memory.notices ?? (await store.read(() => listNotices())));
    const due = needs.filter((need) => isDue(need, known.get(need.about), now));
    const isTold = due.length > 0 && (await tell(context, url, due));
    const kept = needs.map((need) =>
      noticeOf(need, known.get(need.about), now, isTold && due.includes(need)),
    );
    const byNeed = new Map(kept.map((notice) => [notice.about, notice]));
    if (memory.notices === undefined && isDeepStrictEqual(byNeed, known)) return;
    memory.notices = byNeed;
    await store.write(() => replaceNotices(kept));
    memory.notices = undefined;
  });
}

/**
 * Without those of a time to come, which would count as told until then: the clock was wrong. Machines that share a
 * database differ by less.
 */
function datedBy(now: Instant, notices: ReadonlyMap<string, Notice>): ReadonlyMap<string, Notice> {
  const latest = shifted(now, AHEAD_MAX_MS);
  return new Map([...notices].filter(([, { since, toldAt = since }]) => since <= latest && toldAt <= latest));
}

function isDue(need: Need, before: Notice | undefined, now: Instant): boolean {
  const { count, newestAt = "", lastsMs = 0, isPassing } = need;
  const passedMs = (since: Instant) => Date.parse(now) - Date.parse(since);
  if (before?.toldAt === undefined) return passedMs(before?.since ?? now) >= lastsMs;
  // Not what a wrong clock dated ahead, which would be new at each look.
  const isNewer = newestAt > before.toldAt && newestAt <= now;
  return count > before.count || isNewer || (isPassing !== true && passedMs(before.toldAt) >= DAY_MS);
}

/** The record of a need; after a decrease, a new increase counts as new. */
function noticeOf({ about, count }: Need, before: Notice | undefined, now: Instant, isTold: boolean): Notice {
  return {
    about,
    count: isTold ? count : Math.min(count, before?.count ?? 0),
    since: before?.since ?? now,
    ...present({ toldAt: isTold ? now : before?.toldAt }),
  };
}

/** Sends the text; returns whether it arrived. The URL is a secret and never logged. */
async function tell({ transport, log }: Context, url: string, needs: readonly Need[]): Promise<boolean> {
  const text = ["Paydrop needs attention:", ...needs.map((need) => `- ${need.text}`)].join("\n");
  const exchange = await transport.send({
    method: "POST",
    url,
    headers: { "content-type": "application/json", accept: "*/*" },
    body: Buffer.from(JSON.stringify({ text })),
    timeoutMs: ANSWER_WITHIN_MS,
  });
  const isTold = exchange.kind === "answered" && exchange.status >= 200 && exchange.status < 300;
  if (!isTold) {
    const message = exchange.kind === "answered" ? `answered ${exchange.status}` : exchange.reason;
    log.warn("notices not told", { count: needs.length, message });
  }
  return isTold;
}
