import { afterEach, describe, expect, test, vi } from "vitest";
import { reportFailure } from "../../src/cli/failure.ts";
import { Output } from "../../src/cli/output.ts";
import { fault } from "../../src/faults/index.ts";

afterEach(() => vi.restoreAllMocks());

/** The output of a failure on each stream. */
function reported(error: unknown, json: boolean) {
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const complaint = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const exitCode = reportFailure(error, new Output({ json, quiet: true, color: false }));
  return { exitCode, stdout: out.mock.calls.join(""), stderr: complaint.mock.calls.join("") };
}

describe("a failure that nobody foresaw", () => {
  test("is told with its place and the fix, and without a stack trace", () => {
    const { exitCode, stdout, stderr } = reported(new TypeError("batch is not iterable"), false);
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^UNEXPECTED\n.*TypeError: batch is not iterable \(failure\.test\.ts(?:\?vitest=\d+)?, line \d+\)\n {2}fix: .*\n$/,
    );
  });

  test("is one document under --json, also when it is no error at all", () => {
    const { exitCode, stdout, stderr } = reported("out of paper", true);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ problems: [{ code: "UNEXPECTED" }] });
    expect(stdout).toContain("out of paper");
  });
});

test("a foreseen one ends with the exit code of what happens next", () => {
  expect(reported(fault("LANE_TAKEN", { holder: "" }), true).exitCode).toBe(5);
  expect(reported(fault("APPROVER_IS_SUBMITTER", { person: "alice" }), true).exitCode).toBe(4);
  expect(reported(fault("FILE_EMPTY", {}), true).exitCode).toBe(3);
  expect(reported(fault("CONFIG_NOT_FOUND", { path: "a" }), true).exitCode).toBe(2);
});
