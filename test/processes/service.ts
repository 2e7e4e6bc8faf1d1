/** A service in the test's own process, used by the program over HTTP; its own count judges every run. */
import { demoSeed, type RunningSandbox, type ServerOptions, startSandbox } from "../../src/sandbox/index.ts";
import { afterEachFile } from "../cleanup.ts";
import { SANDBOX_SECRETS, type Variables } from "../cli/program.ts";

export interface CountingService {
  /** The address and secrets for a command that uses it. */
  readonly variables: Variables;
  /** How many creations have reached it, refused and cut ones included. */
  arrived(): number;
  /** What it carried out, as it reports at /control/creations. */
  created(): Promise<readonly Created[]>;
  readonly setFaults: RunningSandbox["setFaults"];
  close(): Promise<void>;
}

export interface Created {
  readonly reference: string;
  readonly payoutId: string;
  /** The digits as they came; a JSON number would lose some beyond 2^53. */
  readonly nonce: string;
  /** What the client sent. */
  readonly body: string;
}

const open = new Set<RunningSandbox>();
afterEachFile(async () => {
  await Promise.all([...open].map((sandbox) => sandbox.close()));
  open.clear();
});

export async function startService(options: ServerOptions = {}): Promise<CountingService> {
  const sandbox = await startSandbox({ seed: demoSeed, stepMs: 40, control: true, ...options });
  open.add(sandbox);
  const { url } = sandbox;
  return {
    variables: { ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: url },
    arrived: () => sandbox.arrivals().filter(({ operation }) => operation === "createPayoutV2").length,
    created: async () => {
      const creations: Omit<Created, "nonce">[] = JSON.parse(
        await (await fetch(`${url}/control/creations`)).text(),
      );
      return creations.map((creation) => ({ ...creation, nonce: nonceIn(creation.body) }));
    },
    setFaults: sandbox.setFaults,
    close: async () => {
      open.delete(sandbox);
      await sandbox.close();
    },
  };
}

function nonceIn(body: string): string {
  const [, nonce] = /"nonce":(\d+)/.exec(body) ?? [];
  if (nonce === undefined) throw new Error(`a creation without a nonce: ${body}`);
  return nonce;
}
