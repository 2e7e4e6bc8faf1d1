/** The disk space of uploads that cannot be taken in, are never signed, or come back. */
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Environment, submitFile, type Workplace } from "../../src/index.ts";
import { openProvenDesk } from "../site/proven-desk.ts";
import { ADDRESS } from "../site/service.ts";
import {
  headOf,
  listeningDesk,
  MULTIPART,
  multipart,
  openLine,
  type RealDesk,
  sessionOf,
} from "./real-server.ts";
import { hiddenFieldsOf } from "./visitor.ts";

const SMALL: Environment = { PAYDROP_FILES_LIMITS: "{ bytesMax: 20000 }" };

function payment(reference: string, amount = "0.01", filler = ""): string {
  return `reference,amount,destinationAddress,shelf\n${reference},${amount},${ADDRESS},${filler}\n`;
}

/** The files in the archive, with the sum of their bytes. */
function archived({ config }: Workplace) {
  const names = readdirSync(config.folders.archive);
  const bytes = names.map((name) => statSync(join(config.folders.archive, name)).size);
  return { names, bytes: bytes.reduce((sum, each) => sum + each, 0) };
}

async function openUploads(changes: Environment = {}) {
  const { workplace, folder } = await openProvenDesk(changes);
  const desk = await listeningDesk(workplace);
  const cookie = await sessionOf(workplace, "ann");
  // The first page makes the folder.
  await sentIn(desk, cookie, multipart([["first.csv", ""]]));
  return { workplace, folder, desk, cookie, before: archived(workplace) };
}

async function sentIn({ origin }: RealDesk, cookie: string, body: Buffer<ArrayBuffer>) {
  const headers = { ...MULTIPART, origin, cookie };
  const response = await fetch(`${origin}/files`, { method: "POST", headers, body, redirect: "manual" });
  return { status: response.status, text: await response.text(), location: response.headers.get("location") };
}

/** Names of files, and why each is refused. */
const UNUSABLE = [
  ["pay\0.csv", "control characters"],
  ["pay\u001b[2J.csv", "control characters"],
  ["pay\u007f.csv", "control characters"],
  ["pay\u0085.csv", "control characters"],
  ["pay\u202evsc.exe", "control characters"],
  ["pay\u2028.csv", "control characters"],
  ["   ", "is missing"],
  [`${"x".repeat(300)}.csv`, "304 bytes"],
] as const;

describe("a file name", () => {
  test("that is blank, too long, no UTF-8, or with control characters is refused in words", async () => {
    const { workplace, desk, cookie, before } = await openUploads();
    for (const [name, why] of UNUSABLE) {
      const good = ["good.csv", payment("G-1")] as const;
      const { status, text } = await sentIn(desk, cookie, multipart([good, [name, "x"]]));
      expect([name, status, text]).toEqual([name, 409, expect.stringContaining(why)]);
      expect(text).toContain("FILE_NAME_UNUSABLE");
      expect(archived(workplace)).toEqual(before);
    }
    const body = multipart([["caf?.csv", "x"]]);
    body[body.indexOf("?")] = 0xe9;
    expect((await sentIn(desk, cookie, body)).text).toContain("not written in UTF-8");
    const withHead = (more: string) => {
      const head = `--mark\r\ncontent-disposition: form-data; name="file"${more}\r\n`;
      return Buffer.from(`${head}content-type: application/octet-stream\r\n\r\nx\r\n--mark--\r\n`);
    };
    expect((await sentIn(desk, cookie, withHead(""))).text).toContain("its name is missing");
    const said = {
      "%00": "control characters",
      "%e2%80%ae": "control characters",
      "%0a": "No file was chosen",
    };
    for (const [hidden, why] of Object.entries(said)) {
      const { text } = await sentIn(desk, cookie, withHead(`; filename*=UTF-8''pay${hidden}.csv`));
      expect([hidden, text]).toEqual([hidden, expect.stringContaining(why)]);
    }
    expect(archived(workplace)).toEqual(before);
  });

  test("keeps its quotation marks, sent as %22, and is no other when it comes back to be signed", async () => {
    const { workplace, desk, cookie } = await openUploads();
    const { text } = await sentIn(desk, cookie, multipart([["%22May%22.csv", payment("Q-1")]]));
    expect(text).toContain("&#34;May&#34;.csv");
    expect(text).not.toContain("%22");
    expect(archived(workplace).names.filter((name) => name.includes("%22"))).toEqual([]);
    const fields = { ...hiddenFieldsOf(text, "/files/send-in"), name: "pay\u202e.csv" };
    const headers = { origin: desk.origin, cookie, "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams(fields).toString();
    const response = await fetch(`${desk.origin}/files/send-in`, { method: "POST", headers, body });
    expect([response.status, await response.text()]).toEqual([
      409,
      expect.stringContaining("control characters"),
    ]);
  });
});

describe("an upload that cannot be taken in leaves nothing on the disk", () => {
  const LARGE = "x".repeat(20_001);
  const MANY = Array.from({ length: 21 }, (_, index) => [`${index}.csv`, payment(`M-${index}`)] as const);

  const REFUSED = [
    [
      "that is too large, with the others of its form",
      [
        ["good.csv", payment("G-1")],
        ["large.csv", LARGE],
      ],
      "large",
    ],
    ["that is no spreadsheet", [["noise.xlsx", "\x89PNG\r\n\x1a\nnoise"]], "Not taken in"],
    ["without a table", [["text.csv", "This is a letter.\nIt holds no payments.\n"]], "Not taken in"],
    ["of damaged bytes", [["broken.xlsx", "PK\x03\x04broken"]], "Not taken in"],
    ["that is empty", [["empty.csv", ""]], "Not taken in"],
    [
      "with a private key",
      [["key.csv", payment("K-1", "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn")]],
      "Not taken in",
    ],
    ["of more files than a form may hold", MANY, "large"],
  ] as const;

  test("whatever is wrong with it: too large, unreadable, with a secret, known, or one of too many", async () => {
    const { workplace, folder, desk, cookie } = await openUploads(SMALL);
    const known = payment("G-0");
    writeFileSync(join(folder, "known.csv"), known);
    await submitFile(workplace, join(folder, "known.csv"), "ann");
    const before = archived(workplace);
    const said = "Exactly this file was sent in before: waiting for approval as";
    const again = ["that came before by another name", [["again.csv", known]], said] as const;
    for (const [what, files, reason] of [...REFUSED, again]) {
      const { status, text } = await sentIn(desk, cookie, multipart(files));
      expect([what, status < 500, text]).toEqual([what, true, expect.stringContaining(reason)]);
      expect([what, archived(workplace)]).toEqual([what, before]);
    }
    const get = async (path: string) =>
      (await fetch(`${desk.origin}${path}`, { headers: { cookie } })).text();
    const key = /<a href="(\/files\/[\da-f]{64})">key\.csv<\/a>/.exec(await get("/files"))?.[1] ?? "";
    expect(await get(key)).toContain("Why it cannot be repaired here");
  });

  test("one whose form breaks off, by its text or by its connection", async () => {
    const { workplace, desk, cookie, before } = await openUploads();
    const whole = multipart([
      ["good.csv", payment("G-1")],
      ["other.csv", payment("G-2", "0.01", "x".repeat(10_000))],
    ]);
    const { status, text } = await sentIn(desk, cookie, whole.subarray(0, -200));
    expect([status, text]).toEqual([400, expect.stringContaining("cannot be read")]);
    const line = await openLine(desk);
    line.socket.write(headOf(desk, "/files", { ...MULTIPART, cookie, "content-length": whole.length }));
    line.socket.write(whole.subarray(0, -5_000));
    await expect.poll(() => archived(workplace).names.length).toBe(before.names.length + 2);
    line.socket.destroy();
    await expect.poll(() => archived(workplace)).toEqual(before);
  });

  test("one of somebody who may not send it or has signed out, and one that nobody signs", async () => {
    const { workplace, desk, cookie, before } = await openUploads();
    const one = multipart([["good.csv", payment("G-1")]]);
    expect((await sentIn(desk, await sessionOf(workplace, "ben"), one)).status).toBe(403);
    const signedOut = await sentIn(desk, "__Host-session=no", one);
    expect([signedOut.status, signedOut.location]).toEqual([303, expect.stringMatching(/^\/sign-in\b/)]);
    expect(archived(workplace)).toEqual(before);
    const body = multipart([
      ["a.csv", payment("A-1")],
      ["b.csv", payment("B-1")],
    ]);
    expect((await sentIn(desk, cookie, body)).text).toContain("Nothing has been done yet.");
    expect(archived(workplace).names.length).toBe(before.names.length + 2);
    const headers = { origin: desk.origin, cookie };
    await fetch(`${desk.origin}/sign-out`, { method: "POST", headers, redirect: "manual" });
    expect(archived(workplace)).toEqual(before);
  });
});

describe("what one session keeps on the disk has a sum", () => {
  const SUM = 4 * 20_000;
  const upload = (name: string, amount = "0.01") =>
    multipart([[`${name}.csv`, payment(name, amount, "x".repeat(14_000))]]);

  test("of files that wait for a signature: the newest stay", async () => {
    const { workplace, desk, cookie } = await openUploads(SMALL);
    const pages: string[] = [];
    for (let file = 0; file < 12; file += 1) {
      pages.push((await sentIn(desk, cookie, upload(`W-${file}`))).text);
      expect(archived(workplace).bytes).toBeLessThan(SUM);
    }
    expect(pages.filter((page) => page.includes("Nothing has been done yet.")).length).toBe(12);
    const keys = pages.map((page) => hiddenFieldsOf(page, "/files/send-in")["upload"] ?? "");
    const { names } = archived(workplace);
    expect(keys.map((key) => names.includes(`.paydrop-${key}`)).indexOf(true)).toBeGreaterThan(5);
    expect(names).toContain(`.paydrop-${keys.at(-1)}`);
  });

  test("of files that came back: more is refused in words, and the next session has room", async () => {
    const { workplace, desk, cookie } = await openUploads(SMALL);
    const answers: number[] = [];
    for (let file = 0; file < 12; file += 1) {
      answers.push((await sentIn(desk, cookie, upload(`R-${file}`, "0.0x"))).status);
      expect(archived(workplace).bytes).toBeLessThan(SUM);
    }
    expect([answers[0], answers.at(-1)]).toEqual([303, 409]);
    const refused = await sentIn(desk, cookie, upload("R-13"));
    expect(refused.text).toContain("UPLOADS_TOO_LARGE");
    const next = await sentIn(desk, await sessionOf(workplace, "ann"), upload("R-14", "0.0x"));
    expect(next.status).toBe(303);
  });

  test("of one form, also if it does not say how large it is, and if several come at once", async () => {
    const { workplace, desk, cookie, before } = await openUploads(SMALL);
    const files = Array.from({ length: 8 }, (_, file) => [`${file}.csv`, "x".repeat(15_000)] as const);
    expect((await sentIn(desk, cookie, multipart(files))).text).toContain("UPLOADS_TOO_LARGE");
    const body = multipart(files);
    const line = await openLine(desk);
    line.socket.write(headOf(desk, "/files", { ...MULTIPART, cookie, "transfer-encoding": "chunked" }));
    line.socket.write(`${body.length.toString(16)}\r\n`);
    line.socket.write(body);
    line.socket.write("\r\n0\r\n\r\n");
    await expect.poll(() => line.received()).toContain("UPLOADS_TOO_LARGE");
    expect(archived(workplace)).toEqual(before);
    await Promise.all(Array.from({ length: 12 }, (_, file) => sentIn(desk, cookie, upload(`S-${file}`))));
    expect(archived(workplace).bytes).toBeLessThan(SUM);
  });

  test("of repairs too", async () => {
    const { workplace, desk, cookie } = await openUploads(SMALL);
    let { location, status } = { location: "", status: 0 };
    const post = async (path: string, body: Buffer<ArrayBuffer> | string, type: string) => {
      const headers = { origin: desk.origin, cookie, "content-type": type };
      const response = await fetch(desk.origin + path, { method: "POST", headers, body, redirect: "manual" });
      return { status: response.status, location: response.headers.get("location") ?? "" };
    };
    ({ location, status } = await post("/files", upload("P-1", "0.0x"), MULTIPART["content-type"]));
    for (let repair = 0; repair < 12 && status === 303; repair += 1)
      ({ location, status } = await post(
        location,
        `B2=0.0${"y".repeat(repair + 1)}`,
        "application/x-www-form-urlencoded",
      ));
    expect(status).toBe(409);
    expect(archived(workplace).bytes).toBeLessThan(SUM + 20_000);
  });
});
