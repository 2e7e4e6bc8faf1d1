/** In place of the service: takes every connection, counts it, and ends it. */
import { once } from "node:events";
import { createServer } from "node:net";
import { onTestFinished } from "vitest";

export async function openCountedService() {
  let connections = 0;
  const service = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await once(service.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void service.close());
  const { port } = service.address() as { port: number };
  return { baseUrl: `http://127.0.0.1:${port}`, connections: () => connections };
}
