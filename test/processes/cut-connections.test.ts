/** The connection of a machine to the shared PostgreSQL database breaks at any point of a run. */
import { expect, test } from "vitest";
import { paydrop } from "../cli/program.ts";
import { IS_ON_POSTGRES } from "../postgres.ts";
import { type Cut, proxyTo } from "../postgres-proxy.ts";
import { paymentsIn, payToTheEnd } from "./judge.ts";
import { machines } from "./machines.ts";

/** More with `npm run test:postgres`; `CUT_RUNS` sets the number. */
const RUNS = Number(process.env["CUT_RUNS"] ?? (IS_ON_POSTGRES ? 12 : 1));

/** About the number of requests that a run makes; the first intents are in the middle. */
const REQUESTS = 360;

const CUTS = Array.from({ length: RUNS }, (_, index): [Cut, number] => [
  index % 2 === 0 ? "behind" : "before",
  Math.ceil(((index + 0.5) / RUNS) * REQUESTS),
]);

test.each(CUTS)("%s its request %i: every payout is made once, and no row is lost", async (when, nth) => {
  const { service, variables, folders, letTimePass } = await machines(2);
  const [first = "", second = ""] = folders;
  const proxy = await proxyTo(variables["DATABASE_URL"] ?? "");
  proxy.cutAt(nth, when);
  const cut = await paydrop(first, ["--json", "pay"], { ...variables, DATABASE_URL: proxy.url });
  expect(cut.exitCode).not.toBe(1);
  await letTimePass();
  // Requests that were stored but never sent stay in doubt until their window has passed.
  await payToTheEnd(second, service, variables, [cut]);
  await service.close();
});

test("behind the commit of an intent: what was written down and never sent is due again, and no doubt", async () => {
  const { service, variables, folders } = await machines(1);
  const [folder = ""] = folders;
  const proxy = await proxyTo(variables["DATABASE_URL"] ?? "");
  proxy.beforeAnswerTo("insert into submission", async () => {
    proxy.swallowAnswerTo("commit");
    proxy.beforeAnswerTo("set paydrop.session", async () => proxy.passEverything());
  });
  const cut = await paydrop(folder, ["--json", "pay"], { ...variables, DATABASE_URL: proxy.url });
  expect(cut.exitCode).toBe(5);
  expect(service.arrived()).toBe(0);
  const payments = await paymentsIn(folder, variables);
  expect(new Set(payments.map(({ standing }) => standing))).toEqual(new Set(["approved"]));
  expect(await payToTheEnd(folder, service, variables, [cut])).toEqual([]);
  await service.close();
});
