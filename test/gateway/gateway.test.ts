/** The gateway returns exactly the answer that came, and nothing more. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Decimal } from "../../src/money/index.ts";
import type { PayoutCreation } from "../../src/wire/index.ts";
import { CREATE, type Exchange, errorBody, startOddService } from "./odd-service.ts";
import { gatewayTo } from "./trial-gateway.ts";

const PAYOUT_ID = "0d5d6e8a-0000-4000-8000-000000000001";
const BODY: PayoutCreation = {
  username: "treasury-bot",
  accountId: "6f1cbb7e-0000-4000-8000-000000000001",
  nonce: 9_223_372_036_854_775_807n,
  reference: "PAY-1",
  callbackUrl: "https://pay.example.com/hook/1",
  requestedAmount: { currency: "BTC", amount: Decimal.of("1e-8") },
  destinationAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  otpCode: "000000",
};

async function create(play: (exchange: Exchange) => void) {
  const service = await startOddService((exchange) => void play(exchange));
  const answer = await gatewayTo(service.url).call("createPayoutV2", BODY);
  expect(service.arrivals).toEqual([CREATE]);
  return answer;
}

describe("a creation", () => {
  test.each([
    ["200 instead of 202", 200, `{"payoutId":"${PAYOUT_ID}"}`],
    ["202 without a body", 202, ""],
    ["202 with a number literal that is none", 202, '{"payoutId":01}'],
    ["202 with HTML", 202, "<html>welcome</html>"],
    ["202 with an error array", 202, errorBody("NO")],
    ["204", 204, ""],
    ["302", 302, ""],
    ["502 with HTML", 502, "<html>bad gateway</html>"],
    ["503 without a body", 503, ""],
  ])("answered %s is unreadable, and sent once", async (_what, status, body) => {
    expect(await create(({ answer }) => answer(status, body))).toMatchObject({ kind: "unreadable", status });
  });

  test("is read after a byte order mark, with which some services begin a text", async () => {
    const answer = await create((exchange) => exchange.answer(202, `\uFEFF{"payoutId":"${PAYOUT_ID}"}`));
    expect(answer).toMatchObject({ kind: "success", body: { payoutId: PAYOUT_ID } });
  });

  test("asks for no compression, and reports an answer that is compressed nevertheless", async () => {
    let asked: unknown;
    const answer = await create(({ headers, response }) => {
      asked = headers["accept-encoding"];
      const body = gzipSync(`{"payoutId":"${PAYOUT_ID}"}`);
      response.writeHead(202, { "content-encoding": "gzip" }).end(body);
    });
    expect(asked).toBe("identity");
    expect(answer).toMatchObject({
      kind: "unreadable",
      reason: expect.stringMatching(/^encoded as "gzip", which was not asked for[^"]*$/),
    });
  });

  test.each(["utf-8", "Identity", ""])(
    "is read whatever it calls its encoding (%j), where it is plain",
    async (encoding) => {
      const answer = await create((exchange) =>
        exchange.answer(202, `{"payoutId":"${PAYOUT_ID}"}`, { "content-encoding": encoding }),
      );
      expect(answer).toMatchObject({ kind: "success", body: { payoutId: PAYOUT_ID } });
    },
  );

  test("whose answer is nested too deeply is unreadable or unanswered, never an exception", async () => {
    const answer = await create((exchange) => exchange.answer(202, "[".repeat(400_000)));
    expect(answer.kind).toMatch(/unreadable|unanswered/);
  });

  test("whose connection closes after reading is unanswered, sent and never sent again", async () => {
    const answer = await create(({ response }) => response.destroy());
    expect(answer).toMatchObject({ kind: "unanswered", headWritten: true });
  });
});
