/**
 * The control API, with which a test in another process inspects a sandbox, gives it commands and sets faults.
 * Unsigned, so it must be enabled, and listens only on the loopback interface. Errors have the interface's form.
 */
import { z } from "zod";
import { writeJson } from "../wire/index.ts";
import type { SandboxAnswer } from "./handle.ts";
import { faultScripts } from "./options-file.ts";
import { Refusal, refusal, refusalAnswer, wrongParameters } from "./refusal.ts";
import type { Sandbox } from "./sandbox.ts";
import {
  durationMs,
  foreignPayout,
  identifier,
  seededAccount,
  seededCosigner,
  seededDeposit,
  seededPart,
  seededRate,
  seededUser,
} from "./seed.ts";

/** Answers a request under /control: facts with 200, commands with 204, 400, 404 or 409. */
export function controlOf(
  sandbox: Sandbox,
): (method: string, url: string, body: Uint8Array) => SandboxAnswer {
  const actions = actionsOf(sandbox);
  return (method, url, body) => {
    try {
      const [path = ""] = url.split("?");
      const answer = actions[`${method} ${path}`]?.(body);
      if (answer === undefined) throw refusal(404, "OPERATION_NOT_FOUND", `there is no ${method} ${path}`);
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refusalAnswer(error, new Date().toISOString());
    }
  };
}

type Action = (body: Uint8Array) => SandboxAnswer;

function actionsOf({ operator, setFaults, ...sandbox }: Sandbox): Readonly<Record<string, Action>> {
  return {
    "GET /control/creations": fact(sandbox.creations),
    "GET /control/arrivals": fact(sandbox.arrivals),
    "GET /control/movements": fact(sandbox.movements),
    "POST /control/accounts": command(seededAccount, operator.openAccount),
    "POST /control/users": command(z.strictObject({ key: z.string(), user: seededUser }), ({ key, user }) =>
      operator.putUser(key, user),
    ),
    "PUT /control/cosigners": command(
      z.strictObject({ accountId: identifier, cosigners: z.array(seededCosigner) }),
      ({ accountId, cosigners }) => operator.setCosigners(accountId, cosigners),
    ),
    "PUT /control/rates": command(z.array(seededRate), operator.setRates),
    "POST /control/deposits": command(seededDeposit, operator.openDeposit),
    "POST /control/foreign-payouts": command(foreignPayout, operator.payElsewhere),
    "POST /control/funds": command(
      z.strictObject({ depositId: identifier, parts: z.array(seededPart).min(1) }),
      ({ depositId, parts }) => operator.receiveFunds(depositId, parts),
    ),
    "POST /control/decisions": command(
      z.strictObject({ payoutId: identifier, username: z.string(), decision: z.enum(["approve", "reject"]) }),
      ({ payoutId, username, decision }) => operator.decide(payoutId, username, decision),
    ),
    "PUT /control/visibility": command(
      z.strictObject({ payoutId: identifier, hiddenForMs: durationMs.optional() }),
      ({ payoutId, hiddenForMs }) => operator.hidePayout(payoutId, hiddenForMs),
    ),
    "POST /control/time": command(z.strictObject({ durationMs }), (passed) =>
      operator.passTime(passed.durationMs),
    ),
    "PUT /control/faults": command(
      z.preprocess(
        (body) => (Array.isArray(body) ? { scripts: body } : body),
        z.strictObject({ scripts: faultScripts, randomSeed: z.int().optional() }),
      ),
      (faults) => setFaults(faults.scripts, faults.randomSeed),
    ),
  };
}

function fact(read: () => unknown): Action {
  return () => ({ statusCode: 200, body: writeJson(read()) });
}

function command<Schema extends z.ZodType>(
  schema: Schema,
  carryOut: (body: z.output<Schema>) => void,
): Action {
  return (body) => {
    const read = schema.safeParse(jsonOf(body));
    if (!read.success) throw wrongParameters(read.error);
    carryOut(read.data);
    return { statusCode: 204, body: "" };
  };
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    throw refusal(400, "BODY_NOT_JSON", "the body is not JSON");
  }
}
