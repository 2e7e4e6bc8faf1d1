/** The commands that talk with the service, as a person types them and as a script reads them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { type SandboxProcess, startSandboxProcess, workFolder } from "./program.ts";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const SAVINGS = "6f1cbb7e-0000-4000-8000-000000000002";
const ROUTES = {
  PAYDROP_ROUTES_ACCOUNTS_OF_USER: "{ method: POST, path: /pathless/accounts/of-user }",
  PAYDROP_ROUTES_SEARCH_PAYOUTS: "{ method: POST, path: /pathless/payouts/search }",
  PAYDROP_ROUTES_SEARCH_DEPOSITS: "{ method: POST, path: /pathless/deposits/search }",
  PAYDROP_ROUTES_ACCOUNT_BALANCES: "{ method: POST, path: /pathless/accounts/balance }",
};
const AUTHORIZATION = {
  PAYDROP_AUTHORIZATION_BODY: `{"payoutId":"{payoutId}","username":"{username}","otpCode":"{otpCode}","nonce":"{nonce}"}`,
};

let folder: string;
let sandbox: SandboxProcess;
beforeAll(async () => {
  folder = await workFolder();
  sandbox = await startSandboxProcess(folder);
});
afterAll(() => sandbox.stop());

const run = (...args: string[]) => paydropInTurn(folder, args, sandbox.variables);
const runWith = (variables: Record<string, string>, ...args: string[]) =>
  paydropInTurn(folder, args, { ...sandbox.variables, ...variables });
const json = async (...args: string[]) => JSON.parse((await run("--json", ...args)).stdout);

async function tell(method: string, what: string, body: unknown): Promise<void> {
  const answer = await fetch(`${sandbox.url}/control/${what}`, { method, body: JSON.stringify(body) });
  expect(answer.status).toBe(204);
}

const APPROVED = ["--approved-by", "bob", "--yes"];
/** Repeats an earlier payment, except for the account. */
const FROM_SAVINGS = [...APPROVED, "--account-id", "savings-btc", "--accept-repeats", "1"];

const savingsNeedAda = () =>
  tell("PUT", "cosigners", {
    accountId: SAVINGS,
    cosigners: [{ userGroupName: "board", username: "ada" }],
  });

function create(reference: string, ...more: string[]) {
  const payment = ["--reference", reference, "--amount", "0.001", "--destination-address", ADDRESS];
  return run("payouts", "create", ...payment, "--by", "alice", ...more);
}

describe("payouts", () => {
  test("create: waits for an approval, then the same command with one sends it, once", async () => {
    const before = (await sandbox.creations()).length;
    const first = await create("CLI-1");
    expect(first).toMatchObject({ exitCode: 4, stdout: expect.stringContaining("--approved-by NAME") });
    expect(await sandbox.creations()).toHaveLength(before);
    const second = await create("CLI-1", ...APPROVED);
    expect(second).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/1 due: 1 accepted\npayout [0-9a-f-]{36}/),
    });
    const third = await create("CLI-1", ...APPROVED);
    expect(third.exitCode).toBe(3);
    expect((await sandbox.creations()).filter(({ reference }) => reference === "CLI-1")).toHaveLength(1);
  });

  test("create: a wrong field is refused in the words of a file's row, and nothing is sent", async () => {
    const { exitCode, stdout } = await create("CLI-BAD", ...APPROVED, "--fee-policy", "QUICK");
    expect(exitCode).toBe(3);
    expect(stdout).toContain("SLOW, NORMAL, FAST, CUSTOM");
  });

  test("create, void and authorize ask first, and without anybody to ask do nothing", async () => {
    const asked = await create("CLI-ASKED", "--approved-by", "bob");
    expect(asked).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("USAGE"),
    });
    expect(asked.stderr).toContain(`Pay 0.001 to ${ADDRESS} as CLI-ASKED now?`);
    // The same payment as CLI-1.
    expect(await create("CLI-2", ...APPROVED)).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining("--accept-repeats 1"),
    });
    await create("CLI-2", ...APPROVED, "--accept-repeats", "1");
    expect(await run("payouts", "void", "CLI-2")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("Void this payout?"),
    });
    expect(await runWith(AUTHORIZATION, "payouts", "authorize", "CLI-2")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("Authorize this payout?"),
    });
    const operations = (await sandbox.arrivals()) as { readonly operation: string }[];
    expect(operations.filter(({ operation }) => /void|authorize/.test(operation))).toEqual([]);
  });

  test("show: who must still sign, of which group, until when; authorize takes the signature", async () => {
    await tell("POST", "users", {
      key: "demo-key",
      user: { username: "ada", otpSecret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" },
    });
    await savingsNeedAda();
    await create("CLI-3", ...FROM_SAVINGS);
    const shown = () => run("payouts", "show", "CLI-3");
    await expect
      .poll(async () => (await shown()).stdout, { timeout: 20_000 })
      .toContain("COSIGNER_AUTHORIZATIONS_PENDING");
    expect((await shown()).stdout).toMatch(
      /must still authorize it: ada of board, until \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
    );
    const authorize = () =>
      runWith(AUTHORIZATION, "payouts", "authorize", "CLI-3", "--username", "ada", "--yes");
    expect(await authorize()).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("accepted (answered 202)"),
    });
    expect((await shown()).stdout).toContain("no authorization is missing");
    expect(await authorize()).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining("SERVICE_CONFLICT"),
    });
  });

  test("preview: a batch by its number, with the command that approves it; validate asks for balances when told", async () => {
    await create("CLI-4");
    const preview = await run("preview", "B-000004");
    expect(preview).toMatchObject({ exitCode: 0, stderr: "" });
    expect(preview.stdout).toMatch(/batch B-00000\d, row 1, paid as [0-9a-f-]{36}/);
    expect(preview.stdout).toMatch(/treasury-btc +[\d.]+ BTC +0 BTC +0.001 BTC/);
    expect(preview.stdout).toMatch(/in fiat: [\d.]+ EUR from treasury-btc, at 1 BTC = /);
    expect(preview.stdout).toMatch(/next: `paydrop approve [0-9a-f]{16} --by NAME --accept-repeats 1`/);
    const { balances } = await json("validate", "payouts.csv", "--balances");
    expect(balances.effects[0]).toMatchObject({ paid: "1.81168548", fundsCanBeSpent: true });
    expect((await json("validate", "payouts.csv")).balances).toBeUndefined();
  });

  test("find: filters, sorts, and as JSON keeps every digit as text", async () => {
    const { payouts, isCut } = await json(
      ..."payouts find --reference CLI-1 CLI-2 --sort createdDate,desc".split(" "),
    );
    expect(payouts.map(({ reference }: { reference: string }) => reference)).toEqual(["CLI-2", "CLI-1"]);
    expect(payouts[0].requestedAmount).toEqual({ currency: "BTC", amount: "0.001" });
    expect(isCut).toBe(false);
    const one = await json("payouts", "find", "--limit", "1");
    expect(one).toMatchObject({ isCut: true, payouts: [expect.anything()] });
    expect((await run("payouts", "find", "--state", "cancelled")).stdout).toBe(
      "The service shows no such payout.\n",
    );
    expect((await run("payouts", "find", "--sort", "created date")).exitCode).toBe(2);
  });

  test("find --route without a route says exactly what to configure; with one it finds the same", async () => {
    const { exitCode, stderr } = await run("payouts", "find", "--route");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("routes.searchPayouts.method");
    expect(stderr).toContain("routes.searchPayouts.path");
    const byRoute = await runWith(ROUTES, "--json", "payouts", "find", "--route", "--reference", "CLI-1");
    expect(JSON.parse(byRoute.stdout).payouts).toEqual(
      (await json("payouts", "find", "--reference", "CLI-1")).payouts,
    );
  });

  test("show: what nobody knows is said", async () => {
    expect(await run("payouts", "show", "NOWHERE")).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("NOT_AT_SERVICE"),
    });
  });
});

const IN_EURO = ["--amount", "100", "--currency", "EUR", "--expires", "2099-01-01T00:00:00Z"];

/** The command that asks for a deposit. */
const ask = (reference: string) =>
  `deposits create --account treasury-btc --reference ${reference}`.split(" ");

describe("deposits", () => {
  test("create, show, find and void", async () => {
    const created = await run(...ask("CLI-D1"), ...IN_EURO);
    expect(created).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/asked for: +100 EUR/) });
    const again = await run(...ask("CLI-D1"));
    expect(again).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("DEPOSIT_ALREADY_ASKED_FOR"),
    });
    const synchronous = await json(...ask("CLI-D2"), "--sync");
    expect(synchronous).toMatchObject({
      change: { operation: "createDepositSynchronously" },
      deposit: { depositState: "CREATED" },
    });
    expect((await run("deposits", "show", "CLI-D1")).stdout).toMatch(/pay to address: bc1/);
    expect(await run("deposits", "void", "CLI-D2", "--yes")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("it is VOID now"),
    });
    const voided = await json("deposits", "find", "--state", "VOID");
    expect(voided.deposits.map(({ reference }: { reference: string }) => reference)).toContain("CLI-D2");
  });

  test("whose rate is fixed no longer: another time, or no fixed rate, is what helps", async () => {
    const effect = {
      kind: "answer",
      statusCode: 409,
      body: '[{"error":"the rate has expired","code":"CONFLICT_EXPIRED_XRATE"}]',
      committed: false,
    } as const;
    await sandbox.setFaults([{ operation: "createDeposit", effect }]);
    const refused = await run(...ask("CLI-D11"), ...IN_EURO);
    expect(refused).toMatchObject({
      exitCode: 5,
      stderr: expect.stringMatching(/SERVICE_RATE_EXPIRED[\s\S]*--expires[\s\S]*own currency/),
    });
    // The answer could have been lost, but this one came: the reference is free.
    await sandbox.setFaults([]);
    expect((await run(...ask("CLI-D11"))).exitCode).toBe(0);
  });

  test("one that is shown otherwise than it was asked for needs somebody, before its address is given away", async () => {
    const value = "6f1cbb7e-0000-4000-8000-0000000000ff";
    const effect = { kind: "wrong-echo", field: "accountId", value } as const;
    await sandbox.setFaults([{ operation: "findDepositFilteredV2", effect }]);
    const changed = await run(...ask("CLI-D9"));
    await sandbox.setFaults([]);
    expect(changed).toMatchObject({
      exitCode: 4,
      stdout: expect.stringMatching(
        /DEPOSIT_SHOWN_CHANGED[\s\S]*accountId 6f1cbb7e-\S+ff instead of 6f1cbb7e/,
      ),
    });
    const same = await run(...ask("CLI-D10"));
    expect(same).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining("DEPOSIT_SHOWN_CHANGED") });
  });

  test("what was done is told so, also where the service does not say afterwards what it is now", async () => {
    const unaskable = (nth: number) =>
      ({
        operation: "findDepositFilteredV2",
        nth,
        effect: { kind: "answer", statusCode: 403, body: '[{"error":"not now"}]', committed: false },
      }) as const;
    const done = (what: RegExp) => ({ exitCode: 0, stdout: expect.stringMatching(what) });
    await sandbox.setFaults([unaskable(1), unaskable(3)]);
    const asked = await run(...ask("CLI-D3"));
    expect(asked).toMatchObject(
      done(/CLI-D3, deposit .* accepted .* what it is now is not known: .*not now/),
    );
    const voided = await run("deposits", "void", "CLI-D3", "--yes");
    expect(voided).toMatchObject(
      done(/voidDeposit of .* accepted .* what it is now is not known: .*not now/),
    );
    const { deposits } = await json("deposits", "show", "CLI-D3");
    expect(deposits).toMatchObject([{ depositState: "VOID" }]);
    await sandbox.setFaults([]);
  });

  test.each([
    [["--amount", "0.000000001"], "at most 8 decimals"],
    [["--amount", "1e3"], "plain digits"],
    [["--amount", "0"], "plain digits"],
    [["--amount", "5", "--currency", "XYZ"], "the number of decimals of XYZ"],
    [["--currency", "EUR"], "--currency needs an amount"],
    [["--expires", "2099-01-01T00:00:00Z"], "--expires needs an amount"],
    [["--amount", "5", "--expires", "tomorrow"], "is not a date and time"],
    [["--amount", "5", "--expires", "2099-02-30T12:00:00Z"], "is not a date and time"],
    [["--amount", "5", "--expires", "2020-01-01T00:00:00Z"], "is over already"],
    [["--amount", "0.5", "--currency", "JPY"], "at most 0 decimals, such as 5."],
    [["--sync", "--route"], "two different operations"],
    [["--account", "nowhere"], "there is no custody account nowhere"],
    [["--reference", "two  spaces"], "two spaces side by side"],
  ])("create %j is refused before anything is sent", async (more, words) => {
    const usual = { "--account": "treasury-btc", "--reference": "CLI-NO" };
    const given = Object.entries(usual).filter(([option]) => !more.includes(option));
    const args = ["deposits", "create", ...given.flat(), ...more];
    expect(await run(...args)).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining(words),
    });
  });
});

describe("balances and accounts", () => {
  test("balances of all accounts, of one, by name and by the route", async () => {
    expect((await run("balances")).stdout).toMatch(/treasury-btc .*\nsavings-btc /);
    const { balances } = await json("balances", "savings-btc");
    expect(balances[0]).toMatchObject({
      name: "savings-btc",
      btcBalance: { total: { currency: "BTC", amount: expect.any(String) } },
    });
    const byRoute = await runWith(ROUTES, "--json", "balances", "savings-btc", "--route");
    const [again] = JSON.parse(byRoute.stdout).balances;
    expect(again.accountId).toBe(balances[0].accountId);
    expect((await run("balances", "nowhere")).exitCode).toBe(2);
  });

  test("accounts of a user, where the route is configured", async () => {
    const { exitCode, stdout } = await runWith(ROUTES, "accounts", "--user", "ada");
    expect(exitCode).toBe(0);
    expect(stdout).toContain(SAVINGS);
    expect(stdout).toContain("savings-btc");
    expect((await run("accounts", "--user", "ada")).stderr).toContain("routes.accountsOfUser.path");
  });
});

// The last test, because the tests before it count the service's payouts.
test("payouts void: takes back what was paid a moment ago, also before any find shows it, and nothing that is not ours", async () => {
  await savingsNeedAda();
  await create("CLI-UNSHOWN", ...FROM_SAVINGS);
  const creations = (await sandbox.creations()) as { reference: string; payoutId: string }[];
  const payoutId = creations.find(({ reference }) => reference === "CLI-UNSHOWN")?.payoutId ?? "";
  await tell("PUT", "visibility", { payoutId });
  expect(await run("payouts", "show", "CLI-UNSHOWN")).toMatchObject({ exitCode: 2 });
  expect(await run("payouts", "void", "CLI-UNSHOWN")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Void this payout?"),
  });
  const voided = await run("payouts", "void", "CLI-UNSHOWN", "--by", "alice", "--yes");
  expect(voided).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("accepted (answered 202)") });
  expect(voided.stdout + voided.stderr).toContain(`${payoutId}, which the service answered for this payment`);
  await tell("PUT", "visibility", { payoutId, hiddenForMs: 0 });
  expect((await run("payouts", "show", payoutId)).stdout).toContain(`${payoutId} CANCELLED`);
  expect(await run("payouts", "void", "CLI-NOBODY", "--yes")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("NOT_AT_SERVICE"),
  });
});

test("void: a refusal says what can be voided, where that was done before, and which account this one is of", async () => {
  const body = '[{"error":"nothing of this account can be voided","code":"CONFLICT_STATE"}]';
  await run("deposits", "create", "--account", "savings-btc", "--reference", "CLI-D20");
  const effect = { kind: "answer", statusCode: 409, body, committed: false } as const;
  await sandbox.setFaults([{ operation: "voidDeposit", effect }]);
  const refused = await run("deposits", "void", "CLI-D20", "--yes");
  await sandbox.setFaults([]);
  expect(refused).toMatchObject({ exitCode: 5, stderr: expect.stringContaining("SERVICE_VOIDS_NOT") });
  expect(refused.stderr).toContain("nothing of this account can be voided");
  expect(refused.stderr).toContain("in accounts of one Bitcoin custody kind");
  expect(refused.stderr).toContain("This one is of savings-btc.");
  expect(refused.stderr).toContain("It has voided something in savings-btc, treasury-btc before.");
});
