import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { folderState } from "./folder-state.ts";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { type Ended, SANDBOX_SECRETS, type Variables, workFolder } from "./program.ts";

/** A problem in the catalogue's layout: code and place, what is wrong, what to do. */
const ONE_PROBLEM = /^[A-Z_]+(?: in [^\n]+)?\n {2}\S[^\n]*\n {2}fix: [A-Z`][^\n]*[.`?]\n$/;

interface Mistake {
  readonly args: readonly string[];
  /** Puts the mistake into the folder. */
  readonly make?: (folder: string) => Promise<unknown>;
  readonly variables?: Variables;
  readonly code: string;
  readonly exitCode: number;
  /** What the message must name. */
  readonly names: string;
}

const change = (from: string, to: string) => async (folder: string) => {
  const path = join(folder, "paydrop.yaml");
  const text = await readFile(path, "utf8");
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
};

const put = (name: string, content: string | Uint8Array) => (folder: string) =>
  writeFile(join(folder, name), content);

const folderAt = (name: string) => (folder: string) => mkdir(join(folder, name));

/** A port on which nobody listens; it was free a moment ago. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 9}`;
}

async function newerDatabase(folder: string): Promise<void> {
  const database = new Database(join(folder, "paydrop.sqlite"));
  database.pragma("user_version = 999");
  database.close();
}

const misused = (args: readonly string[], names: string): Mistake => ({
  args,
  code: "USAGE",
  exitCode: 2,
  names,
});

const usage: Record<string, Mistake> = {
  "no command": misused([], "no command"),
  "an unknown command": misused(["statu"], "Did you mean status?"),
  "a missing argument": misused(["validate"], "'file'"),
  "a missing option": misused(["approve", "0a45c68ae4cb"], "--by"),
  "an unknown option": misused(["pay", "--twice"], "--twice"),
  "an option given twice": misused(
    ["payouts", "create", "--amount", "0.1", "--amount", "0.2"],
    "option --amount is given twice",
  ),
  "an option of a nested command given twice": misused(
    ["breaks", "settle", "B-1", "--reason", "a", "--reason=b"],
    "option --reason is given twice",
  ),
  "an argument too many": misused(["pay", "payouts.csv"], "pay"),
  "a port that is none": misused(["sandbox", "--port", "http"], "a whole number from 0 to 65535"),
  "a name in which there is nothing to see": misused(["submit", "payouts.csv", "--by", "\u200b"], "--by"),
  "an id that is none": misused(["payouts", "find", "--id", "PAY-1"], "UUID"),
  "a state that is none": misused(["deposits", "find", "--state", "done"], "RECEIVING_FUNDS"),
  "a pilot of nothing": misused(["pilot", "--yes"], "--amount"),
  "a change's number that is none": misused(
    ["doubt", "resolve-change", "PAY-1", "--abandon", "--reason", "x"],
    "'number'",
  ),
  "a change that there is not": {
    args: ["doubt", "resolve-change", "7", "--abandon", "--reason", "x"],
    code: "NAME_UNKNOWN",
    exitCode: 2,
    names: "number 7",
  },
  "a file's number with something behind it": misused(["deposits", "approve", "1x"], "'number'"),
  "rows of a check whose answer has none": misused(
    ["validate", "payouts.csv", "--rows"],
    "--rows is for --json",
  ),
  "an incomplete look that nothing depends on": misused(
    ["doubt", "resolve", "PAY-1", "--resend", "--despite-incomplete-look", "--reason", "x"],
    "--despite-incomplete-look is for --abandon",
  ),
  "a demo among other people's files": misused(["demo", "--fresh", "--folder", "."], "not a demo's"),
  "a demo where nobody can make a folder": {
    args: ["demo", "--folder", "/sys/paydrop-demo"],
    code: "OUTPUT_UNWRITABLE",
    exitCode: 1,
    names: "/sys/paydrop-demo/inbox cannot be written",
  },
};

const files: Record<string, Mistake> = {
  "a missing file": {
    args: ["submit", "nowhere.csv"],
    code: "FILE_NOT_FOUND",
    exitCode: 2,
    names: "nowhere.csv",
  },
  "a folder": { args: ["submit", "."], code: "FILE_IS_FOLDER", exitCode: 2, names: "CSV or XLSX" },
  "a device, which has no end": {
    args: ["validate", "/dev/zero"],
    code: "FILE_UNREADABLE",
    exitCode: 2,
    names: "a device or a pipe",
  },
  "an outbox that is a file": {
    args: ["submit", "payouts.csv"],
    make: put("outbox", ""),
    code: "OUTPUT_UNWRITABLE",
    exitCode: 1,
    names: "folders.outbox",
  },
  "an archive that is a file": {
    args: ["submit", "payouts.csv"],
    make: put("archive", ""),
    code: "OUTPUT_UNWRITABLE",
    exitCode: 1,
    names: "folders.archive",
  },
};

const configurations: Record<string, Mistake> = {
  "no configuration": {
    args: ["-c", "other.yaml", "status"],
    code: "CONFIG_NOT_FOUND",
    exitCode: 2,
    names: "other.yaml",
  },
  "no configuration where one is named, for a command that can do without": {
    args: ["-c", "other.yaml", "rows", "payouts.csv"],
    code: "CONFIG_NOT_FOUND",
    exitCode: 2,
    names: "other.yaml",
  },
  "a configuration that is a folder": {
    args: ["-c", "outbox", "status"],
    make: folderAt("outbox"),
    code: "CONFIG_UNREADABLE",
    exitCode: 2,
    names: "it is a folder",
  },
  "a configuration that is not YAML": {
    args: ["status"],
    make: change("service:", "service: ["),
    code: "CONFIG_NOT_YAML",
    exitCode: 2,
    names: "paydrop.yaml, line ",
  },
  "an unknown key": {
    args: ["status"],
    make: change("limits:", "limitz:"),
    code: "CONFIG_KEY_UNKNOWN",
    exitCode: 2,
    names: "`limitz`",
  },
  "a key of the wrong type": {
    args: ["status"],
    make: change("concurrency: 8", "concurrency: many"),
    code: "CONFIG_KEY_INVALID",
    exitCode: 2,
    names: "`http.concurrency` is wrong: expected number",
  },
  "an unknown variable": {
    args: ["status"],
    variables: { PAYDROP_SERVICE_BASEURL: "http://127.0.0.1:1" },
    code: "ENVIRONMENT_INVALID",
    exitCode: 2,
    names: "PAYDROP_SERVICE_BASEURL",
  },
  "a payout without any column": misused(["payouts", "create"], "--destination-address"),
  "a reference that was never taken in": {
    args: ["explain", "NOPE"],
    code: "BATCH_UNKNOWN",
    exitCode: 2,
    names: "NOPE",
  },
  "a missing secret": {
    args: ["reconcile"],
    variables: { PAYDROP_SIGNING_SECRET: "x", PAYDROP_OTP_SECRET: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" },
    code: "SECRET_MISSING",
    exitCode: 2,
    names: "PAYDROP_KEY_FILE",
  },
  "an unreadable chart": {
    args: ["ledger", "export"],
    variables: { PAYDROP_LEDGER_CHART: "nowhere.csv" },
    code: "CHART_UNUSABLE",
    exitCode: 2,
    names: "nowhere.csv",
  },
};

const machines: Record<string, Mistake> = {
  "a database path that is a folder": {
    args: ["status"],
    make: folderAt("paydrop.sqlite"),
    code: "DATABASE_UNUSABLE",
    exitCode: 1,
    names: "paydrop.sqlite",
  },
  "a database that is something else": {
    args: ["status"],
    variables: { PAYDROP_DATABASE: "sqlite:payouts.csv" },
    code: "DATABASE_UNUSABLE",
    exitCode: 1,
    names: "payouts.csv",
  },
  "a database of a newer Paydrop": {
    args: ["status"],
    make: newerDatabase,
    code: "DATABASE_VERSION_UNKNOWN",
    exitCode: 1,
    names: "999",
  },
};

async function run({ args, make, variables = {} }: Mistake) {
  const folder = await workFolder();
  await make?.(folder);
  const before = stateUnlessUnreadable(folder);
  const ended = await paydropInTurn(folder, args, variables);
  return { folder, ended, before, after: stateUnlessUnreadable(folder) };
}

/** An unreadable database cannot be compared, but the files around it can. */
function stateUnlessUnreadable(folder: string) {
  try {
    return folderState(folder);
  } catch {
    return undefined;
  }
}

function expectOneClearMessage(ended: Ended, { code, exitCode, names }: Mistake): void {
  // A bare `paydrop` prints its help before the problem.
  const message = ended.stderr.slice(Math.max(ended.stderr.indexOf(code), 0));
  expect(message).toMatch(ONE_PROBLEM);
  expect(message).toContain(names);
  expect(ended.exitCode).toBe(exitCode);
  expect(ended.stdout).toBe("");
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
}

describe.each([
  ["the command line", usage],
  ["files", files],
  ["the configuration", configurations],
  ["the machine", machines],
])("one clear message, its exit code, and nothing lost: %s", (_area, mistakes) => {
  test.concurrent.each(Object.entries(mistakes))("%s", async (_name, mistake) => {
    const { ended, before, after } = await run(mistake);
    expectOneClearMessage(ended, mistake);
    expect(after).toEqual(before);
  });
});

describe("a file that holds no payouts is refused with the fix, and nothing is stored as payable", () => {
  const pdf = "%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n";
  test.concurrent.each([
    ["an empty file", "empty.csv", "", "FILE_EMPTY", "Save the spreadsheet again"],
    [
      "a binary file",
      "noise.csv",
      new Uint8Array(4000).map((_, index) => index % 7),
      "FILE_FORMAT_UNKNOWN",
      "as CSV (UTF-8)",
    ],
    ["a PDF named .xlsx", "payroll.xlsx", pdf, "FILE_FORMAT_UNKNOWN", "a PDF document"],
    [
      "a header with a slip of the pen",
      "slip.csv",
      "reference,ammount,address\n",
      "HEADER_NOT_FOUND",
      "reference, amount and destinationAddress",
    ],
    ["a text without payouts", "letter.csv", "Dear all,\nplease pay.\n", "HEADER_NOT_FOUND", "reference"],
  ])("%s", async (_name, name, content, code, words) => {
    const folder = await workFolder();
    await writeFile(join(folder, name), content);
    const submitted = await paydropInTurn(folder, ["submit", name]);
    expect(submitted).toMatchObject({ exitCode: 3, stderr: "" });
    // The cells of a CSV could be read: it has no column names.
    const verdict = code === "HEADER_NOT_FOUND" ? "rejected" : "refused";
    expect(submitted.stdout).toContain(`${name}: ${verdict}\n${code} in ${name}`);
    expect(submitted.stdout).toContain(words);
    const { rows, files } = folderState(folder);
    expect(Object.keys(rows)).toEqual(["file"]);
    expect(Object.keys(files)).toContain(`outbox/${name.replace(/\./, ".rejected.")}.txt`);
  });
});

describe("the service", () => {
  test("one that cannot be reached: exit code 5, nothing sent, nothing lost", async () => {
    const variables = { ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: await deadAddress() };
    const mistake: Mistake = {
      args: ["reconcile"],
      variables,
      code: "SERVICE_UNREACHABLE",
      exitCode: 5,
      names: variables.PAYDROP_SERVICE_BASE_URL,
    };
    const { ended, before, after } = await run(mistake);
    expectOneClearMessage(ended, mistake);
    expect(after).toEqual(before);
  });
});

describe("a place that the answer cannot be written to", () => {
  test.skipIf(!existsSync("/dev/full"))(
    "a full disk: the command ends as one that failed, in words",
    async () => {
      const folder = await workFolder();
      const program = join(import.meta.dirname, "../../src/cli/bin.ts");
      const shell = '"$0" "$@" > /dev/full';
      const args = ["-c", shell, process.execPath, program, "status", "--json"];
      const { status, stderr } = spawnSync("sh", args, { cwd: folder, encoding: "utf8" });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^paydrop: the answer could not be written \(the disk is full\).*\n$/);
    },
  );
});

describe("a reader that leaves early", () => {
  test("`paydrop validate FILE | head -1` does not crash", async () => {
    const folder = await workFolder();
    const program = join(import.meta.dirname, "../../src/cli/bin.ts");
    const args = ["-c", '"$0" "$@" | head -1', process.execPath, program, "validate", "broken.csv"];
    const { stdout, stderr } = spawnSync("sh", args, { cwd: folder, encoding: "utf8" });
    expect(stdout).toBe("broken.csv (csv, UTF-8, commas): rejected\n");
    expect(stderr).toBe("");
  });
});
