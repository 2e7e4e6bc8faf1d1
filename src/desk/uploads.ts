/** Limits the disk space of one session's uploads: files that wait for a signature, and files that came back. */
import { fault } from "../faults/index.ts";
import { bytesToRepair, dropUpload, keepUpload, type Upload } from "../files/files-step.ts";
import { fileLimitsOf } from "../files/intake/sent-file.ts";
import type { SubmitReport } from "../files/submit-step.ts";
import type { Workplace } from "../workplace/workplace.ts";

export type Uploads = ReturnType<typeof uploadsOf>;

interface OfSession {
  /** Oldest first, by key. */
  readonly waiting: Map<string, number>;
  arriving: number;
  cameBack: number;
}

const SESSIONS_MAX = 1_000;

/** One session may keep this many times the size of the largest allowed file. */
const LARGEST_FILES = 4;

/** "60 MB": the size of the largest allowed file. */
export function largestFileText({ files }: Pick<Workplace["config"], "files">): string {
  return `${Math.floor(fileLimitsOf(files).bytesMax / 1_000_000)} MB`;
}

export function uploadsOf(workplace: Workplace) {
  const bytesMax = LARGEST_FILES * fileLimitsOf(workplace.config.files).bytesMax;
  const sessions = new Map<string, OfSession>();
  const ofSession = (token: string): OfSession => {
    const found = sessions.get(token) ?? { waiting: new Map<string, number>(), arriving: 0, cameBack: 0 };
    const [oldest] = sessions.keys();
    if (!sessions.has(token) && sessions.size >= SESSIONS_MAX && oldest !== undefined)
      sessions.delete(oldest);
    sessions.set(token, found);
    return found;
  };
  const bytesOf = ({ waiting, arriving, cameBack }: OfSession) =>
    [...waiting.values()].reduce((sum, bytes) => sum + bytes, arriving + cameBack);
  const tooMuch = () => fault("UPLOADS_TOO_LARGE", { limit: Math.floor(bytesMax / 1_000_000) });
  return {
    /** Makes room for so many bytes by dropping uploads that were never signed. Throws UPLOADS_TOO_LARGE. */
    async makeRoom(token: string, bytes: number): Promise<void> {
      const session = ofSession(token);
      if (session.cameBack + bytes > bytesMax) throw tooMuch();
      for (const key of session.waiting.keys()) {
        if (bytesOf(session) + bytes <= bytesMax) return;
        session.waiting.delete(key);
        await dropUpload(workplace, key);
      }
    },
    /** As `keepUpload`. Throws UPLOADS_TOO_LARGE too. */
    async keep(token: string, name: string, chunks: AsyncIterable<Buffer>): Promise<Upload> {
      const session = ofSession(token);
      let arrived = 0;
      const count = (bytes: number) => {
        arrived += bytes;
        session.arriving += bytes;
        if (bytesOf(session) > bytesMax) throw tooMuch();
      };
      const kept = keepUpload(workplace, sentName(name), chunks, count);
      const upload = await kept.finally(() => {
        session.arriving -= arrived;
      });
      session.waiting.set(upload.key, arrived);
      return upload;
    },
    /** Counts the bytes kept of a file that came back. `key`: its upload, which no longer waits. */
    async taken(token: string, report: SubmitReport, key = ""): Promise<void> {
      const session = ofSession(token);
      session.waiting.delete(key);
      session.cameBack += await bytesToRepair(workplace, report);
    },
    async drop(token: string, keys: Iterable<string> = ofSession(token).waiting.keys()): Promise<void> {
      for (const key of [...keys]) {
        ofSession(token).waiting.delete(key);
        await dropUpload(workplace, key);
      }
    },
  };
}

/** The file's own name: in the names of a form's parts, browsers send a quotation mark as %22 (HTML, multipart). */
export function sentName(name: string): string {
  return name.replaceAll("%22", '"');
}

/** Reads from the network. A failure there is the sender's (status 400), not ours. */
export async function* received<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* parts;
  } catch (cause) {
    if (cause instanceof Error && "statusCode" in cause) throw cause;
    throw Object.assign(new Error("the form broke off or is malformed", { cause }), { statusCode: 400 });
  }
}
