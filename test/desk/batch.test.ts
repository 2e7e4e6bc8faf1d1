/**
 * The batch page: who sees it, what must be ticked, what a decision needs, and what the page says if somebody was
 * faster.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectFileStep } from "../../src/expected/index.ts";
import {
  addPersonStep,
  approveStep,
  explainStep,
  payStep,
  previewStep,
  recallStep,
  statusOf,
  statusOfBatches,
  submitFile,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { writeResults } from "../../src/payments/write-results.ts";
import { run, sql } from "../../src/store/sql.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { addressOf } from "../files/bitcoin-addresses.ts";
import { KEYS, openProvenDesk } from "../site/proven-desk.ts";
import { ADDRESS, openSite, type Site, TREASURY } from "../site/service.ts";
import { decideBy, deskOf, hiddenFieldsOf, provenVisitor, trialVisitor, unescaped } from "./visitor.ts";

async function sendIn({ folder }: Pick<Site, "folder">, workplace: Workplace, name: string, rows: string) {
  const path = join(folder, `${name}.csv`);
  writeFileSync(path, `reference,amount,destinationAddress,customerId,Status\n${rows}\n`);
  const { batchId, digest = "", problems } = await submitFile(workplace, path, "ann");
  if (batchId === undefined) throw new Error(JSON.stringify(problems));
  return { path: `/batches/${batchId}`, digest, id: batchId };
}

test("what was sent since the balance was seen is not offered as what is left", async () => {
  const site = await openSite({}, { PAYDROP_APPROVAL_RULES: '[{"people":1}]' });
  const { workplace } = site;
  await reconcileStep(workplace);
  const sent = await sendIn(site, workplace, "sent", `S-1,0.75,${ADDRESS},Zoë,`);
  await approveStep(workplace, sent.digest, "ben");
  await payStep(workplace);
  const { path } = await sendIn(site, workplace, "new", `N-1,0.5,${ADDRESS},Zoë,`);
  const { text } = await (await trialVisitor(await deskOf(workplace), "ben")).get(path);
  const words = text.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
  expect(words).toMatch(/holds ?12\.50000000 BTC ?Sent since the last look ?−0\.75000000 BTC/);
  expect(words).toMatch(/This file ?−0\.50000000 BTC ?Left after it ?11\.25000000 BTC/);
});

test("a desk without the keys says, before anybody ticks, that the sending machine must have run once", async () => {
  const site = await openSite({}, { PAYDROP_APPROVAL_RULES: '[{"people":1}]' });
  const { path } = await sendIn(site, site.workplace, "first", `F-1,0.01,${ADDRESS},Zoë,`);
  const without = Object.fromEntries(Object.keys(SANDBOX_SECRETS).map((name) => [name, undefined]));
  const bare = site.openAgain(without);
  const ben = await trialVisitor(await deskOf(bare), "ben");
  const before = (await ben.get(path)).text;
  expect(before).toContain("start the machine that sends, once");
  expect(before).not.toContain('form="ap"');
  const { status, text } = await ben.post(`${path}/approve`, { stamp: "" });
  expect([status, text.includes("PAYDROP_KEY is not set")]).toEqual([409, false]);
  await payStep(site.workplace);
  const { text: after } = await ben.get(path);
  const { location } = await ben.post(`${path}/approve`, hiddenFieldsOf(after, `${path}/approve`));
  expect(location).toBe(path);
});

test("nothing is approved until every box is ticked; the evidence stays with who accepted it", async () => {
  const site = await openSite({}, { PAYDROP_APPROVAL_RULES: '[{"people":2}]' });
  const { workplace } = site;
  const rows = `A-1,0.01,${ADDRESS},Zoë,open\nA-2,0.01,${ADDRESS},Other,open\nA-3,0.03,${ADDRESS},Zoë,hold`;
  const { path } = await sendIn(site, workplace, "rows", rows);
  const app = await deskOf(workplace);
  const [ben, carol] = [await trialVisitor(app, "ben"), await trialVisitor(app, "carol")];
  const { text } = await ben.get(path);
  expect(text).toContain(ADDRESS);
  expect(text).toContain("says &#34;hold&#34; in 1 row");
  expect(text).not.toContain(" checked");
  // Each fact once: a ticked question is not repeated as information.
  expect(text.match(/says &#34;hold&#34;/g)).toHaveLength(1);
  expect(text).not.toContain("Columns not read");
  const boxes = [...text.matchAll(/type="checkbox" id="t-\w+" name="(\w+)" value="\d+" required/g)].map(
    ([, name = ""]) => name,
  );
  expect(boxes.toSorted()).toEqual(["other", "repeats", "values"]);
  const fields = hiddenFieldsOf(text, `${path}/approve`);
  const ticked = { other: "1", repeats: "1", values: "2" };
  for (const box of boxes) {
    const { status, text: refused } = await ben.post(`${path}/approve`, { ...fields, ...ticked, [box]: "" });
    expect([box, status]).toEqual([box, 409]);
    expect(refused).toContain("Nothing was done.");
  }
  const another = await ben.post(`${path}/approve`, { ...ticked, stamp: "of another page" });
  expect([
    another.status,
    another.text.includes("STATEMENT") || another.text.includes("is not what the page showed"),
  ]).toEqual([409, true]);
  expect((await ben.post(`${path}/approve`, { ...fields, ...ticked })).location).toBe(path);
  expect((await ben.get(path)).text).toContain("You have approved it; others must as well.");
  const again = hiddenFieldsOf((await carol.get(path)).text, `${path}/approve`);
  expect((await carol.post(`${path}/approve`, { ...again, other: "1", repeats: "1" })).location).toBe(path);
  // After the release the evidence stays with who accepted what, and the rows keep their marks.
  const check = async () => {
    const { text } = await (await trialVisitor(app, "dora")).get(path);
    const plain = unescaped(text.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " "));
    expect(plain).toContain("What was looked at before the decision");
    for (const title of [
      "1 payment: the same amount went to",
      "1 payment: the address stands for another name",
    ])
      expect(plain).toMatch(new RegExp(`${title}[^.]*accepted by ben and carol`));
    expect(plain).toMatch(/2 values beside the payments.* accepted by ben /);
    for (const evidence of [
      'says "hold" in 1 row',
      "row 1 of this batch",
      "Paid for the first time",
      'column "Status" says "open" in 2 rows',
    ])
      expect([evidence, plain.includes(evidence)]).toEqual([evidence, true]);
    // Each fact once: an accepted question is not repeated as information.
    expect(plain).not.toContain("Columns not read");
    expect(text).toMatch(/badge warn">paid before/);
    expect(text).not.toContain('type="checkbox"');
  };
  expect(text).toContain("Look at these first");
  await check();
  await payStep(workplace);
  await check();
  expect(site.sandbox.creations()).toHaveLength(3);
  expect((await ben.get(path)).text).toContain("3 payments");
});

test("says why it takes so many people: the sum, of how many hours, and above which limit", async () => {
  const site = await openSite(
    {},
    { PAYDROP_APPROVAL_RULES: '[{ upTo: { BTC: "0.5" }, people: 1 }, { people: 2 }]' },
  );
  const { workplace } = site;
  const first = await sendIn(site, workplace, "first", `F-1,0.45,${ADDRESS},Zoë,open`);
  await approveStep(workplace, first.digest, "ben", { acceptReading: 1 });
  const { path } = await sendIn(site, workplace, "second", `S-1,0.12345678,${ADDRESS},Zoë,open`);
  const ben = await trialVisitor(await deskOf(workplace), "ben");
  expect((await ben.get(path)).text).toContain("2 people</dd><dd>0.57 BTC in 24 hours, above 0.5 BTC");
  const large = await sendIn(site, workplace, "third", `T-1,0.9,${ADDRESS},Zoë,open`);
  expect((await ben.get(large.path)).text).toMatch(
    /2 people<\/dd><dd>\S+ BTC(?: in 24 hours)?, above 0.5 BTC/,
  );
});

test("a batch that no rule covers asks for no approval, because none would do", async () => {
  const site = await openSite({}, { PAYDROP_APPROVAL_RULES: '[{ upTo: { BTC: "0.5" }, people: 1 }]' });
  const { path } = await sendIn(site, site.workplace, "large", `L-1,0.7,${ADDRESS},Zoë,open`);
  const { text } = await (await trialVisitor(await deskOf(site.workplace), "ben")).get(path);
  expect(text).toContain("No approval rule covers it, so it cannot be paid.");
  expect(text).not.toContain("more person");
});

test("who sent a file in is told why they may not approve it, and who only submits sees no other file", async () => {
  const desk = await openProvenDesk();
  const { workplace } = desk;
  await addPersonStep(workplace, {
    name: "mallory",
    roles: ["submitter"],
    person: "dave",
    credential: KEYS.mallory.credential,
  });
  const { path } = await sendIn(desk, workplace, "own", `A-1,0.01,${ADDRESS},Zoë,`);
  const app = await deskOf(workplace);
  const ann = await provenVisitor(app, workplace, "ann");
  const { text } = await ann.get(path);
  expect(text).toContain("Ann submitted this batch and cannot approve it.");
  expect(text).not.toContain('form="ap"');
  expect((await ann.post(`${path}/approve`, hiddenFieldsOf(text, `${path}/approve`))).status).toBe(409);
  const mallory = await provenVisitor(app, workplace, "mallory");
  expect((await mallory.get(path)).status).toBe(404);
  expect((await mallory.post(`${path}/reject`, { reason: "mine" })).status).toBe(403);
  expect((await ann.get("/batches/B-999999")).status).toBe(404);
});

test("if somebody was faster, nothing is applied, and the page shows how it is now", async () => {
  const desk = await openProvenDesk();
  const { workplace } = desk;
  const { path, id } = await sendIn(desk, workplace, "slow", `A-1,0.01,${ADDRESS},Zoë,`);
  const app = await deskOf(workplace);
  const ben = await provenVisitor(app, workplace, "ben");
  const fields = hiddenFieldsOf((await ben.get(path)).text, `${path}/approve`);
  await recallStep(workplace, { reference: id, person: "carol", reason: "not ours" });
  const { status, text } = await decideBy(ben, KEYS.ben, `${path}/approve`, fields);
  expect(status).toBe(409);
  expect(text).toContain("Nothing was done.");
  expect(text).toContain("Rejected by carol: not ours. Nothing in it is paid.");
});

test("an approval that is sent twice counts once, and the second answer leads to the batch as well", async () => {
  const site = await openSite({}, { PAYDROP_APPROVAL_RULES: '[{"people":2}]' });
  const { path } = await sendIn(site, site.workplace, "twice", `A-1,0.01,${ADDRESS},Zoë,`);
  const app = await deskOf(site.workplace);
  for (const [name, now] of [
    ["ben", "Approval, 1 of 2"],
    ["carol", "Approved by ben and carol."],
  ] as const) {
    const person = await trialVisitor(app, name);
    const fields = hiddenFieldsOf((await person.get(path)).text, `${path}/approve`);
    for (const _ of ["first", "second"])
      expect((await person.post(`${path}/approve`, fields)).location).toBe(path);
    expect((await person.get(path)).text).toContain(now);
  }
});

test("an approval for another operation counts nowhere, and who gave it may give it again", async () => {
  const site = await openSite({}, { PAYDROP_APPROVAL_RULES: '[{"people":2}]' });
  const { path, digest } = await sendIn(site, site.workplace, "other", `A-1,0.01,${ADDRESS},Zoë,`);
  for (const person of ["ben", "carol"]) await approveStep(site.workplace, digest, person);
  await site.workplace.close();
  const operation = "createAndFirstAuthorizationPayoutV2";
  const account = `{ name: treasury-btc, id: "${TREASURY}", currency: BTC, createOperation: ${operation} }`;
  const changed = site.openAgain({ PAYDROP_CUSTODY_ACCOUNTS: `[${account}]` });
  expect(await payStep(changed)).toMatchObject({ accepted: 0 });
  const app = await deskOf(changed);
  const ben = await trialVisitor(app, "ben");
  expect((await ben.get("/")).text).toMatch(/again: 2 approvals missing.*Look and approve/s);
  for (const [name, now] of [
    ["ben", "2 people approve it; nobody has, and you can."],
    ["carol", "2 people approve it; ben has, and you can."],
  ] as const) {
    const person = await trialVisitor(app, name);
    const { text } = await person.get(path);
    expect(text).toContain(now);
    const fields = hiddenFieldsOf(text, `${path}/approve`);
    expect((await person.post(`${path}/approve`, fields)).location).toBe(path);
  }
  expect(await payStep(changed)).toMatchObject({ accepted: 1 });
});

test("a file is rejected with a reason and a signature", async () => {
  const desk = await openProvenDesk();
  const { workplace } = desk;
  const { path, digest } = await sendIn(desk, workplace, "bad", `A-1,0.01,${ADDRESS},Zoë,`);
  const ben = await provenVisitor(await deskOf(workplace), workplace, "ben");
  expect((await ben.post(`${path}/reject`, { reason: " " })).status).toBe(409);
  expect((await decideBy(ben, KEYS.ben, `${path}/reject`, { reason: "not ours" })).location).toBe(path);
  await expect(approveStep(workplace, digest, "carol")).rejects.toThrow();
});

test("addresses that are paid for the first time are counted exactly, and shown by their sums, the largest first", async () => {
  const site = await openSite({}, { PAYDROP_LIMITS_PER_FILE: '{ BTC: "20" }' });
  const { workplace } = site;
  const count = 1_203;
  // The largest payments are neither the first nor the last of the file.
  const amountOf = (index: number) => (index === 700 ? "0.4" : index === 800 ? "0.2" : "0.0001");
  const rows = Array.from(
    { length: count },
    (_, index) => `N-${index},${amountOf(index)},${addressOf(index)},Payee ${index},`,
  );
  const { path } = await sendIn(
    site,
    workplace,
    "new",
    `${rows.join("\n")}\nN-again,0.25,${addressOf(800)},Payee 800,`,
  );
  const ben = await trialVisitor(await deskOf(workplace), "ben");
  const { text } = await ben.get(path);
  const told = text.slice(text.indexOf("Paid for the first time"), text.indexOf("Read by content"));
  expect(told).toContain(`to ${count} addresses, the largest first`);
  const first = [addressOf(800), addressOf(700), addressOf(0)].map((address) => told.indexOf(address));
  expect(first.every((at, index) => at > (first[index - 1] ?? 0))).toBe(true);
  expect(told).toMatch(new RegExp(`and ${count - 9} others`));
  expect(told).not.toContain("or more");
});

test("an approver learns which cells were repaired, by whom, from what to what, at the desk and in the terminal", async () => {
  const site = await openSite();
  const { workplace, folder, environment } = site;
  const app = await deskOf(workplace);
  const [ann, ben] = [await trialVisitor(app, "ann"), await trialVisitor(app, "ben")];
  const sent = `reference,amount,destinationAddress\nR-1,0.0x,${ADDRESS}\nR-2,0.02,${ADDRESS}\n`;
  writeFileSync(join(folder, "repaired.csv"), sent);
  const { sha256 } = await submitFile(workplace, join(folder, "repaired.csv"), "ann");
  const again = await ann.post(`/files/${sha256}`, { B2: "0.01y" });
  const { location: path = "" } = await ann.post(again.location ?? "", { B2: "0.01" });
  expect(path).toBe("/batches/B-000001");
  const { text } = await ben.get(path);
  const plain = unescaped(text.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " "));
  expect(plain).toContain("2 cells repaired by ann");
  expect(plain).toMatch(/B2 amount ann, \S+ 0\.0x 0\.01y B2 amount ann, \S+ 0\.01y 0\.01 /);
  for (const [link, content] of [
    [`/files/${sha256}/sent`, "R-1,0.0x"],
    [/href="(\/files\/\w+\/answer)">The answer/.exec(text)?.[1] ?? "", "waits for approval"],
  ] as const) {
    expect(text).toContain(`href="${link}"`);
    expect((await ben.get(link)).text).toContain(content);
  }
  const { stdout } = await paydropInTurn(folder, ["preview", "B-000001"], environment);
  expect(stdout).toContain("2 cells repaired by ann");
  expect(stdout).toContain('B2 (amount): "0.0x" became "0.01y"');
  expect(await paydropInTurn(folder, ["preview", "B-000001", "--json"], environment)).toMatchObject({
    stdout: expect.stringContaining('"lineage"'),
  });
});

test("an approver learns that a file was corrected outside, and finds what was sent first", async () => {
  const { workplace, folder } = await openSite();
  const ben = await trialVisitor(await deskOf(workplace), "ben");
  const sent = `reference,amount,destinationAddress\nO-1,0.0x,${ADDRESS}\n`;
  writeFileSync(join(folder, "outside.csv"), sent);
  const { sha256, answers } = await submitFile(workplace, join(folder, "outside.csv"), "ann");
  const corrected = readFileSync(answers.find((path) => path.endsWith(".csv")) ?? "", "utf8");
  writeFileSync(join(folder, "outside.rejected.csv"), corrected.replace("0.0x", "0.05"));
  const { batchId } = await submitFile(workplace, join(folder, "outside.rejected.csv"), "ann");
  const { text } = await ben.get(`/batches/${batchId}`);
  expect(text).toContain("Corrected by its sender, after it came back");
  expect(text).toContain(`href="/files/${sha256}/sent"`);
});

test("an approver sees both addresses of a payee, what differs from last time, and the six words that the other one sees", async () => {
  const site = await openSite({}, { PAYDROP_APPROVAL_RULES: '[{"people":2}]' });
  const { workplace } = site;
  const month = (number: number, benAt: string) =>
    sendIn(
      site,
      workplace,
      `month-${number}`,
      `M-${number}1,0.01${number},${ADDRESS},Ana,open\nM-${number}2,0.02${number},${benAt},Ben,open`,
    );
  const first = await month(1, addressOf(1));
  for (const person of ["ben", "carol"])
    await approveStep(workplace, first.digest, person, { acceptReading: person === "ben" ? 1 : 0 });
  const { path, id } = await month(2, addressOf(2));
  const app = await deskOf(workplace);
  const pageOf = async (name: string) => {
    const { text } = await (await trialVisitor(app, name)).get(path);
    return unescaped(text.replaceAll(/<(?!\/?mark)[^>]+>/g, " ").replaceAll(/<[^>]+>/g, "")).replaceAll(
      /\s+/g,
      " ",
    );
  };
  const [ben, carol] = [await pageOf("ben"), await pageOf("carol")];
  const { words } = await previewStep(workplace, id);
  for (const page of [ben, carol])
    for (const text of [
      words,
      `1 payment: a known payee is to be paid at another address`,
      `In this file ${addressOf(2)}`,
      `Otherwise ${addressOf(1)}`,
      "its 2nd address in 1 month",
      "Compared with last time: month-1.csv (B-000001, ",
      "0.034 BTC in 2 payments; before: 0.032 BTC in 2 payments (B-000001, ",
      `Addresses changed (1) Ben (now ${addressOf(2)})`,
      "Asked from the first payment on",
    ])
      expect(page).toContain(text);
  const visitor = await trialVisitor(app, "ben");
  const fields = hiddenFieldsOf((await visitor.get(path)).text, `${path}/approve`);
  expect((await visitor.post(`${path}/approve`, fields)).text).toContain("Nothing was done");
  expect((await visitor.post(`${path}/approve`, { ...fields, changed: "1", values: "1" })).location).toBe(
    path,
  );
});

test("of a column that is not read, values that were accepted before are told, and only the new ones are asked", async () => {
  const site = await openSite({}, { PAYDROP_FILES_SENDERS: '[{ name: acme, match: "acme-*.csv" }]' });
  const { workplace } = site;
  const first = await sendIn(
    site,
    workplace,
    "acme-1",
    `A-1,0.01,${ADDRESS},Zoë,open\nA-2,0.02,${ADDRESS},Zoë,open`,
  );
  const app = await deskOf(workplace);
  const ben = await trialVisitor(app, "ben");
  const fields = hiddenFieldsOf((await ben.get(first.path)).text, `${first.path}/approve`);
  expect((await ben.post(`${first.path}/approve`, { ...fields, values: "1" })).location).toBe(first.path);
  const { path } = await sendIn(
    site,
    workplace,
    "acme-2",
    `B-1,0.03,${ADDRESS},Zoë,open\nB-2,0.04,${ADDRESS},Zoë,open\nB-3,0.05,${ADDRESS},Zoë,hold`,
  );
  const told = unescaped((await ben.get(path)).text.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " "));
  expect(told).toContain("1 value beside the payments");
  expect(told).toContain('says "hold" in 1 row');
  expect(told).toMatch(/Columns not read “Status”: open 2 (?!hold)/);
});

test("an approval from before the evidence was kept still shows its batch", async () => {
  const site = await openSite();
  const { workplace } = site;
  const { path, digest } = await sendIn(site, workplace, "old", `A-1,0.01,${ADDRESS},Zoë,`);
  await approveStep(workplace, digest, "ben");
  await workplace.store.write(() => run(sql`update approval set shown = null`));
  const { status, text } = await (await trialVisitor(await deskOf(workplace), "carol")).get(path);
  expect([status, text.includes("Who approved"), text.includes("What was looked at")]).toEqual([
    200,
    true,
    false,
  ]);
});

test("a rejected batch says who and why at its head, in the sender's lists, in the terminal and in the answer, by one word", async () => {
  const site = await openSite();
  const { workplace, folder, environment } = site;
  const { path } = await sendIn(site, workplace, "no", `A-1,0.01,${ADDRESS},Zoë,\nA-2,0.02,${ADDRESS},Zoë,`);
  const app = await deskOf(workplace);
  const [ann, carol] = [await trialVisitor(app, "ann"), await trialVisitor(app, "carol")];
  expect((await carol.post(`${path}/reject`, { reason: "wrong month" })).location).toBe(path);
  const said = "rejected by carol: wrong month";
  const batch = (await ann.get(path)).text;
  const head = batch.slice(batch.indexOf("<h1"), batch.indexOf("</header>", batch.indexOf("<h1")));
  expect(head).toContain("Rejected by carol: wrong month.");
  const files = (await ann.get("/files")).text;
  expect(files).toMatch(/badge off">rejected<.*rejected by carol: wrong month/s);
  const status = await paydropInTurn(folder, ["status"], environment);
  expect(status.stdout).toMatch(/rejected: +2 payments, 0.03 BTC/);
  expect(status.stdout).toContain(said);
  expect((await paydropInTurn(folder, ["explain", "A-1"], environment)).stdout).toContain(": rejected\n");
  await writeResults(workplace);
  expect(readFileSync(join(folder, "outbox", "no.results.csv"), "utf8")).toContain(
    `,rejected,,,,,,,,${said}`,
  );
  for (const text of [batch, files, status.stdout]) expect(text).not.toMatch(/withdrawn|recalled|Take back/);
});

test("who only sends files in reads who rejected theirs and why, and the same words where it was sent", async () => {
  const desk = await openProvenDesk();
  const { workplace } = desk;
  const { credential } = KEYS.mallory;
  await addPersonStep(workplace, { name: "mallory", roles: ["submitter"], person: "dave", credential });
  for (const name of ["one", "two"]) {
    const file = join(desk.folder, `${name}.csv`);
    writeFileSync(file, `reference,amount,destinationAddress\n${name},0.01,${ADDRESS}\n`);
    await submitFile(workplace, file, "mallory");
  }
  await recallStep(workplace, { reference: "B-000001", person: "carol", reason: "wrong month" });
  const mallory = await provenVisitor(await deskOf(workplace), workplace, "mallory");
  const today = (await mallory.get("/")).text;
  expect(today).toMatch(/one\.csv.*rejected: 1 payment.*rejected by carol: wrong month/s);
  expect(today).toContain("waits for approval: 1 payment");
  expect((await mallory.get("/batches/B-000001")).text).toContain("Rejected by carol: wrong month.");
});

test("what the service has taken is sent, then has arrived or failed, at the desk, in the terminal and in the answer", async () => {
  const site = await openSite({ stepMs: 60_000 });
  const { workplace, folder, environment } = site;
  const rows = `W-1,0.01,${ADDRESS},Zoë,\nW-2,0.02,${ADDRESS},Zoë,\nPAY-2026-0017,0.04,${ADDRESS},Zoë,`;
  const { path, digest } = await sendIn(site, workplace, "way", rows);
  await approveStep(workplace, digest, "ben");
  await payStep(workplace);
  const carol = await trialVisitor(await deskOf(workplace), "carol");
  expect((await carol.get(path)).text).toMatch(/badge run">sent<.*<b>3 payments<\/b>/s);
  // By the sandbox's seed, PAY-2026-0017 is not sent.
  site.sandbox.operator.passTime(3_600_000);
  const stands = async () => {
    await trackStep(workplace);
    return (await carol.get(path)).text;
  };
  await expect.poll(stands).toMatch(/>arrived<.*>2 payments<\/a>.*>failed<.*>1 payment<\/a>/s);
  expect((await carol.get("/files")).text).toMatch(/badge bad">1 failed<.*· 2 arrived</s);
  const referencesOn = async (page: string) =>
    (await carol.get(page)).text.match(/>(W-\d|PAY-[\d-]+)</g) ?? [];
  for (const [at, found] of [
    ["arrived", [">W-1<", ">W-2<"]],
    ["failed", [">PAY-2026-0017<"]],
    ["accepted", []],
  ] as const) {
    expect([at, (await referencesOn(`${path}?order=file&at=${at}`)).toSorted()]).toEqual([at, found]);
    expect([at, (await referencesOn(`/payments?standing=${at}`)).toSorted()]).toEqual([at, found]);
  }
  const status = (await paydropInTurn(folder, ["status"], environment)).stdout;
  expect(status).toMatch(/arrived: +2 payments, 0\.03.*failed: +1 payment, 0\.04/s);
  expect((await paydropInTurn(folder, ["status", "W-1"], environment)).stdout).toMatch(
    / arrived +[0-9a-f-]{36} +COMPLETED/,
  );
  await writeResults(workplace);
  expect(readFileSync(join(folder, "outbox", "way.results.csv"), "utf8")).toMatch(
    /,arrived,[0-9a-f-]{36},COMPLETED/,
  );
  for (const page of ["/files", path])
    expect((await carol.get(page)).text).not.toMatch(/on its way|taken by the service/);
});

const OTHER_OPERATION = `[{ name: treasury-btc, id: "${TREASURY}", currency: BTC,
  createOperation: createAndFirstAuthorizationPayoutV2 }]`;

test("what was approved for another operation is to be approved again in each face, before any run", async () => {
  const site = await openSite({}, { PAYDROP_APPROVAL_RULES: '[{"people":1}]' });
  const { digest, path } = await sendIn(site, site.workplace, "other", `A-1,0.01,${ADDRESS},Zoë,`);
  await approveStep(site.workplace, digest, "ben");
  await site.workplace.close();
  const changed = site.openAgain({ PAYDROP_CUSTODY_ACCOUNTS: OTHER_OPERATION });
  const why = "batch B-000001 was approved for the operation createPayoutV2, not createAndFirst";
  expect(await statusOf(changed, "B-000001")).toMatchObject([
    { mustBeApprovedAnew: true, reason: expect.stringContaining(why) },
  ]);
  const { text } = await (await trialVisitor(await deskOf(changed), "ben")).get(path);
  expect(text).toContain("must be approved again");
  const page = await (await trialVisitor(await deskOf(changed), "ben")).get("/payments/story?reference=A-1");
  expect(page.text).toContain("must be approved again");
  expect(await explainStep(changed, "A-1")).toMatchObject({
    instruction: { reason: expect.stringContaining(why) },
  });
});

test("payments that wait after their last approval say until when, as a run does", async () => {
  const cooling = { PAYDROP_APPROVAL_RULES: '[{"people":1}]', PAYDROP_APPROVAL_COOLING_MINUTES: "60" };
  const site = await openSite({}, cooling);
  const { workplace } = site;
  const { digest, path } = await sendIn(site, workplace, "cooling", `A-1,0.01,${ADDRESS},Zoë,`);
  await approveStep(workplace, digest, "ben");
  const [{ message = "" } = {}] = (await payStep(workplace)).problems;
  expect(message).toContain("is sent from");
  expect(await statusOf(workplace, "B-000001")).toMatchObject([{ reason: message }]);
  const { text } = await (await trialVisitor(await deskOf(workplace), "ben")).get(path);
  expect(text).toContain("the waiting time after the last approval");
});

test("a payment that a run held back is released by whom it was approved by, if there is nobody else", async () => {
  const site = await openSite({}, { PAYDROP_APPROVAL_RULES: '[{"people":1,"approvers":["ben"]}]' });
  const { workplace } = site;
  const { digest, path } = await sendIn(site, workplace, "held", `A-1,0.01,${ADDRESS},Zoë,`);
  await approveStep(workplace, digest, "ben");
  await workplace.store.write(() => run(sql`update instruction set reason = 'a new finding'`));
  const ben = await trialVisitor(await deskOf(workplace), "ben");
  expect((await ben.get("/")).text).toMatch(/Waits for you.*again: 1 approval missing.*Look and approve/s);
  const { text } = await ben.get(path);
  expect(text).toContain("1 person approves it; ben has, and you can.");
  const fields = hiddenFieldsOf(text, `${path}/approve`);
  expect((await ben.post(`${path}/approve`, fields)).location).toBe(path);
  expect(await payStep(workplace)).toMatchObject({ accepted: 1 });
});

test("Today offers an approval only to whom the rule for the batch lists, and to nobody without a rule", async () => {
  const rules =
    '[{ upTo: { BTC: "0.05" }, people: 1, approvers: [carol] }, { upTo: { BTC: "0.1" }, people: 1 }]';
  const site = await openSite({}, { PAYDROP_APPROVAL_RULES: rules });
  await sendIn(site, site.workplace, "small", `A-1,0.01,${ADDRESS},Zoë,`);
  const app = await deskOf(site.workplace);
  const [ben, carol] = [await trialVisitor(app, "ben"), await trialVisitor(app, "carol")];
  expect((await ben.get("/")).text).not.toContain("Look and approve");
  expect((await carol.get("/")).text).toContain("Look and approve");
  await sendIn(site, site.workplace, "large", `L-1,0.5,${ADDRESS},Zoë,`);
  expect((await carol.get("/")).text.match(/Look and approve/g)).toHaveLength(1);
});

test("a batch takes as many people on its page, in Today and in its preview as for its approver", async () => {
  const rules = '[{ upTo: { BTC: "0.5" }, people: 1 }, { people: 2 }]';
  const desk = await openProvenDesk({ PAYDROP_APPROVAL_RULES: rules });
  const { workplace } = desk;
  const digest = await desk.submit("A-1", "0.6");
  await workplace.store.write(() => run(sql`delete from statement where decision = 'submit'`));
  expect(await previewStep(workplace, digest)).toMatchObject({ peopleNeeded: 3 });
  const ben = await provenVisitor(await deskOf(workplace), workplace, "ben");
  const { text } = await ben.get("/batches/B-000001");
  const why = "0.6 BTC, above 0.5 BTC; one more, because no signature says who sent it in";
  expect(text).toContain(`3 people</dd><dd>${why}</dd>`);
  expect((await ben.get("/")).text).toContain("3 approvals missing");
  expect(await approveStep(workplace, digest, "ben")).toMatchObject({ peopleNeeded: 3 });
});

test("approved again, a batch takes as many people in every view as its approval will need", async () => {
  const rules = '[{ upTo: { BTC: "0.5" }, people: 1 }, { people: 2 }]';
  const site = await openSite({}, { PAYDROP_APPROVAL_RULES: rules });
  const first = await sendIn(site, site.workplace, "first", `A-1,0.3,${ADDRESS},Zoë,`);
  await approveStep(site.workplace, first.digest, "ben");
  const second = await sendIn(site, site.workplace, "second", `B-1,0.1,${ADDRESS},Zoë,`);
  await approveStep(site.workplace, second.digest, "ben");
  await site.workplace.store.write(() =>
    run(sql`update instruction set reason = 'a new finding'
    where batch_id = 'B-000001'`),
  );
  const third = await sendIn(site, site.workplace, "third", `C-1,0.15,${ADDRESS},Zoë,`);
  for (const person of ["ben", "carol"]) await approveStep(site.workplace, third.digest, person);
  const [{ peopleNeeded } = {}] = await statusOfBatches(site.workplace);
  const carol = await trialVisitor(await deskOf(site.workplace), "carol");
  expect((await carol.get(first.path)).text).toContain("2 people</dd>");
  expect(peopleNeeded).toBe(2);
});

test("Today does not offer a file of expected receipts to who sent it in", async () => {
  const site = await openSite({}, { PAYDROP_EXPECTED_APPROVAL: "true" });
  const path = join(site.folder, "expected.csv");
  writeFileSync(path, "reference,amount,currency,account\nINV-1,0.1,BTC,treasury-btc\n");
  expect(await expectFileStep(site.workplace, path, "ben")).toMatchObject({ waits: true });
  const app = await deskOf(site.workplace);
  const panelOf = async (name: string) => {
    const { text } = await (await trialVisitor(app, name)).get("/");
    return text.indexOf("of expected receipts") < text.indexOf("Waits for others") ? "you" : "others";
  };
  expect(await panelOf("ben")).toBe("others");
  expect((await (await trialVisitor(app, "carol")).get("/")).text).not.toContain("Waits for others");
});
