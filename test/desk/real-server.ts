/** What tests of a desk need that listens by itself: a certificate, patience until it does, and lines to it. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { startDesk } from "../../src/desk/server.ts";
import type { Workplace } from "../../src/index.ts";
import { freePort } from "./trial.ts";

const KIND = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** Writes a self-signed certificate for this host, and its key. */
export function writeCertificate(host: string, { key, cert }: Record<"key" | "cert", string>): void {
  const args = ["req", "-x509", ...KIND, "-subj", `/CN=${host}`, "-keyout", key, "-out", cert];
  execFileSync("openssl", args, { stdio: "ignore" });
}

/** Of a desk that is still starting, nothing; any other error is thrown. */
export function unlessNotListening(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ECONNREFUSED") throw error;
}

export interface RealDesk {
  readonly origin: string;
  readonly port: number;
}

/** The desk at a free port of this machine, until the test has ended. */
export async function listeningDesk(workplace: Workplace): Promise<RealDesk> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const desk = await startDesk(workplace, { listen: `127.0.0.1:${port}`, origin });
  onTestFinished(() => desk.close());
  return { origin, port };
}

export interface Line {
  readonly socket: Socket;
  /** Everything that came back. */
  received(): string;
  /** How many answers began. */
  answers(): number;
}

/** A connection of somebody who need not speak HTTP. */
export async function openLine({ port }: RealDesk, localAddress = "127.0.0.1"): Promise<Line> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
  });
  // What the server ends is seen by `closed`.
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return {
    socket,
    received: () => received,
    answers: () => received.split(/^HTTP\/1\.1 (?!100)/m).length - 1,
  };
}

/** The whole answer to some bytes, after which the client says no more. */
export async function answerTo(desk: RealDesk, bytes: string | Buffer): Promise<string> {
  const line = await openLine(desk);
  line.socket.end(bytes);
  if (!line.socket.closed) await once(line.socket, "close");
  return line.received();
}

/** A request with a body, as one would write it by hand. `headers`: besides those of our own form. */
export function formRequest(
  { origin }: RealDesk,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  const all = {
    ...{ host: new URL(origin).host, origin, "content-type": "application/x-www-form-urlencoded" },
    ...{ "content-length": String(Buffer.byteLength(body)), ...headers },
  };
  const lines = Object.entries(all).map((each) => each.join(": "));
  return [`POST ${path} HTTP/1.1`, ...lines, "", body].join("\r\n");
}
