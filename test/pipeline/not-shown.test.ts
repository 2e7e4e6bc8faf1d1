/** Something that an answer showed once and no later one does: a lost record, or an answer that was wrong. */
import { expect, test } from "vitest";
import { shifted } from "../../src/model/index.ts";
import { lookByIds } from "../../src/observation/index.ts";
import { baselineStep } from "../../src/pipeline/baseline-step.ts";
import { createPayoutStep } from "../../src/pipeline/create-payout-step.ts";
import { reconcileStep } from "../../src/pipeline/reconcile-step.ts";
import { demoSeed } from "../../src/sandbox/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { FIND, STRANGER, startOddService } from "../gateway/odd-service.ts";
import { bookedBy } from "./booked-by.ts";
import { ADDRESS, byClock, openSite } from "./service.ts";
import { openPlace } from "./workplace.ts";

const REAL = "6f1cbb7e-0000-4000-8000-0000000000d1";
const HOUR_MS = 3_600_000;

const NEVER_MADE = "6f1cbb7e-0000-4000-8000-0000000000d9";

test("is told each night until a baseline sets it aside, also while it seems to be on its way", async () => {
  let errs = true;
  const service = await startOddService(
    ({ path, honest, answer }) => {
      if (!errs) return false;
      if (path === FIND) {
        const content = [{ ...STRANGER, payoutState: "SENDING" }];
        answer(200, JSON.stringify({ results: { content, totalPages: 1, totalElements: 1 } }));
        return true;
      }
      answer(200, honest().body.replaceAll(REAL, NEVER_MADE));
      return true;
    },
    { seed: demoSeed },
  );
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  const kindsAbout = async (id: string) =>
    (await reconcileStep(workplace)).openBreaks
      .filter(({ payoutId, depositId }) => payoutId === id || depositId === id)
      .map(({ kind }) => kind);

  expect(await kindsAbout(STRANGER.payoutId)).toEqual(["unexpected"]);
  errs = false;
  expect(await kindsAbout(NEVER_MADE)).toEqual(["not-shown"]);
  expect(await kindsAbout(STRANGER.payoutId)).toEqual(["not-shown", "unexpected"]);
  const { openBreaks } = await reconcileStep(workplace);
  const unexpected = openBreaks.filter(({ kind }) => kind === "unexpected");
  const stranger = unexpected.find(({ payoutId }) => payoutId === STRANGER.payoutId);
  expect(stranger?.sentence).toContain("was shown by the service");
  await baselineStep(workplace, "alice");
  expect([...(await kindsAbout(NEVER_MADE)), ...(await kindsAbout(STRANGER.payoutId))]).toEqual([]);
  expect(await kindsAbout(REAL)).toEqual([]);
});

test("is booked once it is shown again, although a baseline, or two, had set it aside meanwhile", async () => {
  const at = "2026-11-20T10:00:00.000Z";
  const paid = {
    ...STRANGER,
    sentFunds: {
      txHash: "4a5e",
      state: "CONFIRMED",
      confirmations: 1,
      amount: STRANGER.requestedAmount,
      fee: { currency: "BTC", amount: 0.00001 },
      confirmedDate: at,
      rate: {
        rate: 60_000,
        fromCurrency: { currencyCode: "BTC" },
        toCurrency: { currencyCode: "EUR" },
        measuredDate: at,
      },
    },
  };
  let content: object[] = [];
  const service = await startOddService(({ path, answer }) => {
    if (path !== FIND) return false;
    answer(200, JSON.stringify({ results: { content, totalPages: 1, totalElements: content.length } }));
    return true;
  });
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  const bookedSources = async () => (await bookedBy(workplace)).entries.map(({ sourceId }) => sourceId);
  await baselineStep(workplace, "alice");
  content = [{ ...STRANGER, payoutState: "SENDING" }];
  await reconcileStep(workplace);
  content = [];
  for (const payoutsBefore of [1, 1])
    expect(await baselineStep(workplace, "alice")).toMatchObject({ payoutsBefore, payoutsBooked: 0 });
  expect(await bookedSources()).not.toContain(STRANGER.payoutId);
  content = [paid];
  await reconcileStep(workplace);
  expect(await bookedSources()).toContain(STRANGER.payoutId);
});

/** A service that shows what it has, or all but the first deposit, with counts that tie or do not. */
async function openForgetful() {
  let how: "shows all" | "left one out" | "does not tie" = "shows all";
  const service = await startOddService(
    ({ path, honest, answer }) => {
      if (how === "shows all" || path === FIND) return false;
      const { results, ...others } = JSON.parse(honest().body) as {
        results?: { content: unknown[]; totalElements: number };
      };
      if (results === undefined) return false;
      const totalElements = results.totalElements - (how === "left one out" ? 1 : 0);
      const content = results.content.slice(1);
      answer(200, JSON.stringify({ ...others, results: { ...results, content, totalElements } }));
      return true;
    },
    { seed: demoSeed },
  );
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  const notShown = async (then: typeof how) => {
    how = then;
    const { openBreaks, problems } = await reconcileStep(workplace);
    const ids = openBreaks.flatMap(({ kind, id }) => (kind === "not-shown" ? [id] : []));
    return { ids, problems: problems.map(({ code }) => code) };
  };
  return { notShown };
}

test("is no news while the sweep itself did not tie", async () => {
  const { notShown } = await openForgetful();
  await notShown("shows all");
  expect(await notShown("does not tie")).toEqual({ ids: [], problems: ["PAGING_UNSTABLE"] });
});

test("stays told while a sweep does not tie, until a sweep shows it again", async () => {
  const { notShown } = await openForgetful();
  await notShown("shows all");
  const { ids } = await notShown("left one out");
  expect(ids).toHaveLength(1);
  expect(await notShown("does not tie")).toEqual({ ids, problems: ["PAGING_UNSTABLE"] });
  expect(await notShown("shows all")).toEqual({ ids: [], problems: [] });
});

test("is no longer told once a look has shown it since, and the next sweep does not tie", async () => {
  const payout = { ...STRANGER, payoutState: "SENDING" };
  let [content, totalElements] = [[payout], 1];
  const service = await startOddService(({ path, answer }) => {
    if (path !== FIND) return false;
    answer(200, JSON.stringify({ results: { content, totalPages: 1, totalElements } }));
    return true;
  });
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  const notShown = async () =>
    (await reconcileStep(workplace)).openBreaks.filter(({ kind }) => kind === "not-shown").length;
  expect(await notShown()).toBe(0);
  [content, totalElements] = [[], 0];
  expect(await notShown()).toBe(1);
  [content, totalElements] = [[payout], 1];
  await lookByIds(workplace.service().tools, [payout.payoutId]);
  [content, totalElements] = [[], 1];
  expect(await notShown()).toBe(0);
  expect(await baselineStep(workplace, "alice")).toMatchObject({ payoutsBefore: 0 });
});

const EARLIER = { ...STRANGER, payoutId: NEVER_MADE, reference: "EARLIER" };

/**
 * What the comparisons at these hours say of a payout that has ended since the first of them, and that the service has
 * forgotten by the last. `kept`: what it shows all the time.
 */
async function breaksOnceForgotten(hours: readonly number[], kept: readonly object[] = [EARLIER]) {
  let shown: readonly object[] = kept;
  const service = await startOddService(({ path, answer }) => {
    if (path !== FIND) return false;
    answer(200, JSON.stringify({ results: { content: shown, totalPages: 1, totalElements: shown.length } }));
    return true;
  });
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  const from = workplace.context.clock.now();
  const compareAt = (hour: number) => reconcileStep(byClock(workplace, () => shifted(from, hour * HOUR_MS)));
  await compareAt(0);
  shown = [...kept, STRANGER];
  for (const hour of hours.slice(0, -1)) await compareAt(hour);
  shown = kept;
  const { openBreaks } = await compareAt(hours.at(-1) ?? 0);
  return openBreaks.flatMap(({ kind, payoutId }) => (payoutId === STRANGER.payoutId ? [kind] : [])).sort();
}

test("is no news of what has ended and was shown for a day: a service may leave it out after a while", async () => {
  expect(await breaksOnceForgotten([1, 25, 49])).toEqual(["unexpected"]);
});

test("is no news where nothing is shown that had ended before it: a service may leave out what ended hours ago", async () => {
  expect(await breaksOnceForgotten([1, 2, 8], [])).toEqual(["unexpected"]);
});

test("is told of what has ended as well, where it was shown for hours only, and what had ended before it still is: its backup may not have it", async () => {
  for (const hours of [
    [1, 2, 3],
    [1, 2, 73],
  ])
    expect(await breaksOnceForgotten(hours)).toEqual(["not-shown", "unexpected"]);
});

test("is told of what has ended and was seen only once: it may never have existed", async () => {
  expect(await breaksOnceForgotten([1, 8], [])).toEqual(["not-shown", "unexpected"]);
});

test("is not said of everything that is on its way because the clock was set back during the comparison", async () => {
  const { workplace } = await openSite({ seed: demoSeed, stepMs: 3_600_000 });
  const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  await reconcileStep(workplace);
  const { clock } = workplace.context;
  const from = clock.now();
  let steps = 0;
  const backwards = byClock(workplace, () => shifted(from, 100_000 - 1_000 * steps++));
  const { openBreaks, totals } = await reconcileStep(backwards);
  expect(openBreaks.filter(({ kind }) => kind === "not-shown")).toEqual([]);
  expect(totals.matched).toMatchObject([{ count: 1 }]);
});
