/** A batch that its approver rejected comes back corrected, with the company's own references for its payments. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  approveStep,
  createPayoutStep,
  explainStep,
  payStep,
  previewStep,
  recallStep,
  statusOfBatches,
  submitFile,
  validateFile,
} from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { tamper } from "../store/stored-batch.ts";

const HEADER = "reference,accountId,amount,destinationAddress";

type Row = readonly [reference: string, amount: string];

async function openCompany() {
  const site = await openSite();
  const { folder, workplace } = site;
  const submit = (name: string, ...rows: readonly Row[]) => {
    const lines = rows.map(([reference, amount]) => `${reference},treasury-btc,${amount},${ADDRESS}`);
    writeFileSync(join(folder, name), [HEADER, ...lines, ""].join("\n"));
    return submitFile(workplace, join(folder, name), "ann");
  };
  const takeBack = (reference: string) =>
    recallStep(workplace, { reference, person: "ben", reason: "B is too much" });
  const approve = (digest = "") => approveStep(workplace, digest, "ben");
  return { ...site, submit, takeBack, approve };
}

test("corrected, it is taken with a warning, approved anew, and each reference is paid once", async () => {
  const { workplace, sandbox, submit, takeBack, approve } = await openCompany();
  await submit("november.csv", ["A", "0.01"], ["B", "0.2"]);
  await takeBack("B-000001");
  const corrected = await submit("corrected.csv", ["A", "0.01"], ["B", "0.02"]);
  expect(corrected).toMatchObject({ verdict: "accepted", batchId: "B-000002" });
  const told = corrected.warnings.filter(({ code }) => code === "REFERENCE_WITHDRAWN_BEFORE");
  expect(told.map(({ message }) => message)).toEqual([
    'the payment "A" came in another file before, and was not sent: rejected as B-000001, row 1',
    'the payment "B" came in another file before, and was not sent: rejected as B-000001, row 2',
  ]);

  expect(await previewStep(workplace, "B-000002")).toMatchObject({ withdrawnBefore: 2 });
  expect(await payStep(workplace)).toMatchObject({ due: 0 });
  await approve(corrected.digest);
  expect(await payStep(workplace)).toMatchObject({ due: 2, accepted: 2 });
  const bodies = sandbox.creations().map(({ body }) => body);
  expect(bodies).toEqual([
    expect.stringMatching(/"reference":"A".*"amount":0\.01\b/),
    expect.stringMatching(/"reference":"B".*"amount":0\.02\b/),
  ]);
  expect(await payStep(workplace)).toMatchObject({ due: 0 });
  expect(sandbox.creations()).toHaveLength(2);

  expect((await statusOfBatches(workplace)).map(({ standings }) => standings)).toMatchObject([
    [{ standing: "withdrawn", totals: [{ count: 2 }] }],
    [{ standing: "accepted", totals: [{ count: 2 }] }],
  ]);
  const { instruction, lines } = await explainStep(workplace, "B");
  expect(instruction).toMatchObject({ batchId: "B-000002", standing: "accepted" });
  expect(lines.map(({ what }) => what)).toContain("recall payment: reason B is too much");
  expect((await reconcileStep(workplace)).breaks.filter(({ severity }) => severity === "alarm")).toEqual([]);
});

test("it may be refused once more, and corrected once more", async () => {
  const { workplace, sandbox, submit, takeBack, approve } = await openCompany();
  for (const [index, amount] of ["0.3", "0.2", "0.1"].entries()) {
    const { verdict, digest } = await submit(`${index}.csv`, ["A", amount]);
    expect(verdict).toBe("accepted");
    if (amount === "0.1") await approve(digest);
    else await takeBack(`B-00000${index + 1}`);
  }
  await payStep(workplace);
  expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["A"]);
  expect(await submit("4.csv", ["A", "0.4"])).toMatchObject({
    verdict: "rejected",
    problems: [{ code: "REFERENCE_USED" }],
  });
});

test("what is not withdrawn, and what left in spite of it, keeps its reference", async () => {
  const { workplace, submit, takeBack, approve } = await openCompany();
  const { digest } = await submit("november.csv", ["A", "0.01"], ["B", "0.02"], ["C", "0.04"]);
  await approve(digest);
  await takeBack("B");
  await payStep(workplace);
  // An older Paydrop also called a payment withdrawn that had been sent, refused and re-opened.
  await tamper(
    workplace.store,
    "update instruction set standing = 'withdrawn', payout_id = null where reference = 'C'",
  );
  const again = await submit("again.csv", ["A", "0.04"], ["B", "0.05"], ["C", "0.06"]);
  expect(again.verdict).toBe("rejected");
  expect(again.problems.map(({ code, row }) => [code, row])).toEqual([
    ["REFERENCE_USED", 1],
    ["REFERENCE_USED", 3],
  ]);
});

test("unchanged it does not come back: neither the same file nor the same rows in another", async () => {
  const { folder, workplace, submit, takeBack } = await openCompany();
  await submit("november.csv", ["A", "0.01"], ["B", "0.02"]);
  await takeBack("B-000001");
  expect(await submit("same.csv", ["A", "0.01"], ["B", "0.02"])).toMatchObject({
    verdict: "rejected",
    problems: [{ code: "FILE_ALREADY_KNOWN" }],
  });
  const path = join(folder, "other-bytes.csv");
  writeFileSync(path, readFileSync(join(folder, "november.csv"), "utf8").replaceAll("\n", "\r\n"));
  const unchanged = { verdict: "rejected", problems: [{ code: "BATCH_UNCHANGED" }] };
  expect(await validateFile(workplace, path)).toMatchObject(unchanged);
  const { answers, ...report } = await submitFile(workplace, path, "ann");
  expect(report).toMatchObject(unchanged);
  expect(readFileSync(answers.at(-1) ?? "", "utf8")).toContain("batch B-000001, which was rejected");
  expect(await submit("turned.csv", ["B", "0.02"], ["A", "0.01"])).toMatchObject({ verdict: "accepted" });
});

test("the correction of a file's other rows brings a payment back that its whole batch was, and not one that was taken back alone", async () => {
  const { folder, openAgain, takeBack } = await openCompany();
  const workplace = openAgain({ PAYDROP_FILES_ON_BAD_ROW: "reject-row" });
  const correct = async (name: string, amount: string) => {
    writeFileSync(join(folder, name), answer.replace(",nothing,", `,${amount},`));
    return submitFile(workplace, join(folder, name), "ann");
  };
  const rows = [
    `A,treasury-btc,0.01,${ADDRESS}`,
    `B,treasury-btc,0.02,${ADDRESS}`,
    `C,treasury-btc,nothing,${ADDRESS}`,
  ];
  writeFileSync(join(folder, "november.csv"), [HEADER, ...rows, ""].join("\n"));
  const { digest = "" } = await submitFile(workplace, join(folder, "november.csv"), "ann");
  await approveStep(workplace, digest, "ben");
  const answer = readFileSync(join(folder, "outbox", "november.rejected.csv"), "utf8");
  await takeBack("A");
  const next = await correct("next.csv", "0.03");
  expect(next).toMatchObject({ verdict: "accepted", rowsAccepted: 1, rowsAcceptedBefore: 2 });

  await takeBack("B");
  await takeBack("B-000002");
  const whole = await correct("whole.csv", "0.04");
  expect(whole).toMatchObject({ verdict: "accepted", rowsAccepted: 3, rowsAcceptedBefore: 0 });
});

test("two files that ask for the same references at once get them once", async () => {
  const { openAgain, folder, submit, takeBack } = await openCompany();
  await submit("november.csv", ["A", "0.2"]);
  await takeBack("B-000001");
  const reports = await Promise.all(
    ["0.01", "0.02", "0.03"].map((amount) => {
      const path = join(folder, `${amount}.csv`);
      writeFileSync(path, `${HEADER}\nA,treasury-btc,${amount},${ADDRESS}\n`);
      return submitFile(openAgain(), path, "ann");
    }),
  );
  expect(reports.map(({ verdict }) => verdict).sort()).toEqual(["accepted", "rejected", "rejected"]);
});

test("a payout that was asked for at the command line, taken back and replaced by a file's is not what a second asking approves", async () => {
  const { workplace, sandbox, submit, takeBack } = await openCompany();
  const cells = { reference: "A", accountId: "treasury-btc", amount: "0.01", destinationAddress: ADDRESS };
  const ask = (approvedBy: readonly string[]) =>
    createPayoutStep(workplace, { cells, submittedBy: "ann", approvedBy });
  await ask([]);
  await takeBack("B-000001");
  await submit("other.csv", ["A", "0.09"]);
  const again = await ask(["ben"]);
  expect(again).toMatchObject({ submitted: { problems: [{ code: "FILE_ALREADY_KNOWN" }] } });
  expect(again.instruction).toBeUndefined();
  expect(sandbox.creations()).toEqual([]);
  expect((await statusOfBatches(workplace)).map(({ standings }) => standings[0]?.standing)).toEqual([
    "withdrawn",
    "received",
  ]);
});
