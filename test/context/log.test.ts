/** The log writes only fields on an allow-list; no other field gets out, under any name. */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const MODULE = fileURLToPath(new URL("../../src/context/log.ts", import.meta.url));

test.runIf(existsSync("/dev/full"))("a log that cannot be written stops no work", () => {
  const script = `
    const { stderrLog } = await import(${JSON.stringify(MODULE)});
    const log = stderrLog("info");
    for (let line = 0; line < 3; line += 1) log.error("not written");
    console.log("the work was done");
  `;
  const full = openSync("/dev/full", "w");
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", full],
  });
  closeSync(full);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "the work was done\n" });
});

test("a field that nobody named is not logged, nor what is inside it", () => {
  const script = `
    const { stderrLog } = await import(${JSON.stringify(MODULE)});
    const error = Object.assign(new Error("no"), { request: { headers: { key: "canary-key" } } });
    stderrLog("info").info("submitted", { reference: "INV-1", otpCode: "canary-code", error });
    stderrLog("silent").error("not printed");
  `;
  const { stderr, stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  expect(JSON.parse(stderr)).toMatchObject({ msg: "submitted", reference: "INV-1" });
  expect(stderr).not.toContain("canary");
});

test("what would steer a terminal or break a line is logged as JSON escapes it, and read back as it was", () => {
  const file = "a\u009b8m\u0085b\u202e\u2066\u061c\u200ec\u2028\u2029\u007f\r\n.csv";
  const script = `
    const { stderrLog } = await import(${JSON.stringify(MODULE)});
    stderrLog("info").info("taken in", { file: ${JSON.stringify(file)} });
  `;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(stderr.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(stderr)).toMatchObject({ msg: "taken in", file });
});
