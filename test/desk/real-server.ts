/** What tests of a desk need that listens by itself: a certificate, patience until it does, and lines to it. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Connections } from "../../src/daemon/index.ts";
import { type DeskPlace, startDesk } from "../../src/desk/index.ts";
import type { Workplace } from "../../src/index.ts";
import { sessionsOf } from "../../src/proof/sessions.ts";
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
export async function listeningDesk(
  workplace: Workplace,
  { tls, connections }: { tls?: DeskPlace["tls"]; connections?: Connections } = {},
): Promise<RealDesk> {
  const port = await freePort();
  const origin = `${tls === undefined ? "http" : "https"}://localhost:${port}`;
  const desk = await startDesk(workplace, { listen: `127.0.0.1:${port}`, origin, tls }, { connections });
  onTestFinished(() => desk.close());
  return { origin, port };
}

/** The cookie of somebody who has signed in. */
export async function sessionOf(workplace: Workplace, name: string): Promise<string> {
  const token = await sessionsOf(workplace).signIn(workplace, name, `code of ${name} ${Math.random()}`);
  return `__Host-session=${token}`;
}

/** A form with files, as a browser sends it. A name may have any bytes. */
export function multipart(
  files: readonly (readonly [name: string, content: string | Buffer])[],
): Buffer<ArrayBuffer> {
  const parts = files.flatMap(([name, content]) => {
    const head = `content-disposition: form-data; name="file"; filename="${name}"`;
    return [`--mark\r\n${head}\r\ncontent-type: text/csv\r\n\r\n`, content, "\r\n"];
  });
  return Buffer.concat([...parts, "--mark--\r\n"].map((part) => Buffer.from(part)));
}

export const MULTIPART = { "content-type": "multipart/form-data; boundary=mark" };

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

/** The head of a request, as one would write it by hand. `headers`: besides those of our own form. */
export function headOf(
  { origin }: RealDesk,
  path: string,
  headers: Readonly<Record<string, string | number>> = {},
): string {
  const own = { host: new URL(origin).host, origin, "content-type": "application/x-www-form-urlencoded" };
  const lines = Object.entries({ ...own, ...headers }).map((each) => each.join(": "));
  return [`POST ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

export function formRequest(desk: RealDesk, path: string, body: string): string {
  return headOf(desk, path, { "content-length": Buffer.byteLength(body) }) + body;
}
