/** Reading pages from a service that moves, lies or babbles: a reading is complete only when it proves that it is. */
import { describe, expect, test } from "vitest";
import { findPayouts } from "../../src/gateway/index.ts";
import { virtualClock } from "../context/virtual-clock.ts";
import { startOddService } from "./odd-service.ts";
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

describe("a reading is incomplete, and so no evidence of absence,", () => {
  test("when totalPages claims fewer pages than there are", async () => {
    const { reading, ids } = await read((page) => ({ content: THREE[page] ?? [], totalPages: 1 }));
    expect(ids).toHaveLength(3);
    expect(reading.complete).toBe(true);
    const short = await read(() => ({ content: [element(1)], totalPages: 1, totalElements: 3 }));
    expect(short.reading.complete).toBe(false);
  });

  test("when totalPages claims more pages than there are, and it ends all the same", async () => {
    const { reading, asked } = await read((page) => ({
      content: THREE[page] ?? [],
      totalPages: 1_000_000,
      totalElements: 4,
    }));
    expect(asked).toEqual([0, 1, 2]);
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

  test("when one dropped out of sight between two pages", async () => {
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

  test("when a whole page cannot be read: the pages behind it are read all the same", async () => {
    const pages = [[element(1), element(2)], ["null", '{"x":1}'], [element(3)]];
    const { reading, ids } = await read((page) => ({
      content: pages[page] ?? [],
      totalPages: 3,
      totalElements: 5,
    }));
    expect(ids).toEqual([1, 2, 3].map(idOf));
    expect(reading.problems).toHaveLength(2);
  });

  test("when every page is the same page of rubbish, and it ends all the same", async () => {
    const { reading, asked } = await read(() => ({ content: ["17", "[]"], totalPages: 1_000_000 }));
    expect(asked).toEqual([0, 1]);
    expect(reading.problems).toHaveLength(2);
  });
});
