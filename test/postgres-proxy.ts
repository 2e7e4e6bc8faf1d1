/** Another way to the run's PostgreSQL server, which can lose what is said on it, or stand still. */
import { connect as connectTo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./store/stored-batch.ts";
import { endTogether } from "./tcp-proxy.ts";

/** `before`: the server never hears of it. `behind`: the server has done it, and its answer is lost. */
export type Cut = "before" | "behind";

export async function proxyTo(url: string) {
  const target = join(new URL(url.replace("@/", "@host/")).searchParams.get("host") ?? "", ".s.PGSQL.5432");
  const folder = temporaryFolder();
  let swallowed: string | undefined;
  let translated = { from: "", to: "" };
  let awaited: { readonly text: string; readonly work: () => Promise<unknown> } | undefined;
  let cut: { readonly nth: number; readonly when: Cut } | undefined;
  let requests = 0;
  const sockets: Socket[] = [];
  let isSilent = false;
  // Who has nothing more to hear is not told so.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const behind = connectTo(target);
    sockets.push(client, behind);
    let isSwallowing = false;
    let waitsFor: Promise<unknown> | undefined;
    client.on("data", (bytes) => {
      requests += 1;
      const isCut = requests === cut?.nth;
      if (isCut && cut?.when === "before") return void client.destroy();
      if (isCut || (swallowed !== undefined && bytes.includes(`${swallowed}\0`))) isSwallowing = true;
      if (awaited !== undefined && bytes.includes(awaited.text)) {
        const { work } = awaited;
        awaited = undefined;
        behind.prependOnceListener("data", () => {
          waitsFor = work();
        });
      }
      if (!isSilent) behind.write(bytes);
    });
    behind.on("data", async (bytes) => {
      await waitsFor;
      // The server has answered, so it has happened.
      if (isSwallowing) client.destroy();
      else
        client.write(
          Buffer.from(bytes.toString("latin1").replaceAll(translated.from, translated.to), "latin1"),
        );
    });
    endTogether(client, behind);
  });
  await new Promise<void>((listening) => server.listen(join(folder, ".s.PGSQL.5432"), listening));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: url.replace(/host=.*/, `host=${encodeURIComponent(folder)}`),
    /** The connection ends at the n-th request. */
    cutAt: (nth: number, when: Cut) => {
      cut = { nth, when };
    },
    swallowAnswerTo: (command: string) => {
      swallowed = command;
    },
    /** What the server answers to a command is passed on when the work is done. */
    beforeAnswerTo: (text: string, work: () => Promise<unknown>) => {
      awaited = { text, work };
    },
    passEverything: () => {
      swallowed = undefined;
    },
    /** What the server says otherwise, in as many letters. */
    translate: (from: string, to: string) => {
      translated = { from, to };
    },
    /** Nothing arrives any more, and nobody says so. */
    fallSilent: () => {
      isSilent = true;
    },
  };
}
