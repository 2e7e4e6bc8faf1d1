/** Answers of a person to how a file is read: asked once for a sender's layout, until something changes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveStep, payStep, previewStep, statusOf, submitFile } from "../../src/index.ts";
import { readApproved } from "../../src/model/index.ts";
import { acceptLayoutStep } from "../../src/payments/layout-step.ts";
import { listAudit } from "../../src/store/audit.ts";
import { listApprovals } from "../../src/store/batches.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { ADDRESS, openSite } from "../site/service.ts";

const ADDRESSES = [ADDRESS, "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"];
const HEADER = "reference,amount,destinationAddress,Status";
const NOTHING_LEFT_OUT = { columns: {}, leaveOut: [] };

async function openDesk() {
  const site = await openSite({}, { PAYDROP_FILES_SENDERS: '[{ name: acme, match: "acme-*.csv" }]' });
  let sent = 0;
  const submitText = (name: string, content: string | Buffer, person = "ann") => {
    const path = join(site.folder, name);
    writeFileSync(path, content);
    return submitFile(site.workplace, path, person);
  };
  /** Submits one row for each status, with references and amounts of its own. */
  const submit = (name: string, statuses: readonly string[], person?: string) => {
    sent += 1;
    const rows = statuses.map((status, at) => `P-${sent}-${at},0.01${sent}${at},${ADDRESSES[at]},${status}`);
    return submitText(name, `${[HEADER, ...rows].join("\n")}\n`, person);
  };
  const approve = (digest: string | undefined, acceptReading?: number) =>
    approveStep(site.workplace, digest ?? "", "ben", { acceptReading });
  const accept = (name: string | undefined, person: string, leaveOut: readonly string[] = []) =>
    acceptLayoutStep(site.workplace, name ?? "", { person, columns: {}, leaveOut });
  return { ...site, submitText, submit, approve, accept };
}

const asked = ({ reading }: Awaited<ReturnType<typeof submitFile>>) =>
  reading?.questions.map(({ text }) => text);

test("what is asked about a file must be accepted by its number, and stands in the approval and the audit record", async () => {
  const { workplace, submit, approve } = await openDesk();
  const report = await submit("acme-1.csv", ["ok", "ok", "on hold"]);
  const questions = ['column "Status" says "ok" in 2 rows', 'column "Status" says "on hold" in 1 row'];
  expect(asked(report)).toEqual(questions);
  for (const wrong of [undefined, 1, 3])
    await expect(approve(report.digest, wrong)).rejects.toMatchObject({
      problem: { code: "READING_NOT_ACCEPTED", message: expect.stringContaining(": 2, of which") },
    });
  const approved = await approve(report.digest, 2);
  expect(approved.released).toBe(3);
  const accepted = [
    { about: questions[0], code: "READING_NOT_ACCEPTED", rows: [1, 2] },
    { about: questions[1], code: "READING_NOT_ACCEPTED", rows: [3] },
  ];
  expect(approved.approved.accepted).toEqual(accepted);
  const [approval] = await workplace.store.read(() => listApprovals(approved.batch.id));
  expect(readApproved(approval?.approved ?? "").accepted).toEqual(accepted);
  const [ofLayout] = await workplace.store.read(() => listAudit(["acme"]));
  expect(ofLayout).toMatchObject({ action: "accept layout", person: "ben" });
  expect(`${ofLayout?.detail["accepted"]}`.match(/"pay"/g)).toHaveLength(2);
});

test("what was accepted is not asked again about the files of a named sender, until a value is new", async () => {
  const { submit, approve } = await openDesk();
  for (const [sender, next] of [
    ["acme", []],
    ["other", ['column "Status" says "ok" in 2 rows']],
  ] as const) {
    await approve((await submit(`${sender}-1.csv`, ["ok", "ok"])).digest, 1);
    expect(asked(await submit(`${sender}-2.csv`, ["ok", "ok"]))).toEqual(next);
  }
  expect(asked(await submit("acme-3.csv", ["ok", "ok", "void"]))).toEqual([
    'column "Status" says "void" in 1 row',
  ]);
});

test("rows with a value that is not to be paid are left out: their batch is withdrawn, and its other rows are paid", async () => {
  const { workplace, folder, sandbox, submit, approve, accept } = await openDesk();
  const { batchId, digest } = await submit("acme-1.csv", ["ok", "ok", "on hold"]);
  const { withdrawn, takenInAs } = await accept(batchId, "ben", ["Status=on hold"]);
  expect(withdrawn).toBe(batchId);
  expect(takenInAs).toMatchObject({
    verdict: "accepted",
    rowsAccepted: 2,
    rowsLeftOut: 1,
    file: "acme-1.csv",
  });
  expect(asked(takenInAs ?? expect.fail())).toEqual([]);
  await expect(approve(digest)).rejects.toMatchObject({ problem: { code: "APPROVAL_NOT_OPEN" } });
  // It now differs from the file that its submitter signed, so it takes one person more.
  expect((await approve(takenInAs?.digest)).isReleased).toBe(false);
  expect((await approveStep(workplace, takenInAs?.digest ?? "", "carol")).released).toBe(2);
  await payStep(workplace);
  expect(
    sandbox
      .creations()
      .map(({ reference }) => reference)
      .toSorted(),
  ).toEqual(["P-1-0", "P-1-1"]);
  expect((await statusOf(workplace, "P-1-2")).map(({ standing }) => standing)).toEqual(["withdrawn"]);
  const answer = readFileSync(join(folder, "outbox", "acme-1.accepted.csv"), "utf8");
  expect(answer).toMatch(/^P-1-2,.*on hold,.*says ""on hold""/m);
  await expect(accept(batchId, "ben", ["Status=gone"])).rejects.toMatchObject({
    problem: { code: "NAME_UNKNOWN" },
  });
});

test("a value that is not to be paid is left out also where every other row says something else", async () => {
  const { submit, accept } = await openDesk();
  const { batchId } = await submit("acme-1.csv", ["ok", "ok", "on hold"]);
  await accept(batchId, "ben", ["Status=on hold"]);
  const next = await submit("acme-2.csv", ["called Ann", "on hold", "new bank"]);
  expect([next.rowsAccepted, next.rowsLeftOut]).toEqual([2, 1]);
});

test("nobody accepts how a file is read that they submit themselves", async () => {
  const { submit, accept } = await openDesk();
  const { batchId } = await submit("acme-1.csv", ["ok", "ok"]);
  await expect(accept(batchId, "Ann")).rejects.toMatchObject({ problem: { code: "APPROVER_IS_SUBMITTER" } });
  await accept(batchId, "ben");
  expect(asked(await submit("acme-2.csv", ["ok", "ok"], "ben"))).toHaveLength(1);
  expect(asked(await submit("acme-3.csv", ["ok", "ok"], "ann"))).toEqual([]);
});

test("what a person says about a column is how the file is read that comes back unchanged", async () => {
  const { workplace, folder, submitText } = await openDesk();
  const rows = [0, 1].map((at) => `P-${at},0.0${at + 1},${ADDRESSES[at]},${ADDRESSES[at + 1]}`);
  const text = `${["reference,amount,Where,Back", ...rows].join("\n")}\n`;
  expect(await submitText("acme-1.csv", text)).toMatchObject({ verdict: "rejected" });
  const decision = { person: "ben", columns: { Where: "destinationAddress" }, leaveOut: [] } as const;
  await acceptLayoutStep(workplace, join(folder, "acme-1.csv"), decision);
  const { verdict, batchId } = await submitText("acme-1.csv", text);
  expect(verdict).toBe("accepted");
  const paid = await statusOf(workplace, batchId ?? "");
  expect(paid.map(({ fields }) => fields.destinationAddress)).toEqual(ADDRESSES.slice(0, 2));
  const unknown = { ...NOTHING_LEFT_OUT, person: "ben", columns: { Whence: "ignore" } } as const;
  await expect(acceptLayoutStep(workplace, batchId ?? "", unknown)).rejects.toMatchObject({
    problem: { code: "NAME_UNKNOWN" },
  });
});

test("an amount more than ten times, and a sum more than three times the largest that was released of a layout wait", async () => {
  const { submitText, approve } = await openDesk();
  const of = (reference: string, amount: string) =>
    `reference,amount,destinationAddress\n${reference},${amount},${ADDRESS}\n`;
  expect(asked(await submitText("acme-0.csv", of("P-0", "0.3")))).toEqual([]);
  await approve((await submitText("acme-1.csv", of("P-1", "0.01"))).digest);
  expect(asked(await submitText("acme-2.csv", of("P-2", "0.03")))).toEqual([]);
  const three = "the sum of 0.031 BTC is more than three times the largest so far, 0.01";
  expect(asked(await submitText("acme-4.csv", of("P-5", "0.031")))).toEqual([three]);
  const unusual = await submitText("acme-3.csv", of("P-3", "0.11"));
  expect(asked(unusual)).toEqual([
    expect.stringContaining("0.11 BTC is more than ten times the largest amount so far"),
    expect.stringContaining("the sum of 0.11 BTC is more than three times"),
  ]);
  await expect(approve(unusual.digest)).rejects.toMatchObject({ problem: { code: "READING_NOT_ACCEPTED" } });
  const many = [0.11, 0.12, 0.13, 0.14].map((amount, row) => `M-${row},${amount},${ADDRESS}\n`);
  const header = "reference,amount,destinationAddress\n";
  expect(asked(await submitText("acme-5.csv", `${header}${many.join("")}`))).toEqual([
    "4 amounts are each more than ten times the largest amount so far, 0.01: 0.11 BTC, 0.12 BTC, 0.13 BTC and more",
    expect.stringContaining("the sum of 0.5 BTC is more than three times"),
  ]);
  expect(asked(await submitText("other.csv", of("P-4", "0.4")))).toEqual([]);
  // Without a named sender, the files of one submitter are compared.
  await approve((await submitText("own-1.csv", of("P-6", "0.02"), "carol")).digest);
  expect(asked(await submitText("own-2.csv", of("P-7", "0.061"), "carol"))).toHaveLength(1);
  expect(asked(await submitText("own-3.csv", of("P-8", "0.06"), "carol"))).toEqual([]);
  expect(asked(await submitText("own-4.csv", of("P-9", "0.5")))).toEqual([]);
});

test("preview and status show what is asked about a batch, and what was found when it was taken in", async () => {
  const { workplace, folder, environment, submitText } = await openDesk();
  const text = `${HEADER},payee,generalLedgerName\nP-1,0.01,${ADDRESS},ok,M\xfcller,Hosting\nP-2,0.02,${ADDRESSES[1]},ok,Ann,Hosting\n`;
  const { batchId = "", warnings } = await submitText("acme-1.csv", Buffer.from(text, "latin1"));
  expect(warnings).toMatchObject([{ code: "ENCODING_GUESSED" }]);
  const preview = await previewStep(workplace, batchId);
  expect(preview.questions).toMatchObject([{ text: 'column "Status" says "ok" in 2 rows', lines: [2, 3] }]);
  expect(preview.warnings).toEqual(warnings);
  const { stdout } = await paydropInTurn(folder, ["status", batchId], environment);
  expect(stdout).toContain('asked about the file: column "Status" says "ok" in 2 rows');
  expect(stdout).toContain("ENCODING_GUESSED in line 2");
});
