/** An HTTP proxy such as companies use: it opens tunnels (CONNECT) and does nothing else. */
import { createServer } from "node:http";
import { type AddressInfo, connect as connectTo, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { endTogether } from "./tcp-proxy.ts";

/** Starts it on a free port. */
export async function portOf(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** A proxy that handles each tunnel by `meet`, and records the requests for tunnels. */
export async function openProxy(meet: (client: Socket) => void) {
  const asked: { readonly host: string | undefined; readonly authorization: string | undefined }[] = [];
  const server = createServer((_request, response) => response.writeHead(400).end("only tunnels"));
  server.on("connect", (request, client: Socket) => {
    asked.push({ host: request.url, authorization: request.headers["proxy-authorization"] });
    client.on("error", () => client.destroy());
    meet(client);
  });
  return { asked, url: `http://127.0.0.1:${await portOf(server)}` };
}

export const ESTABLISHED = "HTTP/1.1 200 Connection Established\r\n\r\n";

export function tunnelTo(port: number) {
  return (client: Socket) => {
    const service = connectTo(port, "127.0.0.1", () => client.write(ESTABLISHED));
    client.pipe(service).pipe(client);
    endTogether(client, service);
  };
}
