/** Once read, an element is recognised by its text, and no change that counts is overlooked because of that. */
import { describe, expect, test } from "vitest";
import { systemRandom } from "../../src/context/random.ts";
import { stderrLog, systemClock } from "../../src/index.ts";
import { adaptivePaging, type ObservationTools, PAYOUTS, sweep } from "../../src/observation/index.ts";
import { all, sql } from "../../src/store/sql.ts";
import { startOddService } from "../gateway/odd-service.ts";
import { gatewayTo } from "../gateway/trial-gateway.ts";
import { knownPayouts } from "../read-all.ts";
import { openStore, TREASURY } from "../store/stored-batch.ts";

/** A service with one page: the last one given to `show`. */
async function trial(confirmationsMin = 1) {
  let page = "";
  const service = await startOddService(({ answer }) => void answer(200, page));
  const transport = {
    send: () => Promise.reject(new Error("the gateway has its own")),
    renewConnections: () => undefined,
    close: async () => undefined,
  };
  const log = stderrLog("silent");
  const tools: ObservationTools = {
    context: { clock: systemClock, random: systemRandom, transport, log },
    gateway: gatewayTo(service.url),
    store: openStore(),
    paging: adaptivePaging({ pageSize: 200, firstPage: 0, idsPerRequest: 3 }, log),
    confirmationsMin,
  };
  const show = (content: readonly string[], after = "") => {
    page = `{"results":{"content":[${content.join(" , ")}]${after},"totalPages":1,"totalElements":${content.length}}}`;
    return sweep(tools, PAYOUTS);
  };
  const stored = () => tools.store.read(() => all(sql`select * from observed order by id`));
  return { show, stored, store: tools.store };
}

function payout(number: number, more = ""): string {
  return `{ "payoutId": "0d5d6e8a-0000-4000-8000-00000000000${number}", "accountId":"${TREASURY}","reference":"PAY-${number}","requestedAmount":{"currency":"BTC","amount":1.0E-8},"payoutState":"SENT"${more}}`;
}

function confirmed(confirmations: number | string, number = 1): string {
  return payout(number, `,"sentFunds":{"txHash":"ab","confirmations" : ${confirmations}}`);
}

test("a sweep that shows only what is known counts it and writes nothing about it", async () => {
  const { show, stored } = await trial();
  const content = [payout(1), confirmed(7, 2), payout(3)];
  expect((await show(content)).changes).toHaveLength(3);
  const before = await stored();
  const shownId = "0d5d6e8a-0000-4000-8000-000000000003";
  const again = { elementsSeen: 3, pagesRead: 1, complete: true, shownId, changes: [], problems: [] };
  expect(await show(content)).toMatchObject(again);
  expect(await show([content[0] ?? "", confirmed(151, 2), content[2] ?? ""])).toMatchObject(again);
  expect(await stored()).toEqual(before);
});

test("a text is kept as it was sent, white space and digits", async () => {
  const { show, stored } = await trial();
  await show([payout(1)]);
  expect(await stored()).toMatchObject([{ raw: payout(1) }]);
});

describe("of what counts on, news is", () => {
  test("that there are enough confirmations", async () => {
    const { show, store } = await trial(3);
    const changes: number[] = [];
    for (const confirmations of [0, 1, 2, 3, 4, 500])
      changes.push((await show([confirmed(confirmations)])).changes.length);
    expect(changes).toEqual([1, 1, 0, 1, 0, 0]);
    const [known] = await knownPayouts(store);
    expect(known?.resource.sentFunds).toMatchObject([{ confirmations: 3 }]);
  });

  test("what else changes beside it, and a number that is none", async () => {
    const { show } = await trial();
    await show([confirmed(3)]);
    expect((await show([confirmed(4).replace('"ab"', '"cd"')])).changes).toHaveLength(1);
    for (const wrong of ["-4", "1e2", "4.5", '"5"'])
      expect((await show([confirmed(wrong).replace('"ab"', '"cd"')])).problems).toHaveLength(
        wrong === "-4" ? 0 : 1,
      );
  });

  test("a member of that name in a text of somebody else's", async () => {
    const { show } = await trial();
    const note = (confirmations: number) => payout(1, `,"feePolicy":"\\"confirmations\\":${confirmations}"`);
    await show([note(3)]);
    expect((await show([note(4)])).changes).toHaveLength(1);
  });
});

describe("beside known payouts,", () => {
  test.each([
    ["an end that is no JSON", [], ',"totalPages":'],
    ["a comma too many", [""], ""],
    ["a new payout with two amounts", [payout(3).replace("}", ',"currency":"EUR"}')], ""],
    ["half a payout", [payout(3).slice(0, 80)], ""],
  ])("%s is refused as without them", async (_what, others, after) => {
    const { show } = await trial();
    await show([payout(1), payout(2)]);
    await expect(show([payout(1), ...others, payout(2)], after)).rejects.toMatchObject({
      problem: { code: "SERVICE_ANSWER_UNREADABLE" },
    });
  });

  test("a payout that cannot be read is reported, and one that came twice makes the reading incomplete", async () => {
    const { show } = await trial();
    await show([payout(1), payout(2)]);
    expect(await show([payout(1), payout(3, ',"subtractFee":"no"'), payout(2)])).toMatchObject({
      elementsSeen: 2,
      complete: false,
      problems: [{ code: "SERVICE_ANSWER_UNREADABLE" }],
    });
    expect(await show([payout(1), payout(2), payout(1)])).toMatchObject({
      elementsSeen: 2,
      problems: [{ code: "PAGING_UNSTABLE" }],
    });
  });
});
