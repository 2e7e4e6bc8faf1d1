/** How many people a payment takes, when, and at which service; and how people come onto the roster. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  addPersonStep,
  approveStep,
  createDepositStep,
  doctorStep,
  enrolStep,
  intakeStep,
  listPeopleStep,
  payStep,
  recallStep,
  revokeStep,
  submitFile,
} from "../../src/index.ts";
import { shifted } from "../../src/model/index.ts";
import { intoFile } from "../cli/program.ts";
import { portOf } from "../http-proxy.ts";
import { approvedDesk, KEYS, openProvenDesk, paid, signing, withKey } from "../site/proven-desk.ts";
import { ADDRESS, byClock, DEPOSIT, openSite } from "../site/service.ts";
import { makeKey } from "./keys.ts";

const PAYMENT = `reference,amount,destinationAddress\nA-1,0.01,${ADDRESS}\n`;

describe("a file", () => {
  test("from the inbox, which names no submitter, takes one approver more", async () => {
    const { workplace, sent } = await openProvenDesk();
    const { inbox } = workplace.config.folders;
    mkdirSync(inbox, { recursive: true });
    writeFileSync(join(inbox, "a.csv"), PAYMENT);
    const { files } = await intakeStep(workplace);
    const digest = files[0]?.digest ?? "";
    expect(await approveStep(workplace, digest, "ben")).toMatchObject({ peopleNeeded: 2, isReleased: false });
    expect(await approveStep(workplace, digest, "carol")).toMatchObject({ isReleased: true });
    expect(await paid(workplace)).toMatchObject({ accepted: 1 });
    expect(sent()).toEqual(["A-1"]);
  });

  test("from a folder that only one person fills takes as many as its rule says, and never that person", async () => {
    const desk = await openProvenDesk({
      PAYDROP_FILES_SENDERS: "[{ name: sales, folder: sales, submitter: ann }]",
    });
    const { workplace } = desk;
    mkdirSync(join(desk.folder, "sales"), { recursive: true });
    writeFileSync(join(desk.folder, "sales", "a.csv"), PAYMENT);
    const [file] = (await intakeStep(workplace)).files;
    const digest = file?.digest ?? "";
    await expect(approveStep(workplace, digest, "ann")).rejects.toMatchObject({
      problem: { code: "APPROVER_IS_SUBMITTER" },
    });
    expect(await approveStep(workplace, digest, "ben")).toMatchObject({ peopleNeeded: 1, isReleased: true });
    expect(await paid(workplace)).toMatchObject({ accepted: 1 });
  });

  test("is not submitted under another name than one's own", async () => {
    const { workplace, folder } = await openProvenDesk();
    const path = join(folder, "a.csv");
    writeFileSync(path, PAYMENT);
    await expect(submitFile(signing(workplace, withKey(KEYS.ben)), path, "ann")).rejects.toMatchObject({
      problem: { code: "SIGNATURE_INVALID" },
    });
  });
});

describe("approvals that must cool", () => {
  test("are sent no earlier, and can be recalled until then", async () => {
    const { workplace, sent, submit } = await approvedDesk({ PAYDROP_APPROVAL_COOLING_MINUTES: "30" });
    await approveStep(workplace, await submit("A-2", "0.02"), "carol");
    expect(await paid(workplace)).toEqual({ accepted: 0, codes: ["APPROVAL_COOLING", "APPROVAL_COOLING"] });
    await recallStep(workplace, { reference: "B-000002", person: "ben", reason: "wrong month" });
    const later = byClock(workplace, () => shifted(workplace.context.clock.now(), 31 * 60_000));
    expect(await paid(later)).toEqual({ accepted: 1, codes: [] });
    expect(sent()).toEqual(["A-1"]);
  });

  test("cool from when they are given, and not from when their statement was made", async () => {
    const { workplace, sent, submit } = await openProvenDesk({ PAYDROP_APPROVAL_COOLING_MINUTES: "9" });
    const digest = await submit("A-1");
    let passedMs = 0;
    const slow = byClock(workplace, () => shifted(workplace.context.clock.now(), passedMs));
    const signingSlowly = signing(slow, async (asked) => {
      passedMs = 9.5 * 60_000;
      return workplace.sign(asked);
    });
    await approveStep(signingSlowly, digest, "ben");
    expect(await paid(slow)).toEqual({ accepted: 0, codes: ["APPROVAL_COOLING"] });
    expect(sent()).toEqual([]);
  });
});

describe("with the keys of a trial", () => {
  test("nothing is sent to a service that does not answer as the sandbox, nor changed there", async () => {
    const { workplace, openAgain, sandbox, folder } = await openSite();
    const path = join(folder, "a.csv");
    writeFileSync(path, PAYMENT);
    const service = createServer((incoming, outgoing) => {
      const { method, url = "/", headers } = incoming;
      const { port } = new URL(sandbox.url);
      const onward = request({ port, method, path: url, headers }, (answer) => {
        const { server: _, ...others } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 500, others);
        answer.pipe(outgoing);
      });
      incoming.pipe(onward);
    });
    const elsewhere = openAgain({ PAYDROP_SERVICE_BASE_URL: `http://127.0.0.1:${await portOf(service)}` });
    const { digest = "" } = await submitFile(elsewhere, path, "ann");
    await approveStep(elsewhere, digest, "ben");
    const refusal = { problem: { code: "TRIAL_AT_SERVICE" } };
    await expect(payStep(elsewhere)).rejects.toMatchObject(refusal);
    for (const fresh of [
      elsewhere,
      openAgain({ PAYDROP_SERVICE_BASE_URL: elsewhere.config.service.baseUrl }),
    ])
      await expect(createDepositStep(fresh, DEPOSIT)).rejects.toMatchObject(refusal);
    expect(sandbox.creations()).toEqual([]);
    const changes = sandbox.arrivals().filter(({ operation }) => operation?.startsWith("create"));
    expect(changes).toEqual([]);
    await workplace.close();
  });
});

describe("a one-time code", () => {
  async function invited() {
    const desk = await openProvenDesk();
    const { invitation } = await addPersonStep(desk.workplace, {
      name: "erin",
      roles: ["approver"],
      person: "dave",
    });
    const key = makeKey();
    const { credential } = key;
    const erin = signing(desk.workplace, withKey(key));
    return { ...desk, erin, key, credential, code: invitation?.code ?? "" };
  }

  test("enrols one key, whose owner may approve then, and no second one", async () => {
    const { erin, workplace, credential, key, code, submit } = await invited();
    const digest = await submit("A-1");
    await expect(approveStep(erin, digest, "erin")).rejects.toMatchObject({
      problem: { code: "PROOF_MISSING" },
    });
    const { people } = await enrolStep(erin, { name: "erin", code: code.toUpperCase(), credential });
    expect(people.at(-1)).toMatchObject({ name: "erin", keys: [{ fingerprint: key.fingerprint }] });
    expect(await approveStep(erin, digest, "erin")).toMatchObject({ isReleased: true });
    const second = makeKey();
    await expect(
      enrolStep(signing(workplace, withKey(second)), { name: "erin", code, credential: second.credential }),
    ).rejects.toMatchObject({ problem: { code: "ENROLMENT_REFUSED" } });
  });

  test("is refused once it has expired, or for a key that nobody holds; wrong ones before it change nothing", async () => {
    const expired = await invited();
    const later = byClock(expired.workplace, () =>
      shifted(expired.workplace.context.clock.now(), 9 * 3_600_000),
    );
    const refused = { problem: { code: "ENROLMENT_REFUSED" } };
    await expect(enrolStep(later, { ...expired, name: "erin" })).rejects.toMatchObject(refused);
    const guessed = await invited();
    for (let guess = 0; guess < 5; guess += 1)
      await expect(
        enrolStep(guessed.erin, { ...guessed, name: "erin", code: `aaaa-${guess}` }),
      ).rejects.toMatchObject(refused);
    const { people } = await enrolStep(guessed.erin, { ...guessed, name: "erin" });
    expect(people.at(-1)).toMatchObject({ name: "erin", keys: [{ fingerprint: guessed.key.fingerprint }] });
    const stolen = await invited();
    await expect(
      enrolStep(signing(stolen.workplace, withKey(KEYS.mallory)), { ...stolen, name: "erin" }),
    ).rejects.toMatchObject({ problem: { code: "ROSTER_CHANGE_REFUSED" } });
  });
});

test("a one-time code is worth nothing once an admin has added a key of its person", async () => {
  const { workplace } = await openProvenDesk();
  const erin = { name: "erin", roles: ["approver"], person: "dave" } as const;
  const { invitation } = await addPersonStep(workplace, erin);
  await addPersonStep(workplace, { ...erin, credential: makeKey().credential });
  const found = makeKey();
  const enrolment = { name: "erin", code: invitation?.code ?? "", credential: found.credential };
  await expect(enrolStep(signing(workplace, withKey(found)), enrolment)).rejects.toMatchObject({
    problem: { code: "ENROLMENT_REFUSED" },
  });
});

describe("the roster", () => {
  test("is changed by admins only, and keeps one", async () => {
    const { workplace } = await openProvenDesk();
    const { credential } = KEYS.mallory;
    const add = { name: "mallory", roles: ["admin"], credential } as const;
    for (const person of ["ben", "mallory"])
      await expect(addPersonStep(workplace, { ...add, person })).rejects.toMatchObject({
        problem: { code: "ROSTER_CHANGE_REFUSED" },
      });
    await expect(
      revokeStep(workplace, { name: "dave", reason: "left", person: "dave" }),
    ).rejects.toMatchObject({ problem: { code: "ROSTER_CHANGE_REFUSED" } });
    expect((await listPeopleStep(workplace)).people).toHaveLength(4);
  });

  /** The doctor's check of the people, under these rules. */
  async function peopleChecked(desk: Awaited<ReturnType<typeof openProvenDesk>>, rules: string, more = {}) {
    intoFile(desk.folder, { PAYDROP_APPROVAL_RULES: rules }, "rules.yaml");
    const { signal } = new AbortController();
    const checks = await doctorStep(
      join(desk.folder, "rules.yaml"),
      { ...desk.environment, ...more },
      signal,
    );
    return checks.find(({ what }) => what === "people");
  }

  test("is enough for each rule, or the doctor says for which it is not", async () => {
    const desk = await openProvenDesk();
    expect(await peopleChecked(desk, "[{ people: 2 }]")).toMatchObject({ isGood: true });
    expect(await peopleChecked(desk, "[{ people: 2, approvers: [controller] }]")).toMatchObject({
      problems: [{ code: "RULE_UNFULFILLABLE", message: expect.stringContaining("carol") }],
    });
  });

  test("leaves somebody to submit besides those who must approve, or the doctor says that nobody is", async () => {
    const desk = await openProvenDesk();
    const onlyAnn = { problems: [{ code: "SUBMITTER_MISSING", message: expect.stringContaining("ann") }] };
    // Ann is the only submitter, so she cannot be the only approver.
    expect(await peopleChecked(desk, "[{ people: 1, approvers: [ann] }]")).toMatchObject(onlyAnn);
    expect(await peopleChecked(desk, "[{ people: 4 }]")).toMatchObject(onlyAnn);
    // Ann, who is no approver, signs the files that she submits, so three approvers are left.
    expect(await peopleChecked(desk, "[{ people: 3, approvers: [ben, carol, dave] }]")).toMatchObject({
      isGood: true,
    });
    const folders = { PAYDROP_FILES_SENDERS: "[{ name: sales, folder: sales, submitter: ben }]" };
    expect(await peopleChecked(desk, "[{ people: 1, approvers: [ann] }]", folders)).toMatchObject({
      isGood: true,
    });
  });

  test("counts nobody who has no key yet", async () => {
    const desk = await openProvenDesk();
    await addPersonStep(desk.workplace, { name: "erin", roles: ["controller"], person: "dave" });
    await revokeStep(desk.workplace, { name: "carol", reason: "left", person: "dave" });
    expect(await peopleChecked(desk, "[{ people: 1, approvers: [controller] }]")).toMatchObject({
      problems: [{ code: "RULE_UNFULFILLABLE", message: expect.stringContaining("nobody") }],
    });
  });
});
