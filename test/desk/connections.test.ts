/** Which connections to the desk stay when there are too many, and which are too slow to stay. */
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { Connections } from "../../src/daemon/index.ts";
import type { Workplace } from "../../src/index.ts";
import { openProvenDesk } from "../site/proven-desk.ts";
import { ADDRESS } from "../site/service.ts";
import { sliceOf } from "../slice.ts";
import { temporaryFolder } from "../store/stored-batch.ts";
import {
  formRequest,
  headOf,
  type Line,
  listeningDesk,
  MULTIPART,
  openLine,
  type RealDesk,
  sessionOf,
  writeCertificate,
} from "./real-server.ts";
import { formText } from "./visitor.ts";

/** More connections than a server keeps open. */
const TOO_MANY = 300;

const FORM = `--mark\r\ncontent-disposition: form-data; name="file"; filename="slow.csv"\r\ncontent-type: text/csv\r\n\r\nreference,amount,destinationAddress,shelf\n`;

/** Begins to send a file in and continues until told to end: so many bytes at a time, 20 times a second. */
function beginUpload(desk: RealDesk, { socket }: Pick<Line, "socket">, cookie: string, bytes = 1_000) {
  socket.write(headOf(desk, "/files", { ...MULTIPART, cookie, "transfer-encoding": "chunked" }));
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  socket.write(chunk(`${FORM}S-1,0.01,${ADDRESS},`));
  const timer = setInterval(() => socket.write(chunk("x".repeat(bytes))), 50);
  onTestFinished(() => clearInterval(timer));
  return {
    end: () => {
      clearInterval(timer);
      socket.write(`${chunk("\n\r\n--mark--\r\n")}0\r\n\r\n`);
    },
  };
}

async function openLines(desk: RealDesk, count: number, address: string, text: string): Promise<Line[]> {
  const lines = [];
  for (let line = 0; line < count; line += 1) {
    const opened = await openLine(desk, address);
    opened.socket.write(text);
    lines.push(opened);
  }
  return lines;
}

/** A connection may end with a reset, which is an error to its socket. */
function closed({ socket }: Line): Promise<void> {
  return new Promise((resolve) => {
    socket.once("close", () => resolve());
  });
}

function drafts({ config }: Workplace): readonly string[] {
  return readdirSync(config.folders.archive).filter((name) => name.endsWith(".part"));
}

async function isAnswered({ origin }: RealDesk): Promise<boolean> {
  return (await fetch(`${origin}/sign-in`, { headers: { connection: "close" } })).status === 200;
}

describe("where too many connections are open, a new one is answered, and an upload goes on, while others", () => {
  const KINDS: Readonly<Record<string, (desk: RealDesk) => string>> = {
    "are silent": () => "",
    "drip a head": () => "GET / HTTP/1.1\r\nx: ",
    "drip a form": (desk) => `${headOf(desk, "/enrol", { "content-length": 1_000 })}name=`,
    "upload without a session": (desk) =>
      headOf(desk, "/files", { ...MULTIPART, "content-length": 60_000_000 }),
    "guess codes": (desk) => formRequest(desk, "/enrol", formText({ name: "ben", code: "aaaa" })).repeat(2),
    "were answered": () => "GET /favicon.ico HTTP/1.1\r\nhost: localhost\r\n\r\n",
  };

  test.each(sliceOf(Object.entries(KINDS), 3))(
    "%s, from one other address or from the same one",
    async (_, textOf) => {
      const { workplace } = await openProvenDesk();
      const desk = await listeningDesk(workplace);
      for (const address of ["127.0.0.2", "127.0.0.1"]) {
        const line = await openLine(desk);
        const upload = beginUpload(desk, line, await sessionOf(workplace, "ann"));
        const quiet = await openLine(desk);
        const others = await openLines(desk, TOO_MANY, address, textOf(desk));
        expect(await isAnswered(desk)).toBe(true);
        await expect.poll(() => others.filter(({ socket }) => socket.closed).length).toBeGreaterThan(40);
        if (address === "127.0.0.2") expect(quiet.socket.closed).toBe(false);
        upload.end();
        await expect.poll(() => line.received()).toContain("Nothing has been done yet.");
        for (const { socket } of [line, quiet, ...others]) socket.destroy();
      }
    },
  );
});

test("uploads that go on are not ended for a new connection, also where nothing else is open", async () => {
  const { workplace } = await openProvenDesk();
  const desk = await listeningDesk(workplace);
  const lines: Line[] = [];
  for (const _ of Array(4).keys()) {
    const cookie = await sessionOf(workplace, "ann");
    for (const line of await openLines(desk, 64, "127.0.0.1", "")) {
      beginUpload(desk, line, cookie, 10);
      lines.push(line);
    }
  }
  await expect.poll(() => drafts(workplace).length).toBe(256);
  const others = await openLines(desk, 20, "127.0.0.2", "GET /sign-in HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await expect.poll(() => others.filter(({ socket }) => socket.closed).length).toBe(20);
  expect(lines.filter(({ socket }) => socket.closed).length).toBe(0);
});

describe("an upload", () => {
  /** The same rule as 8,000 bytes a second over ten seconds, but faster for a test. */
  const quick = () => new Connections({ bytesPerSecond: 1_000, windowMs: 500 });

  test.each([
    ["a byte at a time", 1],
    ["nothing at all any more", 0],
  ])("that sends %s is ended, and leaves nothing on the disk", async (_, bytes) => {
    const { workplace } = await openProvenDesk();
    const desk = await listeningDesk(workplace, { connections: quick() });
    const line = await openLine(desk);
    const length = { ...MULTIPART, "content-length": 60_000_000 };
    line.socket.write(
      headOf(desk, "/files", { ...length, cookie: await sessionOf(workplace, "ann") }) + FORM,
    );
    const timer = setInterval(() => line.socket.write("x".repeat(bytes)), 50);
    onTestFinished(() => clearInterval(timer));
    await closed(line);
    await expect.poll(() => drafts(workplace)).toEqual([]);
  });

  test("that keeps the lowest rate is taken in, however long it takes", async () => {
    const { workplace } = await openProvenDesk();
    const desk = await listeningDesk(workplace, { connections: quick() });
    const line = await openLine(desk);
    const upload = beginUpload(desk, line, await sessionOf(workplace, "ann"), 1_000);
    const dripping = await openLine(desk);
    dripping.socket.write(`${headOf(desk, "/enrol", { "content-length": 1_000 })}name=`);
    for (const _ of Array(4).keys()) {
      const other = await openLine(desk);
      other.socket.write(`${headOf(desk, "/enrol", { "content-length": 1_000 })}name=`);
      // Waits until a slow sender is ended.
      await closed(other);
    }
    expect([dripping.socket.closed, line.socket.closed]).toEqual([true, false]);
    upload.end();
    await expect.poll(() => line.received()).toContain("Nothing has been done yet.");
  });
});

test("all this holds by TLS too", async () => {
  const { workplace } = await openProvenDesk();
  const folder = temporaryFolder();
  const tls = { key: join(folder, "key.pem"), cert: join(folder, "cert.pem") };
  writeCertificate("localhost", tls);
  const connections = new Connections({ bytesPerSecond: 1_000, windowMs: 500 });
  const desk = await listeningDesk(workplace, { tls, connections });
  const secure = async () => {
    const socket = connectTls({ port: desk.port, host: "127.0.0.1", rejectUnauthorized: false });
    onTestFinished(() => void socket.destroy());
    await once(
      socket.on("error", () => undefined),
      "secureConnect",
    );
    return socket;
  };
  const socket = await secure();
  let received = "";
  socket.on("data", (bytes) => {
    received += String(bytes);
  });
  const upload = beginUpload(desk, { socket }, await sessionOf(workplace, "ann"));
  const silent = await openLines(desk, TOO_MANY, "127.0.0.2", "");
  const dripping = await secure();
  dripping.write(`${headOf(desk, "/enrol", { "content-length": 1_000 })}name=`);
  await once(dripping.resume(), "close");
  await expect.poll(() => silent.filter(({ socket: { closed } }) => closed).length).toBeGreaterThan(40);
  upload.end();
  await expect.poll(() => received).toContain("Nothing has been done yet.");
  expect(received).toContain("strict-transport-security: max-age=31536000");
});
