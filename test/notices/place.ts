/** A workplace whose people have mail addresses and one role each, and its daemon of notices, in simulated time. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { UnrecordedRuns } from "../../src/daemon/index.ts";
import { addPersonStep, type Environment, type Log, type Workplace } from "../../src/index.ts";
import type { Role } from "../../src/model/index.ts";
import { runNotices } from "../../src/notices/index.ts";
import { introduceAll } from "../../src/proof/trial.ts";
import type { ServerOptions } from "../../src/sandbox/index.ts";
import type { Store } from "../../src/store/store.ts";
import { credentialOf, trialKeyOf } from "../../src/workplace/trial-keys.ts";
import { SAMPLES, SANDBOX_SECRETS } from "../cli/program.ts";
import { openSite } from "../site/service.ts";
import { preparedDatabase } from "../site/workplace.ts";
import { CANARY, chatServer, mailServer } from "./mailbox.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Nobody has two roles, so that each mail shows which role receives it. */
const ROSTER: Readonly<Record<string, Role>> = {
  sue: "submitter",
  paul: "approver",
  paula: "approver",
  olga: "operator",
  conny: "controller",
};

export const FROM = "paydrop@example.com";
export const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/** Notices of a workplace. `later` passes time until the next look has ended. */
export async function noticed(
  options: ServerOptions = {},
  changes: Environment = {},
  storeOf: (store: Store) => Store = (store) => store,
) {
  const server = await mailServer();
  const chat = await chatServer();
  const mail = JSON.stringify({ host: "127.0.0.1", port: server.port, tls: "none", from: FROM });
  const configured = {
    PAYDROP_NOTICES_URL: chat.url,
    PAYDROP_NOTICES_MAIL: mail,
    PAYDROP_DESK: '{ listen: "127.0.0.1:8080", origin: "https://pay.example.com" }',
    ...changes,
  };
  const database = await databaseWithRoster();
  const site = await openSite(options, configured, database);
  const { workplace } = site;
  if (database === undefined) await hire(workplace);
  const logged: string[] = [];
  const note = (event: string, fields: object = {}) => void logged.push(`${event} ${JSON.stringify(fields)}`);
  const log: Log = { ...workplace.context.log, warn: note, error: note };
  let passedMs = 0;
  let asleep = Promise.withResolvers<() => void>();
  const clock = {
    ...workplace.context.clock,
    now: () => new Date(Date.now() + passedMs).toISOString(),
    sleep: (_durationMs: number, signal?: AbortSignal) =>
      new Promise<void>((wake, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        asleep.resolve(wake);
      }),
  };
  const inItsTime = {
    ...workplace,
    store: storeOf(workplace.store),
    context: { ...workplace.context, clock, log },
  };
  const unrecorded = new UnrecordedRuns();
  const begin = async () => {
    asleep = Promise.withResolvers();
    const stop = new AbortController();
    const running = runNotices(inItsTime, stop.signal, (figures) => unrecorded.among(figures));
    await asleep.promise;
    return async () => {
      stop.abort();
      await running;
    };
  };
  let end = await begin();
  onTestFinished(() => end());
  const destinations =
    readFileSync(join(SAMPLES, "payouts.csv"), "utf8").match(/\b[a-zA-Z0-9]{26,62}\b/g) ?? [];
  const mayRead = (message: string) => {
    for (const secret of [...destinations, ADDRESS, CANARY, ...Object.values(SANDBOX_SECRETS)])
      expect(message).not.toContain(secret);
    return message.replace(/\d{4}-\d\d-\d\d \d\d:\d\d \(Europe\/Madrid\)/g, "TIME");
  };
  const took = () =>
    server.mails().map((each) => ({ ...each, text: mayRead(`${each.subject}\n${each.text}`) }));
  return {
    ...site,
    inItsTime,
    server,
    chat,
    logged,
    unrecorded,
    now: clock.now,
    took,
    /** By mail: "paul: subject / line / line", sorted. */
    mails: () =>
      took()
        .map(({ to, text: words }) => `${to.replace("@example.com", "")}: ${inLine(words)}`)
        .toSorted(),
    chats: () => chat.chats().map((message) => inLine(mayRead(message))),
    later: async (durationMs: number) => {
      const wake = await asleep.promise;
      asleep = Promise.withResolvers();
      passedMs += durationMs;
      wake();
      await asleep.promise;
    },
    restart: async () => {
      await end();
      end = await begin();
    },
  };
}

function inLine(message: string): string {
  return message.split("\n").filter(Boolean).join(" / ");
}

const databaseWithRoster = preparedDatabase(hire);

async function hire(workplace: Workplace): Promise<void> {
  await introduceAll(workplace);
  const { trialKeys = "" } = workplace.config.people;
  for (const [name, role] of Object.entries(ROSTER)) {
    const credential = credentialOf(trialKeyOf(trialKeys, name));
    const mail = `${name}@example.com`;
    await addPersonStep(workplace, { name, roles: [role], credential, mail, person: "trial" });
  }
}
