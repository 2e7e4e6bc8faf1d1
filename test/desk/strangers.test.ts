/** The desk against strangers: requests of a client without a key, over real connections. */
import { describe, expect, test } from "vitest";
import { pages } from "../../src/desk/pages.ts";
import { addPersonStep, listPeopleStep, type Workplace } from "../../src/index.ts";
import { all, type Statement, type Transaction } from "../../src/store/sql.ts";
import { openProvenDesk } from "../site/proven-desk.ts";
import {
  answerTo,
  formRequest,
  headOf,
  type Line,
  listeningDesk,
  MULTIPART,
  openLine,
  type RealDesk,
  sessionOf,
} from "./real-server.ts";
import { softwarePasskey } from "./software-passkey.ts";
import { type Form, formText, hiddenFieldsOf } from "./visitor.ts";

/** The same workplace, but the test ends its waits. */
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

/** Enrols, from the code to the last signature. */
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
    const enrolling = names.filter((_, index) => index % 4 === 0);
    for (const name of enrolling) {
      const code = codes.get(name) ?? "";
      time.ms += 30_000;
      expect(await enrolled(desk, name, code)).toContain("Your passkey is enrolled");
    }
    const { people } = await listPeopleStep(workplace);
    expect(people.filter(({ keys: [key] }) => key?.kind === "passkey").map(({ name }) => name)).toEqual(
      enrolling,
    );
    // Only the first guess of each connection was checked.
    expect([waits.length, ...guessers.map((line) => line.answers())]).toEqual([20, ...names.map(() => 0)]);
  });

  test("are looked at one after the other on a connection, each when the wait of the one before is over", async () => {
    const { workplace, waits } = waitingByHand((await openProvenDesk()).workplace);
    const code = await invited(workplace, "erin");
    const desk = await listeningDesk(workplace);
    const line = await openLine(desk);
    line.socket.write(
      guesses(desk, "erin", 3) + formRequest(desk, "/enrol", formText({ name: "erin", code })),
    );
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
    // What was typed stays in its field.
    const alike = answers.map(({ text, ...answer }) => [text.replace(/ value="[^"]*"/, ""), answer]);
    expect(new Set(alike.map((answer) => JSON.stringify(answer))).size).toBe(1);
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

const TABLES: Statement = { text: "select name from sqlite_schema where type = 'table'", values: [] };

/** All rows of the database, by table. */
function everyRow({ store }: Workplace) {
  return store.read(function* (): Transaction<unknown> {
    const found: unknown[] = [];
    for (const { name } of yield* all<{ name: string }>(TABLES)) {
      const statement: Statement = { text: `select * from "${name}"`, values: [] };
      found.push([name, yield* all(statement)]);
    }
    return found;
  });
}

test.each([
  ["another address", "127.0.0.2", 310],
  ["the same address", "127.0.0.1", 350],
])("a flood from %s keeps nobody out: everybody's next request has its turn", async (_, address, most) => {
  const { workplace, waits, time } = waitingByHand((await openProvenDesk()).workplace);
  const desk = await listeningDesk(workplace);
  const icon = "GET /favicon.ico HTTP/1.1\r\nhost: localhost\r\n\r\n";
  const flood: Line[] = [];
  for (const _ of Array(40).keys()) flood.push(await openLine(desk, address));
  for (const { socket } of flood) socket.write(icon.repeat(10));
  const answered = () => flood.reduce((sum, line) => sum + line.answers(), 0);
  await expect.poll(() => [answered(), waits.length]).toEqual([300, 1]);
  const visitor = await openLine(desk);
  visitor.socket.write(icon);
  for (let turn = 1; visitor.answers() === 0; turn += 1) {
    time.ms += 10;
    waits.at(-1)?.end();
    await expect.poll(() => answered() + visitor.answers()).toBe(300 + turn);
  }
  expect(answered()).toBeLessThan(most);
});

describe("what a stranger sends", () => {
  const OPEN = pages.filter(({ method, roles }) => method === "POST" && roles === "anybody");
  const CLOSED = pages.filter(({ method, roles }) => method === "POST" && roles !== "anybody");
  const pathOf = ({ path }: (typeof pages)[number]) => path.replace(":id", "B-000001");

  test("to a page that is open to anybody has at most some KB, and is refused in words", async () => {
    const desk = await listeningDesk((await openProvenDesk()).workplace);
    expect(OPEN.map(({ path }) => path)).toEqual(["/sign-in", "/sign-in/signed", "/sign-out", "/enrol"]);
    for (const path of [...OPEN.map(pathOf), "/nowhere"]) {
      const { status, text } = await sent(desk, path, { name: "x".repeat(1_000_000) });
      expect([path, status, text]).toEqual([path, 413, expect.stringContaining("That is too large")]);
      const chunk = `3e80\r\n${"x".repeat(16_000)}\r\n`;
      const chunked = headOf(desk, path, { "transfer-encoding": "chunked" }) + chunk.repeat(20);
      expect(await answerTo(desk, `${chunked}0\r\n\r\n`)).toContain("That is too large");
    }
    for (const path of OPEN.map(pathOf))
      for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=mark"]) {
        const other = headOf(desk, path, { "content-type": type, "content-length": 2, connection: "close" });
        expect([path, await answerTo(desk, `${other}{}`)]).toEqual([path, expect.stringContaining(" 415 ")]);
      }
  });

  test("to a page for people who are signed in is not waited for", async () => {
    const desk = await listeningDesk((await openProvenDesk()).workplace);
    expect(CLOSED.length).toBeGreaterThan(10);
    for (const page of CLOSED) {
      for (const length of [{ "content-length": 60_000_000 }, { "transfer-encoding": "chunked" }]) {
        const line = await openLine(desk);
        const type = page.takesFiles === true ? MULTIPART : {};
        line.socket.write(headOf(desk, pathOf(page), { ...type, ...length }));
        await expect.poll(() => line.received()).toContain("You are signed out");
        line.socket.destroy();
      }
    }
  });

  test("is refused in words where it holds what no text has", async () => {
    const { workplace } = await openProvenDesk();
    const desk = await listeningDesk(workplace);
    const cookie = await sessionOf(workplace, "ben");
    const asked = ["/files?name=%00", "/files?name=a&name=%00", "/files/%00", "/payments?q=x%00y"];
    for (const path of asked) {
      const response = await fetch(`${desk.origin}${path}`, { headers: { cookie } });
      expect([path, response.status]).toEqual([path, 400]);
      expect(await response.text()).toContain("NUL");
    }
    expect(await sent(desk, "/enrol", { name: "\0", code: "\0" })).toMatchObject({ status: 400 });
  });
});

const HOST = "host: localhost\r\nconnection: close\r\n";

const ANSWERED = [
  ["an address that cannot be decoded", `GET /%ff HTTP/1.1\r\n${HOST}\r\n`, 400],
  ["such an address below a page", `GET /files/%c0%ae HTTP/1.1\r\n${HOST}\r\n`, 400],
  ["such an address with a host", `GET http://localhost/%ff HTTP/1.1\r\n${HOST}\r\n`, 400],
  ["a name that is too long", `GET /files/${"x".repeat(500)} HTTP/1.1\r\n${HOST}\r\n`, 414],
  ["an address that is too long", `GET /${"x".repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`, 431],
  ["headers that are too long", `GET / HTTP/1.1\r\n${HOST}x: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ["a page that there is not", `GET /nowhere HTTP/1.1\r\n${HOST}\r\n`, 404],
  ["an asset that there is not", `GET /assets/nothing HTTP/1.1\r\n${HOST}\r\n`, 404],
  ["an asset", `GET /assets/desk.css HTTP/1.1\r\n${HOST}\r\n`, 200],
  ["an icon", `GET /favicon.ico HTTP/1.1\r\n${HOST}\r\n`, 204],
  ["a page that takes a session", `GET / HTTP/1.1\r\n${HOST}\r\n`, 303],
  ["a page", `GET /sign-in HTTP/1.1\r\n${HOST}\r\n`, 200],
  ["a page's head", `HEAD /sign-in HTTP/1.1\r\n${HOST}\r\n`, 200],
  ["a method that there is not", `FOO / HTTP/1.1\r\n${HOST}\r\n`, 400],
  ["a method of other programs", `PROPFIND / HTTP/1.1\r\n${HOST}\r\n`, 403],
  ["a request without a host", "GET /sign-in HTTP/1.1\r\nconnection: close\r\n\r\n", 400],
  ["an expectation", `GET /sign-in HTTP/1.1\r\n${HOST}expect: more\r\n\r\n`, 417],
  ["a header with a NUL", `GET /sign-in HTTP/1.1\r\n${HOST}x: \0\r\n\r\n`, 400],
  ["two lengths", `POST /enrol HTTP/1.1\r\n${HOST}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, 400],
  ["another protocol", "\u0016\u0003\u0001hello\r\n\r\n", 400],
  ["half a request", "GET / HT", 400],
] as const;

const PROTECTION = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": expect.stringMatching(/^(?:no-store|public, max-age=31536000, immutable)$/),
};

test("every answer has the protective headers, also to what is no request", async () => {
  const desk = await listeningDesk((await openProvenDesk()).workplace);
  for (const [what, bytes, status] of ANSWERED) {
    const [head = ""] = (await answerTo(desk, bytes)).split("\r\n\r\n");
    const headers = [...head.matchAll(/^([^:\r\n]+): (.*)$/gm)].map(([, name, value]) => [
      name?.toLowerCase(),
      value,
    ]);
    expect([what, head.split(" ")[1], Object.fromEntries(headers)]).toEqual([
      what,
      String(status),
      expect.objectContaining(PROTECTION),
    ]);
  }
});
