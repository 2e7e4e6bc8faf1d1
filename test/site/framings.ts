/** Ways to frame one HTTP/1.1 response on a connection: permitted, doubtful and broken ones (RFC 9112). */
import type { Socket } from "node:net";

/** Writes `answer`, a whole response with a Content-Length, to the client. */
export type Framing = (answer: Buffer, client: Socket) => void;

/** By what they do to the answer. Where no client can know that it has all of it, it counts as no answer. */
export const FRAMINGS: Readonly<Record<string, Framing>> = {
  "by the end of the connection": ended((head) => `${withoutLength(head)}\r\nConnection: close`),
  "by the end of the connection, as HTTP/1.0": ended((head) =>
    withoutLength(head).replace("HTTP/1.1", "HTTP/1.0"),
  ),
  "by the end of the connection, after half of the body": (answer, client) => {
    const { head, body } = partsOf(answer);
    client.end(joined(withoutLength(head), body.subarray(0, body.length / 2)));
  },
  "in chunks of one byte with extensions and a trailer": (answer, client) => {
    const { head, body } = partsOf(answer);
    const chunks = Array.from(body, (_, at) => [text("1;x=y\r\n"), body.subarray(at, at + 1), text("\r\n")]);
    const all = Buffer.concat([...chunks.flat(), text("0\r\nX-Sum: 1\r\n\r\n")]);
    client.write(joined(`${withoutLength(head)}\r\nTransfer-Encoding: chunked`, all));
  },
  "in chunks without the last one": (answer, client) => {
    const { head, body } = partsOf(answer);
    const chunk = Buffer.concat([text(`${body.length.toString(16)}\r\n`), body, text("\r\n")]);
    client.end(joined(`${withoutLength(head)}\r\nTransfer-Encoding: chunked`, chunk));
  },
  "by a length and in chunks": headed((head) => `${head}\r\nTransfer-Encoding: chunked`),
  "by a length that is one too many": ended((head, length) => withLength(head, length + 1)),
  "by a length that is one too few": headed((head, length) => withLength(head, length - 1)),
  "by a length of nothing": headed((head) => withLength(head, 0)),
  "by a length below nothing": headed((head) => withLength(head, -1)),
  "by two lengths": headed((head) => `${head}\r\nContent-Length: 2`),
  "by lines that end with LF alone": (answer, client) => {
    const { head, body } = partsOf(answer);
    client.write(Buffer.concat([text(`${head.replaceAll("\r\n", "\n")}\n\n`), body]));
  },
  "after 100 Continue": before("HTTP/1.1 100 Continue\r\n\r\n"),
  "after 102 Processing, thrice": before("HTTP/1.1 102 Processing\r\n\r\n".repeat(3)),
  "after 103 Early Hints": before("HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n"),
  "after blank lines": before("\r\n\r\n"),
  "before what is no HTTP": (answer, client) =>
    client.write(Buffer.concat([answer, text("no HTTP\r\n\r\n")])),
  "without a reason phrase": headed((head) => head.replace(/^(\S+ \d+) .*/, "$1")),
  "with a reason phrase that is no text": headed((head) => head.replace(/^(\S+ \d+) .*/, "$1 \xe9\xff")),
  "with another version": headed((head) => head.replace("HTTP/1.1", "HTTP/2.0")),
  "with a folded header": headed((head) => `${head}\r\nX-Folded: a\r\n b`),
  "with NUL in a header": headed((head) => `${head}\r\nX-Nul: a\0b`),
  "with a header of 40 KB": headed((head) => `${head}\r\nX-Long: ${"x".repeat(40_000)}`),
  "with status 204 and a body": headed((head) => withStatus(head, "204")),
  "with status 304 and a body": headed((head) => withStatus(head, "304")),
  "with a switch of protocols": headed(
    (head) => `${withStatus(head, "101")}\r\nConnection: upgrade\r\nUpgrade: other`,
  ),
  "with status 099": headed((head) => withStatus(head, "099")),
  "with a status of four digits": headed((head) => withStatus(head, "2020")),
  "and the connection closed, as it did not say": (answer, client) => client.end(answer),
  "and the connection left open, which it said to close": headed((head) => `${head}\r\nConnection: close`),
  "and once more at once": (answer, client) => client.write(Buffer.concat([answer, answer])),
  "and once more a moment later": (answer, client) => {
    client.write(answer);
    setTimeout(() => client.write(answer), 3);
  },
  "and another creation's answer at once": (answer, client) => client.write(Buffer.concat([answer, FOREIGN])),
  "and another creation's answer a moment later": (answer, client) => {
    client.write(answer);
    setTimeout(() => client.write(FOREIGN), 1);
  },
};

const FOREIGN = text(
  'HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\nContent-Length: 51\r\n\r\n{"payoutId":"0d5d6e8a-0000-4000-8000-000000000001"}',
);

type Change = (head: string, bodyLength: number) => string;

function headed(change: Change): Framing {
  return (answer, client) => client.write(changed(answer, change));
}

function ended(change: Change): Framing {
  return (answer, client) => client.end(changed(answer, change));
}

function before(prefix: string): Framing {
  return (answer, client) => client.write(Buffer.concat([text(prefix), answer]));
}

function changed(answer: Buffer, change: Change): Buffer {
  const { head, body } = partsOf(answer);
  return joined(change(head, body.length), body);
}

function partsOf(answer: Buffer): { readonly head: string; readonly body: Buffer } {
  const end = answer.indexOf("\r\n\r\n");
  return { head: answer.toString("latin1", 0, end), body: answer.subarray(end + 4) };
}

function joined(head: string, body: Buffer): Buffer {
  return Buffer.concat([text(`${head}\r\n\r\n`), body]);
}

function withLength(head: string, length: number): string {
  return `${withoutLength(head)}\r\nContent-Length: ${length}`;
}

function withoutLength(head: string): string {
  return head.replace(/\r\ncontent-length: *\d+/i, "");
}

function withStatus(head: string, status: string): string {
  return head.replace(/^(HTTP\/1.1) 2\d\d/, `$1 ${status}`);
}

function text(latin1: string): Buffer {
  return Buffer.from(latin1, "latin1");
}
