/**
 * The keys of a trial prove nobody's identity, so a trial may change something only at a service that answers as
 * the sandbox.
 */
import { fault } from "../faults/index.ts";
import { failureOf, problemOf, ServiceFault } from "../gateway/index.ts";
import { isTrial } from "../workplace/root.ts";
import type { Workplace } from "../workplace/workplace.ts";

/**
 * In a trial, asks the service of a key for its balances unless it has answered already. Throws TRIAL_AT_SERVICE if
 * it is not the sandbox, and a ServiceFault if it does not answer.
 */
export async function requireSandbox({ config, service }: Workplace): Promise<void> {
  if (!isTrial(config)) return;
  const { gateway } = service().tools;
  if (gateway.isSandbox() === undefined) {
    const accountIds = config.custodyAccounts.map(({ id }) => id);
    const answer = await gateway.call("getAccountsBalance", { accountIds });
    if (answer.kind === "unanswered") {
      const failure = failureOf("getAccountsBalance", answer);
      throw new ServiceFault(failure, problemOf(failure, answer, gateway));
    }
  }
  refuseUnlessSandbox({ config, service });
}

/** As `requireSandbox`, without asking: refuses another service, and one that has not answered yet. */
export function refuseUnlessSandbox({ config, service }: Pick<Workplace, "config" | "service">): void {
  const { gateway } = service().tools;
  if (isTrial(config) && gateway.isSandbox() !== true)
    throw fault("TRIAL_AT_SERVICE", { baseUrl: gateway.baseUrl }, { key: "people.trialKeys" });
}
