/**
 * Machines that share a PostgreSQL database send only with one configuration: a folder each, with the samples'
 * configuration and changes to it.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  approveStep,
  doctorStep,
  listDoubts,
  overviewOf,
  payAgainStep,
  payStep,
  submitFile,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import { baselineStep, reconcileStep } from "../../src/nights/index.ts";
import { acceptConfiguration } from "../../src/proof/accept-configuration.ts";
import { verifyAudit } from "../../src/store/audit.ts";
import { newDatabase } from "../postgres.ts";
import { openSite, type Site } from "../site/service.ts";
import { openPlace, type Place } from "../site/workplace.ts";

/**
 * The first machine has used its configuration, and 18 payments are due. `open` makes another machine with its own
 * changes.
 */
async function openMachines(): Promise<Site & { open(changes?: Readonly<Record<string, string>>): Place }> {
  const shared = { PAYDROP_DATABASE: "postgresql", DATABASE_URL: await newDatabase() };
  const site = await openSite({}, shared);
  const { folder, workplace, environment } = site;
  await payStep(workplace);
  const { digest = "" } = await submitFile(workplace, join(folder, "payouts.xlsx"), "ann");
  await approveStep(workplace, digest, "ben", { acceptReading: 5 });
  return { ...site, open: (changes = {}) => openPlace({ ...environment, ...changes }) };
}

const refusal = (what: string) => ({
  problem: { code: "CONFIGURATION_DIFFERS", message: expect.stringMatching(what) },
});

const overview = async (workplace: Workplace) =>
  (await overviewOf(workplace, [], await listDoubts(workplace))).machines;

const OTHER_ACCOUNT = "6f1cbb7e-0000-4000-8000-000000000002";

const DANGEROUS: readonly (readonly [changes: Record<string, string>, words: string])[] = [
  [{ PAYDROP_SERVICE_BASE_URL: "http://127.0.0.1:9" }, "service.baseUrl is http://127.0.0.1:9 here"],
  [{ PAYDROP_NONCE_RULE: "increasing" }, "nonce.rule is increasing here and unique there"],
  [{ PAYDROP_LIMITS_PER_DAY: '{ BTC: "11" }' }, "limits.perDay.BTC is 11 here and 10 there"],
  [{ PAYDROP_LEDGER_TIME_ZONE: "Asia/Tokyo" }, "ledger.timeZone is Asia/Tokyo here"],
  [{ PAYDROP_APPROVAL_RULES: "[ { people: 1 } ]" }, "approval.rules.0.upTo.BTC is not set here"],
  [
    { PAYDROP_CUSTODY_ACCOUNTS: `[ { name: treasury-btc, id: "${OTHER_ACCOUNT}", currency: BTC } ]` },
    `custodyAccounts.treasury-btc.id is ${OTHER_ACCOUNT} here`,
  ],
  [{ PAYDROP_KEY: "canary-key-of-another-service" }, "fingerprint of PAYDROP_KEY is [0-9a-f]{12} here"],
];

describe("a machine that shares its database", () => {
  test("with one of the same configuration pays; folders, schedules and paces are its own", async () => {
    const { open } = await openMachines();
    const own = {
      PAYDROP_HTTP_CONCURRENCY: "2",
      PAYDROP_SCHEDULE_PAY: "1 * * * *",
      PAYDROP_PAGING_SIZE: "50",
    };
    const { workplace } = open({ ...own, PAYDROP_FOLDERS_INBOX: "elsewhere", PAYDROP_ANCHOR: "a" });
    expect((await payStep(workplace)).accepted).toBe(18);
    expect(await overview(workplace)).toEqual({});
  });

  test("and would send otherwise is told so before it asks the service for anything; a key itself is not told", async () => {
    const { open, sandbox } = await openMachines();
    const again = { reference: "PAY-1", newReference: "PAY-1-AGAIN", reason: "lost", person: "ann" };
    for (const [changes, words] of DANGEROUS) {
      const { workplace, folder } = open(changes);
      for (const step of [payStep, trackStep, reconcileStep, (at: Workplace) => baselineStep(at, "ann")])
        await expect(step(workplace)).rejects.toMatchObject(refusal(words));
      await expect(payAgainStep(workplace, again)).rejects.toMatchObject(refusal(words));
      await expect(submitFile(workplace, join(folder, "broken.csv"), "ann")).rejects.toMatchObject(
        refusal(words),
      );
      await expect(approveStep(workplace, "0123456789abcdef", "dan")).rejects.toMatchObject(refusal(words));
      await expect(trackStep(workplace)).rejects.not.toThrow("canary");
      expect((await overview(workplace)).binding?.what).toMatch(new RegExp(words));
    }
    expect(sandbox.arrivals()).toHaveLength(0);
  });

  test("and has another list of allowed destinations sends nothing", async () => {
    const { open, sandbox } = await openMachines();
    const { workplace, folder } = open({ PAYDROP_DESTINATIONS_ALLOW_LIST: "payees.csv" });
    writeFileSync(join(folder, "payees.csv"), "address\n1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2\n");
    await expect(payStep(workplace)).rejects.toMatchObject(
      refusal("destinations.allowList is a file with SHA-256 \\w+ here and not set there"),
    );
    expect(sandbox.arrivals()).toHaveLength(0);
  });

  test("without the client key, or with one that its user may not read, takes files in and approves: it sends nothing", async () => {
    const { open } = await openMachines();
    for (const changes of [{ PAYDROP_KEY: "" }, { PAYDROP_KEY_FILE: "/not/there" }]) {
      const { workplace, folder } = open({ ...changes, PAYDROP_OTP_SECRET: "" });
      expect(await overview(workplace)).toEqual({});
      const { verdict } = await submitFile(workplace, join(folder, "broken.csv"), "ann");
      expect(verdict).toBe("rejected");
      await expect(approveStep(workplace, "0123456789abcdef", "dan")).rejects.toMatchObject({
        problem: { code: "BATCH_UNKNOWN" },
      });
      await expect(trackStep(workplace)).rejects.toThrow(/^SECRET_/);
    }
  });

  test("and reads files, or books, otherwise pays, and says what differs", async () => {
    const { open } = await openMachines();
    const { workplace, folder } = open({ PAYDROP_FILES_NUMBER_FORMAT: "1.234,56" });
    appendFileSync(join(folder, "chart-of-accounts.csv"), "\n");
    await payStep(workplace);
    const { binding, advisory } = await overview(workplace);
    expect(binding).toBeUndefined();
    expect(advisory?.what).toMatch(
      /files.numberFormat is 1.234,56 here and auto there; ledger.chart is a file with SHA-256 \w+ here/,
    );
  });

  test("becomes the right one by a person's word, on record; then the others are told so until theirs is the same", async () => {
    const { workplace: first, open, openAgain } = await openMachines();
    const limits = { PAYDROP_LIMITS_PER_DAY: '{ BTC: "11" }' };
    const { workplace: second, folder, environment } = open(limits);
    await expect(payStep(second)).rejects.toMatchObject(refusal("limits.perDay.BTC"));
    const checks = await doctorStep(join(folder, "paydrop.yaml"), environment, new AbortController().signal);
    expect(checks.flatMap(({ problems }) => problems)).toMatchObject([{ code: "CONFIGURATION_DIFFERS" }]);
    const { others } = await acceptConfiguration(second, "ann", "a new limit");
    expect(others).toMatchObject([{ what: "limits.perDay.BTC is 11 here and 10 there" }]);
    // Approvals under another limit do not count: the payments wait for an approval under this one.
    expect(await payStep(second)).toMatchObject({ accepted: 0, postponed: 18 });
    await expect(payStep(first)).rejects.toMatchObject(refusal("limits.perDay.BTC is 10 here and 11 there"));
    await payStep(openAgain(limits));
    await payStep(second);
    await verifyAudit(second.store);
  });
});

test("a machine that shares its database with nobody changes its configuration without being asked", async () => {
  const { openAgain } = await openMachines();
  const changed = openAgain({ PAYDROP_LIMITS_PER_DAY: '{ BTC: "11" }', PAYDROP_NONCE_RULE: "unknown" });
  await payStep(changed);
  expect(await overview(changed)).toEqual({});
});
