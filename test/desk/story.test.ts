/**
 * Payments and their stories, doubts, breaks and exports at the desk: who sees what, who may decide, and attacks
 * that fail.
 */
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ledgerExportStep } from "../../src/books/index.ts";
import { noTransport } from "../../src/context/transport.ts";
import {
  addPersonStep,
  approveStep,
  createDepositStep,
  createPayoutStep,
  giveStopOrder,
  listDoubts,
  listPeopleStep,
  payStep,
  stopOrder,
  submitFile,
  trackStep,
} from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { findByReference } from "../../src/store/instructions.ts";
import { run, sql } from "../../src/store/sql.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { CREATE, FIND, startOddService } from "../gateway/odd-service.ts";
import { signBy } from "../people/keys.ts";
import { KEYS, openProvenDesk, signing, withKey } from "../site/proven-desk.ts";
import { ADDRESS, DEPOSIT, openSite, type Site } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";
import {
  decideBy,
  deskOf,
  hiddenFieldsOf,
  ORIGIN,
  provenVisitor,
  trialVisitor,
  unescaped,
  type Visitor,
} from "./visitor.ts";

const EVIL = `<img src=x onerror=alert(1)>"'`;
const NEVER_ARRIVES_MS = 3_600_000;
const NOTHING = JSON.stringify({ results: { content: [], totalPages: 0, totalElements: 0, number: 0 } });

function story(reference: string) {
  return `/payments/story?reference=${encodeURIComponent(reference)}`;
}

async function sitePaying(...references: string[]) {
  return pay(await openSite(), references);
}

async function pay(site: Site, references: readonly string[]) {
  for (const [index, reference] of references.entries()) {
    const cells = {
      reference,
      amount: `0.00${index + 1}`,
      destinationAddress: ADDRESS,
      customerId: `Zoë ${EVIL}`,
    };
    await createPayoutStep(site.workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  }
  return site;
}

/** A payment whose answer was lost, and whose payout the service never shows. */
async function siteInDoubt() {
  let creations = 0;
  const odd = await startOddService(({ path, honest, answer, response }) => {
    if (path === CREATE && creations++ === 0) {
      honest();
      response.destroy();
      return;
    }
    return path === FIND ? void answer(200, NOTHING) : false;
  });
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url });
  const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  const standing = async () => (await workplace.store.read(() => findByReference("PAY-1")))?.standing;
  expect(await standing()).toBe("in doubt");
  return { workplace, standing };
}

describe("a payment", () => {
  test("is found by reference, payee, address, payout id and transaction hash", async () => {
    const { workplace } = await sitePaying("INV/1 a", "INV/2 a");
    const ann = await trialVisitor(await deskOf(workplace), "ann");
    const arrived = async () => {
      await trackStep(workplace);
      return (await ann.get(story("INV/1 a"))).text;
    };
    await expect.poll(arrived).toContain("arrived");
    const one = (await ann.get(story("INV/1 a"))).text;
    const [payout = ""] = /01[0-9a-f]{6}-[0-9a-f-]{27}/.exec(one) ?? [];
    const [, hash = ""] = /<dt>Transaction<\/dt><dd class="hash">([0-9a-f]{64})/.exec(one) ?? [];
    for (const text of ["INV/1 a", "inv/1", payout, payout.toUpperCase(), hash])
      expect([text, (await ann.get(`/payments?q=${encodeURIComponent(text)}`)).location]).toEqual([
        text,
        story("INV/1 a"),
      ]);
    for (const text of ["INV", "zoe", ADDRESS, ADDRESS.toUpperCase()])
      expect((await ann.get(`/payments?q=${encodeURIComponent(text)}`)).text).toContain("2 payments");
    expect((await ann.get("/payments?q=INV%25")).text).toContain("Nothing found");
  });

  test("tells its story, in which no text of a file becomes a tag", async () => {
    const { workplace } = await sitePaying("A-1");
    const { text } = await (await trialVisitor(await deskOf(workplace), "ann")).get(story("A-1"));
    for (const part of ["In the file", "Approved by bob", "Sent", "Taken by the service"])
      expect(text).toContain(part);
    expect(text).toContain("Zoë &#60;img src=x onerror=alert(1)&#62;&#34;&#39;");
    expect(text).not.toContain("<img");
  });

  test("of somebody else is not found by who only submits, like one that is not there", async () => {
    const { workplace, submit } = await openProvenDesk();
    await submit("A-1");
    const { credential } = KEYS.mallory;
    await addPersonStep(workplace, { name: "mallory", roles: ["submitter"], credential, person: "dave" });
    const path = `${workplace.config.folders.work}-mine.csv`;
    writeFileSync(path, `reference,amount,destinationAddress\nMINE-1,0.01,${ADDRESS}\n`);
    await submitFile(workplace, path, "mallory");
    const app = await deskOf(workplace);
    const mallory = await provenVisitor(app, workplace, "mallory");
    expect((await mallory.get(story("MINE-1"))).status).toBe(200);
    const [others, nobodys] = [await mallory.get(story("A-1")), await mallory.get(story("A-2"))];
    expect([others.status, others.text]).toEqual([404, nobodys.text]);
    expect((await mallory.get(`/payments?q=${ADDRESS}`)).location).toBe(story("MINE-1"));
    expect((await mallory.get("/payments?q=A-1")).text).toContain("Nothing found");
    expect((await mallory.get("/payments")).text).not.toContain("MINE-1");
    for (const closed of ["/doubts", "/doubts/payment?reference=A-1", "/nights", "/books"])
      expect([closed, (await mallory.get(closed)).status]).toEqual([closed, 403]);
    const ben = await provenVisitor(app, workplace, "ben");
    expect((await ben.get(story("A-1"))).status).toBe(200);
  });

  test("is listed in windows, by where it stands", async () => {
    const { workplace } = await pay(await openSite({ stepMs: NEVER_ARRIVES_MS }), ["A-1", "A-2"]);
    const ann = await trialVisitor(await deskOf(workplace), "ann");
    expect((await ann.get("/payments?standing=accepted")).text).toContain("A-2");
    expect((await ann.get("/payments?standing=refused")).text).toContain("No such payment");
    expect((await ann.get("/payments?batch=B-000002&row=1")).text).not.toContain("A-2");
    expect((await ann.get("/payments?batch='&row=-1&standing=drop")).status).toBe(200);
  });
});

describe("a doubt", () => {
  test("is shown with its evidence, and given up at the desk of a process that may ask the service", async () => {
    const { workplace, standing } = await siteInDoubt();
    const ann = await trialVisitor(await deskOf(workplace), "ann");
    expect((await ann.get("/doubts")).text).toContain("/doubts/payment?reference=PAY-1");
    const { text } = await ann.get("/doubts/payment?reference=PAY-1");
    for (const part of [
      "may have been paid, or not",
      "It is a payout whose number I have",
      "Give it up",
      "<svg",
    ])
      expect(text).toContain(part);
    // The browser sends nothing before a choice is made.
    for (const [choice] of text.matchAll(/<input type="radio" name="do"[^>]*>/g))
      expect(choice).toContain(" required");
    const form = { reference: "PAY-1", do: "--accept PAYOUT_ID", reason: "guess" };
    const wrong = { ...form, do: "--accept ", id: "no number" };
    const referer = `${ORIGIN}/doubts/payment?reference=PAY-1`;
    const { text: refused } = await ann.post("/doubts/resolve", wrong, { referer });
    const [, back = ""] = /href="([^"]*)">Back to where you were/.exec(refused) ?? [];
    const typed = (await ann.get(unescaped(back))).text;
    expect(typed).toContain("What you typed is in its fields again");
    expect(typed).toMatch(/name="id"[^>]* value="no number".*<textarea[^>]* name="reason"[^>]*>guess</s);
    expect(typed).not.toMatch(/<input type="radio"[^>]* checked/);
    expect((await ann.post("/doubts/resolve", form)).text).toContain("Not possible now");
    expect((await ann.post("/doubts/resolve", { ...form, do: "--abandon", reason: " " })).status).toBe(409);
    expect(await standing()).toBe("in doubt");
    const decided = { reference: "PAY-1", do: "--abandon", reason: EVIL };
    const asked = await ann.post("/doubts/resolve", decided);
    expect(await standing()).toBe("in doubt");
    for (const part of ["Nothing has been done yet", ADDRESS, "0.001", "nobody named", "What follows"])
      expect([part, asked.text.includes(part)]).toEqual([part, true]);
    expect(hiddenFieldsOf(asked.text, "/doubts/resolve")).toEqual({
      ...decided,
      sure: "yes",
      "from-page": "/doubts",
    });
    const sure = { ...decided, sure: "yes" };
    expect((await ann.post("/doubts/resolve", sure)).location).toBe(story("PAY-1"));
    expect(await standing()).toBe("abandoned");
    expect((await ann.get("/doubts/payment?reference=PAY-1")).location).toBe(story("PAY-1"));
    expect((await ann.get(story("PAY-1"))).text).not.toContain("<img");
  });

  test("is not decided at a desk that never connects, which says where it is", async () => {
    const { workplace, standing } = await siteInDoubt();
    const alone = { ...workplace, context: { ...workplace.context, transport: noTransport } };
    const ann = await trialVisitor(await deskOf(alone), "ann");
    const { text } = await ann.get("/doubts/payment?reference=PAY-1");
    expect(text).toContain("decide at the desk of the machine that sends");
    expect(text).toContain("Give it up");
    expect(text).not.toContain('<input type="radio"');
    expect(text).not.toContain("/doubts/resolve");
    const form = { reference: "PAY-1", do: "--abandon", reason: "why" };
    expect((await ann.post("/doubts/resolve", form)).text).toContain(
      "decide at the desk of the machine that sends",
    );
    expect(await standing()).toBe("in doubt");
  });
});

test("a payment in doubt is not offered to be sent again while that would be refused, and says why", async () => {
  const { workplace } = await siteInDoubt();
  const dave = await trialVisitor(await deskOf(workplace), "dave");
  const [path, offered] = ["/doubts/payment?reference=PAY-1", 'value="--resend"'];
  expect((await dave.get(path)).text).toContain(offered);
  await giveStopOrder(workplace, "dave", "an audit");
  const { text } = await dave.get(path);
  expect(text).not.toContain(offered);
  expect(text).toMatch(/Not possible now: [^<]*an audit/);
  expect(text).toContain('value="--abandon"');
  const notes = (await listDoubts(workplace)).payments.flatMap(({ choices }) =>
    choices.flatMap((each) => each.notes),
  );
  expect(notes).toContainEqual(expect.stringMatching(/^refused now: .*an audit/));
});

test("the batch of a payment in doubt may be approved again at the desk once its approval has run out", async () => {
  const { workplace } = await siteInDoubt();
  await workplace.store.write(() => run(sql`update approval set decided_at = '2020-01-01T00:00:00.000Z'`));
  const ben = await trialVisitor(await deskOf(workplace), "ben");
  expect((await ben.get("/batches/B-000001")).text).toContain("and you can.");
  await approveStep(workplace, "B-000001", "ben");
  expect((await ben.get("/batches/B-000001")).text).toContain("Approved by ben.");
});

test("a deposit in doubt is decided after a question that says what follows, in a trial too", async () => {
  const effect = { kind: "cut-before-read" } as const;
  const { workplace } = await openSite({ faults: [{ operation: "createDeposit", effect }] });
  const doubtful = await createDepositStep(workplace, DEPOSIT);
  expect(doubtful.isInDoubt).toBe(true);
  const dave = await trialVisitor(await deskOf(workplace), "dave");
  expect((await dave.get("/")).text).toMatch(/Waits for you.*1 deposit, void or authorization in doubt/s);
  const form = { number: "1", do: "abandon", reason: "it never came", despite: "yes" };
  const { text } = await dave.post("/doubts/change", form);
  expect(text).toContain("It was not done: DEP-1?");
  expect(text).toContain("Its reference may be used again.");
  expect((await listDoubts(workplace)).changes).toHaveLength(1);
  expect((await dave.post("/doubts/change", { ...form, sure: "yes" })).location).toBe("/doubts");
  expect((await listDoubts(workplace)).changes).toEqual([]);
});

describe("a payment that ended without paying", () => {
  const again = "/payments/pay-again";

  async function siteRefusing() {
    const site = await openSite();
    const body = '[{"error":"no","code":"WRONG"}]';
    const effect = { kind: "answer", statusCode: 400, body, committed: false } as const;
    await site.sandbox.setFaults([{ operation: "createPayoutV2", effect }]);
    const cells = { reference: "R-1", amount: "0.02", destinationAddress: ADDRESS, customerId: "Zoë" };
    await createPayoutStep(site.workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
    await site.sandbox.setFaults([]);
    return site;
  }

  test("is not offered to an operator who may not submit the new payment", async () => {
    const desk = await openProvenDesk();
    const effect = {
      kind: "answer",
      statusCode: 400,
      body: '[{"error":"no","code":"WRONG"}]',
      committed: false,
    } as const;
    await desk.sandbox.setFaults([{ operation: "createPayoutV2", effect }]);
    await approveStep(desk.workplace, await desk.submit("R-1"), "ben");
    expect(await payStep(desk.workplace)).toMatchObject({ refused: 1 });
    const ben = await provenVisitor(await deskOf(desk.workplace), desk.workplace, "ben");
    const { text } = await ben.get(story("R-1"));
    expect(text).toContain("An operator who is also a submitter decides.");
    expect(text).not.toContain("Pay again…");
  });

  test("is paid again from its page, by a question that repeats sum, payee, address and what follows", async () => {
    const { workplace, sandbox } = await siteRefusing();
    const dave = await trialVisitor(await deskOf(workplace), "dave");
    expect((await dave.get(story("R-1"))).text).toContain(`href="${again}?reference=R-1">Pay again…`);
    const { text } = await dave.get(`${again}?reference=R-1`);
    for (const part of ["0.02", "Zoë", ADDRESS, "It is not paid before others have approved it"])
      expect(text).toContain(part);
    const sent = sandbox.creations().length;
    expect((await dave.post(again, { reference: "R-1", as: "R-1-AGAIN", reason: " " })).status).toBe(409);
    const form = { reference: "R-1", as: "R-1-AGAIN", reason: "the limit there is raised" };
    expect((await dave.post(again, form)).location).toBe("/batches/B-000002");
    expect((await dave.get(story("R-1-AGAIN"))).text).toContain("waits for approval");
    expect((await dave.get(story("R-1"))).text).toContain("It is paid again as");
    expect((await dave.get(story("R-1"))).text).not.toContain("Pay again…");
    expect((await dave.post(again, { ...form, as: "R-1-TWICE" })).status).toBe(409);
    expect(sandbox.creations()).toHaveLength(sent);
  });

  test("is not paid again by pressing where it has arrived, is under way, or this desk cannot look", async () => {
    const { workplace } = await siteRefusing();
    const cells = { reference: "GOOD-1", amount: "0.03", destinationAddress: ADDRESS };
    await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
    const dave = await trialVisitor(await deskOf(workplace), "dave");
    expect((await dave.get(story("GOOD-1"))).text).not.toContain("Pay again");
    expect((await dave.get(`${again}?reference=GOOD-1`)).location).toBe(story("GOOD-1"));
    const good = await dave.post(again, { reference: "GOOD-1", as: "X", reason: "why not" });
    expect([good.status, good.text]).toEqual([409, expect.stringContaining("may not be paid again")]);
    const direct = { reference: "R-1", as: "R-9", reason: "undecided" };
    expect((await dave.post(`${again}/submit`, direct)).status).toBe(409);
    const alone = { ...workplace, context: { ...workplace.context, transport: noTransport } };
    const ann = await trialVisitor(await deskOf(alone), "ann");
    expect((await ann.get(story("R-1"))).text).toContain("decide at the desk of the machine that sends");
    expect((await ann.post(again, direct)).text).toContain("Not at this desk");
  });

  test("is paid again by two signatures: of the decision, and of the payment that is sent in", async () => {
    const desk = await openProvenDesk();
    const { workplace } = desk;
    const erin = { name: "erin", roles: ["operator", "submitter"], person: "dave" } as const;
    await addPersonStep(workplace, { ...erin, credential: KEYS.mallory.credential });
    const body = '[{"error":"no","code":"WRONG"}]';
    const effect = { kind: "answer", statusCode: 400, body, committed: false } as const;
    await desk.sandbox.setFaults([{ operation: "createPayoutV2", effect }]);
    await approveStep(workplace, await desk.submit("A-1"), "ben");
    await payStep(workplace);
    await desk.sandbox.setFaults([]);
    const app = await deskOf(workplace);
    const place = signing(workplace, withKey(KEYS.mallory));
    const person = await provenVisitor(app, place, "erin");
    const form = { reference: "A-1", as: "A-1-AGAIN", reason: "corrected there" };
    const decided = await person.post(again, form);
    expect(decided.text).toContain("decision: pay again");
    const second = await decideBy(person, KEYS.mallory, again, form);
    expect(second.text).toContain("decision: submit");
    const made = await decideBySecond(person, second.text);
    expect(made.location).toBe("/batches/B-000002");
    const ben = await provenVisitor(app, workplace, "ben");
    expect((await ben.get("/batches/B-000002")).text).toContain("by erin, who may not approve it");
    expect((await ben.get(`${again}?reference=A-1`)).location).toBe(story("A-1"));
  });

  function decideBySecond(person: Visitor, page: string) {
    const fields = hiddenFieldsOf(page, `${again}/submit`);
    return person.post(`${again}/submit`, {
      ...fields,
      ssh: signBy(KEYS.mallory, fields["statement"] ?? ""),
    });
  }
});

describe("a payout that was found for a payment", () => {
  /** The answer was lost, and the service shows the payout only later. */
  async function siteFinding() {
    const site = await openSite();
    const { workplace, sandbox } = site;
    const body = JSON.stringify({ results: { content: [], totalPages: 0, totalElements: 0 } });
    await sandbox.setFaults([
      { operation: "createPayoutV2", effect: { kind: "cut-after-commit" } },
      {
        operation: "findPayoutFilteredV2",
        effect: { kind: "answer", statusCode: 200, body, committed: false },
      },
    ]);
    const cells = { reference: "L-1", amount: "0.02", destinationAddress: ADDRESS, customerId: "Zoë" };
    await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
    const dave = await trialVisitor(await deskOf(workplace), "dave");
    const abandoned = { reference: "L-1", do: "--abandon", reason: "it never came", despite: "yes" };
    const asked = await dave.post("/doubts/resolve", abandoned);
    await dave.post("/doubts/resolve", hiddenFieldsOf(asked.text, "/doubts/resolve"));
    await sandbox.setFaults([]);
    return { ...site, dave };
  }

  test("is accepted from its page by a question that shows both, and nothing is sent", async () => {
    const { workplace, sandbox, dave } = await siteFinding();
    expect((await workplace.store.read(() => findByReference("L-1")))?.standing).toBe("abandoned");
    const sent = sandbox.creations().length;
    const compared = async () => {
      await reconcileStep(workplace);
      return (await dave.get(story("L-1"))).text;
    };
    await expect.poll(compared, { timeout: 15_000, interval: 500 }).toContain("It is this payment…");
    const page = await compared();
    const found = /payout=([0-9a-f-]{36})/.exec(page)?.[1] ?? "";
    expect((await dave.get("/nights")).text).toContain("“It is this payment” on the payment’s page");
    expect(page).not.toContain("Pay again…");
    const path = `/payments/accept?reference=L-1&payout=${found}`;
    const { text } = await dave.get(path);
    for (const part of ["0.02", "Zoë", ADDRESS, found, "nothing is sent again"]) expect(text).toContain(part);
    const other = { reference: "L-1", payout: found.replace(/^./, "f"), reason: "x" };
    expect((await dave.post("/payments/accept", other)).status).toBe(409);
    const form = { reference: "L-1", payout: found, reason: "the operator named it" };
    expect((await dave.post("/payments/accept", form)).location).toBe(story("L-1"));
    expect(await workplace.store.read(() => findByReference("L-1"))).toMatchObject({
      standing: "accepted",
      payoutId: found,
    });
    expect(sandbox.creations()).toHaveLength(sent);
  });
});

test("an export's files are taken away by their numbers, and no other file is", async () => {
  const { workplace } = await sitePaying("A-1");
  const ann = await trialVisitor(await deskOf(workplace), "ann");
  const found: string[] = [];
  const issue = async () => {
    await trackStep(workplace);
    found.push(...(await ledgerExportStep(workplace)).issued.flatMap(({ files }) => files));
    return found.length;
  };
  await expect.poll(issue).toBeGreaterThan(0);
  const files: readonly string[] = found;
  const at = files.findIndex((path) => path.endsWith("journal.csv"));
  expect((await ann.get("/books")).text).toContain(basename(files[at] ?? ""));
  const got = await ann.get(`/books/journal/1/${at}`);
  expect([got.status, got.headers["content-disposition"]]).toEqual([
    200,
    "attachment; filename*=UTF-8''000001-journal.csv",
  ]);
  for (const path of [
    "/books/journal/1/99",
    "/books/journal/2/0",
    "/books/xero/1/0",
    "/books/journal/1/-1",
    "/books/journal/01/0",
    "/books/journal/1/length",
    "/books/journal/1/..%2F..%2Fpaydrop.yaml",
    "/books/../paydrop.yaml",
    "/books/journal/1/__proto__",
    "/books/__proto__/1/0",
  ])
    expect([path, (await ann.get(path)).status]).toEqual([path, 404]);
  rmSync(files[at] ?? "");
  symlinkSync("/etc/passwd", files[at] ?? "");
  expect((await ann.get(`/books/journal/1/${at}`)).status).toBe(404);
  await workplace.store.write(() => run(sql`update issued_file set path = '/etc/passwd'`));
  expect((await ann.get("/books/journal/1/0")).status).toBe(404);
});

test("books are for viewers and controllers", async () => {
  const { workplace } = await openProvenDesk();
  const ben = await provenVisitor(await deskOf(workplace), workplace, "ben");
  for (const path of ["/books", "/books/journal/1/0", "/books/remap"])
    expect([path, (await ben.get(path)).status]).toEqual([path, 403]);
  expect((await ben.post("/books/remap", {})).status).toBe(403);
});

test("sending goes on only after a question that says what is due, in a trial too", async () => {
  const site = await openSite();
  const { workplace, folder } = site;
  writeFileSync(`${folder}/due.csv`, `reference,amount,destinationAddress\nD-1,0.02,${ADDRESS}\n`);
  const { digest = "" } = await submitFile(workplace, `${folder}/due.csv`, "ann");
  await approveStep(workplace, digest, "ben");
  const ann = await trialVisitor(await deskOf(workplace), "ann");
  expect((await ann.post("/jobs/stop", { reason: " " })).status).toBe(409);
  await ann.post("/jobs/stop", { reason: "looks odd" });
  expect((await ann.post("/jobs/go", { reason: " " })).status).toBe(409);
  const { text } = await ann.post("/jobs/go", { reason: "was nothing" });
  for (const part of [
    "Nothing has been done yet",
    "looks odd",
    "1 payment, ",
    "0.02",
    "due.csv",
    "was nothing",
  ])
    expect([part, text.includes(part)]).toEqual([part, true]);
  expect(await stopOrder(workplace)).toBeDefined();
  await payStep(workplace);
  expect(site.sandbox.creations()).toEqual([]);
  expect((await ann.post("/jobs/go", hiddenFieldsOf(text, "/jobs/go"))).location).toBe("/jobs");
  expect(await stopOrder(workplace)).toBeUndefined();
});

test("where a button of a trial has dots, a question follows, and nothing is done before its answer", async () => {
  const { workplace, standing } = await siteInDoubt();
  const app = await deskOf(workplace);
  const ann = await trialVisitor(app, "ann");
  const people = (await listPeopleStep(workplace)).people.map(({ name }) => name);
  await submitFile(workplace, join(workplace.config.folders.inbox, "..", "payouts.csv"), "bob");
  await ann.post("/jobs/stop", { reason: "a look" });
  const pages = ["/doubts/payment?reference=PAY-1", "/jobs", "/people", "/nights", "/batches/B-000002"];
  const found: string[] = [];
  const opened: string[] = [];
  for (const path of pages) {
    const { text } = await ann.get(path);
    const dialogs = [...text.matchAll(/<div class="ask" id="([^"]+)".*?<\/form>/gs)];
    for (const [dialog] of dialogs) expect(dialog).not.toMatch(/…<\/button>/);
    for (const { 1: attributes = "", 2: label = "", index } of text.matchAll(DOTTED)) {
      found.push(label);
      const opens = /popovertarget="([^"]+)"/.exec(attributes)?.[1];
      if (opens !== undefined) {
        opened.push(opens);
        expect(dialogs.map(([, id]) => id)).toContain(opens);
      } else {
        const { action, fields } = filledForm(text.slice(0, index));
        const asked = await ann.post(action, fields);
        expect([label, asked.status, asked.text.includes("Nothing has been done yet.")]).toEqual([
          label,
          200,
          true,
        ]);
        expect(asked.text).toMatch(/<h1>[^<]*\?<\/h1>/);
        expect(hiddenFieldsOf(asked.text, action)).toMatchObject({ ...fields, sure: "yes" });
      }
    }
  }
  const revokes = found.filter((label) => label === "Revoke…");
  expect(revokes.length).toBeGreaterThan(1);
  expect([...new Set(found)]).toEqual(["Decide…", "Go on…", "Revoke…", "Make a one-time code…", "Reject…"]);
  // Each opens its own question.
  expect(new Set(opened).size).toBe(revokes.length + 1);
  expect(await standing()).toBe("in doubt");
  expect(await stopOrder(workplace)).toBeDefined();
  expect((await listPeopleStep(workplace)).people.map(({ name }) => name)).toEqual(people);
});

const DOTTED = /<button([^>]*)>([^<]*…)<\/button>/g;

/** The form at the end of a page, filled in by a person who chooses the last of all options. */
function filledForm(page: string): { action: string; fields: Record<string, string> } {
  const form = page.slice(page.lastIndexOf("<form"));
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<(?:input|textarea)[^>]*>/g)) {
    const [name = "", value = "erin"] = ["name", "value"].map(
      (each) => new RegExp(` ${each}="([^"]*)"`).exec(tag)?.[1],
    );
    fields[name] = unescaped(value);
  }
  return { action: / action="([^"]*)"/.exec(form)?.[1] ?? "", fields };
}
