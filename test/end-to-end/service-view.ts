/** The service's own view, read through the public library and not through the pipeline under test. */
import {
  findPayouts,
  hmacSigner,
  openGateway,
  type Payout,
  systemClock,
  undiciTransport,
} from "../../src/index.ts";
import { SANDBOX_SECRETS, type SandboxProcess } from "../cli/program.ts";

/** Every payout at the sandbox, by reference. */
export async function payoutsAt({ url }: SandboxProcess): Promise<ReadonlyMap<string, Payout>> {
  const transport = undiciTransport({ connections: 1, answerBytesMax: 10_000_000 });
  const signer = hmacSigner(SANDBOX_SECRETS.PAYDROP_KEY, SANDBOX_SECRETS.PAYDROP_SIGNING_SECRET);
  const gateway = openGateway(
    { clock: systemClock, transport },
    { baseUrl: url, timeoutMs: 5000, ratePerSecond: 1000, dateStyle: "Z", signer },
  );
  const paging = { pageSize: 500, firstPage: 0 };
  const { found } = await findPayouts(gateway, systemClock, {}, paging);
  await transport.close();
  return new Map(found.map(({ element }) => [element.reference ?? "", element]));
}
