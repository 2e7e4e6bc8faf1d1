/** The service's answers are stored raw and exact, and count as complete only with proof. */
import { describe, expect, test } from "vitest";
import { systemRandom } from "../../src/context/random.ts";
import { stderrLog, systemClock } from "../../src/index.ts";
import { present } from "../../src/model/present.ts";
import { formatAmount } from "../../src/money/index.ts";
import {
  adaptivePaging,
  DEPOSITS,
  lookByReferences,
  type ObservationTools,
  observeBalances,
  PAYOUTS,
  sweep,
  track,
} from "../../src/observation/index.ts";
import { demoSeed } from "../../src/sandbox/index.ts";
import { listHistory } from "../../src/store/observed.ts";
import { errorBody, FIND, startOddService } from "../gateway/odd-service.ts";
import { gatewayTo } from "../gateway/trial-gateway.ts";
import { openLane, sandbox } from "../payments/lane.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";
import { knownDeposits, knownPayouts } from "../read-all.ts";
import { openStore, TREASURY } from "../store/stored-batch.ts";

function toolsFor(url: string): ObservationTools {
  const transport = {
    send: () => Promise.reject(new Error("the gateway has its own")),
    renewConnections: () => undefined,
    close: async () => undefined,
  };
  const log = stderrLog("silent");
  return {
    context: { clock: systemClock, random: systemRandom, transport, log },
    gateway: gatewayTo(url),
    store: openStore(),
    paging: adaptivePaging({ pageSize: 2, firstPage: 0, idsPerRequest: 3 }, log),
  };
}

async function paid(count: number) {
  // Payouts stay in their first state, even on a slow machine.
  const seed = { ...NOBODY_ELSE, ...present({ deposits: demoSeed.deposits }) };
  const service = await sandbox({ stepMs: 3_600_000, seed });
  const lane = openLane(service.url);
  await lane.approve(count);
  await lane.pay();
  return { tools: toolsFor(service.url), service };
}

describe("a look by reference", () => {
  test("asks for many at once and returns each with its exact amount", async () => {
    const { tools, service } = await paid(5);
    const before = service.arrivals().length;
    const asked = ["PAY-1", "PAY-2", "PAY-3", "PAY-4", "PAY-5", "NEVER"];
    const look = await lookByReferences(tools, asked);
    expect(look.complete).toBe(true);
    expect([...look.byReference.keys()].toSorted()).toEqual(asked.slice(0, 5));
    expect(look.byReference.get("PAY-3")).toMatchObject([{ custodyAccountId: TREASURY, state: "REQUESTED" }]);
    expect(
      look.byReference.get("PAY-3")?.map(({ requestedAmount }) => formatAmount(requestedAmount)),
    ).toEqual(["0.003 BTC"]);
    expect(service.arrivals().length - before).toBe(4);
    expect(await knownPayouts(tools.store)).toHaveLength(5);
  });

  test("whose answer contains something else than it asked for is no evidence of absence", async () => {
    const deaf = await startOddService(({ answer }) => void answer(200, pageOf([payoutText("1", "PAY-1")])));
    const look = await lookByReferences(toolsFor(deaf.url), ["NEVER"]);
    expect(look.complete).toBe(false);
  });

  test("asks no more once one of its requests has failed", async () => {
    const service = await startOddService(({ answer }) => void answer(403, errorBody("NO")));
    const { paging, ...tools } = toolsFor(service.url);
    const oneByOne = adaptivePaging({ ...paging, idsPerRequest: 1, concurrency: 2 }, tools.context.log);
    const asked = Array.from({ length: 40 }, (_, index) => `PAY-${index}`);
    await expect(lookByReferences({ ...tools, paging: oneByOne }, asked)).rejects.toMatchObject({
      problem: { code: "SERVICE_REFUSED_KEY" },
    });
    expect(service.arrivals.length).toBeLessThanOrEqual(2);
  });

  test("asks nothing when there is nothing to look for", async () => {
    const service = await sandbox();
    expect(await lookByReferences(toolsFor(service.url), [])).toEqual({
      byReference: new Map(),
      complete: true,
      doubts: [],
      problems: [],
    });
    expect(service.arrivals()).toEqual([]);
  });
});

function payoutText(digit: string, reference: string, more = ""): string {
  return `{"payoutId":"0D5D6E8A-0000-4000-8000-00000000000${digit}","accountId":"${TREASURY}","reference":"${reference}","requestedAmount":{"currency":"BTC","amount":1.0E-8},"payoutState":"CREATED"${more}}`;
}

function pageOf(content: readonly string[], totalElements = content.length): string {
  return `{"filters":null,"results":{"content":[${content.join(",")}],"totalPages":1,"totalElements":${totalElements}}}`;
}

describe("a sweep", () => {
  test("sees every payout and deposit on all pages, whoever made it, and the balances", async () => {
    const { tools } = await paid(5);
    const payouts = await sweep(tools, PAYOUTS);
    expect(payouts).toMatchObject({ elementsSeen: 5, pagesRead: 3, problems: [] });
    expect(payouts.changes.map(({ reference, to }) => `${reference} ${to}`)).toContain("PAY-5 REQUESTED");
    expect(await sweep(tools, DEPOSITS)).toMatchObject({ elementsSeen: 3, problems: [] });
    expect(await knownDeposits(tools.store)).toHaveLength(3);
    const balances = await observeBalances(tools, [TREASURY]);
    expect(balances.map(({ total }) => formatAmount(total))).toEqual([
      expect.stringMatching(/^12\.\d+ BTC$/),
    ]);
  });

  test("keeps a payout whose state is an empty text: nobody knows its state, and the comparison goes on", async () => {
    const text = payoutText("1", "PAY-1").replace('"CREATED"', '""');
    const service = await startOddService(({ answer }) => void answer(200, pageOf([text])));
    const tools = toolsFor(service.url);
    await sweep(tools, PAYOUTS);
    expect((await knownPayouts(tools.store)).map(({ resource }) => resource.state)).toEqual([""]);
  });

  test("reports an element that it cannot read, and keeps the others", async () => {
    const service = await startOddService(
      ({ answer }) =>
        void answer(
          200,
          pageOf([payoutText("1", "PAY-1"), payoutText("2", "PAY-2", ',"customFeeRate":"much"')]),
        ),
    );
    const tools = toolsFor(service.url);
    expect(await sweep(tools, PAYOUTS)).toMatchObject({
      elementsSeen: 1,
      problems: [{ code: "SERVICE_ANSWER_UNREADABLE", payoutId: expect.stringMatching(/2$/) }],
    });
    expect(await knownPayouts(tools.store)).toHaveLength(1);
  });

  test("ends and says so if the pages never stay consistent", async () => {
    const service = await startOddService(
      ({ answer }) => void answer(200, pageOf([payoutText("1", "PAY-1")], 2)),
    );
    expect(await sweep(toolsFor(service.url), PAYOUTS)).toMatchObject({
      problems: [{ code: "PAGING_UNSTABLE" }],
    });
    expect(service.arrivals.every((path) => path === FIND)).toBe(true);
  });

  test("is read again while its totals disagree with what came", async () => {
    let asked = 0;
    const service = await startOddService(({ answer }) => {
      asked += 1;
      answer(200, pageOf([payoutText("1", "PAY-1")], asked === 1 ? 2 : 1));
    });
    expect(await sweep(toolsFor(service.url), PAYOUTS)).toMatchObject({ elementsSeen: 1, problems: [] });
    expect(asked).toBe(2);
  });
});

describe("tracking", () => {
  test("reports each new state once, with the one before it", async () => {
    let state = "CREATED";
    const service = await startOddService(
      ({ answer }) => void answer(200, pageOf([payoutText("1", "PAY-1").replace("CREATED", state)])),
    );
    const tools = toolsFor(service.url);
    const look = () => track(tools, PAYOUTS, ["0d5d6e8a-0000-4000-8000-000000000001"]);
    expect(await look()).toMatchObject({ changes: [{ reference: "PAY-1", to: "CREATED" }], problems: [] });
    expect(await look()).toEqual({ changes: [], problems: [] });
    state = "FROZEN";
    expect(await look()).toMatchObject({ changes: [{ from: "CREATED", to: "FROZEN" }] });
    state = 'SENT","createdDate":"yesterday';
    expect(await look()).toMatchObject({ changes: [], problems: [{ code: "SERVICE_ANSWER_UNREADABLE" }] });
  });
});

describe("what was seen", () => {
  test("does not grow the history if only confirmations or spellings change", async () => {
    const funds = (confirmations: number, amount: string, confirmedDate: string) =>
      `,"sentFunds":{"amount":{"currency":"BTC","amount":${amount}},"confirmedDate":"${confirmedDate}","confirmations":${confirmations}}`;
    const answers = [
      payoutText("1", "PAY-1", funds(1, "0.10", "2026-11-22T10:00:00.000Z")),
      payoutText("1", "PAY-1", funds(2, "1E-1", "2026-11-22T11:00:00.000+0100")),
      payoutText("1", "PAY-1", `,"orderCodeName":null${funds(3, "0.1", "2026-11-22T10:00:00.000Z")}`),
      payoutText("1", "PAY-1", funds(3, "0.2", "2026-11-22T10:00:00.000Z")),
    ];
    let asked = -1;
    const service = await startOddService(({ answer }) => void answer(200, pageOf([answers[asked] ?? ""])));
    const tools = toolsFor(service.url);
    const changes: number[] = [];
    for (asked = 0; asked < answers.length; asked += 1)
      changes.push((await sweep(tools, PAYOUTS)).changes.length);
    expect(changes).toEqual([1, 0, 0, 1]);
    const [known] = await knownPayouts(tools.store);
    expect(known?.resource.sentFunds).toMatchObject([{ confirmations: 3 }]);
    const history = await tools.store.read(() => listHistory("payout", known?.resource.payoutId ?? ""));
    expect(history.map(({ raw }) => raw)).toEqual([answers[2], answers[3]]);
  });

  test("keeps exact digits without trailing zeros, and treats nulls and empty texts as absent", async () => {
    const funds =
      ',"sentFunds":{"txHash":"","amount":{"currency":"BTC","amount":0.12345678901234567800},"fee":null}';
    const service = await startOddService(
      ({ answer }) => void answer(200, pageOf([payoutText("1", "PAY-1", funds)])),
    );
    const tools = toolsFor(service.url);
    await sweep(tools, PAYOUTS);
    const [known] = await knownPayouts(tools.store);
    expect(known?.resource.requestedAmount.value.toString()).toBe("0.00000001");
    const [sent] = known?.resource.sentFunds ?? [];
    expect(Object.keys(sent ?? {})).toEqual(["amount"]);
    expect(sent?.amount?.value.toString()).toBe("0.123456789012345678");
    expect(known?.resource.payoutId).toBe("0d5d6e8a-0000-4000-8000-000000000001");
  });
});
