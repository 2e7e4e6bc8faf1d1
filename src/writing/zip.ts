/** Packs files into a ZIP archive while they are produced, so that no file is in memory as a whole. */
import { PassThrough, pipeline, Readable } from "node:stream";
import JSZip from "jszip";

/** A file of an archive. `content` is read after the files before it are packed. */
export interface PackedFile {
  readonly name: string;
  content(): AsyncIterable<string | Uint8Array>;
}

/** The archive's bytes; the same files always give the same bytes. Errors of the files are errors of the stream. */
export function zipOf(files: Iterable<PackedFile>): Readable {
  const zip = new JSZip();
  const packed = new PassThrough();
  // jszip loses the error of a file whose reading is paused.
  const failed = (cause: unknown) =>
    packed.destroy(cause instanceof Error ? cause : new Error(String(cause)));
  for (const { name, content } of files) {
    const bytes = Readable.from(inChunks(content), { objectMode: false });
    zip.file(name, bytes.on("error", failed), { date: FIRST_OF_1980, createFolders: false });
  }
  const made = zip.generateNodeStream({ streamFiles: true, compression: "DEFLATE", ...LIKE_EVERYWHERE });
  pipeline(made, packed, (error) => error && failed(error));
  return packed;
}

/** The earliest date of the format (APPNOTE.TXT 4.4.6). */
const FIRST_OF_1980 = new Date(Date.UTC(1980, 0, 1));
const LIKE_EVERYWHERE = { platform: "DOS", compressionOptions: { level: 6 } } as const;
const CHUNK_CHARACTERS = 65_536;

/** Joins texts into pieces that are large enough to be worth a call; bytes are passed on unchanged. */
export async function* inChunks(content: PackedFile["content"]): AsyncGenerator<Uint8Array> {
  let pending = "";
  for await (const piece of content()) {
    if (typeof piece === "string") pending += piece;
    if (pending !== "" && (typeof piece !== "string" || pending.length >= CHUNK_CHARACTERS)) {
      yield Buffer.from(pending);
      pending = "";
    }
    if (typeof piece !== "string") yield piece;
  }
  if (pending !== "") yield Buffer.from(pending);
}
