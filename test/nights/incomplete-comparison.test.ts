/** A comparison that did not see everything stays reported, on every face, until a complete one replaces it. */
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { startMonitoring } from "../../src/daemon/index.ts";
import { createPayoutStep } from "../../src/index.ts";
import { minuteText } from "../../src/model/index.ts";
import { breaksStep, reconcileStep } from "../../src/nights/index.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { figuresOf } from "../../src/views/figures.ts";
import { needsOf } from "../../src/views/needs.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { SANDBOX_SECRETS, startPaydrop } from "../cli/program.ts";
import { type Exchange, errorBody, FIND, startOddService } from "../gateway/odd-service.ts";
import { testWithFile } from "../postgres.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";
import { ADDRESS, TREASURY } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

type Way = (exchange: Exchange) => boolean | undefined;

const honest: Way = () => false;

/** One payment that the service shows; `way` decides how the service answers from now on. */
async function openOddSite(changes: Readonly<Record<string, string>> = {}, options: SandboxOptions = {}) {
  const site = { way: honest };
  const service = await startOddService((exchange) => site.way(exchange), options);
  const given = { ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url, ...changes };
  const {
    workplace,
    folder,
    environment: variables,
  } = openPlace({
    ...given,
    PAYDROP_MONITORING_LISTEN: "127.0.0.1:0",
  });
  const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  const monitoring = await startMonitoring(workplace, "1.2.3");
  onTestFinished(() => monitoring?.close());
  const run = (...args: string[]) => paydropInTurn(folder, args, variables);
  const ask = (path: string) => fetch(`${monitoring?.url}${path}`);
  return { site, workplace, folder, variables, run, ask };
}

type OddSite = Awaited<ReturnType<typeof openOddSite>>;

/** Each face's report of the comparison: its exit code or figure, and whether it names the reason. */
async function facesOf({ workplace, run, ask }: OddSite, code: string) {
  const told: Record<string, readonly [status: unknown, isNamed: boolean]> = {};
  for (const command of ["breaks", "status", "jobs"])
    for (const as of [[], ["--json"]]) {
      const { exitCode, stdout } = await run(command, ...as);
      told[[command, ...as].join(" ")] = [exitCode, stdout.includes(code)];
    }
  const health = await ask("/health");
  told["/health"] = [health.status, (await health.text()).includes(code)];
  const figure = /^paydrop_needs\{about="comparison"\} (\d)$/m.exec(await (await ask("/metrics")).text());
  told["/metrics"] = [figure?.[1], figure?.[1] === "1"];
  const notice = needsOf(await figuresOf(workplace)).find(({ about }) => about === "comparison");
  told["notices"] = [notice?.count, notice?.text.includes(code) === true];
  return told;
}

const facesWith = (exitCode: number, health: number, count: number) => ({
  breaks: [exitCode, count > 0],
  "breaks --json": [exitCode, count > 0],
  status: [exitCode, count > 0],
  "status --json": [exitCode, count > 0],
  jobs: [exitCode, count > 0],
  "jobs --json": [exitCode, count > 0],
  "/health": [health, count > 0],
  "/metrics": [String(count), count > 0],
  notices: [count, count > 0],
});
const INCOMPLETE = facesWith(4, 503, 1);
const COMPLETE = facesWith(0, 200, 0);

function countingWrongly({ path, honest: ask, answer }: Exchange): boolean {
  if (path !== FIND) return false;
  const { results } = JSON.parse(ask().body) as { results: { totalElements: number } };
  answer(200, JSON.stringify({ results: { ...results, totalElements: results.totalElements + 1 } }));
  return true;
}

const refusing =
  (part: string, status: number): Way =>
  ({ path, answer }) => {
    if (!path.includes(part)) return false;
    answer(status, errorBody("REFUSED"));
    return true;
  };

const WAYS: readonly (readonly [what: string, code: string, way: Way])[] = [
  ["pages that never agree", "PAGING_UNSTABLE", countingWrongly],
  ["a key that is refused", "SERVICE_REFUSED_KEY", refusing("payouts", 401)],
  ["a refusal in its midst", "SERVICE_REFUSED", refusing("deposits", 400)],
  ["a refusal at its end", "SERVICE_REFUSED", refusing("balance", 400)],
];

test("a comparison that did not see everything is told on every face until a complete one replaces it", async () => {
  const odd = await openOddSite();
  await odd.run("reconcile", "baseline");
  expect((await odd.run("reconcile")).exitCode).toBe(0);
  for (const [what, code, way] of WAYS) {
    odd.site.way = way;
    const { exitCode } = await odd.run("reconcile");
    expect([what, [4, 5].includes(exitCode ?? 0)]).toEqual([what, true]);
    const { incomplete } = await breaksStep(odd.workplace);
    expect([what, incomplete?.code]).toEqual([what, expect.stringContaining(code)]);
    const told = await odd.run("breaks");
    expect([what, told.exitCode, told.stdout.includes(code)]).toEqual([what, 4, true]);
    // The reason is that of the latest comparison, and the time that of the first.
    await odd.run("reconcile");
    expect((await breaksStep(odd.workplace)).incomplete?.since).toBe(incomplete?.since);
    odd.site.way = honest;
    expect((await odd.run("reconcile")).exitCode).toBe(0);
    expect((await breaksStep(odd.workplace)).incomplete).toBeUndefined();
  }
  odd.site.way = countingWrongly;
  await odd.run("reconcile");
  const { incomplete } = await breaksStep(odd.workplace);
  expect(await facesOf(odd, "PAGING_UNSTABLE")).toEqual(INCOMPLETE);
  for (const command of ["breaks", "status", "jobs"]) {
    const { stdout } = await odd.run(command);
    expect(stdout).toContain(`complete since ${minuteText(incomplete?.since ?? "")}`);
    expect(stdout).not.toMatch(/No breaks\.|Nothing waits/);
  }
});

testWithFile(
  "a comparison whose process was killed is told at once, and by monitors when it cannot be under way any more",
  async () => {
    const odd = await openOddSite();
    await odd.run("reconcile", "baseline");
    const asked = Promise.withResolvers<void>();
    odd.site.way = ({ path }) => {
      if (path !== FIND) return false;
      asked.resolve();
      return true;
    };
    const child = startPaydrop(odd.folder, ["reconcile"], odd.variables);
    await asked.promise;
    child.kill("SIGKILL");
    await once(child, "close");
    const { exitCode, stdout } = await odd.run("breaks");
    expect(exitCode).toBe(4);
    expect(stdout).toContain("its process died");
    for (const command of ["status", "jobs"]) expect((await odd.run(command)).exitCode).toBe(4);
    expect((await odd.ask("/health")).status).toBe(200);
    await odd.workplace.store.write(function* () {
      yield { text: "update comparison set incomplete_since = '2026-01-01T02:00:00.000Z'", values: [] };
    });
    expect(await (await odd.ask("/health")).json()).toMatchObject({
      status: "bad",
      problems: [{ about: "comparison", since: "2026-01-01T02:00:00.000Z" }],
    });
    odd.site.way = honest;
    expect((await odd.run("reconcile")).exitCode).toBe(0);
    expect(await facesOf(odd, "UNDER_WAY")).toEqual(COMPLETE);
  },
);

test("with two keys, of which one is refused, a comparison is incomplete until both have answered", async () => {
  const users = [{ username: "savings-bot", otpSecret: "KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU" }];
  const other = { key: "savings-key", secret: "savings-signing-secret-0002", users };
  const odd = await openOddSite(
    {
      PAYDROP_KEYS: "[ { name: savings-eu } ]",
      PAYDROP_CUSTODY_ACCOUNTS: `[
        { name: treasury-btc, id: "${TREASURY}", currency: BTC },
        { name: savings-btc, id: "6f1cbb7e-0000-4000-8000-000000000002", currency: BTC, key: savings-eu } ]`,
      PAYDROP_KEY_SAVINGS_EU: other.key,
      PAYDROP_SIGNING_SECRET_SAVINGS_EU: other.secret,
      PAYDROP_OTP_SECRET_SAVINGS_EU: users[0]?.otpSecret ?? "",
    },
    { seed: { ...NOBODY_ELSE, clients: [...(NOBODY_ELSE.clients ?? []), other] } },
  );
  const code = async () => (await breaksStep(odd.workplace)).incomplete?.code;
  await reconcileStep(odd.workplace);
  expect(await code()).toBeUndefined();
  odd.site.way = ({ headers, answer }) =>
    headers["key"] === other.key && void answer(401, errorBody("REFUSED"));
  await expect(reconcileStep(odd.workplace)).rejects.toMatchObject({
    problem: { code: "SERVICE_REFUSED_KEY" },
  });
  expect(await code()).toBe("SERVICE_REFUSED_KEY");
  odd.site.way = honest;
  await reconcileStep(odd.workplace);
  expect(await code()).toBeUndefined();
});
