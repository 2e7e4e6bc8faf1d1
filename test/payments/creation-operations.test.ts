/** Each of the five creations can be configured for a custody account: the request, and what its refusals prove. */
import { describe, expect, test } from "vitest";
import type { Creation } from "../../src/payments/sending/index.ts";
import type { RunningSandbox } from "../../src/sandbox/index.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { openLane, sandbox } from "./lane.ts";

const PATHLESS = "createPayoutWithFirstAuthorization";

const CREATIONS: readonly Creation[] = [
  { operation: "createPayout", authorize: false },
  { operation: "createPayoutV2", authorize: false },
  { operation: "createAndFirstAuthorizationPayout", authorize: false },
  { operation: "createAndFirstAuthorizationPayoutV2", authorize: false },
  { operation: PATHLESS, authorize: false },
  { operation: PATHLESS, authorize: true },
];

function laneFor(service: RunningSandbox, creation: Creation) {
  return openLane(service.url, {
    policy: { creationOf: () => creation },
    routes: { [PATHLESS]: { method: "POST", path: "/pathless/payouts/create" } },
  });
}

function arrived(service: RunningSandbox, { operation }: Creation): number {
  return service.arrivals().filter((arrival) => arrival.operation === operation).length;
}

describe.each(CREATIONS)("$operation with authorize $authorize", (creation) => {
  test("creates each payout once", async () => {
    const service = await sandbox();
    const lane = laneFor(service, creation);
    await lane.approve(3);
    expect(await lane.pay()).toMatchObject({ accepted: 3, problems: [] });
    await lane.pay();
    expect(arrived(service, creation)).toBe(3);
    expect((await lane.submissions()).map(({ operation }) => operation)).toEqual(
      Array.from({ length: 3 }, () => creation.operation),
    );
  });

  test("carries `authorize` only where the operation has it, and a code unless it does not authorize", async () => {
    const service = await sandbox();
    const lane = laneFor(service, creation);
    await lane.approve(1);
    await lane.pay();
    const sent = JSON.parse(service.creations()[0]?.body ?? "{}");
    expect(sent.authorize).toBe(creation.operation === PATHLESS ? creation.authorize : undefined);
    expect("otpCode" in sent).toBe(creation.operation !== PATHLESS || creation.authorize);
  });

  test.each([400, 404])("a refusal with %i counts only if nothing else can have happened", async (status) => {
    const effect = { kind: "answer", statusCode: status, body: errorBody("NO"), committed: false } as const;
    const service = await sandbox({ faults: [{ operation: creation.operation, nth: 1, effect }] });
    const lane = laneFor(service, creation);
    await lane.approve(1);
    await lane.pay();
    const mayHaveHalfHappened =
      creation.operation.startsWith("createAndFirst") ||
      (creation.operation === PATHLESS && creation.authorize);
    expect(await lane.standings()).toEqual([`PAY-1 ${mayHaveHalfHappened ? "in doubt" : "refused"}`]);
    await lane.pay();
    expect(arrived(service, creation)).toBe(1);
  });

  test("whose answer is lost is found and not sent again", async () => {
    const effect = { kind: "cut-after-commit" } as const;
    const service = await sandbox({ faults: [{ operation: creation.operation, nth: 1, effect }] });
    const lane = laneFor(service, creation);
    await lane.approve(1);
    await lane.pay();
    await lane.pay();
    expect(await lane.standings()).toEqual(["PAY-1 accepted"]);
    expect(arrived(service, creation)).toBe(1);
  });
});
