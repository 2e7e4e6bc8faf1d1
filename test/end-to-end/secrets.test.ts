import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { type Ended, startSandboxProcess, workFolder } from "../cli/program.ts";
import { everythingWritten } from "../cli/written.ts";

/** Values that occur nowhere else. The sandbox takes the first three; people type the others by mistake. */
const CANARIES = {
  key: "demo-key",
  signing: "demo-signing-secret-0001",
  otp: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  wrongKey: "canary-key-5b1e",
  wrongSigning: "canary-signing-77aa",
};

test("no secret is printed, logged, stored or written, whether things go well or wrong", async () => {
  const folder = await workFolder();
  const sandbox = await startSandboxProcess(folder);
  await writeFile(join(folder, "secret-key"), `${CANARIES.key}\n`);
  const { PAYDROP_KEY: _, ...others } = sandbox.variables;
  const variables = { ...others, PAYDROP_KEY_FILE: join(folder, "secret-key") };
  const printed: Ended[] = [];
  const run = async (args: readonly string[], more = {}) => {
    const ended = await paydropInTurn(folder, args, { ...variables, ...more });
    printed.push(ended);
    return ended;
  };

  const { stdout } = await run(["--json", "submit", "payouts.csv", "--by", "alice"]);
  const { digest } = JSON.parse(stdout);
  for (const person of ["bob", "carol"]) await run(["approve", digest, "--by", person]);
  const wrong = { PAYDROP_KEY_FILE: join(folder, "nowhere"), PAYDROP_KEY: CANARIES.wrongKey };
  expect((await run(["pay"], wrong)).exitCode).toBe(2);
  const wrongSigning = { PAYDROP_SIGNING_SECRET: CANARIES.wrongSigning };
  expect((await run(["--json", "pay"], wrongSigning)).exitCode).toBe(5);
  expect((await run(["pay"], { PAYDROP_OTP_SECRET: "canary" })).exitCode).not.toBe(0);
  expect((await run(["pay"])).exitCode).toBe(0);
  await run(["track"]);
  await run(["ledger", "export"]);
  await sandbox.stop();

  const everything = everythingWritten(folder, printed, "secret-key");
  expect(everything.length).toBeGreaterThan(100_000);
  for (const [name, canary] of Object.entries(CANARIES))
    expect(everything.includes(canary), `the ${name} secret`).toBe(false);
});
