/** One-time codes: one per time step if single-use, for any number of callers and any change of the clock. */
import { inspect } from "node:util";
import { generateSync } from "otplib";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Fault } from "../../src/faults/index.ts";
import { type OneTimeCodeSource, oneTimeCodes } from "../../src/gateway/index.ts";
import { systemClock } from "../../src/index.ts";
import { execute } from "../../src/payments/sending/index.ts";
import { virtualClock } from "../context/virtual-clock.ts";
import { testWithFile } from "../postgres.ts";
import { createdAt, OTP_SECRET, openLane, sandbox } from "./lane.ts";

const TOTP = { source: "totp", secret: OTP_SECRET } as const;
const START_MS = Date.parse("2026-11-20T09:30:07.000Z");

function codeAt(instant: string): string {
  return generateSync({ secret: OTP_SECRET, epoch: Math.floor(Date.parse(instant) / 1000) });
}

/**
 * RFC 6238, appendix B, every row of mode SHA1: seconds, UTC time, T in hexadecimal, TOTP of eight digits. The
 * shared secret is the ASCII text "12345678901234567890". A code of six digits is the last six of the eight (RFC
 * 4226, section 5.3: modulo 10^6).
 */
const RFC_6238_SHA1 = [
  [59, "1970-01-01 00:00:59", "0000000000000001", "94287082"],
  [1111111109, "2005-03-18 01:58:29", "00000000023523EC", "07081804"],
  [1111111111, "2005-03-18 01:58:31", "00000000023523ED", "14050471"],
  [1234567890, "2009-02-13 23:31:30", "000000000273EF07", "89005924"],
  [2000000000, "2033-05-18 03:33:20", "0000000003F940AA", "69279037"],
  [20000000000, "2603-10-11 11:33:20", "0000000027BC86AA", "65353130"],
] as const;
const RFC_6238 = { source: "totp", secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" } as const;
const STEP_MS = 30_000;

describe("the codes that RFC 6238 publishes are the ones sent", () => {
  const sixDigitsAt = (unixMs: number) =>
    oneTimeCodes(virtualClock(new Date(unixMs).toISOString()), RFC_6238, true).next();

  test.each(RFC_6238_SHA1)("at %i seconds, %s UTC, T = %s: the end of %s", async (seconds, utc, _t, code) => {
    expect(Date.parse(`${utc}Z`)).toBe(seconds * 1000);
    expect(await sixDigitsAt(seconds * 1000)).toBe(code.slice(-6));
  });

  test.each(RFC_6238_SHA1)(
    "around %i seconds (%s), from the first to the last millisecond of step T = %s and not beside it: %s",
    async (_seconds, _utc, hexadecimal, code) => {
      const firstMs = Number.parseInt(hexadecimal, 16) * STEP_MS;
      const lastMs = firstMs + STEP_MS - 1;
      const made = await Promise.all([firstMs - 1, firstMs, lastMs, lastMs + 1].map(sixDigitsAt));
      expect(made.map((each) => each === code.slice(-6))).toEqual([false, true, true, false]);
    },
  );

  test("a second code asked for one millisecond before the boundary is the next step's", async () => {
    const clock = virtualClock("2005-03-18T01:58:29.999Z");
    const codes = oneTimeCodes(clock, RFC_6238, true);
    expect([await codes.next(), await codes.next()]).toEqual(["081804", "050471"]);
    expect(clock.sleeps).toEqual([1]);
  });
});

describe("a code that may be used once", () => {
  test("comes at once in a fresh time step, and then one per step of thirty seconds", async () => {
    const clock = virtualClock(new Date(START_MS).toISOString());
    const codes = oneTimeCodes(clock, TOTP, true);
    const made = [await codes.next(), await codes.next(), await codes.next()];
    expect(clock.sleeps).toEqual([23_000, 30_000]);
    expect(made).toEqual(
      ["2026-11-20T09:30:07Z", "2026-11-20T09:30:30Z", "2026-11-20T09:31:00Z"].map(codeAt),
    );
  });

  test("is given to one of many that wait for it", async () => {
    const clock = virtualClock();
    const codes = oneTimeCodes(clock, TOTP, true);
    const made = await Promise.all(Array.from({ length: 5 }, () => codes.next()));
    expect(new Set(made).size).toBe(5);
    expect(clock.monotonicMs()).toBe(120_000);
  });

  test("is not taken from a step that an earlier run has used", async () => {
    const clock = virtualClock(new Date(START_MS).toISOString());
    const codes = oneTimeCodes(clock, TOTP, true);
    codes.usedAt("2026-11-20T09:30:01.000Z");
    expect(await codes.next()).toBe(codeAt("2026-11-20T09:30:30Z"));
    expect(clock.sleeps).toEqual([23_000]);
  });

  test("is not waited for because of a step that lies in the future: the clock was set back since", async () => {
    const clock = virtualClock();
    const codes = oneTimeCodes(clock, TOTP, true);
    codes.usedAt("2030-01-01T00:00:00.000Z");
    await codes.next();
    expect(clock.sleeps).toEqual([]);
  });

  test("is no longer waited for once the run is stopped", async () => {
    const stop = new AbortController();
    const codes = oneTimeCodes(virtualClock(), TOTP, true);
    await codes.next(stop.signal);
    stop.abort(new Error("stopped"));
    await expect(codes.next(stop.signal)).rejects.toThrow("stopped");
  });
});

test("a code that may be used more than once is not waited for", async () => {
  const clock = virtualClock();
  const codes = oneTimeCodes(clock, TOTP, false);
  await Promise.all([codes.next(), codes.next()]);
  expect(clock.sleeps).toEqual([]);
});

describe("a code from a command", () => {
  const from = async (command: string) =>
    oneTimeCodes(virtualClock(), { source: "command", command, environment: process.env }, false).next();

  test("knows the environment that it is given, and no other", async () => {
    const environment = { PATH: process.env["PATH"], ACCOUNT: "treasury" };
    const from: OneTimeCodeSource = { source: "command", command: "env", environment };
    process.env["PAYDROP_CANARY"] = "canary";
    onTestFinished(() => void Reflect.deleteProperty(process.env, "PAYDROP_CANARY"));
    const known = await oneTimeCodes(virtualClock(), from, false).next();
    expect(known).toContain("ACCOUNT=treasury");
    expect(known).not.toContain("canary");
  });

  test("is what it prints", async () => {
    expect(await from("echo ' 123456 '")).toBe("123456");
  });

  test.each([
    ["exit 3 # canary", "failed (3)"],
    ["kill -9 $$ # canary", "failed (SIGKILL)"],
    ["printf '\\n' # canary", "printed nothing"],
    ["no-such-command-anywhere canary", "failed (127)"],
    ["echo canary >&2; false", "failed (1)"],
  ])("%j makes no code, and says so without the command, which may hold the seed", async (command, how) => {
    const error: Fault = await from(command).then(
      () => expect.fail("a code"),
      (thrown) => thrown,
    );
    expect(error.problem).toMatchObject({
      code: "OTP_FAILED",
      next: "correct-usage",
      message: expect.stringContaining(how),
    });
    expect(inspect(error)).not.toContain("canary");
  });

  test("a secret that is no Base32 of sixteen bytes is said, and not printed", async () => {
    const next = oneTimeCodes(virtualClock(), { source: "totp", secret: "canary" }, true).next();
    await expect(next).rejects.toMatchObject({
      problem: { code: "OTP_FAILED", message: expect.not.stringContaining("canary") },
    });
  });
});

testWithFile("a service that takes each code once accepts every row of two runs", async () => {
  const clock = virtualClock(new Date(START_MS).toISOString());
  const service = await sandbox({ otpSingleUse: true, clock: () => Date.parse(clock.now()) });
  const lane = openLane(service.url, { clock, otpSingleUse: true, policy: { nonceRule: "unique" } });
  await lane.approve(4);
  expect(await lane.pay()).toMatchObject({ accepted: 4, refused: 0 });
  const next = openLane(service.url, { clock, otpSingleUse: true, path: lane.path });
  await next.approve(1, () => ({ reference: "PAY-5" }));
  expect(await next.pay()).toMatchObject({ accepted: 1, refused: 0 });
  expect(createdAt(service)).toEqual(["PAY-1", "PAY-2", "PAY-3", "PAY-4", "PAY-5"]);
});

test("without a code nothing is written and nothing is sent", async () => {
  const service = await sandbox();
  const lane = openLane(service.url, { otpSecret: "too-short" });
  await lane.approve(2);
  await expect(lane.pay()).rejects.toMatchObject({ problem: { code: "OTP_FAILED" } });
  expect(await lane.submissions()).toEqual([]);
  expect(createdAt(service)).toEqual([]);
});

test("a code that is not to be had in the midst of a run ends it, and what was sent before is told", async () => {
  const service = await sandbox();
  const lane = openLane(service.url);
  await lane.approve(3);
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return asked < 3 ? lane.tools.codes.next() : "";
  };
  const codes = oneTimeCodes(systemClock, { source: "prompt", ask }, false);
  expect(await execute({ ...lane.tools, codes })).toMatchObject({
    accepted: 2,
    stopped: { code: "OTP_FAILED" },
  });
  expect(await lane.standings()).toContain("PAY-3 approved");
});
