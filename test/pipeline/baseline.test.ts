import { expect, test } from "vitest";
import { baselineStep } from "../../src/pipeline/baseline-step.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { FIND, STRANGER, startOddService } from "../gateway/odd-service.ts";
import { openPlace } from "./workplace.ts";

test("a baseline tells what it could not read, which will be a break instead of being before our time", async () => {
  const content = [STRANGER, { ...STRANGER, payoutId: "unreadable" }];
  const shown = JSON.stringify({ results: { content, totalPages: 1, totalElements: 2 } });
  const odd = await startOddService(({ path, answer }) => (path === FIND ? void answer(200, shown) : false));
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url });
  expect(await baselineStep(workplace, "ann")).toMatchObject({
    payoutsBefore: 1,
    problems: [{ code: "SERVICE_ANSWER_UNREADABLE", message: expect.stringContaining("payoutId") }],
  });
});
