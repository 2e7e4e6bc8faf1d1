/** A gateway as the program opens it, with the demo's key, to a service that the test chooses. */
import { onTestFinished } from "vitest";
import { type Gateway, type GatewaySettings, hmacSigner, openGateway } from "../../src/gateway/index.ts";
import { type Clock, systemClock, undiciTransport } from "../../src/index.ts";

export const CLIENT_KEY = "demo-key";
export const SIGNING_SECRET = "demo-signing-secret-0001";

export function gatewayTo(
  baseUrl: string,
  changes: Partial<GatewaySettings> = {},
  clock: Clock = systemClock,
  stop?: AbortSignal,
): Gateway {
  const transport = undiciTransport({ connections: 16, answerBytesMax: 1_000_000 });
  onTestFinished(() => transport.close());
  return openGateway(stop === undefined ? { clock, transport } : { clock, transport, stop }, {
    baseUrl,
    timeoutMs: 5000,
    ratePerSecond: 10_000,
    dateStyle: "Z",
    signer: hmacSigner(CLIENT_KEY, SIGNING_SECRET),
    ...changes,
  });
}
