/** A comparison names deposits that we created and that the service has never shown, or shows as failed. */
import { expect, test } from "vitest";
import { createDepositStep } from "../../src/index.ts";
import { baselineStep, reconcileStep } from "../../src/nights/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { startOddService } from "../gateway/odd-service.ts";
import { comparesTheSameInParts } from "../site/all-at-once.ts";
import { DEPOSIT, settled } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

const NO_DEPOSIT = { results: { content: [], totalPages: 0, totalElements: 0 } };

/** A deposit of ours at a service that shows its true answer altered by `told.shown`. */
async function depositAt() {
  const told = { shown: (honest: string): string => honest };
  const service = await startOddService(({ path, honest, answer }) =>
    path === "/deposits/v2/find" ? void answer(200, told.shown(honest().body)) : false,
  );
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  await baselineStep(workplace, "ann");
  const { depositId } = await createDepositStep(workplace, DEPOSIT);
  const breaks = async (by = settled(workplace)) => (await reconcileStep(by)).openBreaks;
  return { workplace, told, depositId, breaks };
}

test("one that never shows is an alarm, once a complete sweep is without it and until it shows", async () => {
  const { workplace, told, depositId, breaks } = await depositAt();
  const incomplete = () => JSON.stringify({ results: { ...NO_DEPOSIT.results, totalElements: 1 } });
  told.shown = incomplete;
  expect(await breaks()).toEqual([]);
  told.shown = () => JSON.stringify(NO_DEPOSIT);
  expect(await breaks(workplace)).toEqual([]);
  expect(await breaks()).toMatchObject([
    {
      kind: "missing",
      severity: "alarm",
      depositId,
      sentence: `Deposit "DEP-1" was created as ${depositId}, but the service has never shown it. Ask its operator before a customer pays to its address.`,
    },
  ]);
  told.shown = incomplete;
  expect(await breaks()).toMatchObject([{ kind: "missing", depositId }]);
  told.shown = (honest) => honest;
  expect(await breaks()).toEqual([]);
  await comparesTheSameInParts(workplace);
});

test("one that failed after it was accepted is a warning", async () => {
  const { workplace, told, depositId, breaks } = await depositAt();
  expect(await breaks(workplace)).toEqual([]);
  told.shown = (honest) => honest.replace(/"depositState":"[A-Z]+"/, '"depositState":"CREATE_FAILED"');
  expect(await breaks(workplace)).toMatchObject([
    { kind: "failed", severity: "warning", depositId, reference: "DEP-1", found: "CREATE_FAILED" },
  ]);
});

test("one from before a later baseline, which never showed, is not ours to explain any more", async () => {
  const { workplace, told, breaks } = await depositAt();
  told.shown = () => JSON.stringify(NO_DEPOSIT);
  expect(await breaks()).toHaveLength(1);
  await baselineStep(settled(workplace), "ann");
  expect(await breaks()).toEqual([]);
});
