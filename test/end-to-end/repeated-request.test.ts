/**
 * A service that repeats our request in its errors: no stored or printed byte contains anything that authenticates us.
 */
import { expect, test } from "vitest";
import type { FaultScript } from "../../src/sandbox/index.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { type Ended, SANDBOX_SECRETS, startSandboxProcess, workFolder } from "../cli/program.ts";
import { everythingWritten } from "../cli/written.ts";

/** The placeholder for the signature. */
const REPEATED = "(signature)";

/** Six separate digits after the code's name, however quoted. */
const CODE_REPEATED = /otpCode[\\"':\s]+\d{6}/;

test("no operation's error leaves a key, a signature, a secret or a one-time code behind", async () => {
  const folder = await workFolder();
  const sandbox = await startSandboxProcess(folder);
  const printed: Ended[] = [];
  const run = async (...args: string[]) => {
    const ended = await paydropInTurn(folder, args, sandbox.variables);
    printed.push(ended);
    return ended;
  };
  const repeating = (operation: string, statusCode: number, nth?: number) =>
    sandbox.setFaults([
      { operation, effect: { kind: "repeat-request", statusCode }, ...(nth === undefined ? {} : { nth }) },
    ] satisfies FaultScript[]);

  const { stdout } = await run("--json", "submit", "payouts.csv", "--by", "alice");
  const { digest } = JSON.parse(stdout);
  for (const person of ["bob", "carol"]) await run("approve", digest, "--by", person);
  await repeating("createPayoutV2", 400, 1);
  expect((await run("pay")).stdout).toContain(REPEATED);
  await repeating("createPayoutV2", 409);
  await run("--json", "pay");
  expect((await run("doubt")).stdout).toContain(REPEATED);
  for (const [operation, ...args] of [
    ["getAccountsBalance", "balances"],
    ["createDeposit", "deposits", "create", "--reference", "DEP-X", "--account", "treasury-btc"],
    ["findPayoutFilteredV2", "--json", "pay"],
  ] as const) {
    await repeating(operation, 400);
    const ended = await run(...args);
    expect(ended.stdout + ended.stderr, args.join(" ")).toContain(REPEATED);
  }
  await sandbox.stop();

  const everything = everythingWritten(folder, printed);
  for (const secret of Object.values(SANDBOX_SECRETS)) expect(everything).not.toContain(secret);
  expect(everything).not.toMatch(CODE_REPEATED);
  expect(everything).toContain("(one-time code)");
  expect(everything).not.toMatch(/signature[\\"':\s]+[0-9a-f]{64}/);
});
