/**
 * Logs for machines, JSON lines on stderr. Only the fields named here can be logged: an allow-list, because redaction
 * by key misses a secret that sits inside an error's request.
 */
import { type LevelWithSilent, pino } from "pino";

export interface LogFields {
  readonly job?: string;
  readonly batch?: string;
  readonly reference?: string;
  readonly payoutId?: string;
  readonly operation?: string;
  readonly nonce?: string;
  readonly attempt?: number;
  readonly httpStatus?: number;
  readonly outcome?: string;
  readonly code?: string;
  readonly message?: string;
  readonly file?: string;
  readonly count?: number;
  readonly durationMs?: number;
}

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

const ALLOWED: Readonly<Record<keyof LogFields, true>> = {
  job: true,
  batch: true,
  reference: true,
  payoutId: true,
  operation: true,
  nonce: true,
  attempt: true,
  httpStatus: true,
  outcome: true,
  code: true,
  message: true,
  file: true,
  count: true,
  durationMs: true,
};

function allowed(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in ALLOWED));
}
