/** A proxy to a service below HTTP, which can change, lose, delay or repeat bytes. */
import { type AddressInfo, connect as connectTo, createServer, type Socket } from "node:net";
import type { TestContext } from "vitest";

/** Handles each piece of a connection; a new one is made per connection. */
export interface Passage {
  asked(bytes: Buffer, client: Socket, service: Socket): void;
  answered(bytes: Buffer, client: Socket): void;
}

/** Returns the URL through the proxy, which lasts until the test has ended. */
export async function startTcpProxy(
  serviceUrl: string,
  openPassage: () => Passage,
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
): Promise<string> {
  const { port, hostname } = new URL(serviceUrl);
  const server = createServer((client) => {
    const service = connectTo(Number(port), hostname);
    const passage = openPassage();
    client.on("data", (bytes) => passage.asked(bytes, client, service));
    service.on("data", (bytes) => passage.answered(bytes, client));
    endTogether(client, service);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** When one side closes, so does the other. */
export function endTogether(client: Socket, service: Socket): void {
  for (const [one, other] of [
    [client, service],
    [service, client],
  ] as const) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
  }
}
