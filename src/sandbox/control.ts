/**
 * The control API, with which a test in another process inspects a sandbox, gives it commands and sets faults.
 * Unsigned, so it must be enabled, and listens only on the loopback interface. Errors have the interface's form.
 */
import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { writeJson } from "../wire/index.ts";
import { faultScripts } from "./options-schema.ts";
import { errorBody, Refusal, refusal, wrongParameters } from "./refusal.ts";
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

/** Serves creations, arrivals and movements, and the commands below. A command answers 204, 400, 404 or 409. */
export function serveControl(app: FastifyInstance, sandbox: Sandbox): void {
  const facts: Readonly<Record<string, () => unknown>> = {
    "/control/creations": sandbox.creations,
    "/control/arrivals": sandbox.arrivals,
    "/control/movements": sandbox.movements,
  };
  for (const [path, read] of Object.entries(facts)) {
    app.get(path, (_request, reply) => {
      reply.type("application/json").send(writeJson(read()));
    });
  }
  for (const { method, path, carryOut } of commandsOf(sandbox)) {
    app.route({
      method,
      url: path,
      handler: (request, reply) => reportDone(reply, () => carryOut(jsonOf(request.body))),
    });
  }
}

interface Command {
  readonly method: "POST" | "PUT";
  readonly path: string;
  carryOut(body: unknown): void;
}

function command<Schema extends z.ZodType>(
  method: Command["method"],
  path: string,
  schema: Schema,
  carryOut: (body: z.output<Schema>) => void,
): Command {
  return {
    method,
    path,
    carryOut: (body) => {
      const read = schema.safeParse(body);
      if (!read.success) throw wrongParameters(read.error);
      carryOut(read.data);
    },
  };
}

function commandsOf({ operator, setFaults }: Sandbox): Command[] {
  return [
    command("POST", "/control/accounts", seededAccount, operator.openAccount),
    command(
      "POST",
      "/control/users",
      z.strictObject({ key: z.string(), user: seededUser }),
      ({ key, user }) => operator.putUser(key, user),
    ),
    command(
      "PUT",
      "/control/cosigners",
      z.strictObject({ accountId: identifier, cosigners: z.array(seededCosigner) }),
      ({ accountId, cosigners }) => operator.setCosigners(accountId, cosigners),
    ),
    command("PUT", "/control/rates", z.array(seededRate), operator.setRates),
    command("POST", "/control/deposits", seededDeposit, operator.openDeposit),
    command("POST", "/control/foreign-payouts", foreignPayout, operator.payElsewhere),
    command(
      "POST",
      "/control/funds",
      z.strictObject({ depositId: identifier, parts: z.array(seededPart).min(1) }),
      ({ depositId, parts }) => operator.receiveFunds(depositId, parts),
    ),
    command(
      "POST",
      "/control/decisions",
      z.strictObject({ payoutId: identifier, username: z.string(), decision: z.enum(["approve", "reject"]) }),
      ({ payoutId, username, decision }) => operator.decide(payoutId, username, decision),
    ),
    command(
      "PUT",
      "/control/visibility",
      z.strictObject({ payoutId: identifier, hiddenForMs: durationMs.optional() }),
      ({ payoutId, hiddenForMs }) => operator.hidePayout(payoutId, hiddenForMs),
    ),
    command("POST", "/control/time", z.strictObject({ durationMs }), (passed) =>
      operator.passTime(passed.durationMs),
    ),
    command(
      "PUT",
      "/control/faults",
      z.preprocess(
        (body) => (Array.isArray(body) ? { scripts: body } : body),
        z.strictObject({ scripts: faultScripts, randomSeed: z.int().optional() }),
      ),
      (faults) => setFaults(faults.scripts, faults.randomSeed),
    ),
  ];
}

function reportDone(reply: FastifyReply, carryOut: () => void): FastifyReply {
  try {
    carryOut();
    return reply.code(204).send();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const body = errorBody(error, new Date().toISOString());
    return reply.code(error.statusCode).type("application/json").send(body);
  }
}

function jsonOf(body: unknown): unknown {
  try {
    return JSON.parse(Buffer.isBuffer(body) ? body.toString("utf8") : "");
  } catch {
    throw refusal(400, "BODY_NOT_JSON", "the body is not JSON");
  }
}
