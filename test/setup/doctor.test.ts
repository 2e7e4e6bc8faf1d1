/** The doctor checks everything that must be right before money moves, reports it with its fix, and changes nothing. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pc from "picocolors";
import { describe, expect, test } from "vitest";
import { ledgerStep } from "../../src/books/index.ts";
import { overviewText } from "../../src/cli/render/overview-text.ts";
import {
  createPayoutStep,
  doctorStep,
  giveStopOrder,
  liftStopOrder,
  listDoubts,
  openWorkplace,
  openWorkplaceForReading,
  overviewOf,
  statusOfBatches,
} from "../../src/index.ts";
import { intoFile, SANDBOX_SECRETS } from "../cli/program.ts";
import { errorBody, startOddService } from "../gateway/odd-service.ts";
import { newDatabase, query, testWithFile } from "../postgres.ts";
import { ADDRESS, openSite, TREASURY } from "../site/service.ts";

const NEVER = new AbortController().signal;

async function site(changes: Readonly<Record<string, string>> = {}) {
  const opened = await openSite({}, {});
  const environment = { ...opened.environment, ...changes };
  const config = join(opened.folder, "paydrop.yaml");
  return {
    ...opened,
    config,
    look: (more: Readonly<Record<string, string>> = {}) =>
      doctorStep(config, { ...environment, ...intoFile(opened.folder, more) }, NEVER),
  };
}

async function codesFound(checks: ReturnType<typeof doctorStep>): Promise<string[]> {
  return (await checks).flatMap(({ problems }) => problems.map(({ code }) => code));
}

/** The first lines of `status` for a place, opened as that command opens it. */
async function overviewIn(config: string) {
  const workplace = openWorkplaceForReading(config, {});
  const overview = await overviewOf(workplace, await statusOfBatches(workplace), await listDoubts(workplace));
  await workplace.close();
  return { ...overview, text: overviewText(overview, [], "Europe/Madrid", 0, pc.createColors(false)) };
}

describe("the doctor", () => {
  test("finds a place as it should be good, by one look-up, and changes nothing", async () => {
    const { folder, look, sandbox } = await site();
    const before = readdirSync(folder, { recursive: true });
    const checks = await look();
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
    expect(checks.every(({ isGood }) => isGood)).toBe(true);
    expect(sandbox.arrivals()).toMatchObject([{ operation: "getAccountsBalance", statusCode: 200 }]);
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
    for (const secret of Object.values(SANDBOX_SECRETS)) expect(JSON.stringify(checks)).not.toContain(secret);
  });

  test.skipIf(process.platform === "win32")(
    "objects to a file of a secret that others than its owner may read",
    async () => {
      const { folder, look } = await site();
      const path = join(folder, "key");
      writeFileSync(path, SANDBOX_SECRETS.PAYDROP_KEY);
      const of = async (mode: number, more = {}) => {
        chmodSync(path, mode);
        return codesFound(look({ PAYDROP_KEY_FILE: path, ...more }));
      };
      expect(await of(0o400)).toEqual([]);
      for (const mode of [0o404, 0o440, 0o644]) expect(await of(mode)).toEqual(["OPEN_TO_OTHERS"]);
      expect(await of(0o440, { CREDENTIALS_DIRECTORY: folder })).toEqual([]);
    },
  );

  test("looks at the folder of each sender as at the inbox", async () => {
    const { folder, look } = await site();
    const senders = (path: string) => ({
      PAYDROP_FILES_SENDERS: `[{ name: acme, folder: "${path}", due: learnt }]`,
    });
    const good = await look(senders("acme"));
    expect(good.find(({ what }) => what === "files that are due")?.found).toContain(
      "acme: nothing is learnt yet",
    );
    expect(good.find(({ what }) => what === "files.senders.0.folder")?.found).toContain(join(folder, "acme"));
    writeFileSync(join(folder, "acme"), "");
    expect(await codesFound(look(senders("acme")))).toContain("OUTPUT_UNWRITABLE");
    mkdirSync(join(folder, "outbox"), { recursive: true });
    symlinkSync(join(folder, "outbox"), join(folder, "link"));
    const linked = (await look(senders("link"))).find(({ what }) => what === "claiming");
    expect(linked?.problems).toMatchObject([{ code: "CONFIG_KEY_INVALID", key: "files.senders.0.folder" }]);
  });

  test("says what stops posting: a period that is closed for years to come", async () => {
    const { look, openAgain } = await site();
    const closed = { PAYDROP_LEDGER_CLOSED_THROUGH: "9062-10-31" };
    const checks = await look(closed);
    expect(checks.find(({ what }) => what === "chart of accounts")?.problems).toEqual([]);
    const periods = checks.find(({ what }) => what === "closed periods");
    expect(periods?.problems).toMatchObject([{ code: "CONFIG_KEY_INVALID", key: "ledger.closedThrough" }]);
    await expect(ledgerStep(openAgain(closed))).rejects.toThrow(/`ledger.closedThrough` is 9062-10-31/);
  });

  test("names the lines of the chart that never apply, as after a custody account was renamed", async () => {
    const { look } = await site();
    const found = async (changes = {}) =>
      (await look(changes)).find(({ what }) => what === "chart of accounts")?.found;
    expect(await found()).not.toContain("never apply");
    const account = `[{ name: main-btc, id: "${TREASURY}", currency: BTC }]`;
    const renamed = { PAYDROP_CUSTODY_ACCOUNTS: account, PAYDROP_FILES_DEFAULTS_CUSTODY_ACCOUNT: "main-btc" };
    expect(await found(renamed)).toMatch(/is called treasury-btc, savings-btc: lines for it never apply$/);
  });

  test("says whom else a list of destinations lets be paid", async () => {
    const { folder, look } = await site();
    writeFileSync(join(folder, "payees.csv"), `address,name\n${ADDRESS},Ada\n`);
    for (const [allow, words] of [
      ["any", "all other destinations are paid too"],
      ["listed", "no other destination is paid"],
    ] as const) {
      const list = { PAYDROP_DESTINATIONS_ALLOW_LIST: "payees.csv", PAYDROP_DESTINATIONS_ALLOW: allow };
      const check = (await look(list)).find(({ what }) => what === "list of destinations");
      expect(check?.found).toContain(words);
    }
  });

  test("tells that what is in doubt was sent with another key, or elsewhere: nothing leaves until that is decided", async () => {
    const { look, workplace, sandbox } = await site();
    sandbox.setFaults([{ operation: "createPayoutV2", nth: 1, effect: { kind: "cut-before-read" } }]);
    const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
    await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
    expect(await codesFound(look())).toEqual([]);
    const moved = sandbox.url.replace("127.0.0.1", "localhost");
    for (const changed of [{ PAYDROP_KEY: "second-key" }, { PAYDROP_SERVICE_BASE_URL: moved }])
      expect(await codesFound(look(changed))).toContain("IDENTITY_CHANGED");
  });

  test("tells of a server's database that cannot be used, and everything else", async () => {
    const { look, sandbox } = await site();
    for (const [url, code] of [
      ["postgresql://pay@127.0.0.1:9/paydrop", "DATABASE_UNREACHABLE"],
      ["pay@127.0.0.1:9", "DATABASE_URL_INVALID"],
    ] as const) {
      const checks = await look({ PAYDROP_DATABASE: "postgresql", DATABASE_URL: url });
      expect(checks.find(({ what }) => what === "database")?.problems).toMatchObject([{ code }]);
    }
    expect(sandbox.arrivals().map(({ operation }) => operation)).toEqual(Array(2).fill("getAccountsBalance"));
  });

  test.each([true, false])(
    "says where a server's database is, of which version, and that nothing is encrypted (already used: %s)",
    async (isUsed) => {
      const url = await newDatabase();
      const { look, openAgain } = await site();
      const shared = { PAYDROP_DATABASE: "postgresql", DATABASE_URL: url };
      if (isUsed) await giveStopOrder(openAgain(shared), "ann", "audit");
      const found = (await look(shared)).find(({ what }) => what === "database")?.found;
      const [{ server_version: version } = {}] = await query(url, "show server_version");
      const [, name] = /@\/(\w+)/.exec(url) ?? [];
      expect(found).toContain(`:5432/${name} as paydrop, PostgreSQL ${version}, on this machine without TLS`);
      expect(found).toContain("its record is intact");
    },
  );

  test.each([
    ["make the schema", () => []],
    [
      "make no tables",
      (name: string) => ["create schema paydrop", `grant usage on schema paydrop to ${name}`],
    ],
    [
      "write to each table",
      (name: string) => [
        "create schema paydrop",
        `grant usage on schema paydrop to ${name}`,
        `create table paydrop.lane (); grant insert, update on paydrop.lane to ${name}`,
      ],
    ],
    [
      "default_transaction_read_only",
      (name: string) => [
        `grant all on database ${name} to ${name}`,
        `alter role ${name} set default_transaction_read_only = on`,
      ],
    ],
  ])(
    "tells that a server's database takes nothing, before anything is to be stored: %s",
    async (reason, rights) => {
      const url = await newDatabase();
      const name = new URL(url.replace("@/", "@host/")).pathname.slice(1);
      const commands = [`create role ${name} login`, ...rights(name)];
      for (const command of commands) await query(url, command);
      const { look } = await site();
      const as = { PAYDROP_DATABASE: "postgresql", DATABASE_URL: url.replace("paydrop@", `${name}@`) };
      const found = (await look(as)).find(({ what }) => what === "database");
      expect(found?.problems).toMatchObject([
        { code: "DATABASE_REFUSED", message: expect.stringContaining(reason) },
      ]);
    },
  );

  test("makes do with the one connection that a server's user may have", async () => {
    const url = await newDatabase();
    const name = new URL(url.replace("@/", "@host/")).pathname.slice(1);
    await query(
      url,
      `create role ${name} login connection limit 1; grant create on database ${name} to ${name}`,
    );
    const { look } = await site();
    const as = { PAYDROP_DATABASE: "postgresql", DATABASE_URL: url.replace("paydrop@", `${name}@`) };
    expect((await look(as)).find(({ what }) => what === "database")?.problems).toEqual([]);
  });

  test("tells everything that is wrong at once, each with its fix, and still asks the service", async () => {
    const { folder, look, workplace, sandbox } = await site();
    await giveStopOrder(workplace, "ann", "audit");
    rmSync(join(folder, "chart-of-accounts.csv"));
    rmSync(join(folder, "outbox"), { recursive: true, force: true });
    writeFileSync(join(folder, "outbox"), "a file");
    const accounts = JSON.stringify([
      { name: "savings-btc", id: "6f1cbb7e-0000-4000-8000-00000000dead", currency: "BTC" },
      { name: "treasury-btc", id: TREASURY, currency: "LTC" },
    ]);
    const checks = await look({ PAYDROP_CUSTODY_ACCOUNTS: accounts });
    const problems = checks.flatMap((check) => check.problems);
    expect(problems.map(({ code }) => code)).toEqual([
      "CHART_UNUSABLE",
      "OUTPUT_UNWRITABLE",
      "SENDING_STOPPED",
      "CUSTODY_ACCOUNT_NOT_SHOWN",
      "CUSTODY_ACCOUNT_DIFFERS",
    ]);
    for (const { fix } of problems) expect(fix).not.toBe("");
    expect(new Set(sandbox.arrivals().map(({ operation }) => operation))).toEqual(
      new Set(["getAccountsBalance"]),
    );
  });

  const WRONG: readonly [string, Record<string, string>, string[]][] = [
    ["a secret that is missing", { PAYDROP_SIGNING_SECRET: "" }, ["SECRET_MISSING"]],
    ["a seed that makes no codes", { PAYDROP_OTP_SECRET: "canary" }, ["OTP_FAILED"]],
    ["a signature that is not taken", { PAYDROP_SIGNING_SECRET: "canary" }, ["SERVICE_REFUSED_KEY"]],
    [
      "a callback address that holds the key",
      { PAYDROP_SERVICE_CALLBACK_URL: `https://pay.example.com/${SANDBOX_SECRETS.PAYDROP_KEY}` },
      ["CONFIG_KEY_INVALID"],
    ],
    ["a configuration that is wrong", { PAYDROP_HTTP_CONCURRENCY: "many" }, ["ENVIRONMENT_INVALID"]],
    [
      "requests that anybody on the way can read",
      { PAYDROP_SERVICE_BASE_URL: "http://0.0.0.0:9" },
      ["SERVICE_NOT_ENCRYPTED"],
    ],
    [
      "nothing about them where that is permitted",
      { PAYDROP_SERVICE_BASE_URL: "http://0.0.0.0:9", PAYDROP_SERVICE_ALLOW_PLAIN_HTTP: "true" },
      ["SERVICE_UNREACHABLE"],
    ],
    [
      "a service that is not there",
      { PAYDROP_SERVICE_BASE_URL: "http://127.0.0.1:9" },
      ["SERVICE_UNREACHABLE"],
    ],
  ];
  test("names each thing that is wrong, and repeats no secret", async () => {
    const { look } = await site();
    for (const [what, changes, codes] of WRONG) {
      const checks = await look(changes);
      expect([what, ...checks.flatMap(({ problems }) => problems.map(({ code }) => code))]).toEqual([
        what,
        ...codes,
      ]);
      expect(JSON.stringify(checks)).not.toContain("canary");
    }
  });

  testWithFile(
    "names a database that anybody on the machine may open, unless its folder keeps them out",
    async () => {
      const { folder, look, workplace } = await site();
      await giveStopOrder(workplace, "ann", "audit");
      for (const each of [tmpdir(), dirname(folder), folder]) chmodSync(each, 0o711);
      expect(await codesFound(look())).toEqual(["SENDING_STOPPED"]);
      await liftStopOrder(workplace, "ben", "it is over");
      chmodSync(join(folder, "paydrop.sqlite"), 0o644);
      const found = (await look()).flatMap(({ problems }) => problems);
      expect(found).toMatchObject([{ code: "OPEN_TO_OTHERS", fix: expect.stringContaining("chmod") }]);
      expect(found[0]?.message).toContain(join(folder, "paydrop.sqlite:"));
      chmodSync(folder, 0o700);
      expect(await codesFound(look())).toEqual([]);
    },
  );

  testWithFile("names a database that is none, and one that is older than its anchor", async () => {
    const { look, workplace, config } = await site();
    await giveStopOrder(workplace, "ann", "audit");
    await liftStopOrder(workplace, "ben", "it is over");
    await workplace.close();
    expect(readFileSync(`${workplace.config.databasePath}.anchor`, "utf8")).not.toBe("");
    for (const ending of ["", "-wal", "-shm"])
      rmSync(`${workplace.config.databasePath}${ending}`, { force: true });
    await openWorkplace(config, {}).close();
    expect(await codesFound(look())).toEqual(["DATABASE_BEHIND_ANCHOR"]);
    const { restored, text } = await overviewIn(config);
    expect(restored?.code).toBe("DATABASE_BEHIND_ANCHOR");
    expect(text).toMatch(/^DATABASE_BEHIND_ANCHOR\n/);
    writeFileSync(workplace.config.databasePath, "no database at all, though it is a long text");
    expect(await codesFound(look())).toEqual(["DATABASE_UNUSABLE"]);
  });

  test.each([
    [-120, "120 s ahead of"],
    [120, "120 s behind"],
  ])("names a clock that is off by what the service's own says: %i s", async (offS, words) => {
    const odd = await startOddService(({ honest, answer }) => {
      const { statusCode, body } = honest();
      const date = new Date(Date.now() + offS * 1000).toUTCString();
      answer(statusCode, body, { "content-type": "application/json", date });
      return true;
    });
    const { look } = await site();
    const checks = await look({ PAYDROP_SERVICE_BASE_URL: odd.url });
    const [found, ...others] = checks.flatMap(({ problems }) => problems);
    expect(found).toMatchObject({
      code: "CLOCK_OFF",
      message: expect.stringMatching(words.replace("120", "1[12][0-9]")),
    });
    expect(others).toEqual([]);
  });

  test("names the clock also where the service refuses every request because of it", async () => {
    const date = new Date(Date.now() + 7_200_000).toUTCString();
    const odd = await startOddService(({ answer }) => {
      answer(409, errorBody("QUERY_DATE_OFF"), { "content-type": "application/json", date });
      return true;
    });
    const { look } = await site();
    const checks = await look({ PAYDROP_SERVICE_BASE_URL: odd.url });
    const codes = checks.flatMap(({ problems }) => problems).map(({ code }) => code);
    expect(codes).toEqual(["SERVICE_CONFLICT", "CLOCK_OFF"]);
  });
});

test("a folder that the configuration names and nobody made yet is no fault", async () => {
  const { look, folder } = await site({ PAYDROP_FOLDERS_LEDGER: "books/of/2026" });
  mkdirSync(join(folder, "books"));
  const ledger = (await look()).find(({ what }) => what === "folders.ledger");
  expect(ledger).toMatchObject({ isGood: true, found: expect.stringContaining("created when it is needed") });
});

describe("the doctor is never satisfied where nothing can be paid", () => {
  const LIMITS: readonly [string, Record<string, string>, RegExp][] = [
    ["no limits", { PER_ROW: "{}", PER_FILE: "{}", PER_DAY: "{}" }, /perRow.*perFile.*perDay/],
    ["a limit that is missing", { PER_DAY: "{}" }, /in BTC .*: `limits.perDay.BTC`$/],
    ["a limit of 0", { PER_ROW: '{ BTC: "0" }' }, /limits.perRow.BTC/],
    ["0 to each destination", { PER_DESTINATION: '{ BTC: "0" }' }, /limits.perDestination.BTC/],
  ];
  test("limits", async () => {
    const { look } = await site();
    for (const [what, limits, message] of LIMITS) {
      const changes = Object.entries(limits).map(([name, value]) => [`PAYDROP_LIMITS_${name}`, value]);
      const checks = await look(Object.fromEntries(changes));
      const found = checks.flatMap(({ problems }) => problems);
      const words = expect.stringMatching(message);
      expect(found, what).toMatchObject([{ code: "LIMITS_ALLOW_NOTHING", message: words }]);
    }
  });

  test("an account that only receives needs no limits, and is named", async () => {
    const { look } = await site();
    const accounts = [
      { name: "treasury-btc", id: TREASURY, currency: "BTC" },
      { name: "sales-ltc", id: "6f1cbb7e-0000-4000-8000-00000000dead", currency: "LTC" },
    ];
    const checks = await look({ PAYDROP_CUSTODY_ACCOUNTS: JSON.stringify(accounts) });
    const limits = checks.find(({ what }) => what === "limits");
    expect(limits).toMatchObject({
      isGood: true,
      found: expect.stringMatching(/^BTC can .* nothing in LTC/),
    });
  });

  test("approval rules: none, one for another currency, or one up to 0", async () => {
    const { look } = await site();
    for (const rules of ["[]", '[{ upTo: { LTC: "5" }, people: 1 }]', '[{ upTo: { BTC: "0" }, people: 1 }]'])
      expect(await codesFound(look({ PAYDROP_APPROVAL_RULES: rules }))).toEqual(["APPROVAL_RULE_MISSING"]);
  });

  test("a list that lets nobody be paid", async () => {
    const { folder, look } = await site();
    writeFileSync(join(folder, "payees.csv"), "address,name\n");
    const list = { PAYDROP_DESTINATIONS_ALLOW_LIST: "payees.csv", PAYDROP_DESTINATIONS_ALLOW: "listed" };
    expect(await codesFound(look(list))).toEqual(["ALLOW_LIST_INVALID"]);
  });

  test("a trial at a service that is not the sandbox", async () => {
    const odd = await startOddService(({ honest, answer }) => {
      const { statusCode, body } = honest();
      answer(statusCode, body, { "content-type": "application/json", server: "another" });
      return true;
    });
    const { look } = await site();
    expect(await codesFound(look({ PAYDROP_SERVICE_BASE_URL: odd.url }))).toContain("TRIAL_AT_SERVICE");
  });
});
