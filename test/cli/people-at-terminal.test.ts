/** A person at a terminal who is asked before they sign, and whose key OpenSSH unlocks. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { makeKey } from "../people/keys.ts";
import { type Answers, answered, hasTerminals } from "./at-terminal.ts";
import { peoplePlace } from "./people-place.ts";

test.runIf(hasTerminals)("a person sees what they sign, may say no, and unlocks their key", async () => {
  const { folder, dave, variables, by, invite } = await peoplePlace();
  const ben = makeKey();
  spawnSync("ssh-keygen", ["-q", "-p", "-P", "", "-N", "open sesame", "-f", ben.path]);
  const code = await invite("ben", "approver");
  const enroll = ["--sign-with", ben.path, "people", "enroll", "ben", "--key", `${ben.path}.pub`];
  const asked = "Sign this as ben? [y/N]";
  const enrolled = (...answers: Answers) =>
    answered(folder, enroll, { ...process.env, ...variables }, [["One-time code of ben:", code], ...answers]);
  const no = await enrolled([asked, "n"]);
  expect(no).toMatchObject({ exitCode: 4, shown: expect.stringContaining("NOT_CONFIRMED") });
  expect(no.shown.indexOf("change: enroll")).toBeGreaterThan(0);
  expect(no.shown.indexOf("change: enroll")).toBeLessThan(no.shown.indexOf(asked));
  const wrong = await enrolled([asked, "y"], ["Enter passphrase", "open seasame"]);
  expect(wrong).toMatchObject({ exitCode: 4, shown: expect.stringContaining("incorrect passphrase") });
  const yes = await enrolled([asked, "y"], ["Enter passphrase", "open sesame"]);
  expect(yes).toMatchObject({ exitCode: 0, shown: expect.stringContaining("ben signs with") });
  const revoked = await by(dave, "people", "revoke", "ben", "--reason", "test", "--by", "dave");
  expect(revoked.exitCode).toBe(0);
});

test("without a terminal a locked key signs nothing, and OpenSSH says why", async () => {
  const { dave, invite, by } = await peoplePlace();
  const ben = makeKey();
  spawnSync("ssh-keygen", ["-q", "-p", "-P", "", "-N", "open sesame", "-f", ben.path]);
  const code = await invite("ben", "approver");
  const enroll = ["people", "enroll", "ben", "--key", `${ben.path}.pub`];
  const locked = await by(ben, ...enroll, "--code", code);
  expect(locked).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("passphrase") });
  expect(locked.stderr).toContain("SIGNING_FAILED");
  expect(await by(ben, ...enroll)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--code") });
  expect((await by(dave, "people", "list")).stdout).toMatch(/ben +approver +invited until/);
});
