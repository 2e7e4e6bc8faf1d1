/** A proxy to the run's PostgreSQL server that can lose messages or stop passing them on. */
import { connect as connectTo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./store/stored-batch.ts";
import { endTogether } from "./tcp-proxy.ts";

/** `before`: the request never reaches the server. `behind`: the server has executed it; its answer is lost. */
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
  // The server gets no message when a client has ended.
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
      // The server has answered, so it was executed.
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
    /** Breaks the connection at the n-th request. */
    cutAt: (nth: number, when: Cut) => {
      cut = { nth, when };
    },
    swallowAnswerTo: (command: string) => {
      swallowed = command;
    },
    /** Holds the server's answer to a command back until the work is done. */
    beforeAnswerTo: (text: string, work: () => Promise<unknown>) => {
      awaited = { text, work };
    },
    passEverything: () => {
      swallowed = undefined;
    },
    /** Replaces a text in the server's answers by another of the same length. */
    translate: (from: string, to: string) => {
      translated = { from, to };
    },
    /** From now on nothing arrives, and neither side is notified. */
    fallSilent: () => {
      isSilent = true;
    },
  };
}
