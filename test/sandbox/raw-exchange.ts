/**
 * One HTTP exchange over a bare socket: for addresses that no client library would send, and answers that break off.
 */
import { connect } from "node:net";
import { text } from "node:stream/consumers";

export interface RawAnswer {
  readonly statusCode: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export async function rawExchange(
  url: string,
  method: string,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number.parseInt(port, 10), hostname);
  const sent = { host: hostname, connection: "close", "content-length": Buffer.byteLength(body), ...headers };
  const head = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n${body}`);
  const [statusLine = "", ...lines] = ((await text(socket)).split("\r\n\r\n")[0] ?? "").split("\r\n");
  return {
    statusCode: Number.parseInt(statusLine.split(" ")[1] ?? "", 10),
    headers: Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim(),
      ]),
    ),
  };
}
