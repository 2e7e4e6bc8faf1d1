/** A sandbox without HTTP: the service, its faults and its operator, for tests and simulations in one process. */
import { type Arrival, faultsAround } from "./faults.ts";
import { answerTo, type Handling, type SandboxAnswer, type SandboxRequest } from "./handle.ts";
import { beginService } from "./life/begin.ts";
import { routeTable, servedOperations } from "./operations/route-table.ts";
import { operatorOf } from "./operator.ts";
import type { SandboxOptions } from "./options.ts";
import { type Service, serviceIn } from "./service.ts";
import type { Balance, Movement } from "./state/money.ts";
import { openStore } from "./state/rows.ts";

export type Sandbox = ReturnType<typeof openSandbox>;

/** A creation that arrived and was carried out. */
export interface Creation {
  readonly reference: string;
  readonly nonce: bigint;
  readonly payoutId: string;
  readonly body: string;
}

/** Opens a sandbox on its file. Throws USAGE for an unusable file and CONFIG_KEY_INVALID for a wrong option. */
export function openSandbox(options: SandboxOptions = {}) {
  const store = openStore(options.database);
  const service = serviceIn(store, options);
  const served = servedOperations(service.policy.routes);
  const routes = routeTable(served);
  const { commit, close } = store;
  const { now, advance } = clockOf(service, options.clock ?? Date.now);
  const handle = (request: SandboxRequest, handling: Handling = {}) =>
    answerTo(service, routes, request, handling, handling.arrivedAt ?? now());
  const operationOf = ({ method, path }: SandboxRequest) => routes.find(method, path)?.operation.name;
  const faults = faultsAround({ handle, now, operationOf }, options.faults ?? [], options.randomSeed);

  beginService(service, now());
  commit();
  return {
    /** Answers a request correctly, without faults. */
    handle: (request: SandboxRequest): SandboxAnswer => {
      const answer = handle(request);
      commit();
      return answer;
    },
    /**
     * Plans a request with its fault: when it is carried out, and how much of the answer is delivered. Its changes are
     * in the file after the next `commit`, which must precede the answer, so that concurrent requests share one write.
     * Everything else here commits itself.
     */
    plan: faults.plan,
    commit,
    /** Performs everything that is due by the clock. */
    tick: (): void => {
      service.agenda.passUntil(now());
      commit();
    },
    /** The payouts that requests created, each with its nonce and body, oldest first. */
    creations: (): readonly Creation[] => creationsIn(service),
    /** The last hundred thousand requests, oldest first. */
    arrivals: (): readonly Arrival[] => faults.arrivals,
    balanceOf: (accountId: string): Balance | undefined => service.money.account(accountId)?.balance,
    movements: (): readonly Movement[] => service.money.movements(),
    /** Replaces the fault scripts and counts requests from 1 again; the seed decides what a `chance` hits. */
    setFaults: faults.setFaults,
    operator: operatorOf({ service, now, advance, commit }),
    served,
    close,
  };
}

/** A clock that can be moved forward; how far survives a restart. */
function clockOf(service: Service, baseClock: () => number) {
  let offsetMs = service.facts()?.clockOffsetMs ?? 0;
  return {
    /** Milliseconds since 1970. */
    now: () => baseClock() + offsetMs,
    advance: (durationMs: number) => {
      offsetMs += durationMs;
      service.setFacts({ starts: 1, ...service.facts(), clockOffsetMs: offsetMs });
    },
  };
}

function creationsIn({ arrivals }: Service): Creation[] {
  return Array.from(arrivals.entries(), ({ key: payoutId, row: { reference, nonce, body } }) => ({
    reference,
    nonce: BigInt(nonce),
    payoutId,
    body,
  }));
}
