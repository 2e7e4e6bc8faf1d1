/** If a service refuses large requests, smaller ones are sent, and every guarantee of a look stays. */
import { describe, expect, test } from "vitest";
import {
  lookByIds,
  lookByReferences,
  lookForAbsent,
  PAYOUTS,
  sweep,
  track,
} from "../../src/observation/index.ts";
import { lookWithWitness } from "../../src/payments/sending/doubts/witnessed-look.ts";
import { errorBody, FIND, startOddService } from "../gateway/odd-service.ts";
import { openLane } from "../payments/lane.ts";
import { knownPayouts } from "../read-all.ts";

interface Asked {
  readonly size: number;
  readonly references?: readonly string[];
  readonly payoutIds?: readonly string[];
}

const REFERENCES = Array.from({ length: 30 }, (_, index) => `PAY-${index + 1}`);

/** Thirty payouts at a service that refuses searches by `refuses`; requests begin with 50 elements and 40 ids. */
async function thirtyPaid(refuses: (asked: Asked) => number | undefined) {
  const asked: Asked[] = [];
  const warnings: string[] = [];
  const service = await startOddService(({ path, body, answer }) => {
    if (path !== FIND) return false;
    const search: Asked = JSON.parse(body);
    asked.push(search);
    const status = refuses(search);
    if (status === undefined) return false;
    answer(status, errorBody("TOO_MUCH"));
    return true;
  });
  const warn = (event: string, { message = "" } = {}) => void warnings.push(`${event}: ${message}`);
  const lane = openLane(service.url, {
    policy: { nonceRule: "unique" },
    log: { info: () => undefined, warn, error: () => undefined },
  });
  await lane.approve(30);
  const report = await lane.pay();
  return { asked, warnings, lane, report, created: service.creations };
}

const isTooMuch = ({ size, references = [], payoutIds = [] }: Asked) =>
  size > 20 || references.length > 10 || payoutIds.length > 10;

describe.each([400, 413, 414, 422])(
  "a service that answers %i to more than 20 elements or 10 ids",
  (status) => {
    test("is asked for half as much until it accepts, and that is logged once", async () => {
      const { asked, warnings, report, created, lane } = await thirtyPaid((one) =>
        isTooMuch(one) ? status : undefined,
      );
      expect(report).toMatchObject({ accepted: 30, problems: [] });
      expect(created().toSorted()).toEqual(REFERENCES.toSorted());
      expect(warnings).toEqual([
        "the service accepts only smaller requests: paging.size: 12, paging.idsPerRequest: 10",
      ]);
      expect(lane.tools.paging.takenInstead).toBe("paging.size: 12, paging.idsPerRequest: 10");
      const firstTaken = asked.findIndex((one) => !isTooMuch(one));
      expect(asked.slice(firstTaken).filter(isTooMuch)).toEqual([]);
    });
  },
);

test("every look still sees everything", async () => {
  const { lane, asked } = await thirtyPaid((one) => (isTooMuch(one) ? 400 : undefined));
  const look = await lookByReferences(lane.tools, REFERENCES);
  expect(look.complete).toBe(true);
  expect(new Set(look.byReference.keys())).toEqual(new Set(REFERENCES));
  expect(await sweep(lane.tools, PAYOUTS)).toMatchObject({ elementsSeen: 30, problems: [] });
  const payoutIds = (await knownPayouts(lane.store)).map(({ resource }) => resource.payoutId);
  expect(payoutIds).toHaveLength(30);
  asked.length = 0;
  await track(lane.tools, PAYOUTS, payoutIds);
  expect(asked.filter(isTooMuch)).toEqual([]);
  expect(new Set(asked.flatMap((one) => one.payoutIds ?? []))).toEqual(new Set(payoutIds));
});

test("a service that answers 404 for lack of one id is asked for the others, and that one is undecided", async () => {
  let lacks = "";
  const { lane, asked } = await thirtyPaid(({ payoutIds }) => (payoutIds?.includes(lacks) ? 404 : undefined));
  const known = await knownPayouts(lane.store);
  const payoutIds = known.map(({ resource }) => resource.payoutId);
  const [, missing, ...others] = payoutIds;
  if (missing === undefined) throw new Error("thirty were paid");
  lacks = missing;
  asked.length = 0;
  await track(lane.tools, PAYOUTS, payoutIds);
  const answered = asked.flatMap(({ payoutIds: ids = [] }) => (ids.includes(missing) ? [] : ids));
  expect(new Set(answered)).toEqual(new Set(payoutIds.filter((id) => id !== missing)));
  expect(await lookForAbsent(lane.tools, PAYOUTS, payoutIds, others[0])).toMatchObject({
    absent: [],
    undecided: [missing],
    problems: [{ code: "PAGING_UNSTABLE", message: expect.stringContaining("(404)") }],
  });
  // A conclusion about one payment is not drawn from it.
  await expect(lookByIds(lane.tools, [missing])).rejects.toMatchObject({
    problem: { code: "SERVICE_REFUSED_SEARCH" },
  });
});

test("if a look is split, every part asks for its witness", async () => {
  let takesMuch = true;
  const { asked, lane } = await thirtyPaid((one) => (!takesMuch && isTooMuch(one) ? 400 : undefined));
  takesMuch = false;
  asked.length = 0;
  const unpaid = Array.from({ length: 39 }, (_, index) => `UNPAID-${index}`);
  const look = await lookWithWitness(lane.tools, "key-1", unpaid);
  expect(look).toMatchObject({ complete: true, absence: { worth: "witnessed" } });
  const taken = asked.filter((one) => !isTooMuch(one)).map(({ references = [] }) => references);
  expect(taken.length).toBeGreaterThan(3);
  const [witness] = taken[0]?.filter((reference) => reference.startsWith("PAY-")) ?? [];
  for (const references of taken) expect(references).toContain(witness);
  expect(new Set(taken.flat())).toEqual(new Set([...unpaid, witness]));
});

test("a service that refuses every search is reported with the first request, and the next look starts at full size", async () => {
  let refusesAll = false;
  const { asked, warnings, lane } = await thirtyPaid(() => (refusesAll ? 400 : undefined));
  refusesAll = true;
  asked.length = 0;
  await expect(lookByReferences(lane.tools, REFERENCES)).rejects.toMatchObject({
    problem: { code: "SERVICE_REFUSED_SEARCH", message: expect.stringContaining("50 elements") },
  });
  expect(asked.map(({ size }) => size)).toEqual([50, 25, 12, 6, 3, 1]);
  refusesAll = false;
  asked.length = 0;
  expect((await lookByReferences(lane.tools, REFERENCES)).complete).toBe(true);
  expect(asked).toMatchObject([{ size: 50 }]);
  expect(warnings).toEqual([]);
});

test.each([401, 403, 409, 500])(
  "an answer of %i has nothing to do with how much was asked for",
  async (status) => {
    let refuses = false;
    const { asked, lane } = await thirtyPaid(() => (refuses ? status : undefined));
    refuses = true;
    asked.length = 0;
    await expect(lookByReferences(lane.tools, REFERENCES)).rejects.toMatchObject({
      problem: expect.anything(),
    });
    expect(new Set(asked.map(({ size }) => size))).toEqual(new Set([50]));
  },
);
