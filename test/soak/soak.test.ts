import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { emptyFolder, NODE_ITSELF } from "../cli/program.ts";
import { type Evidence, type Figures, judge, judgeFigures, type KeptSlot } from "./judge.ts";

const SOAK = fileURLToPath(new URL("./soak.ts", import.meta.url));

let evidence: Evidence;
let printed: string;

/** The days around the last Sunday of October, on which the company's clocks are set back. */
beforeAll(async () => {
  const kept = join(await emptyFolder(), "evidence.json");
  const days = ["--from", "2026-10-24", "--days", "3", "--files", "14", "--every", "60"];
  const env = { ...NODE_ITSELF, TMPDIR: process.env["TMPDIR"] };
  const soak = promisify(execFile)(process.execPath, [SOAK, ...days, "--evidence", kept], { env });
  const ended = await soak.catch((error) => {
    // A soak that is red is judged below.
    if (existsSync(kept)) return error;
    throw error;
  });
  printed = ended.stdout;
  evidence = JSON.parse(readFileSync(kept, "utf8"));
});

function without<Item>(items: readonly Item[], isGone: (item: Item) => boolean): Item[] {
  return items.toSpliced(items.findIndex(isGone), 1);
}

const isRunOfPay = ({ job, how }: KeptSlot) => job === "pay" && how === "run";
const isAcceptance = (name: string) => name.endsWith(".results.csv");

const PLANTED: readonly [what: string, sentence: RegExp, plant: (from: Evidence) => Partial<Evidence>][] = [
  ["a slot that is not kept", / accounted for 0 times/, ({ kept }) => ({ kept: without(kept, isRunOfPay) })],
  [
    "a slot that is kept twice",
    / accounted for 2 times/,
    ({ kept }) => ({ kept: [...kept, ...kept.filter(isRunOfPay).slice(0, 1)] }),
  ],
  [
    "a skipped slot without a reason",
    /without a reason/,
    ({ kept }) => ({ kept: kept.map((slot) => (slot.how === "skipped" ? { ...slot, reason: null } : slot)) }),
  ],
  [
    "a run outside of the schedule that is kept as a slot",
    /is no slot/,
    ({ kept }) => ({ kept: kept.map((slot) => ({ ...slot, dueAt: slot.dueAt.replace(/\d\dZ$/, "33Z") })) }),
  ],
  [
    "a file without an answer",
    /has the answers \[\]/,
    ({ outbox }) => ({ outbox: without(without(outbox, isAcceptance), (name) => name.includes(".known.")) }),
  ],
  [
    "a file with two answers",
    /has the answers \[[^\]]+,/,
    ({ outbox }) => ({ outbox: [...outbox, "file-1.rejected.csv"] }),
  ],
  [
    "an answer to a file that was never finished",
    /never a finished file/,
    ({ outbox }) => ({ outbox: [...outbox, "half.accepted.csv"] }),
  ],
  ["a payment lost", /never paid/, ({ created }) => ({ created: created.slice(1) })],
  [
    "a payment made twice",
    /paid 2 times/,
    ({ created }) => ({ created: [...created, ...created.slice(0, 1)] }),
  ],
  ["a payment nobody approved", /paid unapproved/, ({ created }) => ({ created: [...created, "OTHER-1"] })],
];

describe("the daemon, over days with outages and a restart each night", () => {
  test("answers every finished file once, accounts for every slot, pays what is approved once", () => {
    expect(judge(evidence), printed).toEqual([]);
    expect(evidence.created.length, printed).toBeGreaterThan(20);
  });

  test.each(PLANTED)("is not believed with %s", (_what, sentence, plant) => {
    expect(judge({ ...evidence, ...plant(evidence) }).join("\n")).toMatch(sentence);
  });

  test.each(["heapMebibytes", "openFiles", "resources"] as const)("may not grow: %s", (name) => {
    const flat: Figures = { heapMebibytes: 70, openFiles: 38, resources: 4 };
    const nights = Array.from({ length: 30 }, (_, night) => ({ ...flat, [name]: flat[name] + night * 2 }));
    expect(judgeFigures(nights)).toEqual([expect.stringContaining(name)]);
    expect(judgeFigures(nights.map(() => flat))).toEqual([]);
  });
});
