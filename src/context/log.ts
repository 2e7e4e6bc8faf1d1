/**
 * Logs as JSON lines on stderr. Only the fields named here can be logged: an allow-list, because redaction by key
 * misses a secret inside an error's request.
 */
import { createRequire } from "node:module";
import type { LevelWithSilent } from "pino";
import { printableText } from "../model/printable-text.ts";

const require = createRequire(import.meta.url);

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

/** Lines that find no room on the disk wait in memory, up to this length, and are written once there is room. */
const UNWRITTEN_CHARACTERS_MAX = 1024 * 1024;

/** Its methods never throw: a full disk under the log stops no work, such as storing the answer to a payment. */
export function stderrLog(level: LevelWithSilent): Log {
  if (level === "silent") return SILENT;
  // Loaded only now, because most commands log nothing.
  const { pino }: typeof import("pino") = require("pino");
  const stderr = pino.destination({ dest: 2, sync: true, maxLength: UNWRITTEN_CHARACTERS_MAX });
  stderr.on("error", () => undefined);
  const lines = { write: (line: string) => stderr.write(printableText(line)) };
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, lines);
  return {
    info: (event, fields = {}) => {
      if (logger.isLevelEnabled("info")) logger.info(allowed(fields), event);
    },
    warn: (event, fields = {}) => logger.warn(allowed(fields), event),
    error: (event, fields = {}) => logger.error(allowed(fields), event),
  };
}

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

function allowed(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => ALLOWED.has(name)));
}
