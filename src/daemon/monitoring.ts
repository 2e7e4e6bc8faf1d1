/**
 * The HTTP interface for monitors. Read-only; it exposes counts and failure codes, no payments or amounts. It does
 * not authenticate, so it listens only where configured.
 */
import type { FastifyInstance } from "fastify";
import type { Clock } from "../context/clock.ts";
import type { Instant } from "../model/index.ts";
import { type Figures, figuresOf } from "../views/figures.ts";
import { mayBeUnderWay } from "../views/needs.ts";
import { UNEXPECTED, wrongRuns } from "../views/run-result.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { described } from "./described.ts";
import { type Listener, limitedServer, listenAt } from "./listen.ts";
import { openMetrics } from "./metrics.ts";
import { UnrecordedRuns } from "./unrecorded-runs.ts";

/** The body of /health; bad is sent with status 503. */
interface Health {
  readonly status: "good" | "bad";
  readonly problems: readonly HealthProblem[];
}

/** Without texts, which may contain names and references; `paydrop jobs` shows them. */
interface HealthProblem {
  readonly job?: string;
  /** The subject if it is not a job. If the database does not answer, there is neither. */
  readonly about?: "comparison";
  readonly code: unknown;
  readonly since?: Instant;
}

/** Serves at `monitoring.listen`; undefined if not configured. Throws CONFIG_KEY_INVALID if it is in use. */
export async function startMonitoring(
  workplace: Workplace,
  version: string,
  unrecorded: UnrecordedRuns = new UnrecordedRuns(),
): Promise<Listener | undefined> {
  const { listen } = workplace.config.monitoring;
  if (listen === undefined) return undefined;
  const figures = oneAtATime(async () => unrecorded.among(await figuresOf(workplace)));
  return listenAt(serverOf(workplace.context.clock, figures, version), listen, "monitoring.listen");
}

/**
 * GET /health/live: the process answers. GET /health: so does the database, no job failed, and the last comparison
 * was complete. GET /metrics.
 */
function serverOf(clock: Clock, figures: () => Promise<Figures>, version: string): FastifyInstance {
  const metrics = openMetrics(version);
  const app = limitedServer();
  app.setErrorHandler((error, _request, reply) => reply.code(503).send(problemOf(error)));
  app.get("/health/live", () => ({ status: "good" }));
  app.get("/health", async (_request, reply): Promise<Health> => {
    const problems = await healthProblems(clock, figures);
    if (problems.length > 0) reply.code(503);
    return { status: problems.length > 0 ? "bad" : "good", problems };
  });
  app.get("/metrics", async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.textOf(await figures())),
  );
  return app;
}

async function healthProblems(clock: Clock, figures: () => Promise<Figures>): Promise<HealthProblem[]> {
  try {
    const { lastEndedRuns, incompleteComparison: incomplete } = await figures();
    const problems: HealthProblem[] = wrongRuns(lastEndedRuns);
    if (incomplete === undefined || mayBeUnderWay(incomplete, clock.now())) return problems;
    return [...problems, { about: "comparison", code: incomplete.code, since: incomplete.since }];
  } catch (error) {
    return [problemOf(error)];
  }
}

function problemOf(error: unknown): HealthProblem {
  return { code: described(error).code ?? UNEXPECTED };
}

/** Concurrent requests share one query, so that a slow database is not asked more often. */
function oneAtATime<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let underWay: Promise<Result> | undefined;
  return () => {
    underWay ??= ask().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
