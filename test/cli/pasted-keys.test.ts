/** Runs the real program on files with pasted private keys: its files and its output never repeat a key. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { fromBufferPromise } from "yauzl";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { PLACES, PLANTED_KEYS } from "./planted-keys.ts";
import { endOf, startPaydrop, workFolder } from "./program.ts";

const keys = Object.entries(PLANTED_KEYS);
const traces = keys.flatMap(([, key]) => key.traces);

test("a private key is nowhere in what is written and printed, wherever in a file it was pasted", async () => {
  const folder = await workFolder();
  mkdirSync(join(folder, "sent"));
  // Each kind of key takes turns; testing all kinds in all places would take half a minute.
  const planted = Object.entries(PLACES).map(([place, filesWith], at) => {
    const key = place.startsWith("the lines") ? PLANTED_KEYS["PEM"] : keys[at % keys.length]?.[1];
    return filesWith(key?.text ?? "", `case-${at}`);
  });
  const lines = planted.flatMap((files, at) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, "sent", name), content);
    const [name = ""] = Object.keys(files);
    const path = join("sent", name);
    return [
      at % 2 === 0 ? ["rows", "--json", path] : ["validate", path],
      ["submit", "--json", path, "--by", "ann"],
    ];
  });
  const printed = await commands(folder, [...lines, ["status", "--json"], ["status"], ["audit", "verify"]]);
  expect(printed.match(/"code":\s*"(?:VALUE|ADDRESS)_IS_SECRET"/g)?.length).toBeGreaterThanOrEqual(
    planted.length,
  );
  expect(await repeatedIn(folder, "sent")).toEqual([]);
  expect(traces.filter((trace) => printed.includes(trace))).toEqual([]);
  expect(readdirSync(join(folder, "archive"))).toEqual([]);
  expect(readdirSync(join(folder, "outbox")).length).toBeGreaterThanOrEqual(planted.length);
});

test("a file or folder that is named by a private key is refused under another name, in every face", async () => {
  const folder = await workFolder();
  const names = keys.flatMap(([, { text }]) => (/[\n/]/.test(text) ? [] : [text]));
  const payouts = readFileSync(join(folder, "payouts.csv"));
  const paths = names.flatMap((name, at) => {
    mkdirSync(join(folder, "sent", name), { recursive: true });
    const path = at % 2 === 0 ? join("sent", `${name}.csv`) : join("sent", name, "payouts.csv");
    writeFileSync(join(folder, path), payouts);
    return path;
  });
  const lines = paths.flatMap((path) => [
    ["rows", path],
    ["rows", "--json", path],
    ["validate", "--json", path],
    ["submit", path, "--by", "ann"],
  ]);
  const typed = [PLANTED_KEYS["WIF, compressed"]?.text ?? "", PLANTED_KEYS["seed phrase"]?.text ?? ""];
  const mistyped = typed.flatMap((key) => [
    ...[
      [key],
      ["explain", key],
      ["status", key],
      ["approve", key, "--by", "ben"],
      ["validate", `${key}.csv`],
    ],
    ...[
      ["rows", "payouts.xlsx", "--sheet", key],
      ["submit", join(key, "payouts.csv")],
      ["pay", key],
    ],
    ["payouts", "create", "--reference", key, "--amount", "1", "--destination-address", key],
  ]);
  const typedPrinted = await commands(folder, [...lines, ...mistyped]);

  mkdirSync(join(folder, "inbox"));
  for (const name of names)
    for (const ending of [".csv", ".totals.csv"])
      writeFileSync(join(folder, "inbox", `${name}${ending}`), payouts);
  const served = await servedUntilEmpty(folder);
  expect(readdirSync(join(folder, "inbox"))).toEqual([]);

  const printed = typedPrinted + served;
  expect(printed.match(/FILE_NAME_IS_SECRET/g)?.length).toBeGreaterThanOrEqual(2 * paths.length);
  expect(served).toContain("name-withheld refused");
  expect(traces.filter((trace) => printed.includes(trace))).toEqual([]);
  expect(await repeatedIn(folder, "sent")).toEqual([]);
  expect(readdirSync(join(folder, "archive"))).toEqual([]);
});

test("the search finds what was planted", async () => {
  const folder = await workFolder();
  const [filesWith] = Object.entries(PLACES).flatMap(([place, files]) =>
    place === "a cell of a workbook" ? [files] : [],
  );
  for (const [name, content] of Object.entries(filesWith?.(keys[0]?.[1].text ?? "", "planted") ?? {}))
    writeFileSync(join(folder, name), content);
  writeFileSync(join(folder, `${keys[1]?.[1].text}.csv`), "");
  expect(new Set(await repeatedIn(folder, "sent"))).toEqual(
    new Set(["planted.xlsx", `${keys[1]?.[1].text}.csv`]),
  );
});

/** The output of these commands, one after another. */
async function commands(folder: string, lines: readonly (readonly string[])[]): Promise<string> {
  const ended = await Promise.all(lines.map((line) => paydropInTurn(folder, line)));
  return ended.flatMap(({ stdout, stderr }) => [stdout, stderr]).join("\n");
}

/** The output and the log of `paydrop serve` until the inbox is empty. */
async function servedUntilEmpty(folder: string): Promise<string> {
  const variables = { PAYDROP_SCHEDULE_INTAKE: "* * * * * *", PAYDROP_FILES_QUIET_SECONDS: "0" };
  const child = startPaydrop(folder, ["serve"], variables);
  const ended = endOf(child);
  while (child.exitCode === null && readdirSync(join(folder, "inbox")).length + claimed(folder) > 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill("SIGTERM");
  const { stdout, stderr } = await ended;
  return stdout + stderr;
}

function claimed(folder: string): number {
  return readdirSync(folder).includes("work") ? readdirSync(join(folder, "work")).length : 0;
}

/**
 * The files below a folder, packed ones included, that repeat a key in their name or content. Leaves out `except`,
 * and the files that were kept aside, which only their owner can open.
 */
async function repeatedIn(folder: string, except: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const isLeftOut = [except, "suspected"].some((name) => entry.parentPath.startsWith(join(folder, name)));
    if (!entry.isFile() || isLeftOut) continue;
    const texts = [entry.name, ...(await textsOf(readFileSync(join(entry.parentPath, entry.name))))];
    if (traces.some((trace) => texts.some((each) => each.includes(trace)))) found.push(entry.name);
  }
  return found;
}

async function textsOf(bytes: Buffer): Promise<string[]> {
  const texts = [bytes.toString("latin1")];
  if (bytes.toString("latin1", 0, 2) !== "PK") return texts;
  const zip = await fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry()) texts.push(await text(await zip.openReadStreamPromise(entry)));
  return texts;
}
