/** Files at the desk: sent in and repaired on pages, and shown only to people who may see them. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { describe, expect, test } from "vitest";
import {
  addPersonStep,
  approveStep,
  type Overview,
  payStep,
  statusOf,
  statusOfBatches,
  submitFile,
  trackStep,
} from "../../src/index.ts";
import { sessionsOf } from "../../src/proof/sessions.ts";
import { run, sql } from "../../src/store/sql.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { signBy } from "../people/keys.ts";
import { KEYS, openProvenDesk, signing, withKey } from "../site/proven-desk.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import {
  deskOf,
  hiddenFieldsOf,
  ORIGIN,
  provenVisitor,
  trialVisitor,
  unescaped,
  type Visitor,
  visitor,
} from "./visitor.ts";

const GOOD = `reference,amount,destinationAddress\nG-1,0.01,${ADDRESS}\n`;
const BAD = `reference,amount,destinationAddress,shelf\nB-1,0.01,${ADDRESS},a\nB-2,0.0x,${ADDRESS},<b>\nB-3,0.03,${ADDRESS},c\n`;

/** Sends a form with files as a browser does. */
async function upload(app: FastifyInstance, { cookies }: Visitor, files: Readonly<Record<string, string>>) {
  const parts = Object.entries(files).map(
    ([name, content]) =>
      `--mark\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n${content}\r\n`,
  );
  const { statusCode, body, headers } = await app.inject({
    method: "POST",
    url: "/files",
    headers: {
      "content-type": "multipart/form-data; boundary=mark",
      ...{ origin: ORIGIN, "sec-fetch-site": "same-origin" },
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    },
    payload: `${parts.join("")}--mark--\r\n`,
  });
  return { status: statusCode, text: body, location: headers.location };
}

describe("a trial", () => {
  test("takes in what is sent, and says what became of each file", async () => {
    const { workplace } = await openSite();
    const app = await deskOf(workplace);
    const ann = await trialVisitor(app, "ann");
    expect(await upload(app, ann, { "good.csv": GOOD })).toMatchObject({ location: "/batches/B-000001" });
    expect((await upload(app, ann, { "again.csv": GOOD })).text).toContain(
      "Exactly this file was sent in before: waiting for approval as",
    );
    expect(await upload(app, ann, { "a.csv": GOOD.replace("G-1", "G-2"), "b.csv": BAD })).toMatchObject({
      location: "/files",
    });
    expect((await upload(app, ann, { "": "" })).text).toContain("No file was chosen");
    expect((await upload(app, ann, { "key.csv": BAD.replace("0.0x", KEY) })).text).toContain("Not taken in");
    const { text } = await ann.get("/files");
    expect(text).toMatch(/b\.csv.*came back.*Repair/s);
    expect(text).toMatch(/good\.csv.*waits for approval/s);
    expect(text).toContain("2 files came back");
    expect((await ann.get("/files?name=GOOD")).text).not.toContain("b.csv");
    expect(text).not.toContain(KEY);
  });

  test("names the limit of what it does not take, and leads back to Files", async () => {
    const { openAgain } = await openSite();
    const workplace = openAgain({ PAYDROP_FILES_LIMITS: "{ bytesMax: 2000000 }" });
    const app = await deskOf(workplace);
    const ann = await trialVisitor(app, "ann");
    const large = await upload(app, ann, { "large.csv": `${GOOD}${"x".repeat(2_100_000)}` });
    expect([large.status, large.text]).toEqual([
      413,
      expect.stringContaining("A file may have at most 2 MB."),
    ]);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`${at}.csv`, GOOD]));
    const several = await upload(app, ann, many);
    expect([several.status, several.text]).toEqual([413, expect.stringContaining("At most 20 files")]);
    const none = await upload(app, ann, { "": "" });
    for (const { text } of [large, several, none])
      expect(text).toContain('<a href="/files">Back to Files</a>');
  });

  test("has a rejected file repaired in its page until it is whole, and keeps both as they were", async () => {
    const { workplace } = await openSite();
    const app = await deskOf(workplace);
    const ann = await trialVisitor(app, "ann");
    const first = await upload(app, ann, { "pay.csv": BAD });
    expect(first.location).toMatch(/^\/files\/[0-9a-f]{64}$/);
    const page = await ann.get(first.location ?? "");
    expect(page.text).toContain("2 of 3 rows are ready. Repair 1 cell");
    expect(page.text).toContain('name="B3" aria-invalid="true"');
    expect(page.text).toContain('value="0.0x"');
    expect(page.text).toContain("&#60;b&#62;");
    const second = await ann.post(first.location ?? "", { B3: "0.0y" });
    expect((await ann.get(second.location ?? "")).text).toMatch(
      /ann changed B3 \(amount\) from .*0\.0x.* to .*0\.0y/,
    );
    const third = await ann.post(second.location ?? "", { B3: "0.0y", out: "3" });
    expect(third.location).toBe("/batches/B-000001");
    expect((await ann.get(`${first.location}/sent`)).text).toBe(BAD);
    expect(await ann.get("/files/B-000001")).toMatchObject({ status: 404 });
    expect((await ann.get("/files")).text).not.toContain("came back");
    // Back in the browser, the page and its form say what became of the file.
    const late = await ann.post(first.location ?? "", { B3: "1" });
    expect(late.status).toBe(409);
    for (const { text } of [await ann.get(first.location ?? ""), late]) {
      expect(text).toContain("It became <b>B-000001</b>");
      expect(text).toContain('href="/batches/B-000001"');
      expect(text).not.toContain("newer file");
    }
  });

  test("tells the sender, too, what the books will not understand, and what they would", async () => {
    const { workplace } = await openProvenDesk();
    await addPersonStep(workplace, {
      ...{ name: "mallory", roles: ["submitter"], person: "dave" },
      credential: KEYS.mallory.credential,
    });
    const path = `${workplace.config.folders.work}-books.csv`;
    const rows = ["K-1,0.01,5200", "K-2,0.02,6200", "K-3,0.03,Hosting"].map((row) => `${row},${ADDRESS}`);
    writeFileSync(path, `reference,amount,generalLedgerName,destinationAddress\n${rows.join("\n")}\n`);
    const { batchId } = await submitFile(signing(workplace, withKey(KEYS.mallory)), path, "mallory");
    const app = await deskOf(workplace);
    const mallory = await provenVisitor(app, signing(workplace, withKey(KEYS.mallory)), "mallory");
    const { text } = await mallory.get(`/batches/${batchId}`);
    expect(text).toContain("no line for GL account 5200, which will go to suspense (2999)");
    expect(text).toContain("Contractors (6200)");
    // The code is in the chart, so it is not reported as an unknown name.
    expect(text).not.toContain("GL account 6200,");
    expect(text).toContain("(1 payment)");
  });

  test("asks which column is meant, by whoever sent it in for this file", async () => {
    const { workplace } = await openSite();
    const app = await deskOf(workplace);
    const ann = await trialVisitor(app, "ann");
    const { location = "" } = await upload(app, ann, {
      "pay.csv": `reference,Net BTC,Gross BTC,destinationAddress\nC-1,0.1,0.2,${ADDRESS}\nC-2,0.3,0.4,${ADDRESS}\n`,
    });
    const { text } = await ann.get(location);
    expect(text).toContain("Which column is the amount?");
    const done = await ann.post(location, { "is-amount": "B1", ...hiddenFieldsOf(text, location) });
    expect(done.location).toBe("/batches/B-000001");
  });

  test("has an approver say which column is meant, and never who sent it in", async () => {
    const { workplace } = await openSite();
    const app = await deskOf(workplace);
    const [ann, ben] = [await trialVisitor(app, "ann"), await trialVisitor(app, "ben")];
    const { location = "" } = await upload(app, ann, {
      "pay.csv": `reference,Net,Gross,destinationAddress\nC-1,0.1,0.2,${ADDRESS}\nC-2,0.3,0.4,${ADDRESS}\n`,
    });
    const columns = { "is-amount": "C1", "heading-C1": "Gross" };
    expect((await ann.get(location)).text).not.toContain(`${location}/columns`);
    const sure = { ...columns, sure: "yes" };
    expect((await ann.post(`${location}/columns`, sure)).text).toContain("APPROVER_IS_SUBMITTER");
    expect((await ben.get(location)).text).toContain("Read it this way for this file");
    const asked = await ben.post(`${location}/columns`, columns);
    expect(plain(asked.text)).toMatch(
      /Read it this way for this file\?.*Nothing has been done yet.*“Gross” as the amount/s,
    );
    expect((await ann.post(location)).location).toBe(location);
    expect((await ben.post(`${location}/columns`, { ...columns, sure: "yes" })).location).toBe(location);
    const later = await trialVisitor(app, "ann");
    expect((await later.post(location)).location).toBe("/batches/B-000001");
    expect((await ann.get("/files")).text).toContain("0.6");
  });
});

describe("rows that were sent in before", () => {
  const HEAD = "reference,amount,destinationAddress\n";
  const row = (name: string, amount = "0.01") => `${name},${amount},${ADDRESS}\n`;

  async function paidFile() {
    const site = await openSite();
    const { workplace } = site;
    const path = join(site.folder, "november.csv");
    writeFileSync(path, HEAD + row("P-1") + row("P-2", "0.02"));
    const { digest = "" } = await submitFile(workplace, path, "ann");
    await approveStep(workplace, digest, "ben");
    await payStep(workplace);
    const arrived = async () => {
      await trackStep(workplace);
      return (await statusOf(workplace, "B-000001")).every(({ payoutState }) => payoutState === "COMPLETED");
    };
    await expect.poll(arrived).toBe(true);
    const app = await deskOf(workplace);
    return { ...site, app, ann: await trialVisitor(app, "ann") };
  }

  const PAID =
    /All 2 rows were sent in before: paid on \d+ \w+ \d{4} as B-000001\. They are not paid again\./;

  test("a file that was paid is answered by one sentence under any name, alike at the desk, in its answer and in the terminal, and has no field", async () => {
    const { app, ann, workplace, folder, environment } = await paidFile();
    const sent = readFileSync(join(folder, "november.csv"), "utf8");
    const same = await upload(app, ann, { "renamed.csv": sent });
    expect(plain(same.text)).toMatch(
      /Exactly this file was sent in before: paid on .* as B-000001\. Nothing/,
    );
    expect(same.text).toContain('<a href="/batches/B-000001">B-000001</a>');
    const known = readFileSync(join(folder, "outbox", "renamed.known.txt"), "utf8");
    expect(known).toMatch(/exactly this file was sent in before: paid on .* as B-000001\./);
    for (const [name, text] of [
      ["order.csv", HEAD + row("P-2", "0.02") + row("P-1")],
      [
        "wide.csv",
        `reference,amount,destinationAddress,note\nP-1,0.0100,${ADDRESS},a\nP-2,0.02,${ADDRESS},b\n`,
      ],
    ] as const) {
      const { location = "" } = await upload(app, ann, { [name]: text });
      const page = (await ann.get(location)).text;
      expect(plain(page)).toMatch(PAID);
      const main = page.slice(page.indexOf("<main"));
      expect(main).not.toMatch(/<input|<textarea|<form|another reference|Repair|Check again/);
      expect(main).toContain('<a href="/batches/B-000001">B-000001</a>');
      const answer = readFileSync(join(folder, "outbox", name.replace(".csv", ".rejected.csv.txt")), "utf8");
      expect(answer).toMatch(PAID);
      expect(answer).not.toMatch(/another reference|Correct the/);
      writeFileSync(join(folder, name), text);
      const { stdout } = await paydropInTurn(folder, ["validate", name], environment);
      expect(stdout).toMatch(PAID);
      const refused = await ann.post(location, { A2: "P-9" });
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("Nothing was done.")]);
    }
    const list = (await ann.get("/files")).text;
    expect(list).toMatch(/wide\.csv.*sent in before.*nothing in it is new/s);
    expect(list).not.toContain("came back");
    expect((await payStep(workplace)).due).toBe(0);
  });

  test("beside new rows, are left out by the sender's own tick, and only the new ones go to approval", async () => {
    const { app, ann, folder, sandbox, workplace } = await paidFile();
    const rows = HEAD + row("P-1") + row("P-2", "0.05") + row("P-3", "0.03") + row("P-4", "0.0x");
    const { location = "" } = await upload(app, ann, { "mixed.csv": rows });
    const page = await ann.get(location);
    expect(plain(page.text)).toMatch(
      /2 of 4 rows were sent in before: .* as B-000001\. .*Only the 2 rows that are new can be sent in, as a new file\./,
    );
    expect(plain(page.text)).toMatch(/The reference "P-2" belongs to a payment of 0\.02 BTC/);
    expect([...page.text.matchAll(/name="([A-Z]\d)"/g)].map(([, cell]) => cell)).toEqual(["B5"]);
    const answer = readFileSync(join(folder, "outbox", "mixed.rejected.csv.txt"), "utf8");
    expect(answer).toContain("Only the 2 rows that are new can be sent in");
    const touched = await ann.post(location, { A3: "P-5", "known-out": "yes", B5: "0.04" });
    expect([touched.status, touched.text]).toEqual([409, expect.stringContaining("Nothing was done.")]);
    const done = await ann.post(location, { "known-out": "yes", B5: "0.04" });
    expect(done.location).toBe("/batches/B-000002");
    const batch = plain((await ann.get("/batches/B-000002")).text);
    expect(batch).toContain("1 cell repaired and 2 rows left out by ann");
    expect(batch).toMatch(/Line 2the whole rowann, .*P-1 · 0\.01 · .*left out/);
    const { digest } = (await statusOfBatches(workplace)).at(-1)?.batch ?? { digest: "" };
    await approveStep(workplace, digest, "ben");
    await payStep(workplace);
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["P-1", "P-2", "P-3", "P-4"]);
  });

  test.each([
    ["waits for approval", "waiting for approval", "received"],
    ["is in doubt", "in doubt (perhaps paid)", "in doubt"],
    ["was refused", "refused by the service", "refused"],
  ])("of which the payment %s are told so, without a field for another reference", async (_, words, at) => {
    const { workplace, folder } = await openSite();
    const app = await deskOf(workplace);
    const ann = await trialVisitor(app, "ann");
    writeFileSync(join(folder, "first.csv"), HEAD + row("D-1"));
    await submitFile(workplace, join(folder, "first.csv"), "ann");
    await workplace.store.write(() => run(sql`update instruction set standing = ${at}`));
    const { location = "" } = await upload(app, ann, { "second.csv": `${HEAD}${row("D-1")}\n` });
    const { text } = await ann.get(location);
    expect(plain(text)).toContain(
      `Its only row was sent in before: ${words} as B-000001. It is not paid again.`,
    );
    expect(text.slice(text.indexOf("<main"))).not.toMatch(/<input|another reference/);
    expect(plain(text).includes("An operator pays refused or failed payments again")).toBe(at === "refused");
  });
});

/** The text of a page, without its tags. */
function plain(page: string): string {
  return unescaped(page.replaceAll(/<[^>]+>/g, ""));
}

const KEY = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn";

test("Today and Files count the same files that came back, and none that was sent again, could not be read or held nothing new", async () => {
  const { workplace } = await openSite();
  const app = await deskOf(workplace);
  const ann = await trialVisitor(app, "ann");
  for (let at = 0; at < 8; at += 1) await upload(app, ann, { "again.csv": BAD.replace("0.0x", `0.0x${at}`) });
  await upload(app, ann, { "good.csv": GOOD, "known.csv": `${GOOD}\n`, "unread.csv": "a,b\n1,2\n" });
  await upload(app, ann, { "other.csv": BAD, "empty.csv": "" });
  const [files, today] = [plain((await ann.get("/files")).text), plain((await ann.get("/")).text)];
  const said = "3 files came back";
  expect([files.includes(said), today.includes(said)]).toEqual([true, true]);
  expect(files.match(/came backnothing in it is paid/g)).toHaveLength(3);
  for (const page of [files, today]) expect(page).toContain("1 more could not be read");
});

test("the questions about files are counted by sender and month, for who sees all, and in `status --json`", async () => {
  const senders = { PAYDROP_FILES_SENDERS: '[{ name: acme, match: "acme-*.csv" }]' };
  const { workplace, folder, environment } = await openSite({}, senders);
  const app = await deskOf(workplace);
  const ann = await trialVisitor(app, "ann");
  const row = (at: number, status: string) => `A-${at},0.01${at},${ADDRESS},${status}\n`;
  const header = "reference,amount,destinationAddress,Status\n";
  await upload(app, ann, { "acme-1.csv": `${header}${row(1, "ok")}${row(2, "ok")}${row(3, "hold")}` });
  await upload(app, ann, { "acme-2.csv": `${header}${row(4, "ok")}${row(4, "ok").replace("A-4", "A-5")}` });
  await upload(app, ann, { "plain.csv": GOOD });
  const { questionsAsked } = JSON.parse(
    (await paydropInTurn(folder, ["status", "--json"], environment)).stdout,
  ).overview as Overview;
  expect(questionsAsked).toEqual([
    { sender: "acme", month: expect.stringMatching(/^\d{4}-\d\d$/), files: 2, questions: 5 },
    { sender: "ann", month: expect.stringMatching(/^\d{4}-\d\d$/), files: 1, questions: 0 },
  ]);
  const ben = await trialVisitor(app, "ben");
  expect(plain((await ben.get("/files")).text)).toMatch(
    /acme5 questionsin 2 files.*ann0 questionsin 1 file/s,
  );
});

describe("where people are proven", () => {
  async function desk() {
    const proven = await openProvenDesk();
    const { workplace } = proven;
    await addPersonStep(workplace, {
      ...{ name: "mallory", roles: ["submitter"], person: "dave" },
      credential: KEYS.mallory.credential,
    });
    const app = await deskOf(workplace);
    const sessions = sessionsOf(workplace);
    const signedIn = async (name: string) => {
      const person = visitor(app);
      person.cookies.set("__Host-session", await sessions.signIn(workplace, name, `code of ${name}`));
      return person;
    };
    return { ...proven, app, signedIn };
  }

  test("a file is signed before it is taken in, one after the other, and a repair too", async () => {
    const { app, signedIn } = await desk();
    const ann = await signedIn("ann");
    const signed = async (page: string, action: string) => {
      const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
      const form = Map.groupBy(fields, ([, name = ""]) => name);
      const values = [...form].map(([name, found]) => [
        name,
        found.map(([, , value = ""]) => unescaped(value)),
      ]);
      const { statement } = hiddenFieldsOf(page, action);
      return ann.post(action, { ...Object.fromEntries(values), ssh: signBy(KEYS.ann, statement ?? "") });
    };
    const shown = await upload(app, ann, { "a.csv": GOOD, "b.csv": GOOD.replace("G-1", "G-2") });
    expect(shown.text).toContain("Nothing has been done yet.");
    const second = await signed(shown.text, "/files/send-in");
    expect(second.text).toContain("b.csv");
    expect((await signed(second.text, "/files/send-in")).location).toBe("/files");

    const { location = "" } = await upload(app, ann, { "c.csv": BAD });
    const asked = await ann.post(location, { B3: "0.02" });
    expect(asked.text).toContain("Nothing has been done yet.");
    expect((await signed(asked.text, location)).location).toBe("/batches/B-000003");
  });

  test("who only sends files in finds nothing of what others sent", async () => {
    const { signedIn, workplace, folder } = await desk();
    writeFileSync(join(folder, "pay.csv"), BAD);
    const { sha256 } = await submitFile(workplace, join(folder, "pay.csv"), "ann");
    const mallory = await signedIn("mallory");
    const list = await mallory.get("/files");
    expect(list.text).not.toContain("pay.csv");
    for (const path of ["", "/sent", "/answer"]) {
      const { status, text } = await mallory.get(`/files/${sha256}${path}`);
      expect([status, text.includes("B-2")]).toEqual([404, false]);
    }
    expect((await mallory.post(`/files/${sha256}`, { B3: "0.02" })).status).toBe(404);
    const carol = await signedIn("carol");
    expect((await carol.get(`/files/${sha256}`)).text).toContain("Not to be repaired here");
    expect((await carol.post(`/files/${sha256}`, { B3: "0.02" })).status).toBe(403);
  });
});
