/**
 * Logs as JSON lines on stderr. Only the fields named here can be logged: an allow-list, because redaction by key
 * misses a secret inside an error's request.
 */
import { type LevelWithSilent, pino } from "pino";

const TEXTS = [
  "job",
  "batch",
  "reference",
  "payoutId",
  "operation",
  "nonce",
  "outcome",
  "code",
  "message",
  "file",
] as const;

const NUMBERS = ["attempt", "httpStatus", "count", "durationMs"] as const;

export type LogFields = Readonly<
  Partial<Record<(typeof TEXTS)[number], string> & Record<(typeof NUMBERS)[number], number>>
>;

const ALLOWED: ReadonlySet<string> = new Set([...TEXTS, ...NUMBERS]);

export interface Log {
  /** `event` is a fixed phrase; everything that varies goes into the fields. */
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export function stderrLog(level: LevelWithSilent): Log {
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
  return {
    info: (event, fields = {}) => logger.info(allowed(fields), event),
    warn: (event, fields = {}) => logger.warn(allowed(fields), event),
    error: (event, fields = {}) => logger.error(allowed(fields), event),
  };
}

function allowed(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => ALLOWED.has(name)));
}
