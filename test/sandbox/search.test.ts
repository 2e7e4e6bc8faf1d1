/** Both find operations: filters, pages, sort, and the echo. */
import { describe, expect, test } from "vitest";
import { creationText, MAIN, QUERY_DATE, type Trial, trial } from "./trial.ts";

const FIND = "/payouts/v2/find";

interface Found {
  readonly filters: unknown;
  readonly results: {
    readonly content: readonly { readonly reference: string; readonly payoutId: string }[];
  };
}

function found(one: Trial, filters: string): Found {
  const answer = one.call(FIND, `{${QUERY_DATE}${filters}}`);
  expect(answer.statusCode).toBe(200);
  return answer.body as Found;
}

function references(one: Trial, filters: string): string[] {
  return found(one, filters).results.content.map((payout) => payout.reference);
}

function withPayouts(names: readonly string[]): Trial {
  const one = trial({ stepMs: 1000 });
  for (const name of names) {
    one.call("/payouts/v2/create", creationText({ reference: `"${name}"` }));
    one.pass(1);
  }
  return one;
}

test("a page is the whole envelope of the interface", () => {
  const one = withPayouts(["A", "B", "C", "D", "E"]);
  const { body } = one.call(FIND, `{${QUERY_DATE},"page":1,"size":2,"sort":{"createdDate":"ASC"}}`);
  const sort = [
    {
      direction: "ASC",
      nullHandling: "NATIVE",
      ascending: true,
      property: "createdDate",
      ignoreCase: false,
    },
  ];
  expect(body).toEqual({
    filters: { queryDate: "2026-03-02T09:00:00.000Z", page: 1, size: 2, sort: { createdDate: "ASC" } },
    results: {
      content: [expect.objectContaining({ reference: "C" }), expect.objectContaining({ reference: "D" })],
      totalPages: 3,
      totalElements: 5,
      size: 2,
      number: 1,
      numberOfElements: 2,
      first: false,
      last: false,
      empty: false,
      sort,
      pageable: { offset: 2, sort, unpaged: false, paged: true, pageNumber: 1, pageSize: 2 },
    },
  });
});

test("first, last and empty are told for the first, the last, a beyond and an empty result", () => {
  const one = withPayouts(["A", "B", "C"]);
  expect(found(one, ',"size":2').results).toMatchObject({ first: true, last: false, empty: false });
  expect(found(one, ',"size":2,"page":1').results).toMatchObject({ first: false, last: true, empty: false });
  expect(found(one, ',"size":2,"page":5').results).toMatchObject({
    last: true,
    empty: true,
    totalElements: 3,
  });
  expect(found(one, ',"references":["Z"]').results).toMatchObject({
    first: true,
    last: true,
    empty: true,
    totalPages: 0,
  });
});

describe("filters", () => {
  test("by references, by payoutIds, by states, and by all of them together", () => {
    const one = withPayouts(["A", "B", "C"]);
    const [first] = found(one, "").results.content;
    expect(references(one, ',"references":["C","A","nowhere"]')).toEqual(["A", "C"]);
    expect(references(one, `,"payoutIds":["${first?.payoutId}"]`)).toEqual(["A"]);
    expect(references(one, `,"payoutIds":["${first?.payoutId.toUpperCase()}"]`)).toEqual(["A"]);
    expect(references(one, ',"states":["REQUESTED"]')).toEqual(["A", "B", "C"]);
    expect(references(one, ',"states":["SENT","COMPLETED"]')).toEqual([]);
    expect(references(one, `,"references":["B"],"payoutIds":["${first?.payoutId}"]`)).toEqual([]);
  });

  test("an absent, a null and an empty list filter nothing", () => {
    const one = withPayouts(["A", "B"]);
    expect(references(one, ',"references":null,"states":[],"payoutIds":[]')).toEqual(["A", "B"]);
  });

  test("a reference with quotes, a percent sign or other letters is found as it is", () => {
    const one = withPayouts(["it's 100%", "Ünï-コード"]);
    expect(references(one, ',"references":["it\'s 100%"]')).toEqual(["it's 100%"]);
    expect(references(one, ',"references":["Ünï-コード"]')).toEqual(["Ünï-コード"]);
  });

  test("the echo is what was sent, digit for digit and with unknown fields", () => {
    const one = trial();
    const filters = `{${QUERY_DATE},"size":10,"note":0.100000000000000000001}`;
    expect(one.call(FIND, filters).text).toContain(`"filters":${filters}`);
  });
});

test("sorts by each property in both directions, oldest first by default", () => {
  const one = withPayouts(["B", "A", "C"]);
  expect(references(one, "")).toEqual(["B", "A", "C"]);
  expect(references(one, ',"sort":{"createdDate":"DESC"}')).toEqual(["C", "A", "B"]);
  expect(references(one, ',"sort":{"reference":"asc"}')).toEqual(["A", "B", "C"]);
  expect(references(one, ',"sort":{"payoutState":"ASC","reference":"DESC"}')).toEqual(["C", "B", "A"]);
});

test("pages of 20 by default", () => {
  const one = withPayouts(Array.from({ length: 21 }, (_, index) => `R${index}`));
  expect(found(one, "").results).toMatchObject({ size: 20, totalPages: 2, numberOfElements: 20 });
});

describe("a search is refused with 400", () => {
  test.each([
    ["without queryDate", "{}"],
    ["for a queryDate that is none", '{"queryDate":"yesterday"}'],
    ["for a page below zero", `{${QUERY_DATE},"page":-1}`],
    ["for a page beyond int32", `{${QUERY_DATE},"page":2147483648}`],
    ["for a page as text", `{${QUERY_DATE},"page":"1"}`],
    ["for a size of zero", `{${QUERY_DATE},"size":0}`],
    ["for a size above the limit", `{${QUERY_DATE},"size":501}`],
    ["for references that repeat", `{${QUERY_DATE},"references":["A","A"]}`],
    ["for an unlisted state", `{${QUERY_DATE},"states":["PAID"]}`],
    ["for an unknown sort property", `{${QUERY_DATE},"sort":{"amount":"ASC"}}`],
    ["for an unknown sort direction", `{${QUERY_DATE},"sort":{"createdDate":"UP"}}`],
    ["for an id that is no UUID", `{${QUERY_DATE},"payoutIds":["1"]}`],
  ])("%s", (_what, body) => {
    expect(trial().call(FIND, body).statusCode).toBe(400);
  });
});

test("a created payout is not found before the visibility lag is over", () => {
  const one = trial({ visibilityLagMs: 5000 });
  one.call("/payouts/v2/create", creationText({ reference: '"LATE"' }));
  one.pass(4999);
  expect(references(one, ',"references":["LATE"]')).toEqual([]);
  one.pass(1);
  expect(references(one, ',"references":["LATE"]')).toEqual(["LATE"]);
});

test("dates are written with a literal Z, or with an offset when told so", () => {
  const dateOf = (one: Trial) => {
    one.call("/payouts/v2/create", creationText());
    return (found(one, "").results.content[0] as unknown as { createdDate: string }).createdDate;
  };
  expect(dateOf(trial())).toBe("2026-03-02T09:00:00.000Z");
  expect(dateOf(trial({ dateStyle: "offset" }))).toBe("2026-03-02T09:00:00.000+0000");
});

test("a deposit cannot be found either until the visibility lag has passed, though it exists", () => {
  const one = trial({ visibilityLagMs: 5000 });
  const creation = `{"accountId":"${MAIN}","nonce":1,"reference":"DEP-1","callbackUrl":"https://pay.example.com/1"}`;
  expect(one.call("/deposits/create", creation).statusCode).toBe(202);
  const found = () => one.call("/deposits/v2/find", `{${QUERY_DATE}}`).body;
  one.pass(4999);
  expect(found()).toMatchObject({ results: { totalElements: 0 } });
  one.pass(1);
  expect(found()).toMatchObject({ results: { content: [{ reference: "DEP-1" }] } });
});
