import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { WEEKDAYS } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { folder, load, refused } from "./configuration.ts";

const SMALLEST = `
service: { baseUrl: "https://pay.example.com/api/", username: bot, callbackUrl: "https://us.example.com/hook" }
custodyAccounts: [{ name: main, id: "6F1CBB7E-0000-4000-8000-000000000001", currency: BTC }]
ledger: { functionalCurrency: EUR, timeZone: Europe/Madrid, chart: chart.csv }
`;

const withRules = (rules: string) => `${SMALLEST}approval: { rules: [${rules}] }`;

describe("a configuration", () => {
  test("of three sections is enough, and the defaults are cautious", () => {
    const config = load(SMALLEST);
    expect(config).toMatchObject({
      service: { network: "main", correlation: "callbackUrl" },
      nonce: { rule: "unknown" },
      otp: { source: "totp", singleUse: true },
      files: { onBadRow: "reject-file" },
      limits: { perRow: {}, perFile: {}, perDay: {} },
      approval: { rules: [] },
    });
  });

  test("has one way to write an address and an id", () => {
    const { service, custodyAccounts } = load(SMALLEST);
    expect(service.baseUrl).toBe("https://pay.example.com/api");
    expect(custodyAccounts[0]?.id).toBe("6f1cbb7e-0000-4000-8000-000000000001");
  });

  test("finds its files beside itself, wherever the command is run", () => {
    const { databasePath, folders, ledger } = load(`${SMALLEST}folders: { inbox: /srv/in, outbox: out }`);
    expect(databasePath).toBe(join(folder, "paydrop.sqlite"));
    expect(folders).toMatchObject({ inbox: "/srv/in", outbox: join(folder, "out") });
    expect(ledger.chart).toBe(join(folder, "chart.csv"));
  });

  test("keeps amounts exactly, and does not take a number that YAML has rounded", () => {
    const { limits } = load(`${SMALLEST}limits: { perRow: { ETH: "0.123456789012345678" } }`);
    expect(limits.perRow["ETH"]?.toString()).toBe("0.123456789012345678");
    expect(refused(`${SMALLEST}limits: { perRow: { ETH: 0.123456789012345678 } }`)).toMatchObject([
      { code: "CONFIG_KEY_INVALID", key: "limits.perRow.ETH", message: expect.stringContaining("in quotes") },
    ]);
  });

  test("with several mistakes is refused with all of them", () => {
    const problems = refused(`${SMALLEST}http: { concurrency: 0, timeoutMs: soon }\nlimitz: {}\n`);
    expect(problems.map(({ code, key }) => [code, key])).toEqual([
      ["CONFIG_KEY_INVALID", "http.concurrency"],
      ["CONFIG_KEY_INVALID", "http.timeoutMs"],
      ["CONFIG_KEY_UNKNOWN", "limitz"],
    ]);
  });

  test.each([
    ["service.username", SMALLEST.replace("username: bot, ", ""), "is missing"],
    ["ledger", SMALLEST.replace(/^ledger.*$/m, ""), "is missing"],
    ["ledger.timeZone", SMALLEST.replace("Europe/Madrid", "Madrid"), "Europe/Madrid"],
    ["service.baseUrl", SMALLEST.replace("https://pay", "ftp://pay"), "https://"],
    ["custodyAccounts.0.id", SMALLEST.replace("6F1CBB7E-", ""), "UUID"],
    ["calendar.daysOff.0", `${SMALLEST}calendar: { daysOff: [saturday] }`, "Saturday"],
    ["calendar.daysOff.0", `${SMALLEST}calendar: { daysOff: [2026-02-29] }`, "2026-12-25"],
    [
      "calendar.daysOff",
      `${SMALLEST}calendar: { daysOff: [${WEEKDAYS.join()}] }`,
      "no day of the week is left",
    ],
    ["calendar.cutOff", `${SMALLEST}calendar: { cutOff: "4pm" }`, "16:00"],
    [
      "calendar.sendHours.to",
      `${SMALLEST}calendar: { sendHours: { from: "18:00", to: "08:00" } }`,
      "after 18:00",
    ],
    [
      "calendar.cutOff",
      `${SMALLEST}calendar: { cutOff: "08:00", sendHours: { from: "08:00", to: "18:00" } }`,
      "after 08:00",
    ],
    ["files.senders.0.due", `${SMALLEST}files: { senders: [{ name: a, folder: x, due: 25 }] }`, "in quotes"],
    [
      "files.senders.0.due",
      `${SMALLEST}files: { senders: [{ name: a, folder: x, due: 32nd }] }`,
      "last working day",
    ],
    ["service.baseUrl", SMALLEST.replace("https://pay.example.com/api/", "127.0.0.1:4010"), "https://"],
    ["service.baseUrl", SMALLEST.replace("https://pay.example.com/api/", "nowhere"), "https://"],
    ["service.callbackUrl", SMALLEST.replace("/hook", "/hook?token=1"), "without a user, a query"],
    ["service.callbackUrl", SMALLEST.replace("/hook", "/hook#pay"), "without a user, a query"],
    ["service.callbackUrl", SMALLEST.replace("//us.", "//me:word@us."), "without a user, a query"],
    ["service.callbackUrl", SMALLEST.replace("/hook", "/höök"), "plain characters"],
    [
      "files.defaults.callbackUrl",
      `${SMALLEST}files: { defaults: { callbackUrl: "https://us.example.com/in?a=b" } }\n`,
      "without a user, a query",
    ],
    ["service.username", SMALLEST.replace("username: bot", 'username: ""'), "not empty"],
    ["custodyAccounts.0.currency", SMALLEST.replace("BTC", "XBT"), "currencies.XBT"],
    ["folders.outbox", `${SMALLEST}folders: { inbox: files, outbox: ./files/ }`, "folders.inbox"],
    ["folders.outbox", `${SMALLEST}folders: { inbox: "${folder}/box", outbox: box }`, "folders.inbox"],
    ["folders.outbox", `${SMALLEST}folders: { inbox: box, outbox: Box }`, "folders.inbox"],
    ["anchor", `${SMALLEST}anchor: paydrop.sqlite\n`, "this is database already"],
    ["ledger.chart", `${SMALLEST}anchor: ./chart.csv\n`, "this is anchor already"],
    ["custodyAccounts.0.name", SMALLEST.replace("name: main", "name: 7"), "a text, in quotes"],
    ["ledger.functionalCurrency", SMALLEST.replace("EUR", "EUO"), "there is no such currency"],
    ...[
      [
        "JPY",
        "{ preset: datev, settings: { consultant: '1001', client: '70' } }",
        "datev takes no amounts in JPY",
      ],
      ["KWD", "{ preset: netsuite }", "netsuite takes no amounts in KWD"],
    ].map(([currency, target, why]): [string, string, string] => [
      "ledger.exports.0",
      SMALLEST.replace("EUR", currency ?? "").replace("chart.csv", `chart.csv, exports: [${target}]`),
      why ?? "",
    ]),
    ["limits.perDestination.BCT", `${SMALLEST}limits: { perDestination: { BCT: "1" } }`, "currencies.BCT"],
    [
      "approval.rules.0.upTo.BCT",
      `${SMALLEST}approval: { rules: [{ upTo: { BCT: "1" }, people: 1 }] }`,
      "BCT",
    ],
    ["reconciliation.feeLimit.BCT", `${SMALLEST}reconciliation: { feeLimit: { BCT: "1" } }`, "BCT"],
    ["otp.command", `${SMALLEST}otp: { source: command }`, "source: command"],
    ["otp.command", `${SMALLEST}otp: { source: command, command: "" }`, "not empty"],
    ["otp.singleUse", `${SMALLEST}otp: { singleUse: no }`, "true or false"],
    ["http.concurrency", `${SMALLEST}http: { concurrency: 1000 }`, "at most 256"],
    ["service.network", SMALLEST.replace("username", "network: moon, username"), '"main"|"test"'],
    ["schedule.pay", `${SMALLEST}schedule: { pay: "every minute" }`, "*/5 * * * *"],
    ["schedule.pay", `${SMALLEST}schedule: { pay: "*/61 * * * *" }`, "a step is longer than its field"],
    ["schedule.pay", `${SMALLEST}schedule: { pay: "0 */24 * * *" }`, "a step is longer than its field"],
    ["schedule.track", `${SMALLEST}schedule: { track: "*/59 */60 * * * *" }`, '"*/60" is met once only'],
    ["http.timeoutMs", `${SMALLEST}http: { timeoutMs: 2147483648 }`, "at most 3600000"],
    ["http.idleTimeoutMs", `${SMALLEST}http: { idleTimeoutMs: 2147483648 }`, "at most 3600000"],
    ["signing.timeoutMs", `${SMALLEST}signing: { timeoutMs: 2147483648 }`, "at most 3600000"],
    ["paging.size", `${SMALLEST}paging: { size: 2147483648 }`, "at most 2147483647"],
    ["approval.validDays", `${SMALLEST}approval: { validDays: 1000000000 }`, "at most 36500"],
    ["nonce.floor", `${SMALLEST}nonce: { floor: "9223372036854775808" }`, "within int64"],
    ["reference.maxLength", `${SMALLEST}reference: { maxLength: 501 }`, "500"],
    ["reference.pattern", `${SMALLEST}reference: { pattern: "[" }`, "a regular expression"],
    ["database", `${SMALLEST}database: "mysql:x"`, "sqlite:FILE"],
    [
      "custodyAccounts.1.name",
      SMALLEST.replace(
        "currency: BTC }]",
        'currency: BTC }, { name: main, id: "6f1cbb7e-0000-4000-8000-000000000002", currency: BTC }]',
      ),
      "main names two custody accounts",
    ],
    ["destinations.allowList", `${SMALLEST}destinations: { allow: listed }`, "without a list"],
    ["approval.rules.0.approvers", withRules("{ people: 1, approvers: [] }"), "these are 0 people"],
    [
      "approval.rules.0.approvers",
      withRules('{ people: 2, approvers: [bob, "BOB "] }'),
      "these are 1 people",
    ],
    ["approval.rules.0.approvers.0", withRules('{ people: 1, approvers: ["\\u200b"] }'), "a person's name"],
  ])("names the key that is wrong, and what it expects: %s", (key, text, words) => {
    expect(refused(text)).toMatchObject([
      {
        code: "CONFIG_KEY_INVALID",
        key,
        message: expect.stringContaining(words),
        fix: expect.stringContaining(`\`${key}\``),
      },
    ]);
  });

  test("that is no YAML is refused with its line", () => {
    expect(refused("service:\n  - a\n b: [")).toMatchObject([{ code: "CONFIG_NOT_YAML", line: 3 }]);
  });

  test.each([
    ["an unknown tag, of which the parser only warns", `${SMALLEST}http: { concurrency: !!js/x hunter2 }\n`],
    ["several documents", `${SMALLEST}---\n${SMALLEST}`],
    ["aliases that multiply", `a: &a [1, 1]\nb: &b [${"*a,".repeat(99)}]\nc: [${"*b,".repeat(99)}]\n`],
  ])("that is YAML of a kind it never needs is refused as well, and printed nowhere: %s", (_what, text) => {
    const warned = vi.spyOn(process, "emitWarning");
    expect(refused(text)).toMatchObject([{ code: "CONFIG_NOT_YAML" }]);
    expect(warned).not.toHaveBeenCalled();
  });

  test("in another encoding is refused: an account would get another name", () => {
    const latin1 = Buffer.from(SMALLEST.replace("name: main", "name: trésorerie"), "latin1");
    expect(refused(latin1)).toMatchObject([
      { code: "CONFIG_UNREADABLE", message: expect.stringContaining("UTF-8") },
    ]);
  });

  test("names each unknown key, and the one that was probably meant", () => {
    const text = `${SMALLEST}limits: { perRows: {}, perFiles: {} }\n`;
    expect(refused(text).map(({ key, fix }) => [key, /did you mean (.*)\?/.exec(fix)?.[1]])).toEqual([
      ["limits.perRows", "`perRow`"],
      ["limits.perFiles", "`perFile`"],
    ]);
  });

  test.each(["[]", "just a line", "7"])("that holds no keys is refused as such: %s", (text) => {
    expect(refused(text)).toMatchObject([{ code: "CONFIG_UNREADABLE" }]);
  });

  test("accepts another currency once its decimals are given", () => {
    expect(load(`${SMALLEST.replace("BTC", "XBT")}currencies: { XBT: 8 }`).custodyAccounts[0]?.currency).toBe(
      "XBT",
    );
  });

  test("takes no secret: a key in the file is refused, and its value is not repeated", () => {
    const [problem] = refused(SMALLEST.replace("username: bot", "username: bot, key: hunter2"));
    expect(problem).toMatchObject({ code: "CONFIG_KEY_UNKNOWN", key: "service.key" });
    expect(problem?.fix).toContain("secrets come from the environment only");
    expect(JSON.stringify(problem)).not.toContain("hunter2");
  });
});

describe("a key of an earlier version", () => {
  test.each(["names", "proven"])("`approval.identity: %s` is accepted, not used, and noticed", (identity) => {
    const config = load(`${SMALLEST}approval: { identity: ${identity}, rules: [{ people: 2 }] }`);
    expect(config.approval).toMatchObject({ rules: [{ people: 2 }] });
    expect(config.approval).not.toHaveProperty("identity");
    expect(config.remarks).toMatchObject([
      { code: "CONFIG_KEY_GONE", key: "approval.identity", fix: expect.stringContaining("trialKeys") },
    ]);
    expect(load(SMALLEST).remarks).toEqual([]);
  });
});

describe("the environment over the file", () => {
  test("every kind of key can be set: texts, numbers, truth values, maps, members of maps, lists", () => {
    const config = load(SMALLEST, {
      PAYDROP_SERVICE_BASE_URL: "http://127.0.0.1:4010",
      PAYDROP_SERVICE_USERNAME: "yes",
      PAYDROP_HTTP_CONCURRENCY: "3",
      PAYDROP_OTP_SINGLE_USE: "false",
      PAYDROP_FILES_NUMBER_FORMAT: "1,234.56",
      PAYDROP_NONCE_FLOOR: "9007199254740993",
      PAYDROP_LIMITS_PER_ROW_BTC: "0.10",
      PAYDROP_LIMITS_PER_DAY: '{ BTC: "7" }',
      PAYDROP_CUSTODY_ACCOUNTS: '[{"name":"a","id":"6f1cbb7e-0000-4000-8000-000000000009","currency":"BTC"}]',
      PAYDROP_KEYS: "[]",
      PATH: "/bin",
    });
    expect(config).toMatchObject({
      service: { baseUrl: "http://127.0.0.1:4010", username: "yes" },
      http: { concurrency: 3 },
      otp: { singleUse: false },
      files: { numberFormat: "1,234.56" },
      nonce: { floor: 9007199254740993n },
      limits: { perRow: { BTC: Decimal.of("0.10") }, perDay: { BTC: Decimal.of("7") } },
      custodyAccounts: [{ name: "a" }],
      keys: [],
    });
  });

  test.each([
    "PAYDROP_APPROVAL",
    "PAYDROP_APPROVAL_RULES",
    "PAYDROP_APPROVAL_IDENTITY",
    "PAYDROP_PEOPLE_ROOT",
    "PAYDROP_PEOPLE_TRIAL_KEYS",
  ])("nothing of who may decide: %s is refused by its name", (variable) => {
    expect(refused(SMALLEST, { [variable]: "names" })).toMatchObject([
      { code: "ENVIRONMENT_INVALID", key: variable, next: "correct-usage" },
    ]);
  });

  test("a member of a map leaves the others as the file has them", () => {
    const text = `${SMALLEST}limits: { perRow: { BTC: "1", LTC: "5" } }`;
    const { perRow } = load(text, { PAYDROP_LIMITS_PER_ROW_LTC: "6" }).limits;
    expect([perRow["BTC"]?.toString(), perRow["LTC"]?.toString()]).toEqual(["1", "6"]);
  });

  test("a member of a map counts over the map, whichever the environment names first", () => {
    const whole = { PAYDROP_LIMITS_PER_ROW: '{ BTC: "7", LTC: "7" }' };
    const member = { PAYDROP_LIMITS_PER_ROW_BTC: "0.10" };
    for (const environment of [
      { ...whole, ...member },
      { ...member, ...whole },
    ])
      expect(load(SMALLEST, environment).limits.perRow).toEqual({
        BTC: Decimal.of("0.10"),
        LTC: Decimal.of("7"),
      });
    const wrong = { PAYDROP_LIMITS_PER_ROW_BTC: "a lot" };
    expect(refused(SMALLEST, { ...whole, ...wrong })).toMatchObject([{ key: "PAYDROP_LIMITS_PER_ROW_BTC" }]);
  });

  test("a variable that names no key is refused, not ignored", () => {
    expect(refused(SMALLEST, { PAYDROP_SERVICE_BASEURL: "http://127.0.0.1" })).toMatchObject([
      { code: "ENVIRONMENT_INVALID", key: "PAYDROP_SERVICE_BASEURL" },
    ]);
  });

  test("a wrong value is attributed to the variable, not to the file", () => {
    expect(refused(SMALLEST, { PAYDROP_HTTP_CONCURRENCY: "many" })).toEqual([
      expect.objectContaining({ code: "ENVIRONMENT_INVALID", key: "PAYDROP_HTTP_CONCURRENCY" }),
    ]);
    expect(refused(SMALLEST, { PAYDROP_HTTP: "{ concurrency: many }" })).toMatchObject([
      { code: "ENVIRONMENT_INVALID", key: "PAYDROP_HTTP" },
    ]);
    expect(refused(SMALLEST, { PAYDROP_HTTP: "{" })).toMatchObject([
      { code: "ENVIRONMENT_INVALID", key: "PAYDROP_HTTP" },
    ]);
  });

  test("the secrets and the configuration's own name are no keys", () => {
    const others = { PAYDROP_KEY: "k", PAYDROP_SIGNING_SECRET_FILE: "/run/s", PAYDROP_CONFIG: "a.yaml" };
    expect(() => load(SMALLEST, others)).not.toThrow();
  });
});

describe("the layouts of senders", () => {
  test("are folders beside the configuration, or patterns of names", () => {
    const senders =
      '{ name: acme, folder: in/acme }, { name: b, match: "b*" }, { name: c, folder: outbox/c/in }';
    const { files } = load(`${SMALLEST}files: { senders: [${senders}] }`);
    expect(files.senders).toMatchObject([
      { folder: join(folder, "in/acme") },
      { name: "b", match: "b*" },
      { folder: join(folder, "outbox/c/in") },
    ]);
  });

  test("that the page for senders shows can be copied", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/files.md"), "utf8");
    const [, shown = ""] = /```yaml\n(.*?)```/s.exec(page) ?? [];
    const [first, second, third] = ["treasury-btc", "savings-btc", "treasury-ltc"].map(
      (name, index) => `{ name: ${name}, id: "6f1cbb7e-0000-4000-8000-00000000000${index + 1}", `,
    );
    const accounts = `custodyAccounts: [${first}currency: BTC }, ${second}currency: BTC }, ${third}currency: LTC }]`;
    const { files } = load(SMALLEST.replace(/^custodyAccounts.*$/m, accounts) + shown);
    expect(files.senders.map(({ name }) => name)).toEqual(["acme", "zeta"]);
  });

  test.each([
    ["files.columns.Betrag", "files: { columns: { Betrag: amuont } }", "amount"],
    [
      "files.defaults.custodyAccount",
      "files: { defaults: { custodyAccount: mian } }",
      "no custody account mian",
    ],
    [
      "files.defaults.custodyAccount.LTC",
      "files: { defaults: { custodyAccount: { LTC: main } } }",
      "main holds BTC",
    ],
    [
      "files.senders.0",
      "files: { senders: [{ name: a, folder: x, match: y }] }",
      "either `folder` or `match`",
    ],
    ["files.senders.0", "files: { senders: [{ name: a }] }", "either `folder` or `match`"],
    ["files.senders.0.folder", "files: { senders: [{ name: a, folder: ./inbox }] }", "folders.inbox"],
    [
      "files.senders.0.folder",
      "files: { senders: [{ name: a, folder: outbox/a }] }",
      "of a in folders.outbox",
    ],
    [
      "files.senders.0.folder",
      "files: { senders: [{ name: a, folder: work/b }, { name: b, folder: in }] }",
      "of b in folders.work",
    ],
    [
      "files.senders.1.folder",
      "files: { senders: [{ name: a, folder: in }, { name: b, folder: ./in/ }] }",
      "files.senders.0.folder",
    ],
    ["files.senders.0.name", "files: { senders: [{ name: ../a, match: y }] }", "a folder's"],
    [
      "files.senders.1.name",
      "files: { senders: [{ name: a, match: y }, { name: A, match: z }] }",
      "another sender's",
    ],
    [
      "files.senders.0.defaults.custodyAccount",
      "files: { senders: [{ name: a, match: y, defaults: { custodyAccount: none } }] }",
      "no custody account none",
    ],
    [
      "files.senders.0.numberFormat",
      'files: { senders: [{ name: a, match: y, numberFormat: "1,0" }] }',
      "1.234,56",
    ],
  ])("are refused by key where they cannot be: %s", (key, text, words) => {
    expect(refused(`${SMALLEST}${text}`)).toMatchObject([{ key, message: expect.stringContaining(words) }]);
  });
});

describe("who may be paid", () => {
  test("anybody, with repeats of two weeks accepted by hand, where nothing is said", () => {
    expect(load(SMALLEST)).toMatchObject({
      limits: { perDestination: {} },
      destinations: { allow: "any", onLookAlike: "accept" },
      repeats: { lookBackDays: 14, onRepeat: "accept" },
      ledger: { onUnmapped: "warn" },
    });
  });

  test("a list of allowed destinations belongs to the configuration's folder", () => {
    const { destinations } = load(`${SMALLEST}destinations: { allow: listed, allowList: payees.csv }`);
    expect(destinations).toMatchObject({ allow: "listed", allowList: join(folder, "payees.csv") });
  });
});

describe("the rules of approval", () => {
  test.each([
    ["{ people: 1 }, { upTo: { BTC: '1' }, people: 2 }"],
    ["{ upTo: { BTC: '5' }, people: 1 }, { upTo: { BTC: '1' }, people: 2 }"],
    ["{ upTo: { BTC: '5', LTC: '1' }, people: 1 }, { upTo: { BTC: '5' }, people: 2 }"],
  ])("are refused where one never applies, because fewer would approve than it says: %s", (text) => {
    expect(refused(withRules(text))).toMatchObject([
      { key: "approval.rules.1", message: expect.stringContaining("approval.rules.0 covers all") },
    ]);
  });

  test("may overlap where each applies to something", () => {
    const text =
      "{ upTo: { BTC: '1' }, people: 1 }, { upTo: { BTC: '1', LTC: '1' }, people: 1 }, { people: 2 }";
    expect(load(withRules(text)).approval.rules).toHaveLength(3);
  });

  test("may name as many approvers as must approve", () => {
    const { approval } = load(withRules("{ people: 2, approvers: [Bob, eve] }"));
    expect(approval.rules).toEqual([{ people: 2, approvers: ["Bob", "eve"] }]);
  });
});
