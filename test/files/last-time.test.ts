/**
 * A file compared with the last ones of its layout, and the approved content as words: in the terminal, at the
 * desk, and in the answer.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { expect, test } from "vitest";
import { lastTimeFacts } from "../../src/files/reading/index.ts";
import { approveStep, previewStep, recallStep, submitFile, validateFile } from "../../src/index.ts";
import { listDecisionsOf } from "../../src/store/statements.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { openSite } from "../site/service.ts";
import { tamper } from "../store/stored-batch.ts";
import { addressOf } from "./bitcoin-addresses.ts";

const HEADER = "reference,Name,amount,destinationAddress,generalLedgerName";

async function openDesk(environment: Parameters<typeof openSite>[1] = {}) {
  const site = await openSite({}, environment);
  let sent = 0;
  /** "Ana 1 0.01": a name, the number of an address, an amount. */
  const submit = (rows: readonly string[], name = `payroll-${sent + 1}.csv`, person = "ann") => {
    sent += 1;
    const lines = rows.map((row, at) => {
      const [payee, address, amount] = row.split(" ");
      return `P-${sent}-${at},${payee},${amount},${addressOf(Number(address))},Hosting`;
    });
    writeFileSync(join(site.folder, name), `${[HEADER, ...lines].join("\n")}\n`);
    return submitFile(site.workplace, join(site.folder, name), person);
  };
  const approve = ({ batchId, lookAlikeRows, reading }: Awaited<ReturnType<typeof submit>>, person = "ben") =>
    approveStep(site.workplace, batchId ?? "", person, {
      acceptLookAlikes: lookAlikeRows?.length,
      acceptReading: reading?.questions.length,
    });
  return { ...site, submit, approve };
}

const FIRST = ["Ana 1 0.010", "Ben 2 0.020", "Cleo 3 0.030", "Dora 4 0.040"];
const NEXT = ["Ana 1 0.011", "Ben 2 0.025", "Dora 5 0.041", "Emil 6 0.012", "Ana 1 0.0005"];

test("new and missing payees, changed amounts and addresses, and the last sums are said in preview, submission and answer", async () => {
  const { submit, approve, workplace, folder, environment } = await openDesk();
  const first = await submit(FIRST);
  expect(first.lastTime).toBeUndefined();
  await approve(first);
  const second = await submit(NEXT);
  const today = second.lastTime?.earlier[0]?.day;
  const facts = [
    ["Sum and count", `0.0895 BTC in 5 payments; before: 0.1 BTC in 4 payments (B-000001, ${today})`],
    ["New payees (1)", "Emil (0.012 BTC)"],
    ["Missing payees (1)", "Cleo (0.03 BTC)"],
    ["Amounts changed by more than 20 % (1)", "Ben (0.025 BTC after 0.02 BTC)"],
    ["Addresses changed (1)", `Dora (now ${addressOf(5)})`],
  ];
  expect(second.lastTime && lastTimeFacts(second.lastTime)).toEqual(facts);
  const { lastTime } = await previewStep(workplace, second.batchId ?? "");
  expect(lastTime).toEqual(second.lastTime);
  const summary = second.answers.map((path) => readFileSync(path, "utf8")).join("\n");
  const preview = await paydropInTurn(folder, ["preview", "B-000002"], environment);
  for (const text of [summary, preview.stdout]) {
    expect(text).toContain(`Compared with last time: payroll-1.csv (B-000001, ${today})`);
    for (const [label, value] of facts) expect(text).toContain(`${label}: ${value}`);
  }
  // Only approvers see last time's address.
  expect(summary).not.toContain(addressOf(4));
  expect(preview.stdout).toContain(`row 3: its payee is known at ${addressOf(4)}`);
  const json = await paydropInTurn(folder, ["preview", "B-000002", "--json"], environment);
  expect(JSON.parse(json.stdout)).toMatchObject({
    lastTime: { added: { count: 1, parties: [{ name: "Emil", totals: [{ amount: "0.012" }] }] } },
    movedPayees: [{ row: 3, knownAddress: addressOf(4) }],
  });
});

test("the last three approved files stand beside it; rejected, waiting and other people's files do not", async () => {
  const { submit, approve, workplace } = await openDesk();
  const of = (amount: string) => [`Ana 1 ${amount}`];
  for (const amount of ["0.010", "0.011", "0.012", "0.013"]) await approve(await submit(of(amount)));
  await submit(of("0.014"));
  const rejected = await submit(of("0.015"));
  await recallStep(workplace, { reference: rejected.batchId ?? "", person: "ben", reason: "twice" });
  await approve(await submit(of("0.016"), "others.csv", "carol"));
  const { lastTime } = await submit(of("0.017"));
  expect(lastTime?.earlier.map(({ batchId }) => batchId)).toEqual(["B-000004", "B-000003", "B-000002"]);
  expect(lastTime && lastTimeFacts(lastTime)[0]?.[1]).toMatch(
    /^0.017 BTC in 1 payment; before: 0.013 BTC in 1 payment \(B-000004, .*0.012 .*0.011 /,
  );
});

test("a named sender's files are compared whoever sends them, and only those with the same columns", async () => {
  const senders = '[{ name: acme, match: "acme-*.csv" }]';
  const { submit, approve, workplace, folder } = await openDesk({ PAYDROP_FILES_SENDERS: senders });
  await approve(await submit(FIRST, "acme-1.csv"));
  expect((await submit(FIRST, "acme-2.csv", "carol")).lastTime).toMatchObject({
    ...{ added: { count: 0 }, missing: { count: 0 }, amounts: { count: 0 }, addresses: { count: 0 } },
    earlier: [{ batchId: "B-000001", file: "acme-1.csv" }],
  });
  expect((await submit(FIRST, "own.csv")).lastTime).toBeUndefined();
  const text = readFileSync(join(folder, "acme-2.csv"), "utf8");
  const other = text.replace("Name", "Contractor").replaceAll("P-2", "P-9");
  writeFileSync(join(folder, "acme-9.csv"), other);
  expect((await validateFile(workplace, join(folder, "acme-9.csv"))).lastTime).toBeUndefined();
  writeFileSync(join(folder, "acme-9.csv"), text.replaceAll("P-2", "P-9"));
  expect((await validateFile(workplace, join(folder, "acme-9.csv"))).lastTime?.earlier).toHaveLength(1);
});

test("without a column of payees, addresses are compared", async () => {
  const { approve, workplace, folder } = await openDesk();
  const of = async (month: number, addresses: readonly number[]) => {
    const rows = addresses.map((number, at) => `P-${month}-${at},0.0${month}1,${addressOf(number)}`);
    const path = join(folder, `bare-${month}.csv`);
    writeFileSync(path, `${["reference,amount,destinationAddress", ...rows].join("\n")}\n`);
    return submitFile(workplace, path, "ann");
  };
  await approve(await of(1, [1, 2, 3]));
  const { lastTime } = await of(2, [1, 2, 4]);
  expect(lastTime).toMatchObject({
    added: { count: 1, parties: [{ name: addressOf(4) }] },
    missing: { count: 1, parties: [{ name: addressOf(3) }] },
    amounts: { count: 2 },
    addresses: { count: 0 },
  });
});

test("what is approved is the same six words for every approver, in preview, approval and what they sign", async () => {
  const { submit, workplace, folder, environment } = await openDesk({
    PAYDROP_APPROVAL_RULES: "[{ people: 2 }]",
  });
  const { batchId = "" } = await submit(FIRST);
  const { words } = await previewStep(workplace, batchId);
  expect(words.split(" ")).toHaveLength(6);
  expect(words.split(" ").every((word) => wordlist.includes(word))).toBe(true);
  expect((await paydropInTurn(folder, ["preview", batchId], environment)).stdout).toContain(words);
  expect((await approveStep(workplace, batchId, "ben")).words).toBe(words);
  const approved = await paydropInTurn(folder, ["approve", batchId, "--by", "carol"], environment);
  expect(approved.stdout).toContain(`six words: ${words}`);
  const signed = await workplace.store.read(() => listDecisionsOf("approve"));
  expect(signed.filter(({ text }) => text.includes(`"words":"${words}"`))).toHaveLength(2);
});

test("the words change with the rows, the service and the rules, and nobody knows them before the file is taken", async () => {
  const [one, other] = [await openDesk(), await openDesk()];
  const [{ batchId = "" }] = [await one.submit(FIRST), await other.submit(FIRST)];
  const wordsOf = async (workplace: typeof one.workplace) => (await previewStep(workplace, batchId)).words;
  const words = await wordsOf(one.workplace);
  // The same bytes from the same person, taken in elsewhere.
  expect(await wordsOf(other.workplace)).not.toBe(words);
  expect(await wordsOf(one.openAgain())).toBe(words);
  const changed = [
    { PAYDROP_SERVICE_BASE_URL: "https://other.example.com" },
    { PAYDROP_LIMITS_PER_ROW: '{ BTC: "2" }' },
    { PAYDROP_APPROVAL_RULES: "[{ people: 2 }]" },
    { PAYDROP_DESTINATIONS_ON_LOOK_ALIKE: "warn" },
  ];
  for (const change of changed) expect(await wordsOf(one.openAgain(change))).not.toBe(words);
  for (const column of ["digest", "file_sha256", "submitted_by"]) {
    await tamper(one.workplace.store, `update batch set ${column} = ${column} || 'x'`);
    expect(await wordsOf(one.workplace)).not.toBe(words);
    await tamper(
      one.workplace.store,
      `update batch set ${column} = substr(${column}, 1, length(${column}) - 1)`,
    );
  }
  expect(await wordsOf(one.workplace)).toBe(words);
});
