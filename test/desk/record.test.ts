/** The record and the payments as lists: what is asked for, and nothing else, on the page, in a file and by command. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import ExcelJS from "exceljs";
import type { FastifyInstance } from "fastify";
import JSZip from "jszip";
import { expect, test } from "vitest";
import { addPersonStep, approveStep, submitFile } from "../../src/index.ts";
import { dayIn } from "../../src/model/index.ts";
import { auditHead } from "../../src/store/audit.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { KEYS, openProvenDesk } from "../site/proven-desk.ts";
import { deskOf, ORIGIN, provenVisitor, type Visitor } from "./visitor.ts";

/** Two files of ann's, of which ben approved the first. */
async function openRecord() {
  const desk = await openProvenDesk();
  const { workplace, submit } = desk;
  await approveStep(workplace, await submit("A-1"), "ben");
  await submit("B-1", "0.02");
  const { credential } = KEYS.mallory;
  await addPersonStep(workplace, { name: "mallory", roles: ["submitter"], credential, person: "dave" });
  const app = await deskOf(workplace);
  return { ...desk, app, ben: await provenVisitor(app, workplace, "ben") };
}

function rowsOf(csv: string): Record<string, string>[] {
  return parse(csv, { columns: true });
}

/** A file that is not text. */
async function downloaded(app: FastifyInstance, visitor: Visitor, method: "GET" | "POST", url: string) {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const ours = { origin: ORIGIN, "sec-fetch-site": "same-origin" };
  const headers = { cookie, ...ours, "content-type": "application/x-www-form-urlencoded" };
  const sent =
    method === "POST" ? { method, url, headers, payload: "" } : { method, url, headers: { cookie } };
  return (await app.inject(sent)).rawPayload;
}

test("the record is found by person, kind, day and batch, with links, and downloaded so; not by who only submits", async () => {
  const { workplace, app, ben, folder, environment } = await openRecord();
  const today = dayIn(workplace.config.ledger.timeZone, new Date().toISOString());
  const actionsOf = async (query: string) => {
    const { text } = await ben.get(`/record/file/csv?${query}`);
    return rowsOf(text).map((entry) => [entry["did"], entry["about"]].join(" "));
  };
  const asked: readonly (readonly [query: string, options: readonly string[], found: readonly string[]])[] = [
    ["who=BEN&kind=approvals", ["--person", "BEN", "--kind", "approvals"], ["approve B-000001"]],
    ["about=b-000002", ["--about", "b-000002"], ["submit B-000002"]],
    ["who=nobody", ["--person", "nobody"], []],
    ["kind=files", ["--kind", "files"], ["submit B-000002", "submit B-000001"]],
    [
      `kind=files&from=${today}&to=${today}`,
      ["--kind", "files", "--from", today],
      ["submit B-000002", "submit B-000001"],
    ],
    ["kind=files&to=2020-01-01", ["--kind", "files", "--to", "2020-01-01"], []],
  ];
  for (const [query, options, found] of asked) {
    expect([query, await actionsOf(query)]).toEqual([query, found]);
    const { stdout } = await paydropInTurn(folder, ["--json", "audit", "list", ...options], environment);
    const { entries } = JSON.parse(stdout) as { entries: { action: string; subject: string }[] };
    expect([query, entries.map(({ action, subject }) => `${action} ${subject}`)]).toEqual([query, found]);
  }
  const { text } = await ben.get("/record?who=ben&kind=approvals");
  expect(text).toContain('<a href="/batches/B-000001">B-000001</a>');
  expect(text).not.toContain("B-000002");
  // What the search cannot find leads to its own entries.
  expect((await ben.get("/record?kind=people")).text).toContain('href="/record?about=desk"');
  expect((await ben.get("/record?about=desk")).text).toContain("Signed in");
  expect((await ben.get("/record?verify=1")).text).toMatch(/Intact as of .*Every decision in it is signed/s);

  const file = join(folder, "record.jsonl");
  expect(
    (await paydropInTurn(folder, ["audit", "export", file, "--kind", "files"], environment)).exitCode,
  ).toBe(0);
  const exported = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(exported).toMatchObject([
    { subject: "B-000002" },
    { subject: "B-000001", person: "ann", detail: { file: "A-1.csv" } },
  ]);

  const mallory = await provenVisitor(app, workplace, "mallory");
  for (const path of ["/record", "/record/file/csv", "/payments/file/csv"])
    expect([path, (await mallory.get(path)).status]).toEqual([path, 403]);
  expect((await mallory.post("/batches/B-000001/evidence")).status).toBe(403);
});

test("the evidence of a batch is downloaded from its page, and the record has its head", async () => {
  const { workplace, app, ben } = await openRecord();
  expect((await ben.get("/batches/B-000001")).text).toContain('action="/batches/B-000001/evidence"');
  const zip = await downloaded(app, ben, "POST", "/batches/B-000001/evidence");
  const seal = await (await JSZip.loadAsync(zip)).file("record/seal.jsonl")?.async("string");
  const head = await workplace.store.read(() => auditHead());
  expect(JSON.parse(seal ?? "[]")).toMatchObject([
    head?.seq,
    expect.any(String),
    "ben",
    "evidence",
    "B-000001",
    expect.any(String),
    head?.hash,
  ]);
  expect((await ben.get("/record?about=B-000001&kind=evidence")).text).toContain(head?.hash);
});

test("payments are listed by day, payee, currency and standing, and as CSV and workbook", async () => {
  const { workplace, app, ben, folder } = await openRecord();
  const path = join(folder, "payees.csv");
  const [address] = (await ben.get("/payments/file/csv")).text.match(/bc1\w+/) ?? [];
  writeFileSync(
    path,
    `reference,amount,destinationAddress,customerId\nZ-1,0.03,${address},Zoë\n=Z-2,0.04,${address},Zoë\n`,
  );
  await submitFile(workplace, path, "ann");
  const today = dayIn(workplace.config.ledger.timeZone, new Date().toISOString());
  const asked: readonly (readonly [query: string, found: readonly string[]])[] = [
    ["", ["'=Z-2", "Z-1", "B-1", "A-1"]],
    ["payee=zoe", ["'=Z-2", "Z-1"]],
    ["payee=nobody", []],
    ["standing=approved", ["A-1"]],
    ["currency=LTC", []],
    ["currency=BTC&payee=Zo", ["'=Z-2", "Z-1"]],
    [`from=${today}&to=${today}&standing=approved`, ["A-1"]],
    ["to=2020-01-01", []],
    ["from=2090-01-01", []],
  ];
  for (const [query, found] of asked) {
    const { text } = await ben.get(`/payments/file/csv?${query}`);
    const references = rowsOf(text).map((row) => row["reference"]);
    expect([query, references]).toEqual([query, found]);
    const { text: page } = await ben.get(`/payments?${query}`);
    for (const reference of ["Z-1", "A-1", "B-1"])
      expect([query, page.includes(`>${reference}<`)]).toEqual([query, found.includes(reference)]);
  }
  const workbook = new ExcelJS.Workbook();
  const xlsx = await downloaded(app, ben, "GET", "/payments/file/xlsx?payee=zoe");
  await workbook.xlsx.load(Uint8Array.from(xlsx).buffer);
  const sheet = workbook.getWorksheet("Payments");
  expect(sheet?.getRow(3).values).toMatchObject({ 1: "Z-1", 2: "Zoë", 3: 0.03, 4: "BTC", 10: "B-000003" });
  expect(sheet?.rowCount).toBe(3);
});
