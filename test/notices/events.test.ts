/**
 * Events for systems: numbered without gaps, in order, each once, signed as the guide says, sent again on demand; over
 * a restart and an outage of the receiver.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import {
  approveStep,
  exportStep,
  payStep,
  resolveDoubtStep,
  submitFile,
  trackStep,
} from "../../src/index.ts";
import type { Break } from "../../src/model/index.ts";
import { amountOf } from "../../src/money/index.ts";
import { replaceOpenBreaks } from "../../src/store/breaks.ts";
import { listByStanding } from "../../src/store/instructions.ts";
import { insertEntries } from "../../src/store/ledger-entries.ts";
import { insertClosedPeriod } from "../../src/store/periods.ts";
import { deposits, payouts } from "../books/golden-books.ts";
import { book } from "../books/movements.ts";
import { paydrop, SAMPLES, SANDBOX_SECRETS } from "../cli/program.ts";
import { ADDRESS, MINUTE_MS, noticed } from "./place.ts";

const SECRET = "shared-canary-9c1e";

async function receiver() {
  const arrived: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  let status = 204;
  let refused = "";
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const isRefused = request.headers["paydrop-event"] === refused;
    if (isRefused) refused = "";
    const answer = isRefused ? 503 : status;
    if (answer === 204) arrived.push({ headers: request.headers, body });
    response.writeHead(answer).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/events`,
    /** What arrived since the last call. */
    requests: () => arrived.splice(0),
    /** The next time that this event comes. */
    refuses: (number: number) => {
      refused = String(number);
    },
    answers: (code: number) => {
      status = code;
    },
  };
}

test("sends each event once, signed and in order, despite an outage and a restart; replays on request", async () => {
  const { url, requests, answers, refuses } = await receiver();
  const place = await noticed(
    {
      faults: [{ operation: "createPayoutV2", nth: 3, effect: { kind: "cut-before-read" } }],
    },
    { PAYDROP_EVENTS_URL: url, PAYDROP_EVENTS_SECRET: SECRET },
  );
  const { workplace, later, restart, now } = place;
  const events = () =>
    requests().map(({ headers, body }) => {
      for (const secret of [ADDRESS, SECRET, ...Object.values(SANDBOX_SECRETS)])
        expect(body).not.toContain(secret);
      const event = JSON.parse(body);
      expect(headers["paydrop-event"]).toBe(String(event.number));
      return event;
    });
  const { digest = "" } = await submitFile(workplace, join(SAMPLES, "payouts.csv"), "sue");
  await later(MINUTE_MS);
  const sums = [{ currency: "BTC", payments: 40, amount: "1.81168548" }];
  const batch = { batch: "B-000001", file: "payouts.csv", sums, payees: 39, installation: "trial" };
  const [first, ...others] = requests();
  expect(JSON.parse(first?.body ?? "")).toEqual({
    ...{ number: 1, event: "batch.accepted", at: expect.stringMatching(/Z$/), ...batch },
  });
  expect(others).toEqual([]);
  expect(verified(first)).toBe(first?.headers["paydrop-signature"]);
  answers(500);
  for (const person of ["paul", "paula"]) await approveStep(workplace, digest, person);
  expect(await payStep(workplace)).toMatchObject({ inDoubt: 1 });
  await later(MINUTE_MS);
  await restart();
  const [doubt] = await workplace.store.read(() => listByStanding("in doubt"));
  const { reference = "", amount } = doubt?.fields ?? {};
  await resolveDoubtStep(workplace, { reference, person: "olga", reason: "paid by hand" }, { by: "abandon" });
  await expect.poll(async () => (await trackStep(workplace)).open).toBe(0);
  const found = (id: number): Break => ({
    ...{ id: `unexpected:payout:${id}`, kind: "unexpected", severity: "alarm" },
    ...{ sentence: `It pays ${ADDRESS}.`, amount: amountOf("0.5", "BTC") },
  });
  const [entry] = book({ payouts, deposits }).entries;
  await workplace.store.write(function* () {
    yield* replaceOpenBreaks([found(1)], now());
    yield* replaceOpenBreaks([], now());
    if (entry !== undefined) yield* insertEntries([entry], now());
    yield* insertClosedPeriod({ month: "2026-10", closedAt: now(), closedBy: "conny", points: "[]" });
  });
  await exportStep(workplace);
  await later(MINUTE_MS);
  expect(requests()).toEqual([]);
  answers(204);
  refuses(4);
  await later(4 * MINUTE_MS);
  const before = events();
  expect(before.map(({ number }) => number)).toEqual([2, 3]);
  await later(MINUTE_MS);
  const after = [...before, ...events()];
  const inDoubt = { batch: "B-000001", reference, amount: amount?.value.normalized().toString() };
  expect(after).toMatchObject([
    { number: 2, event: "batch.approved", ...batch },
    { number: 3, event: "doubt.opened", ...inDoubt },
    { number: 4, event: "doubt.ended", ...inDoubt },
    {
      ...{ number: 5, event: "batch.paid", ...batch },
      standings: [
        { standing: "accepted", currency: "BTC", payments: 39, amount: expect.stringMatching(/^1\.\d+$/) },
        { standing: "abandoned", currency: "BTC", payments: 1, amount: inDoubt.amount },
      ],
    },
    { number: 6, event: "break.opened", break: "BR-1", kind: "unexpected", amount: "0.5", currency: "BTC" },
    { number: 7, event: "break.closed", break: "BR-1" },
    { number: 8, event: "month.closed", month: "2026-10" },
    { number: 9, event: "export.issued", target: "journal", exportBatch: 1, entries: 1 },
  ]);
  await restart();
  await later(MINUTE_MS);
  expect(requests()).toEqual([]);
  const replayed = await paydrop(place.folder, ["notices", "replay", "--from", "8"], place.environment);
  expect(replayed.stdout).toBe("`serve` sends 2 events again\n");
  await later(MINUTE_MS);
  expect(events()).toEqual(after.slice(-2));
  const beyond = await paydrop(place.folder, ["notices", "replay", "--from", "10"], place.environment);
  expect([beyond.exitCode, beyond.stderr]).toEqual([2, expect.stringContaining("there is no event 10")]);
  const listed = await paydrop(place.folder, ["notices", "list"], place.environment);
  expect(listed.stdout).toContain("events for systems: 9 of 9 delivered\n");
});

/** The signature that the guide's own example computes. */
function verified(
  request: { readonly headers: IncomingHttpHeaders; readonly body: string } | undefined,
): string {
  const page = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8");
  const script = /^```sh\n(.*?openssl dgst.*?)^```$/ms.exec(page)?.[1] ?? "exit 1";
  const variables = {
    SECRET,
    TIMESTAMP: String(request?.headers["paydrop-timestamp"]),
    PATH: process.env["PATH"],
  };
  return execFileSync("bash", ["--norc", "-c", script], {
    env: variables,
    input: request?.body ?? "",
    encoding: "utf8",
  }).trim();
}
