/**
 * Reading pages from a service that changes, lies or answers nonsense: a reading counts as complete only with
 * proof.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type FindPaging, type Found, findPayouts, payoutPages } from "../../src/gateway/index.ts";
import { type PageRequest, readPages } from "../../src/gateway/pages.ts";
import type { Payout } from "../../src/wire/index.ts";
import { virtualClock } from "../context/virtual-clock.ts";
import { errorBody, startOddService } from "./odd-service.ts";
import { gatewayTo } from "./trial-gateway.ts";

interface Page {
  readonly content: readonly string[];
  readonly totalPages?: number | string;
  readonly totalElements?: number;
}

function element(number: number, state = "CREATED"): string {
  return `{"payoutId":"${idOf(number)}","accountId":"6f1cbb7e-0000-4000-8000-000000000001","reference":"PAY-${number}","requestedAmount":{"currency":"BTC","amount":0.10},"payoutState":"${state}"}`;
}

function idOf(number: number): string {
  return `0d5d6e8a-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** Reads pages of two from a service that answers page `n` with `pages(n)`. */
async function read(pages: (page: number, asked: number) => Page) {
  const asked: number[] = [];
  const service = await startOddService(({ body, answer }) => {
    const { page } = JSON.parse(body);
    asked.push(page);
    const { content, totalPages = 2, totalElements = 3 } = pages(page, asked.length);
    answer(
      200,
      `{"results":{"content":[${content.join(",")}],"totalPages":${totalPages},"totalElements":${totalElements}}}`,
    );
  });
  const clock = virtualClock();
  const reading = await findPayouts(
    gatewayTo(service.url, {}, clock),
    clock,
    {},
    { pageSize: 2, firstPage: 0 },
  );
  return { reading, asked, ids: reading.found.map(({ element: { payoutId } }) => payoutId) };
}

const THREE = [[element(1), element(2)], [element(3)]];

describe("a reading is complete", () => {
  test("when every page came and the totals agree", async () => {
    const { reading, asked, ids } = await read((page) => ({ content: THREE[page] ?? [] }));
    expect(asked).toEqual([0, 1]);
    expect(ids).toEqual([1, 2, 3].map(idOf));
    expect(reading).toMatchObject({ complete: true, problems: [], pagesRead: 2 });
  });

  test("in whichever form a service tells the order and the place of its pages", async () => {
    const order = { sorted: true, unsorted: false, empty: false };
    const service = await startOddService(({ answer }) => {
      const content = `[${element(1)},${element(2)}]`;
      const told = `"sort":${JSON.stringify(order)},"pageable":"INSTANCE"`;
      answer(200, `{"results":{"content":${content},"totalPages":1,"totalElements":2,${told}}}`);
    });
    const clock = virtualClock();
    const paging = { pageSize: 200, firstPage: 0 };
    const { complete, found } = await findPayouts(gatewayTo(service.url, {}, clock), clock, {}, paging);
    expect(found.map(({ element: { payoutId } }) => payoutId)).toEqual([1, 2].map(idOf));
    expect(complete).toBe(true);
  });

  test("when a service fills its pages with far fewer than it says, however many were asked for by name", async () => {
    const source = {
      operation: "findPayoutFilteredV2",
      named: 500,
      schema: z.object({ payoutId: z.string() }),
      idOf: ({ payoutId }: { payoutId: string }) => payoutId,
      createdDateOf: () => undefined,
      fetchPage: async ({ page }: PageRequest) => ({
        content: [2 * page, 2 * page + 1].map((number) => ({ payoutId: idOf(number) })),
        totalPages: 250,
        totalElements: 500,
        size: 200,
      }),
    } as const;
    const pages = readPages(source, { pageSize: 200, firstPage: 0 });
    for await (const _ of pages);
    expect(pages.report()).toMatchObject({ complete: true, pagesRead: 250 });
  });

  test("when there is nothing, and when the last page is full", async () => {
    expect((await read(() => ({ content: [], totalPages: 0, totalElements: 0 }))).reading.complete).toBe(
      true,
    );
    const full = await read((page) => ({
      content: page === 0 ? (THREE[0] ?? []) : [],
      totalPages: 1,
      totalElements: 2,
    }));
    expect(full.reading.complete).toBe(true);
  });

  test("and keeps each element's own digits", async () => {
    const { reading } = await read((page) => ({ content: THREE[page] ?? [] }));
    expect(reading.found[0]?.raw).toBe(element(1));
  });
});

test("a reading whose connection breaks after the announced pages fails: nobody has answered", async () => {
  const clock = virtualClock();
  const service = await startOddService(({ body, answer, response }) => {
    if (JSON.parse(body).page > 0) response.destroy();
    else answer(200, `{"results":{"content":[${THREE[0]}],"totalPages":1,"totalElements":2}}`);
    return true;
  });
  const reading = findPayouts(gatewayTo(service.url, {}, clock), clock, {}, { pageSize: 2, firstPage: 0 });
  await expect(reading).rejects.toMatchObject({ problem: { code: "SERVICE_UNREACHABLE" } });
});

describe("a reading is incomplete, and so no evidence of absence,", () => {
  test("when totalPages claims fewer pages than there are", async () => {
    const { reading, ids } = await read((page) => ({ content: THREE[page] ?? [], totalPages: 1 }));
    expect(ids).toHaveLength(3);
    expect(reading.complete).toBe(true);
    const short = await read(() => ({ content: [element(1)], totalPages: 1, totalElements: 3 }));
    expect(short.reading.complete).toBe(false);
  });

  test("when totalPages claims more pages than there are, and it still ends", async () => {
    const { reading, asked } = await read((page) => ({
      content: THREE[page] ?? [],
      totalPages: 1_000_000,
      totalElements: 4,
    }));
    expect(new Set(asked)).toEqual(new Set([0, 1, 2]));
    expect(reading.complete).toBe(false);
  });

  test("when every page is the same page", async () => {
    const { reading, asked } = await read(() => ({ content: THREE[0] ?? [], totalPages: 99 }));
    expect(asked).toEqual([0, 1]);
    expect(reading.complete).toBe(false);
  });

  test("when a new payout moved one over the page's edge, which is kept once", async () => {
    const moved = [[element(1), element(2)], [element(2), element(3)], []];
    const { reading, ids } = await read((page) => ({
      content: moved[page] ?? [],
      totalElements: page === 0 ? 3 : 4,
    }));
    expect(ids).toEqual([1, 2, 3].map(idOf));
    expect(reading.complete).toBe(false);
  });

  test("when an element came again on a later page, even if the totals agree: another may have moved", async () => {
    const moved = [
      [element(1), element(2)],
      [element(2), element(3)],
    ];
    const { reading } = await read((page) => ({ content: moved[page] ?? [] }));
    expect(reading.complete).toBe(false);
  });

  test("when an element cannot be read that the totals do not count", async () => {
    const content = [element(1), element(2).replace("0.10", '"0.10"')];
    const first = (page: number) => (page === 0 ? content : []);
    const { reading } = await read((page) => ({ content: first(page), totalPages: 1, totalElements: 1 }));
    expect(reading.complete).toBe(false);
  });

  test("when an element disappeared between two pages", async () => {
    const { reading } = await read((page) => ({
      content: page === 0 ? (THREE[0] ?? []) : [],
      totalElements: 3,
    }));
    expect(reading.complete).toBe(false);
  });

  test("when an element cannot be read, which is named and does not hide the others", async () => {
    const broken = element(2).replace("0.10", '"0.10"');
    const { reading, ids } = await read((page) => ({
      content: page === 0 ? [element(1), broken] : [element(3)],
    }));
    expect(ids).toEqual([1, 3].map(idOf));
    expect(reading.complete).toBe(false);
    expect(reading.problems).toMatchObject([{ code: "SERVICE_ANSWER_UNREADABLE", payoutId: idOf(2) }]);
  });

  test("when a whole page cannot be read, and the pages after it are still read", async () => {
    const pages = [[element(1), element(2)], ["null", '{"x":1}'], [element(3)]];
    const { reading, ids } = await read((page) => ({
      content: pages[page] ?? [],
      totalPages: 3,
      totalElements: 5,
    }));
    expect(ids).toEqual([1, 2, 3].map(idOf));
    expect(reading.problems).toHaveLength(2);
  });

  test("when every page is the same unreadable page, and it still ends", async () => {
    const { reading, asked } = await read(() => ({ content: ["17", "[]"], totalPages: 1_000_000 }));
    expect(asked).toEqual([0, 1]);
    expect(reading.problems).toHaveLength(2);
  });
});

/**
 * `count` payouts in correct pages of two; `changed` alters the answers. Answers none after the first before `together`
 * are open.
 */
async function readMany(
  count: number,
  paging: Partial<FindPaging>,
  changed: (
    page: number,
    content: readonly string[],
  ) => Partial<Page> & { readonly status?: number } = () => ({}),
  together = 1,
) {
  const asked: number[] = [];
  let atOnce = 0;
  let atOnceMax = 0;
  const wereTogether = Promise.withResolvers<void>();
  const service = await startOddService(({ body, answer }) => {
    const { page } = JSON.parse(body);
    asked.push(page);
    atOnce += 1;
    atOnceMax = Math.max(atOnceMax, atOnce);
    const content = [2 * page + 1, 2 * page + 2].filter((number) => number <= count).map((n) => element(n));
    const { status = 200, ...others } = changed(page, content);
    const sent = { content, totalPages: Math.ceil(count / 2), totalElements: count, ...others };
    if (atOnce >= together) wereTogether.resolve();
    // The first page goes alone.
    const waited = asked.length === 1 ? undefined : wereTogether.promise;
    void Promise.resolve(waited).then(async () => {
      await sleep(5);
      atOnce -= 1;
      const results = `{"content":[${sent.content.join(",")}],"totalPages":${sent.totalPages},"totalElements":${sent.totalElements}}`;
      answer(status, status === 200 ? `{"results":${results}}` : errorBody("NO"));
    });
  });
  const clock = virtualClock();
  const pages = payoutPages(
    gatewayTo(service.url, {}, clock),
    clock,
    {},
    { pageSize: 2, firstPage: 0, ...paging },
  );
  return { pages, asked, atOnceMax: () => atOnceMax };
}

async function numbersOf(pages: AsyncIterable<Found<Payout>>): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { element: payout } of pages)
    numbers.push(Number.parseInt(payout.payoutId.slice(-12), 10));
  return numbers;
}

/** One page with these elements; counts how many of them were judged. */
function onePage(content: readonly unknown[]) {
  let judged = 0;
  const schema = z.preprocess(
    (sent) => {
      judged += 1;
      return sent;
    },
    z.object({ payoutId: z.string() }),
  );
  const source = {
    operation: "findPayoutFilteredV2",
    named: 0,
    schema,
    idOf: ({ payoutId }: { payoutId: string }) => payoutId,
    createdDateOf: () => undefined,
    fetchPage: async ({ page }: PageRequest) => ({
      content: page === 0 ? [...content] : [],
      totalPages: 1,
      totalElements: content.length,
    }),
  } as const;
  return { pages: readPages(source, { pageSize: 200, firstPage: 0 }), judged: () => judged };
}

describe("a page with far more elements than were asked for", () => {
  test("of which none can be read is given up after some hundred of them, and says so", async () => {
    const { pages, judged } = onePage(Array.from({ length: 60_000 }, () => ({})));
    for await (const _ of pages);
    expect(judged()).toBeLessThan(1000);
    const { complete, doubts } = pages.report();
    expect(complete).toBe(false);
    expect(doubts).toContainEqual(`${60_000 - judged()} more elements after too many of these were not read`);
  });

  test("keeps nothing else from being done while it is judged", async () => {
    const { pages } = onePage(Array.from({ length: 5000 }, (_, number) => ({ payoutId: idOf(number) })));
    let others = 0;
    const next = () => {
      others += 1;
      turn = setImmediate(next);
    };
    let turn = setImmediate(next);
    const found = await Array.fromAsync(pages);
    clearImmediate(turn);
    expect([found.length, others]).toEqual([5000, expect.any(Number)]);
    expect(others).toBeGreaterThanOrEqual(20);
  });

  test("that is full of unreadable elements, as many as were asked for, names each of them", async () => {
    const content = Array.from({ length: 200 }, (_, number) => ({ payoutId: number }));
    const { pages } = onePage(content);
    for await (const _ of pages);
    expect(pages.report().problems).toHaveLength(200);
  });
});

describe("pages as a stream", () => {
  test("are asked for several at a time, and never more than that; the elements come in their order", async () => {
    const { pages, asked, atOnceMax } = await readMany(41, { concurrency: 4 }, undefined, 4);
    expect(await numbersOf(pages)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
    expect(pages.report()).toMatchObject({ complete: true, doubts: [], pagesRead: 21 });
    expect(asked).toHaveLength(21);
    expect(atOnceMax()).toBe(4);
  });

  test("stop being asked for when the reader has seen enough", async () => {
    const { pages, asked } = await readMany(1000, { concurrency: 3 });
    for await (const { element: payout } of pages) if (payout.payoutId === idOf(5)) break;
    expect(asked.length).toBeLessThanOrEqual(6);
  });

  test("report an unanswered page in its turn, after the pages before it", async () => {
    const { pages } = await readMany(20, { concurrency: 4 }, (page) => (page === 2 ? { status: 400 } : {}));
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { element: payout } of pages) seen.push(payout.payoutId);
    })();
    await expect(reading).rejects.toMatchObject({ problem: { code: "SERVICE_REFUSED_SEARCH" } });
    expect(seen).toEqual([1, 2, 3, 4].map(idOf));
  });

  test("are no empty answer if the first one is refused", async () => {
    const { pages } = await readMany(0, {}, () => ({ status: 404 }));
    await expect(numbersOf(pages)).rejects.toMatchObject({ problem: { code: "SERVICE_REFUSED_SEARCH" } });
  });

  test("that are refused name every configuration key that shapes the request, and the request", async () => {
    const { pages } = await readMany(0, { firstPage: 1 }, () => ({ status: 400 }));
    const { message, fix } = await numbersOf(pages).catch((error) => error.problem);
    for (const words of ["Page 1", "2 elements", "sorted by createdDate ASC"])
      expect(message).toContain(words);
    for (const key of ["firstPage", "size", "idsPerRequest", "sort"])
      expect(fix).toContain(`\`paging.${key}\``);
  });

  test("end at a page beyond the last one, empty, refused or failed", async () => {
    for (const status of [200, 400, 404, 416, 500, 302]) {
      const { pages, asked } = await readMany(4, {}, (page) => (page === 2 ? { status } : {}));
      expect(await numbersOf(pages)).toEqual([1, 2, 3, 4]);
      expect(new Set(asked)).toEqual(new Set([0, 1, 2]));
      expect(pages.report().complete).toBe(true);
    }
  });

  test("also end if the service always has and announces another page", async () => {
    const { pages } = await readMany(1_000_000, { concurrency: 8 }, (page) => ({
      totalPages: page + 2,
      totalElements: 2 * page + 4,
    }));
    expect(await numbersOf(pages)).toHaveLength(2 * (2 * 2 + 100));
    expect(pages.report().doubts).toContainEqual("there was no end after 104 pages");
  });

  test("also end if the service announces pages without end, each with payouts that nobody asked for", async () => {
    const endless = {
      operation: "findPayoutFilteredV2",
      schema: z.object({ payoutId: z.string() }),
      idOf: ({ payoutId }: { payoutId: string }) => payoutId,
      createdDateOf: () => undefined,
      fetchPage: async ({ page }: PageRequest) => ({
        content: [{ payoutId: idOf(page) }],
        totalPages: 1e9,
        totalElements: 2e11,
        size: 200,
      }),
    } as const;
    const pagesRead = async (named: number) => {
      const pages = readPages({ ...endless, named }, { pageSize: 200, firstPage: 0 });
      for await (const _ of pages);
      expect(pages.report().complete).toBe(false);
      return pages.report().pagesRead;
    };
    expect(await pagesRead(1)).toBe(2 * 1 + 100);
    expect(await pagesRead(500)).toBe(2 * 500 + 100);
    expect(await pagesRead(0)).toBe(2 * 100_000 + 100);
  });

  test("that contain too few elements say how many came and how many were announced", async () => {
    const { pages } = await readMany(6, {}, (page) => (page === 1 ? { content: [] } : {}));
    await numbersOf(pages);
    expect(pages.report()).toMatchObject({
      complete: false,
      doubts: ["2 elements came and totalElements was 6"],
    });
  });

  test("in another order than requested say so", async () => {
    const at = (number: number, day: string) =>
      element(number).replace("{", `{"createdDate":"2026-11-${day}T00:00:00.000Z",`);
    const swapped = () => ({ content: [at(1, "02"), at(2, "01")], totalPages: 1, totalElements: 2 });
    const honest = () => ({ content: [at(1, "01"), at(2, "02")], totalPages: 1, totalElements: 2 });
    const newestFirst = { sort: [{ property: "createdDate", direction: "DESC" }] } as const;
    const held = async (changed: () => Partial<Page>, paging: Partial<FindPaging>) => {
      const { pages } = await readMany(2, paging, changed);
      await numbersOf(pages);
      return pages.report().sortHeld;
    };
    expect(await held(honest, {})).toBe(true);
    expect(await held(swapped, {})).toBe(false);
    expect(await held(swapped, newestFirst)).toBe(true);
    expect(await held(honest, newestFirst)).toBe(false);
  });
});
