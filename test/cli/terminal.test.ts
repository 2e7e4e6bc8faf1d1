/** A person at a terminal who ends the command instead of answering its question. */
import { expect, test } from "vitest";
import { answered, CTRL_C, CTRL_D, hasTerminals } from "./at-terminal.ts";
import { workFolder } from "./program.ts";

const RESEND = ["doubt", "resolve", "PAY-1", "--resend", "--reason", "x"];

async function resent(answer: string, ...more: readonly string[]) {
  return answered(await workFolder(), [...RESEND, ...more], process.env, [["[y/N]", answer]]);
}

test.runIf(hasTerminals)("a no under --json is one document as well", async () => {
  const { exitCode, shown } = await resent("n", "--json");
  const { problems } = JSON.parse(shown.slice(shown.indexOf("{")));
  expect([exitCode, problems]).toEqual([4, [expect.objectContaining({ code: "NOT_CONFIRMED" })]]);
});

test.runIf(hasTerminals).each([
  ["Ctrl-C stops the command", CTRL_C, 130],
  ["Ctrl-D is no answer, and nothing is done", CTRL_D, 4],
  ["an empty line is no, and nothing is done", "", 4],
])("at a question %s", async (_what, answer, exitCode) => {
  const ended = await resent(answer);
  expect(ended).toMatchObject({ exitCode, shown: expect.not.stringContaining("UNEXPECTED") });
});

test.runIf(hasTerminals)("a terminal that knows no colours gets none", async () => {
  const folder = await workFolder();
  const shown = (TERM: string) =>
    answered(folder, ["status", "NONE"], { ...process.env, TERM, NO_COLOR: "" }, []);
  expect((await shown("xterm")).shown).toContain("\u001b[31mBATCH_UNKNOWN");
  const dumb = await shown("dumb");
  expect(dumb.shown).toContain("BATCH_UNKNOWN");
  expect(dumb.shown).not.toContain("\u001b");
});
