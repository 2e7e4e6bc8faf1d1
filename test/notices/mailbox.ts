/** A mail server and a chat program that a test controls, with what arrived at each. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { expect, onTestFinished } from "vitest";

export const CANARY = "canary-7f3a";

export interface ArrivedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
}

/** `takes`: whether a message is accepted; "cut" accepts it and loses the connection before it says so. */
export async function mailServer(more: SMTPServerOptions = {}) {
  const arrived: ArrivedMail[] = [];
  let takes: "yes" | "no" | "cut" = "yes";
  const open = async (port: number) => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: more.key === undefined ? ["STARTTLS"] : [],
      logger: false,
      ...more,
      onData: async (stream, session, callback) => {
        const raw = await text(stream);
        if (takes === "no") return callback(new Error("mailbox unavailable"));
        const to = session.envelope.rcptTo.map(({ address }) => address).join(", ");
        arrived.push({ to, ...read(raw) });
        if (takes === "cut") for (const connection of server.connections) connection.close();
        else callback(null, "queued");
      },
    });
    server.on("error", () => undefined);
    server.listen(port, "127.0.0.1");
    await once(server.server, "listening");
    const close = () => new Promise<void>((closed) => server.close(() => closed()));
    return { close, port: (server.server.address() as AddressInfo).port };
  };
  let running: { close(): Promise<void>; port: number } | undefined = await open(0);
  const { port } = running;
  onTestFinished(async () => running?.close());
  return {
    port,
    /** What arrived since the last call. */
    mails: () => arrived.splice(0),
    takes: (how: typeof takes) => {
      takes = how;
    },
    goOut: async () => {
      await running?.close();
      running = undefined;
    },
    comeBack: async () => {
      running = await open(port);
    },
  };
}

/** The parts of a message of plain text; quoted-printable (RFC 2045, section 6.7) is undone. */
function read(raw: string): Omit<ArrivedMail, "to"> {
  const end = raw.indexOf("\r\n\r\n");
  const head = raw.slice(0, end).replace(/\r\n[ \t]/g, " ");
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.trim() ?? "";
  const body = raw
    .slice(end + 4)
    .replaceAll("\r\n", "\n")
    .trim();
  const isQuoted = header("Content-Transfer-Encoding") === "quoted-printable";
  const unquoted = body
    .replaceAll("=\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  expect(header("Auto-Submitted")).toBe("auto-generated");
  return {
    subject: header("Subject"),
    text: isQuoted ? unquoted : body,
    messageId: header("Message-ID"),
  };
}

/** A chat program's incoming webhook. */
export async function chatServer() {
  const told: string[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    expect(request.headers["content-type"]).toBe("application/json");
    expect(Object.keys(body)).toEqual(["text"]);
    if (status === 200) told.push(body.text);
    response.writeHead(status).end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks/${CANARY}`,
    chats: () => told.splice(0),
    answers: (code: number) => {
      status = code;
    },
  };
}
