/**
 * One command of each kind in a process of its own, as a person starts it. Other tests share a long-lived process,
 * and this shows that it behaves the same.
 */
import { expect, test } from "vitest";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { paydrop, SANDBOX_SECRETS, workFolder } from "./program.ts";

/** Nothing answers at this address: the discard port of this machine. */
const NOBODY = { ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: "http://127.0.0.1:9" };

test.concurrent.each([
  ["rows payouts.xlsx --json", 0],
  ["submit payouts.csv --by ann", 4],
  ["balances", 5],
])("`paydrop %s` says the same in a process of its own and in one that stays", async (line, exitCode) => {
  const [own, staying] = await Promise.all(
    [paydrop, paydropInTurn].map(async (run) => {
      const folder = await workFolder();
      const { stdout, ...others } = await run(folder, line.split(" "), NOBODY);
      return { ...others, stdout: stdout.replaceAll(folder, "FOLDER") };
    }),
  );
  expect(own).toEqual(staying);
  expect(own?.exitCode).toBe(exitCode);
});
