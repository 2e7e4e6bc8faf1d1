/**
 * `node:fs/promises` as src sees it in the simulation. Everything happens at once; the promises of a dead process never
 * settle.
 */
import fs from "node:fs";
import { Died, files } from "./files.ts";
import { never } from "./never.ts";

export { constants } from "node:fs";

export const rename = (from: string, to: string) => settled(() => files.rename(from, to));
export const link = (from: string, to: string) => settled(() => files.link(from, to));
export const rm = (path: string, options?: fs.RmOptions) => settled(() => files.remove(path, options));
export const writeFile = async (path: string, content: string | Iterable<string> | AsyncIterable<Buffer>) => {
  const bytes = typeof content === "string" ? Buffer.from(content) : await gathered(content);
  return settled(() => files.write(path, bytes));
};
export const appendFile = (path: string, content: string) =>
  settled(() => files.appendTo(path, Buffer.from(content)));
/** A mode decides about nothing here: it is no step at which a machine can stop. */
export const chmod = (path: string, mode: number) => settled(() => fs.chmodSync(path, mode));
export const mkdir = (path: string, options?: fs.MakeDirectoryOptions) =>
  settled(() => fs.mkdirSync(path, options));
export const mkdtemp = (prefix: string) => settled(() => fs.mkdtempSync(prefix));
export const readdir = (path: string, options?: { withFileTypes: true }) =>
  settled(() => (options === undefined ? fs.readdirSync(path) : fs.readdirSync(path, options)));
export const stat = (path: string, options?: fs.StatSyncOptions) => settled(() => fs.statSync(path, options));
export const lstat = (path: string) => settled(() => fs.lstatSync(path));
export const realpath = (path: string) => settled(() => fs.realpathSync(path));
export const access = (path: string, mode?: number) => settled(() => fs.accessSync(path, mode));
export const readFile = (path: string, options?: BufferEncoding) =>
  settled(() => fs.readFileSync(path, { encoding: options ?? null }));

/** The members of FileHandle that src uses. */
export const open = (path: string, flags: string) =>
  settled(() => {
    if (flags === "w") files.create(path);
    const descriptor = fs.openSync(path, flags);
    return {
      writeFile: (bytes: Uint8Array) => settled(() => files.append(path, descriptor, bytes)),
      stat: () => settled(() => fs.fstatSync(descriptor)),
      read: (buffer: Buffer, offset: number, length: number, position: number) =>
        settled(() => ({ buffer, bytesRead: fs.readSync(descriptor, buffer, offset, length, position) })),
      chmod: (mode: number) => settled(() => fs.fchmodSync(descriptor, mode)),
      sync: () => settled(() => files.flush(path)),
      close: () => {
        fs.closeSync(descriptor);
        return settled(() => undefined);
      },
    };
  });

/** Copies, since a chunk is valid only until the next one. */
async function gathered(chunks: Iterable<string> | AsyncIterable<Buffer>): Promise<Buffer> {
  const copies: Buffer[] = [];
  for await (const chunk of chunks) copies.push(Buffer.from(chunk));
  return Buffer.concat(copies);
}

function settled<Result>(act: () => Result): Promise<Result> {
  if (files.user?.isAlive === false) return never();
  try {
    return Promise.resolve(act());
  } catch (error) {
    return error instanceof Died ? never() : Promise.reject(error);
  }
}
