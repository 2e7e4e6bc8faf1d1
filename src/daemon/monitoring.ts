/**
 * What a monitor asks a daemon over HTTP. It only reads, and tells counts and the codes of failures, no payment and no amount; it
 * recognises nobody, so it listens only where the configuration says.
 */
import fastify, { type FastifyInstance } from "fastify";
import { type Figures, figuresOf } from "../pipeline/standings/figures.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { type Listener, listenAt } from "./listen.ts";
import { openMetrics } from "./metrics.ts";
import { described, UNEXPECTED, wrongRuns } from "./run-outcome.ts";

/** The body of /health: bad comes with the status 503. */
interface Health {
  readonly status: "good" | "bad";
  readonly problems: readonly HealthProblem[];
}

/** In words it is told by `paydrop jobs`: those may hold names and references. */
interface HealthProblem {
  /** Absent where the database does not answer. */
  readonly job?: string;
  readonly code: unknown;
}

/** Serves at `monitoring.listen`; undefined where the configuration names nothing. Throws CONFIG_KEY_INVALID where that is taken. */
export async function startMonitoring(workplace: Workplace, version: string): Promise<Listener | undefined> {
  const { listen } = workplace.config.monitoring;
  const figures = oneAtATime(() => figuresOf(workplace));
  return listen === undefined ? undefined : listenAt(serverOf(figures, version), listen, "monitoring.listen");
}

/** GET /health/live: this process answers. GET /health: the database does as well, and each job's last run went well. GET /metrics. */
function serverOf(figures: () => Promise<Figures>, version: string): FastifyInstance {
  const metrics = openMetrics(version);
  const app = fastify({ forceCloseConnections: true });
  app.setErrorHandler((error, _request, reply) => reply.code(503).send(problemOf(error)));
  app.get("/health/live", () => ({ status: "good" }));
  app.get("/health", async (_request, reply): Promise<Health> => {
    const problems = await healthProblems(figures);
    if (problems.length > 0) reply.code(503);
    return { status: problems.length > 0 ? "bad" : "good", problems };
  });
  app.get("/metrics", async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.textOf(await figures())),
  );
  return app;
}

async function healthProblems(figures: () => Promise<Figures>): Promise<HealthProblem[]> {
  try {
    return wrongRuns((await figures()).lastEndedRuns);
  } catch (error) {
    return [problemOf(error)];
  }
}

function problemOf(error: unknown): HealthProblem {
  return { code: described(error).code ?? UNEXPECTED };
}

/** Whoever asks while an answer is on its way gets that one: a database that is slow is not asked more. */
function oneAtATime<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let underWay: Promise<Result> | undefined;
  return () => {
    underWay ??= ask().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
