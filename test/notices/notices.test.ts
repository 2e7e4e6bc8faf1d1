/**
 * What people hear by mail and chat, from a daemon on a real database, through a real mail server and a webhook that
 * misbehave: exactly these messages, each once, and nothing sensitive in any.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { digestJob } from "../../jobs/digest.ts";
import { problem } from "../../src/faults/index.ts";
import {
  approveStep,
  baselineStep,
  exportStep,
  giveStopOrder,
  liftStopOrder,
  payStep,
  reconcileStep,
  submitFile,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import type { Break } from "../../src/model/index.ts";
import { amountOf } from "../../src/money/index.ts";
import { replaceOpenBreaks } from "../../src/store/breaks.ts";
import { beginComparison, endComparison } from "../../src/store/comparison.ts";
import { insertEntries } from "../../src/store/ledger-entries.ts";
import { endRun, startRun } from "../../src/store/runs.ts";
import { deposits, payouts } from "../books/golden-books.ts";
import { book } from "../books/movements.ts";
import { copySamples, paydrop, SAMPLES, startPaydrop } from "../cli/program.ts";
import { onFullDisk } from "../daemon/full-disk.ts";
import { deskOf, trialVisitor } from "../desk/visitor.ts";
import { testWithFile } from "../postgres.ts";
import { byClock } from "../site/service.ts";
import { longTest } from "../slice.ts";
import { CANARY, chatServer, mailServer } from "./mailbox.ts";
import { ADDRESS, DAY_MS, FROM, HOUR_MS, MINUTE_MS, noticed } from "./place.ts";

function submit(workplace: Workplace, file = join(SAMPLES, "payouts.csv"), person = "sue") {
  return submitFile(workplace, file, person);
}

const MONEY = "B-000001 payouts.csv: 40 payments to 39 payees, 1.81168548 BTC";

test("tells the submitter that a file was accepted and approvers that it waits, once, despite a restart", async () => {
  const { workplace, mails, chats, later, restart } = await noticed();
  expect([mails(), chats()]).toEqual([[], []]);
  const { digest = "" } = await submit(workplace);
  await later(MINUTE_MS);
  const waits = (missing: string) =>
    `Paydrop trial: B-000001 waits for approval / ${MONEY}. / Sent in at TIME. / ${missing} missing. / https://pay.example.com/batches/B-000001`;
  expect(mails()).toEqual([
    `paul: ${waits("2 approvals")}`,
    `paula: ${waits("2 approvals")}`,
    `sue: Paydrop trial: payouts.csv was accepted as B-000001 / ${MONEY}. / Taken in at TIME. / It waits for approval. / https://pay.example.com/batches/B-000001`,
  ]);
  expect(chats()).toEqual([waits("2 approvals")]);
  await approveStep(workplace, digest, "paul");
  await later(MINUTE_MS);
  await restart();
  await later(2 * DAY_MS);
  expect([mails(), chats()]).toEqual([[], []]);
});

test("tells the person or the layout's sender that a file was rejected; masks an address in its name", async () => {
  const { workplace, folder, mails, later } = await noticed(
    {},
    { PAYDROP_FILES_SENDERS: '[{ name: acme, match: "acme-*.csv", mail: pay@acme.example }]' },
  );
  for (const [name, of] of [
    [`<!here> [pay](me) ${ADDRESS}.csv`, "broken.csv"],
    ["acme-2.csv", "broken.csv"],
  ] as const) {
    const path = join(folder, name);
    copyFileSync(join(SAMPLES, of), path);
    writeFileSync(path, `${readFileSync(path, "utf8")}${name},,,,,\n`);
    await submit(workplace, path);
    await later(MINUTE_MS);
  }
  const back = (name: string) =>
    `Paydrop trial: ${name} came back / ${name} was not accepted. / Taken in at TIME. / Nothing in it is paid. The answer in the outbox names each row and what to correct. / https://pay.example.com/files`;
  expect(mails()).toEqual([
    `pay@acme.example: ${back("acme-2.csv")}`,
    `sue: ${back(`(!here) [pay] (me) ${ADDRESS.slice(0, 8)}...${ADDRESS.slice(-4)}.csv`)}`,
  ]);
});

test("tells the sender, operators and the chat once that a file has not come", async () => {
  const { mails, chats, later } = await noticed(
    {},
    { PAYDROP_FILES_SENDERS: '[{ name: acme, match: "acme-*.csv", mail: pay@acme.example, due: Friday }]' },
  );
  let heard = chats();
  for (let day = 0; heard.length === 0 && day < 8; day += 1) {
    await later(DAY_MS);
    heard = chats();
  }
  const missing = expect.stringMatching(
    /^Paydrop trial: The file of acme has not come \/ It is due on Friday and was expected by TIME\. .*\/files$/,
  );
  expect(heard).toEqual([missing]);
  expect(mails().map((mail) => mail.split(": ")[0])).toEqual(["olga", "pay@acme.example"]);
  await later(DAY_MS);
  expect([mails(), chats()]).toEqual([[], []]);
});

test("reports a doubt after 15 minutes, and each stop order at once", async () => {
  const { workplace, mails, chats, later } = await noticed({
    faults: [{ operation: "createPayoutV2", nth: 3, effect: { kind: "cut-after-commit" } }],
    visibilityLagMs: 3_600_000,
  });
  const { digest = "" } = await submit(workplace);
  for (const person of ["paul", "paula"]) await approveStep(workplace, digest, person);
  expect(await payStep(workplace)).toMatchObject({ inDoubt: 1 });
  await later(MINUTE_MS);
  await later(13 * MINUTE_MS);
  mails();
  chats();
  await giveStopOrder(workplace, "olga", `an audit of ${ADDRESS}`);
  await later(2 * MINUTE_MS);
  const stopped =
    "Paydrop trial: Nothing is sent: stop order / `paydrop status` and the desk say why, and since when. / https://pay.example.com/jobs";
  const doubt = chats().toSorted();
  expect(doubt).toEqual([
    expect.stringMatching(
      /^Paydrop trial: B-000001: payments in doubt \/ B-000001 payouts.csv: 1 payment to 1 payee, [\d.]+ BTC, in doubt: sent, perhaps; nothing is sent again until that is known. Since TIME. \/ https:\/\/pay.example.com\/doubts$/,
    ),
    stopped,
  ]);
  expect(mails()).toEqual(doubt.map((each) => `olga: ${each}`));
  await liftStopOrder(workplace, "olga", "done");
  await later(MINUTE_MS);
  await giveStopOrder(workplace, "olga", "another audit");
  await later(MINUTE_MS);
  expect(chats()).toEqual([stopped]);
});

test("reports a failed payout once, not again as a break", async () => {
  const { workplace, chats, later } = await noticed();
  await baselineStep(workplace, "ann");
  const { digest = "" } = await submit(workplace);
  for (const person of ["paul", "paula"]) await approveStep(workplace, digest, person);
  await payStep(workplace);
  await expect.poll(async () => (await trackStep(workplace)).open).toBe(0);
  await later(MINUTE_MS);
  expect(chats()).toEqual([
    expect.stringMatching(
      /^Paydrop trial: B-000001: payments were not paid \/ B-000001 payouts.csv: 1 payment to 1 payee, [\d.]+ BTC, failed: the service took them, and they ended without paying. Since TIME. \/ /,
    ),
  ]);
  expect((await reconcileStep(workplace)).openBreaks).toMatchObject([
    { kind: "failed", severity: "warning" },
  ]);
  await later(MINUTE_MS);
  await later(DAY_MS);
  expect(chats()).toEqual([]);
});

test("reports breaks above the limit, incomplete nights, suspense, silent ERPs and failed jobs", async () => {
  const { workplace, mails, later, now } = await noticed(
    {},
    {
      PAYDROP_NOTICES_BREAK_LIMIT: '{ BTC: "0.1" }',
      PAYDROP_LEDGER_EXPORTS:
        "[{ preset: netsuite, answers: { entry: E, status: S, reason: R, posted: [ok], refused: [no] } }]",
    },
  );
  const found = (id: number, amount: string): Break => ({
    ...{ id: `unexpected:payout:${id}`, kind: "unexpected", severity: "alarm" },
    ...{ sentence: `It pays ${ADDRESS}.`, reference: `PAY-${ADDRESS}`, amount: amountOf(amount, "BTC") },
  });
  const entries = book({ payouts, deposits }).entries;
  const [entry] = entries;
  if (entry === undefined) throw new Error("the golden books are empty");
  const { message, ...question } = problem("LEDGER_UNMAPPED", { what: 'GL account "Nowhere"' });
  const [first, ...others] = entry.lines;
  if (first === undefined) throw new Error("an entry has lines");
  const unmapped = {
    ...entry,
    entryId: `${entry.entryId}:again`,
    lines: [{ ...first, accountKey: "suspense" }, ...others],
    questions: [{ ...question, message }],
  };
  const at = now();
  await workplace.store.write(function* () {
    yield* insertEntries([entry, unmapped], at);
    yield* beginComparison(at, { code: "UNDER_WAY", message: "" });
    yield* replaceOpenBreaks([found(1, "0.5"), found(2, "0.1")], at);
    yield* endComparison(at, { code: "SERVICE_UNREACHABLE", message: `no answer about ${ADDRESS}` });
    for (const [job, outcome] of [
      ["track", { outcome: "failed", code: "SERVICE_UNREACHABLE" }],
      ["pay", { outcome: "failed", message: "no" }],
    ] as const)
      yield* endRun(yield* startRun(job, at, at), JSON.stringify(outcome), at);
  });
  await exportStep(workplace);
  await later(MINUTE_MS);
  expect(mails()).toEqual([
    `conny: Paydrop trial: 1 break opened / BR-1, alarm: Unexpected payout, 0.5 BTC at stake, reference PAY-${ADDRESS.slice(0, 8)}...${ADDRESS.slice(-4)}, since TIME / https://pay.example.com/nights`,
    expect.stringMatching(
      /^conny: Paydrop trial: 1 value on suspense \/ The chart of accounts has no line for: \/ GL account "Nowhere": 1 entry, [-\d.]+ EUR \/ https/,
    ),
  ]);
  await workplace.store.write(function* () {
    yield* replaceOpenBreaks([found(1, "0.5"), found(3, "0.2")], now());
    yield* endRun(yield* startRun("pay", at, at), JSON.stringify({ outcome: "done" }), at);
  });
  await later(15 * MINUTE_MS);
  const night = `Paydrop trial: The comparison is incomplete / No comparison has been complete since TIME: SERVICE_UNREACHABLE. Breaks may be missing. / https://pay.example.com/nights`;
  expect(mails()).toEqual([
    expect.stringContaining("conny: Paydrop trial: 1 break opened / BR-3, alarm: Unexpected payout, 0.2 BTC"),
    `conny: ${night}`,
    `olga: ${night}`,
    "olga: Paydrop trial: The job track did not end well / The last run of track ended with SERVICE_UNREACHABLE. `paydrop explain SERVICE_UNREACHABLE` says what to do. / https://pay.example.com/jobs",
  ]);
  await later(3 * DAY_MS);
  expect(mails()).toEqual([
    "conny: Paydrop trial: No answer about export batch 000001 of netsuite / The ERP said nothing about 2 entries. Issued at TIME. / https://pay.example.com/books",
  ]);
});

test("delivers each message once after an outage and a restart, with growing pauses", async () => {
  const { workplace, server, chat, took, chats, later, restart, logged } = await noticed();
  await server.goOut();
  chat.answers(503);
  await submit(workplace);
  await later(MINUTE_MS);
  await restart();
  await later(MINUTE_MS);
  await server.comeBack();
  chat.answers(200);
  for (const minutes of [1, 2, 4]) await later(minutes * MINUTE_MS);
  expect(
    took()
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(["paul@example.com", "paula@example.com", "sue@example.com"]);
  expect(chats()).toHaveLength(1);
  await later(DAY_MS);
  expect([took(), chats()]).toEqual([[], []]);
  expect(logged.join("\n")).toContain("answered 503");
  expect(logged.join("\n")).not.toContain(CANARY);
});

test("repeats a message under the same Message-ID if the connection broke while it was accepted", async () => {
  const { workplace, server, took, later } = await noticed(
    {},
    { PAYDROP_NOTICES_WHO: "{ waiting: [paul] }" },
  );
  server.takes("cut");
  await submit(workplace, undefined, "ann");
  await later(MINUTE_MS);
  server.takes("yes");
  await later(MINUTE_MS);
  await later(MINUTE_MS);
  const [before, again, ...others] = took();
  expect(others).toEqual([]);
  expect(before?.messageId).toMatch(/^<[0-9a-f]{40}@example\.com>$/);
  expect(again).toEqual(before);
});

longTest("a message that nobody takes is given up, and that is named", async () => {
  const { workplace, inItsTime, server, mails, later, logged, folder, environment } = await noticed(
    {},
    { PAYDROP_NOTICES_RETRY_HOURS: "1" },
  );
  server.takes("no");
  await submit(workplace);
  for (let minutes = 1; minutes < 80; minutes += 16) await later(16 * MINUTE_MS);
  server.takes("yes");
  await later(HOUR_MS);
  expect(mails()).toEqual([]);
  expect(logged.filter((line) => line.startsWith("notice given up"))).toHaveLength(3);
  expect(logged.join("\n")).toContain("mail to paul, about B-000001: 450 mailbox unavailable");
  const { stdout } = await paydrop(folder, ["status"], environment);
  expect(stdout).toMatch(/notices\s+3 not delivered\s+`paydrop notices list` says why/);
  const listed = await paydrop(folder, ["notices", "list"], environment);
  expect(listed.stdout).toMatch(/waiting B-000001\s+paul\s+.*given up .*450 mailbox unavailable/);
  expect(inItsTime.config.notices.retryHours).toBe(1);
});

// On a shared database the right to tell is a lease, which has to be written.
testWithFile("reports a full disk once, although the notice cannot be stored", async () => {
  const disks: ReturnType<typeof onFullDisk>[] = [];
  const { unrecorded, chats, later, now, restart } = await noticed({}, {}, (whole) => {
    const disk = onFullDisk(whole);
    disks.push(disk);
    return disk.store;
  });
  const outcome = { outcome: "failed", code: "DATABASE_UNUSABLE" };
  unrecorded.add({ job: "pay", dueAt: now(), startedAt: now(), endedAt: now(), outcome });
  await later(MINUTE_MS);
  await later(14 * MINUTE_MS);
  expect(chats()).toEqual([]);
  await later(MINUTE_MS);
  expect(chats()).toEqual([expect.stringContaining("The job pay did not end well")]);
  await later(MINUTE_MS);
  for (const disk of disks) disk.makeRoom();
  await later(MINUTE_MS);
  await restart();
  expect(chats()).toEqual([]);
});

test("tells the sender, and shows on Today, that a file is later than the last ones were", async () => {
  const senders = '[{ name: acme, match: "acme-*.csv", due: learnt, mail: pay@acme.example }]';
  const { workplace, folder, took, mails, chats, later, now } = await noticed(
    {},
    { PAYDROP_FILES_SENDERS: senders },
  );
  const inTime = byClock(workplace, now);
  for (const week of [1, 2, 3, 4]) {
    const path = join(folder, `acme-${week}.csv`);
    writeFileSync(path, `reference,amount,destinationAddress\nACME-${week},0.00${week},${ADDRESS}\n`);
    expect(await submit(inTime, path)).toMatchObject({ verdict: "accepted" });
    await later(7 * DAY_MS);
  }
  const learnt = /its last 4 files came on [A-Z]\w+day( or the day before)?/;
  const today = async () => (await (await trialVisitor(await deskOf(inTime), "paul")).get("/")).text;
  expect(await today()).not.toMatch(learnt);
  expect([...mails(), ...chats()].join()).not.toContain("has not come");
  await later(2 * DAY_MS);
  expect(await today()).toMatch(new RegExp(`No file of acme came[^]*${learnt.source}`));
  const said = new RegExp(
    `The file of acme has not come[^]* It was expected by TIME: ${learnt.source}\\. No file of acme has arrived`,
  );
  expect(chats().filter((chat) => said.test(chat))).toHaveLength(1);
  const told = took().filter(({ text: words }) => words.includes("The file of acme has not come"));
  expect(told.map(({ to }) => to).toSorted()).toEqual(["olga@example.com", "pay@acme.example"]);
});

test("sends each recipient one digest a day, with sums, breaks and what waits", async () => {
  const { workplace, inItsTime, mails, chats, later, now } = await noticed();
  await submit(workplace);
  await later(MINUTE_MS);
  mails();
  chats();
  const inTime = { ...byClock(workplace, now), store: inItsTime.store };
  const { signal } = new AbortController();
  const said = await digestJob.run(inTime, signal);
  expect(said).toEqual({ count: 5, message: "5 messages written" });
  expect(await digestJob.run(inTime, signal)).toMatchObject({ count: 0 });
  await later(MINUTE_MS);
  const [chat = "", ...others] = chats();
  expect(others).toEqual([]);
  expect(chat).toMatch(/^Paydrop trial: what waits on \d{4}-\d\d-\d\d \/ /);
  expect(chat).toContain(
    " / Waits for approval: 40 payments, 1.81168548 BTC. / - B-000001 payouts.csv: 40 payments, 1.81168548 BTC, 2 approvals missing / Due today: nothing. Being sent: nothing. A later day: nothing. / Breaks: 0 alarms, 0 warnings, 0 notes. / Last comparison: none yet. / https://pay.example.com/",
  );
  expect(mails()).toEqual(["conny", "olga", "paul", "paula"].map((name) => `${name}: ${chat}`));
  await later(DAY_MS);
  expect(await digestJob.run(inTime, signal)).toMatchObject({ count: 5 });
});

longTest(
  "`notices test` signs in over TLS and says what each server answered; `serve` tells where notices go, and no secret",
  async () => {
    const { folder } = await noticed();
    const [key, cert] = [join(folder, "mail.key"), join(folder, "mail.cert")];
    const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"];
    execFileSync(
      "openssl",
      [...made, "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert],
      {
        stdio: "ignore",
      },
    );
    const server = await mailServer({
      key: readFileSync(key),
      cert: readFileSync(cert),
      authOptional: false,
      onAuth: ({ username, password }, _session, callback) =>
        password === CANARY ? callback(null, { user: username }) : callback(new Error("wrong password")),
    });
    const chat = await chatServer();
    const place = join(folder, "elsewhere");
    copySamples(place);
    const mail = { host: "localhost", port: server.port, user: "paydrop", from: FROM };
    const variables = {
      PAYDROP_NOTICES_MAIL: JSON.stringify(mail),
      PAYDROP_NOTICES_PASSWORD: CANARY,
      PAYDROP_NOTICES_URL: chat.url,
      NODE_EXTRA_CA_CERTS: cert,
    };
    const run = (args: readonly string[], more = {}) => paydrop(place, args, { ...variables, ...more });
    expect(await run(["notices", "test"])).toMatchObject({
      exitCode: 0,
      stdout: "mail to notices.mail.from was taken: 250 queued\nchat was taken: answered 200\n",
    });
    expect(server.mails()).toMatchObject([{ to: FROM, subject: "Paydrop trial: a test" }]);
    const wrong = await run(["notices", "test"], { PAYDROP_NOTICES_PASSWORD: "wrong-canary-1" });
    expect(wrong.exitCode).toBe(5);
    expect(wrong.stdout).toContain("mail to notices.mail.from was not taken: 535 wrong password");
    const unknown = await run(["notices", "test"], { NODE_EXTRA_CA_CERTS: undefined });
    expect(unknown.stdout).toMatch(/was not taken: .*self-signed certificate/);
    const nobody = await run(["notices", "test", "--to", "nobody"]);
    expect([nobody.exitCode, nobody.stderr]).toEqual([
      2,
      expect.stringContaining("no mail address of nobody"),
    ]);
    const refused = await run(["serve"], { PAYDROP_NOTICES_URL: `slack.example.com/${CANARY}` });
    expect([refused.exitCode, refused.stdout]).toEqual([2, ""]);
    await run(["submit", join(SAMPLES, "payouts.csv"), "--by", "ann"]);
    const daemon = startPaydrop(place, ["serve"], variables);
    const [stdout, stderr] = [text(daemon.stdout), text(daemon.stderr)];
    await expect
      .poll(() => chat.chats().join(), { timeout: 20_000 })
      .toContain("B-000001 waits for approval");
    daemon.kill("SIGTERM");
    await once(daemon, "exit");
    expect(await stdout).toContain(
      `notices go by mail through localhost and the chat at ${new URL(chat.url).host}\n`,
    );
    const all = [wrong, unknown, nobody, refused].map((each) => each.stdout + each.stderr);
    for (const output of [await stdout, await stderr, ...all]) expect(output).not.toContain("canary");
  },
);
