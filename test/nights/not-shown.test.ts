/** An element that one answer showed and no later one does: a lost record, or a wrong answer. */
import { expect, test } from "vitest";
import { createDepositStep, createPayoutStep } from "../../src/index.ts";
import { shifted } from "../../src/model/index.ts";
import { baselineStep, reconcileStep } from "../../src/nights/index.ts";
import { lookByIds } from "../../src/observation/index.ts";
import { demoSeed } from "../../src/sandbox/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { FIND, STRANGER, startOddService } from "../gateway/odd-service.ts";
import { bookedBy } from "../site/booked-by.ts";
import { ADDRESS, byClock, DEPOSIT, openSite, settled } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";
import { longTest, slicedTest, sliceOf } from "../slice.ts";

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

longTest(
  "is booked once it is shown again, although a baseline, or two, had set it aside meanwhile",
  async () => {
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
  },
);

/** A service that shows all its elements, or all but the first deposit, with counts that tie or do not. */
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
 * The breaks of comparisons at these hours, about a payout that ended after the first of them and that the service
 * has forgotten by the last. `kept`: elements that it shows all the time.
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
  expect(totals.agree).toMatchObject([{ count: 1 }]);
});

interface Results {
  content: { payoutId?: string; depositId?: string; reference?: string }[];
  totalElements: number;
}

/**
 * Three payouts and a deposit of ours that were shown, and a payout that never was, at a service whose search
 * answers `way` may falsify.
 */
async function openFalsified() {
  const site = { way: (_results: Results, _isById: boolean): void => undefined };
  const service = await startOddService(
    ({ path, body, honest, answer }) => {
      if (!path.endsWith("/find")) return false;
      const sent = JSON.parse(honest().body) as { results: Results };
      without(sent.results, NEVER_SHOWN);
      site.way(sent.results, /"(payout|deposit)Ids":\["/.test(body));
      answer(200, JSON.stringify(sent));
      return true;
    },
    { seed: demoSeed, stepMs: 3_600_000 },
  );
  const { workplace } = openPlace({
    ...SANDBOX_SECRETS,
    PAYDROP_SERVICE_BASE_URL: service.url,
    PAYDROP_OTP_SINGLE_USE: "false",
  });
  const pay = async (reference: string) => {
    const cells = { reference, amount: `0.00${reference.at(-1)}`, destinationAddress: ADDRESS };
    const { instruction } = await createPayoutStep(workplace, { cells, submittedBy: "a", approvedBy: ["b"] });
    return instruction?.payoutId ?? "";
  };
  const ids = [await pay("PAY-1"), await pay("PAY-2"), await pay("PAY-3")];
  const neverShown = await pay(NEVER_SHOWN);
  const { depositId = "" } = await createDepositStep(workplace, DEPOSIT);
  await reconcileStep(workplace);
  const compare = async () => {
    const { breaks, problems, totals } = await reconcileStep(settled(workplace));
    const told = breaks.filter(({ kind }) => kind === "not-shown" || kind === "missing");
    return {
      told: told.map(({ kind, payoutId, depositId: deposit }) => `${kind} ${payoutId ?? deposit}`).sort(),
      codes: problems.map(({ code }) => code),
      totals,
    };
  };
  return { site, ids, depositId, neverShown: `missing ${neverShown}`, compare };
}

const NEVER_SHOWN = "PAY-4";

const without = (results: Results, ...gone: readonly string[]) => {
  const left = results.content.filter(
    ({ payoutId, depositId, reference }) =>
      ![payoutId, depositId, reference].some((name) => gone.includes(name ?? "")),
  );
  results.totalElements -= results.content.length - left.length;
  results.content = left;
};

longTest(
  "is not said of a row that the pages skipped, because one left while another one arrived and the counts agree",
  async () => {
    const { site, ids, depositId, neverShown, compare } = await openFalsified();
    site.way = (results, isById) => {
      if (isById) return;
      const { totalElements } = results;
      without(results, ids[1] ?? "", depositId);
      // Another one in its place, made by the demo's other program.
      const isPayouts = results.content.some(({ payoutId }) => payoutId !== undefined);
      if (isPayouts) results.content.push({ ...STRANGER });
      results.totalElements = isPayouts ? totalElements : results.totalElements;
    };
    expect(await compare()).toMatchObject({ told: [neverShown], codes: [] });
  },
);

slicedTest.each(
  sliceOf<[string, number, number]>(
    [
      ["one too many in each answer", 1, 1],
      ["one too few in each answer", -1, -1],
      ["one too many on its pages, and rightly by id", 1, 0],
      ["one too few on its pages, and rightly by id", -1, 0],
    ],
    4,
  ),
)("is told of what has vanished at a service that counts every night %s", async (_what, onPages, byId) => {
  const { site, ids, depositId, neverShown, compare } = await openFalsified();
  const miscounting = (results: Results, isById: boolean) => {
    results.totalElements = Math.max(0, results.totalElements + (isById ? byId : onPages));
  };
  site.way = miscounting;
  expect(await compare()).toMatchObject({ told: [neverShown], codes: UNSTABLE });
  site.way = (results, isById) => {
    without(results, ids[0] ?? "", ids[2] ?? "", depositId);
    miscounting(results, isById);
  };
  expect(await compare()).toMatchObject({
    told: [neverShown, ...[ids[0], ids[2], depositId].map((id) => `not-shown ${id}`).sort()],
    codes: UNSTABLE,
    totals: { accepted: [{ count: 4 }], agree: [{ count: 1 }], notShown: [{ count: 3 }], undecided: [] },
  });
  site.way = (results) => void without(results, ids[0] ?? "");
  expect(await compare()).toMatchObject({ told: [neverShown, `not-shown ${ids[0]}`], codes: [] });
});

const UNSTABLE = ["PAGING_UNSTABLE", "PAGING_UNSTABLE"];

longTest(
  "is not said of what an answer by id counts and does not show, while the others that vanished are told",
  async () => {
    const { site, ids, neverShown, compare } = await openFalsified();
    site.way = (results, isById) => {
      const { length } = results.content;
      const isHidden = results.content.some(({ payoutId }) => payoutId === ids[0]);
      without(results, ids[0] ?? "", ids[1] ?? "");
      if (isHidden && isById && results.content.length < length) results.totalElements += 1;
    };
    expect(await compare()).toMatchObject({
      told: [neverShown, `not-shown ${ids[1]}`],
      codes: ["PAGING_UNSTABLE"],
      totals: { agree: [{ count: 1 }], notShown: [{ count: 2 }], undecided: [{ count: 1 }] },
    });
  },
);

longTest("is not said of what an answer to another request leaves out", async () => {
  const { site, ids, compare } = await openFalsified();
  site.way = (results, isById) => {
    without(results, ids[0] ?? "");
    if (!isById) return;
    results.content = [{ ...STRANGER }];
    results.totalElements = 1;
  };
  expect(await compare()).toMatchObject({ told: [], codes: ["PAGING_UNSTABLE"] });
});

slicedTest.each(sliceOf([-2, -1, 1], 3))(
  "is not said of rows that pages shifted by %i rows each night",
  async (rows) => {
    const { workplace, sandbox } = await openSite(
      { seed: demoSeed, stepMs: 3_600_000 },
      { PAYDROP_PAGING_SIZE: "2", PAYDROP_OTP_SINGLE_USE: "false" },
    );
    for (const reference of ["PAY-1", "PAY-2", "PAY-3", "PAY-4", "PAY-5"]) {
      const cells = { reference, amount: `0.00${reference.at(-1)}`, destinationAddress: ADDRESS };
      await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
    }
    await reconcileStep(workplace);
    sandbox.setFaults([{ operation: "findPayoutFilteredV2", nth: 2, effect: { kind: "page-shift", rows } }]);
    const { openBreaks, totals } = await reconcileStep(settled(workplace));
    expect(openBreaks.filter(({ kind }) => kind === "not-shown" || kind === "missing")).toEqual([]);
    expect(totals.agree).toEqual(totals.accepted);
  },
);
