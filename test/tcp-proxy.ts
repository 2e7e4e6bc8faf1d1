/** Another way to a service, below HTTP: whoever stands between may change, lose, hold back or repeat what is said on it. */
import { type AddressInfo, connect as connectTo, createServer, type Socket } from "node:net";
import type { TestContext } from "vitest";

/** What happens to each piece of a connection; a new one is made for each. */
export interface Passage {
  asked(bytes: Buffer, client: Socket, service: Socket): void;
  answered(bytes: Buffer, client: Socket): void;
}

/** Returns the URL under which the service is reached through it until the test has ended. */
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

/** Where one side goes, the other one does. */
export function endTogether(client: Socket, service: Socket): void {
  for (const [one, other] of [
    [client, service],
    [service, client],
  ] as const) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
  }
}
