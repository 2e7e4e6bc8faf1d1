/** A command shows and changes exactly the payout that was named, even if an answer belongs to another request. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openWorkplaceForReading, showPayouts } from "../../src/index.ts";
import { onePayout } from "../../src/views/search-step.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { errorBody, FIND, STRANGER, startOddService } from "../gateway/odd-service.ts";
import { openPlace } from "../site/workplace.ts";

const { payoutId, reference } = STRANGER;
const ANOTHER_ID = "01a2004c-de6b-7555-850c-1753d24b0e46";

/** Answers every search with the stranger's payout. */
async function placeWhereOneIsShown() {
  const shown = JSON.stringify({ results: { content: [STRANGER], totalPages: 1, totalElements: 1 } });
  const odd = await startOddService(({ path, answer }) => (path === FIND ? void answer(200, shown) : false));
  return openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url }).workplace;
}

test("a payout with another id than was asked for is not the one: neither shown, voided nor authorized", async () => {
  const workplace = await placeWhereOneIsShown();
  expect(await onePayout(workplace, payoutId.toUpperCase())).toMatchObject({ payoutId });
  const none = { problem: { code: "NOT_AT_SERVICE", message: expect.stringContaining(ANOTHER_ID) } };
  await expect(showPayouts(workplace, ANOTHER_ID)).rejects.toMatchObject(none);
  await expect(onePayout(workplace, ANOTHER_ID)).rejects.toMatchObject(none);
});

test("one with another reference is shown, for a service that keeps references in a way of its own, and not changed", async () => {
  const workplace = await placeWhereOneIsShown();
  expect(await onePayout(workplace, reference)).toMatchObject({ payoutId });
  expect(await showPayouts(workplace, "ext-1")).toMatchObject([{ payoutId }]);
  await expect(onePayout(workplace, "ext-1")).rejects.toMatchObject({
    problem: {
      code: "NAME_AMBIGUOUS",
      message: `ext-1 may mean several things: the service shows payout ${payoutId}, whose reference is ${reference}`,
      fix: `Look at it with \`paydrop payouts show ${payoutId}\`; if it is the one you mean, name it by its id.`,
    },
  });
});

test("of several with one reference none is changed until one is named by its id", async () => {
  const content = [STRANGER, { ...STRANGER, payoutId: ANOTHER_ID }];
  const shown = JSON.stringify({ results: { content, totalPages: 1, totalElements: 2 } });
  const odd = await startOddService(({ path, answer }) => (path === FIND ? void answer(200, shown) : false));
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url });
  await expect(onePayout(workplace, reference)).rejects.toMatchObject({
    problem: {
      code: "NAME_AMBIGUOUS",
      message: expect.stringContaining(`several payouts have this reference: ${payoutId}, ${ANOTHER_ID}`),
    },
  });
  expect(await onePayout(workplace, ANOTHER_ID)).toMatchObject({ payoutId: ANOTHER_ID });
});

test("what is shown and cannot be read is told as that: it is not missing, and nothing is changed beside it", async () => {
  const undated = { ...STRANGER, payoutId: ANOTHER_ID, createdDate: "yesterday" };
  let content: object[] = [undated];
  const odd = await startOddService(({ path, answer }) => {
    const results = { content, totalPages: 1, totalElements: content.length };
    return path === FIND ? void answer(200, JSON.stringify({ results })) : false;
  });
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url });
  const unreadable = { code: "SERVICE_ANSWER_UNREADABLE", message: expect.stringContaining("yesterday") };
  await expect(showPayouts(workplace, reference)).rejects.toMatchObject({ problem: unreadable });
  await expect(showPayouts(workplace, ANOTHER_ID)).rejects.toMatchObject({ problem: unreadable });
  content = [STRANGER, undated];
  expect(await showPayouts(workplace, reference)).toMatchObject([{ payoutId }]);
  await expect(onePayout(workplace, reference)).rejects.toMatchObject({ problem: unreadable });
  expect(await onePayout(workplace, payoutId)).toMatchObject({ payoutId });
});

test("where others may have the same reference, nothing is changed by it: counts that contradict the page name no one", async () => {
  const shown = JSON.stringify({ results: { content: [STRANGER], totalPages: 1, totalElements: 2 } });
  const odd = await startOddService(({ path, answer }) => (path === FIND ? void answer(200, shown) : false));
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url });
  await expect(onePayout(workplace, reference)).rejects.toMatchObject({
    problem: {
      code: "NAME_AMBIGUOUS",
      message: expect.stringMatching(
        /one payout with this reference, and there may be others: 1 elements came and totalElements was 2$/,
      ),
    },
  });
  expect(await onePayout(workplace, payoutId)).toMatchObject({ payoutId });
  expect(await showPayouts(workplace, reference)).toMatchObject([{ payoutId }]);
});

test("what does not show where the pages do not tie is told with that", async () => {
  const shown = JSON.stringify({ results: { content: [], totalPages: 1, totalElements: 1 } });
  const odd = await startOddService(({ path, answer }) => (path === FIND ? void answer(200, shown) : false));
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url });
  await expect(showPayouts(workplace, reference)).rejects.toMatchObject({
    problem: {
      code: "NOT_AT_SERVICE",
      message: `the service shows no payout with the id or reference ${reference}, but 0 elements came and totalElements was 1`,
    },
  });
});

test("whoever only looks and is told to stop does not ask a busy service again", async () => {
  const stop = new AbortController();
  const odd = await startOddService(({ answer }) => {
    setImmediate(() => stop.abort());
    answer(503, errorBody("BUSY"), { "content-type": "application/json", "retry-after": "3600" });
    return true;
  });
  const { folder, environment } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url });
  const looking = openWorkplaceForReading(join(folder, "paydrop.yaml"), environment, undefined, stop.signal);
  onTestFinished(() => looking.close());
  await expect(showPayouts(looking, payoutId)).rejects.toMatchObject({ problem: { code: "SERVICE_FAILED" } });
  expect(odd.arrivals).toEqual([FIND]);
});
