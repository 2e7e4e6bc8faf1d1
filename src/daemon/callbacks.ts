/**
 * Receives the service's callbacks. The interface does not define their content, so none of it is used: a callback
 * is only a hint to look now, and only if its path ends in the unguessable id with which one of our payments or
 * deposits was created.
 */
import type { EventEmitter } from "node:events";
import type { FastifyInstance } from "fastify";
import type { Job } from "../../jobs/job.ts";
import { isUuid } from "../model/index.ts";
import { type CalledBack, findCalledBack } from "../payments/called-back-step.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { described } from "./described.ts";
import { type Listener, limitedServer, listenAt } from "./listen.ts";

/** `hint`: the job should look before its slot. `run`: this person wants the job to run now. */
export type Hints = EventEmitter<{ hint: [Job["name"]]; run: [job: Job["name"], person: string] }>;

/** The job to run: `pay` begins by looking up doubts. */
const LOOKED_FOR_BY: Readonly<Record<CalledBack, Job["name"]>> = { "in doubt": "pay", known: "track" };

/** Listens at `callbacks.listen`; undefined if not configured. Throws CONFIG_KEY_INVALID if it is in use. */
export async function startCallbacks(workplace: Workplace, hints: Hints): Promise<Listener | undefined> {
  const { listen } = workplace.config.callbacks;
  return listen === undefined ? undefined : listenAt(serverOf(workplace, hints), listen, "callbacks.listen");
}

/**
 * Accepts any method and path: answers 204 for our own, 404 for others, 503 if the database does not answer, before
 * any body is read.
 */
function serverOf(workplace: Workplace, hints: Hints): FastifyInstance {
  const app = limitedServer();
  app.setErrorHandler((error, _request, reply) => {
    workplace.context.log.warn("callback not heard", described(error));
    return reply.code(503).send();
  });
  app.addHook("onRequest", async (request, reply) => {
    const id = lastSegment(request.url);
    const calledBack = isUuid(id) ? await findCalledBack(workplace, id) : undefined;
    if (calledBack !== undefined) hints.emit("hint", LOOKED_FOR_BY[calledBack]);
    return reply.code(calledBack === undefined ? 404 : 204).send();
  });
  return app;
}

/** The last segment of the path, ignoring what a service appends (`/`, a query). */
function lastSegment(url: string): string {
  const [path = ""] = url.split("?");
  return (path.replace(/\/+$/, "").split("/").at(-1) ?? "").toLowerCase();
}
