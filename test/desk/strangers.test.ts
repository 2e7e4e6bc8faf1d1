/** The desk against strangers: what somebody without a key sends to it, over real connections. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pages } from "../../src/desk/pages.ts";
import type { Workplace } from "../../src/index.ts";
import { addPersonStep, listPeopleStep } from "../../src/pipeline/people/people-step.ts";
import { all, type Statement, type Transaction } from "../../src/store/sql.ts";
import { openProvenDesk } from "../pipeline/proven-desk.ts";
import { answerTo, formRequest, type Line, listeningDesk, openLine, type RealDesk } from "./real-server.ts";
import { softwarePasskey } from "./software-passkey.ts";
import { type Form, formText, hiddenFieldsOf } from "./visitor.ts";

/** The same place, whose waits end when the test says so. */
function waitingByHand(workplace: Workplace) {
  const waits: { readonly durationMs: number; readonly end: () => void }[] = [];
  const time = { ms: 0 };
  const clock = {
    ...workplace.context.clock,
    monotonicMs: () => time.ms,
    sleep: (durationMs: number) => new Promise<void>((end) => waits.push({ durationMs, end })),
  };
  return { workplace: { ...workplace, context: { ...workplace.context, clock } }, waits, time };
}

async function invited(workplace: Workplace, name: string): Promise<string> {
  const { invitation } = await addPersonStep(workplace, { name, roles: ["approver"], person: "dave" });
  return invitation?.code ?? "";
}

/** Sends our own form. */
async function sent({ origin }: RealDesk, path: string, form: Form) {
  const headers = { origin, "content-type": "application/x-www-form-urlencoded" };
  const response = await fetch(`${origin}${path}`, { method: "POST", headers, body: formText(form) });
  return { status: response.status, text: await response.text() };
}

/** From the code to the last signature. */
async function enrolled(desk: RealDesk, name: string, code: string): Promise<string> {
  const passkey = softwarePasskey(desk.origin);
  const made = await sent(desk, "/enrol", { name, code });
  const registered = { ...hiddenFieldsOf(made.text, "/enrol"), passkey: passkey.register(made.text) };
  const asked = await sent(desk, "/enrol", registered);
  const signed = { ...hiddenFieldsOf(asked.text, "/enrol"), signature: passkey.sign(asked.text) };
  return (await sent(desk, "/enrol", signed)).text;
}

const WRONG = "aaaa-aaaa-aaaa-aaaa-aaaa";

function guesses(desk: RealDesk, name: string, count: number): string {
  return formRequest(desk, "/enrol", formText({ name, code: WRONG })).repeat(count);
}

describe("wrong one-time codes", () => {
  test("lock nobody out: an office of twenty behind one address enrols while somebody there guesses", async () => {
    const { workplace, waits, time } = waitingByHand((await openProvenDesk()).workplace);
    const names = Array.from({ length: 20 }, (_, index) => `person${index}`);
    const codes = new Map<string, string>();
    for (const name of names) codes.set(name, await invited(workplace, name));
    const desk = await listeningDesk(workplace);
    const guessers: Line[] = [];
    for (const name of names) {
      const line = await openLine(desk);
      line.socket.write(guesses(desk, name, 8));
      guessers.push(line);
    }
    await expect.poll(() => waits.length).toBe(20);
    for (const [name, code] of codes) {
      // Twenty people in ten minutes.
      time.ms += 30_000;
      expect(await enrolled(desk, name, code)).toContain("Your passkey is enrolled");
    }
    const { people } = await listPeopleStep(workplace);
    expect(people.filter(({ keys: [key] }) => key?.kind === "passkey").map(({ name }) => name)).toEqual(names);
    // Of each connection only the first guess was looked at.
    expect([waits.length, ...guessers.map((line) => line.answers())]).toEqual([20, ...names.map(() => 0)]);
  });

  test("are looked at one after the other on a connection, each when the wait of the one before is over", async () => {
    const { workplace, waits } = waitingByHand((await openProvenDesk()).workplace);
    const code = await invited(workplace, "erin");
    const desk = await listeningDesk(workplace);
    const line = await openLine(desk);
    line.socket.write(guesses(desk, "erin", 3) + formRequest(desk, "/enrol", formText({ name: "erin", code })));
    for (const ended of [0, 1, 2]) {
      await expect.poll(() => waits.length).toBe(ended + 1);
      expect(line.answers()).toBe(ended);
      waits[ended]?.end();
    }
    await expect.poll(() => line.received()).toContain("The code is right.");
    expect(line.answers()).toBe(4);
  });

  test("are answered alike, and after the same wait, whether or not somebody has the name", async () => {
    const { workplace, waits } = waitingByHand((await openProvenDesk()).workplace);
    await invited(workplace, "erin");
    const desk = await listeningDesk(workplace);
    const answers = [];
    const names = ["erin", "ben", "nobody", "Ben", "x".repeat(10_000), "<b>", "b\u0001n", "admin", ""];
    for (const [index, name] of names.entries()) {
      const answer = sent(desk, "/enrol", { name, code: WRONG });
      await expect.poll(() => waits.length).toBe(index + 1);
      waits[index]?.end();
      answers.push(await answer);
    }
    expect(answers[0]).toMatchObject({ status: 409, text: expect.stringContaining("no such code") });
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(new Set(waits.map(({ durationMs }) => durationMs))).toEqual(new Set([2_000]));
  });

  test("leave nothing behind, whatever name they are for", async () => {
    const { workplace, waits } = waitingByHand((await openProvenDesk()).workplace);
    await invited(workplace, "erin");
    const desk = await listeningDesk(workplace);
    const before = await everyRow(workplace);
    const names = ["erin", "ben", "nobody", "x".repeat(15_000), "Ann", ...Array(50).keys()].map(String);
    const answers = names.map((name) => sent(desk, "/enrol", { name, code: WRONG }));
    await expect.poll(() => waits.length).toBe(names.length);
    for (const { end } of waits) end();
    await Promise.all(answers);
    expect(await everyRow(workplace)).toEqual(before);
  });
});

const LAYOUT = readFileSync(join(import.meta.dirname, "../store/layout.sql"), "utf8");
const TABLES = [...LAYOUT.matchAll(/^CREATE TABLE (\w+)/gim)].flatMap(([, table]) => table ?? []);

/** What the whole database holds, by table. */
function everyRow({ store }: Workplace) {
  return store.read(function* (): Transaction<unknown> {
    const found: unknown[] = [];
    for (const table of TABLES) {
      const statement: Statement = { text: `select * from "${table}"`, values: [] };
      found.push([table, yield* all(statement)]);
    }
    return found;
  });
}
