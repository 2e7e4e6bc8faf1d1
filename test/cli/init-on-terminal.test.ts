/**
 * `init` on a real terminal: from an empty folder to a place that `doctor` finds good, with wrong answers on the way.
 */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeKey } from "../people/keys.ts";
import { TREASURY } from "../site/service.ts";
import { type Answers, answered, CTRL_C, hasTerminals } from "./at-terminal.ts";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { emptyFolder, SAMPLES, startSandboxProcess } from "./program.ts";

/** Runs `init`, and answers it, with nothing of the tests' own environment. */
function initAnswered(folder: string, home: string, answers: Answers) {
  const { PATH } = process.env;
  return answered(folder, ["init"], { PATH, HOME: home, TERM: "dumb", TZ: "Europe/Madrid" }, answers);
}

/** A home whose ~/.ssh has a key of each name. */
async function homeOf(...names: readonly string[]): Promise<string> {
  const home = await emptyFolder();
  mkdirSync(join(home, ".ssh"), { mode: 0o700 });
  for (const name of names) {
    const key = makeKey();
    copyFileSync(key.path, join(home, ".ssh", name));
    copyFileSync(`${key.path}.pub`, join(home, ".ssh", `${name}.pub`));
    chmodSync(join(home, ".ssh", name), 0o600);
  }
  return home;
}

const MADE_UP = "11111111-1111-4111-8111-111111111111";

test.runIf(hasTerminals)(
  "asks, refuses what is wrong in a sentence, and ends with a doctor that is green",
  async () => {
    const folder = await emptyFolder();
    const home = await homeOf("ben", "carol", "dave");
    const pasted = makeKey();
    for (const [place, name] of [
      [join(folder, "keys"), "carol"],
      [join(home, "twice"), "dave"],
    ] as const) {
      mkdirSync(place);
      copyFileSync(join(home, ".ssh", `${name}.pub`), join(place, `${name}.pub`));
    }
    // Whose payout exists from the start, so that its account is listed.
    const seed = readFileSync(join(SAMPLES, "sandbox.yaml"), "utf8").replace("afterMs: 2500", "afterMs: 0");
    writeFileSync(join(folder, "sandbox.yaml"), seed);
    const sandbox = await startSandboxProcess(folder, "--seed", "sandbox.yaml");
    writeFileSync(join(folder, "open-secret"), "demo-signing-secret-0001\n", { mode: 0o644 });
    writeFileSync(join(folder, "signing"), "demo-signing-secret-0001\n", { mode: 0o600 });
    const { exitCode, shown, left } = await initAnswered(folder, home, [
      ["Its address", "pay.example.com"],
      ["begins with https://", "http://pay.example.com"],
      ["everybody in between", sandbox.url],
      ["The client key", ""],
      ["not shown", "no-such-key"],
      ["The signing secret", "open-secret"],
      ["Others may read", "nowhere"],
      ["cannot be read", "signing"],
      ["The seed", ""],
      ["not shown", "not base32"],
      ["in Base32", "none"],
      ["Your user", "treasury-bot"],
      ["calls back", "hook"],
      ["begins with", "https://pay.example.com/hook"],
      // The service refuses the key.
      ["asked for again", ""],
      ["The client key", ""],
      ["not shown", "demo-key"],
      ["The signing secret", "signing"],
      ["The seed", ""],
      ["not shown", "jbsw y3dp ehpk 3pxp jbsw y3dp ehpk 3pxp"],
      ["Your user", ""],
      ["calls back", ""],
      ["Which pay?", MADE_UP],
      ["shows no account", "7"],
      ["neither a number", "1"],
      ["A name for", ""],
      ["Largest payment in BTC", "a lot"],
      ["plain digits", "0.000000001"],
      ["8 decimals", "1"],
      ["Largest sum of a day", "0.5"],
      ["cannot be below", ""],
      ["Who keeps the roster", "dave"],
      ["dave's public key", "3"],
      ["approve payments too", "perhaps"],
      ["yes or no", "no"],
      ["such as keys/ [keys/]", "ben"],
      ["ben's public key", "3"],
      ["dave's key", join(home, ".ssh", "ben.pub")],
      ["An approver", "nowhere/"],
      ["it does not exist", join(home, "twice/")],
      ['dave.pub: "dave" is used already', ""],
      ["Another approver, or a folder [none]", "erin"],
      ["erin's public key", pasted.credential.key],
      ["Another approver, or a folder [none]", ""],
      ["How many must approve", "3"],
      ["takes one more", ""],
      ["this installation", "acme-main"],
      ["Currency of the books", "euro"],
      ["such as EUR", "eur"],
      ["[Europe/Madrid]", "Mars/Olympus"],
      ["such as Europe/Madrid", ""],
      ["Chart of accounts", "nothing.csv"],
      ["Chart of accounts", ""],
      ["Sign this as dave?", "y"],
      ["Sign this as dave?", "y"],
      ["Sign this as dave?", "y"],
      ["Sign this as dave?", "y"],
    ]);
    expect({ left, shown }).toMatchObject({ left: [] });
    expect({ exitCode, shown }).toMatchObject({
      exitCode: 0,
      shown: expect.stringContaining("Everything is good."),
    });
    const written = readFileSync(join(folder, "paydrop.yaml"), "utf8");
    for (const secret of ["demo-key", "demo-signing-secret-0001", "jbsw", "JBSW"])
      expect([secret, shown.includes(secret), written.includes(secret)]).toEqual([secret, false, false]);
    expect(statSync(join(folder, "secrets/key")).mode & 0o777).toBe(0o600);
    expect(written).toContain(`id: "${TREASURY}"`);
    expect(written).toContain("# The first rule that covers a file's sums");
    const variables = Object.fromEntries(
      readFileSync(join(folder, "paydrop.env"), "utf8")
        .split("\n")
        .flatMap((line) => (line.includes("=") ? [line.split("=") as [string, string]] : [])),
    );
    const doctor = await paydropInTurn(folder, ["doctor"], { ...variables, HOME: home });
    expect([doctor.exitCode, doctor.stdout.split("\n").at(-2)]).toEqual([0, "Everything is good."]);
    await sandbox.stop();
  },
);

test.runIf(hasTerminals)("Ctrl-C writes nothing", async () => {
  const folder = await emptyFolder();
  const { exitCode } = await initAnswered(folder, await homeOf(), [
    ["Its address", "http://127.0.0.1:9"],
    ["The client key", ""],
    ["not shown", "typed-key"],
    ["The signing secret", CTRL_C],
  ]);
  expect([exitCode, readdirSync(folder)]).toEqual([130, []]);
});
