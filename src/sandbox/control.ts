/**
 * The control API: what a test in another process asks of a sandbox, and the faults it sets. Unsigned, hence only where it is
 * switched on, and only on the loopback interface.
 */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { writeJson } from "../wire/index.ts";
import { faultScript } from "./misbehaviour.ts";
import type { Sandbox } from "./sandbox.ts";

/** GET /control/creations, GET /control/arrivals, PUT /control/faults with a list of fault scripts. */
export function serveControl(app: FastifyInstance, sandbox: Sandbox): void {
  app.get("/control/creations", (_request, reply) => {
    reply.type("application/json").send(writeJson(sandbox.creations()));
  });
  app.get("/control/arrivals", (_request, reply) => {
    reply.type("application/json").send(writeJson(sandbox.arrivals()));
  });
  app.put("/control/faults", (request, reply) => {
    const scripts = readScripts(request.body);
    if (scripts === undefined) return reply.code(400).send();
    sandbox.setFaults(scripts);
    return reply.code(204).send();
  });
}

function readScripts(body: unknown) {
  if (!Buffer.isBuffer(body)) return undefined;
  try {
    return z.array(faultScript).parse(JSON.parse(body.toString("utf8")));
  } catch {
    return undefined; // not JSON, or not a list of fault scripts
  }
}
