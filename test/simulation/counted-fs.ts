/**
 * `node:fs` as src sees it in the simulation: the functions that src uses to change anything, and streams without a
 * thread pool.
 */
import fs from "node:fs";
import { Readable } from "node:stream";
import { files } from "./files.ts";

export * from "node:fs";

const paths = new Map<number, string>();

export function openSync(path: string, flags: string): number {
  if (flags.startsWith("w")) files.create(path);
  const descriptor = fs.openSync(path, flags);
  paths.set(descriptor, path);
  return descriptor;
}

export function writeSync(descriptor: number, text: string, position: number): void {
  files.writeInto(paths.get(descriptor) ?? "", () => fs.writeSync(descriptor, text, position));
}

export function rmSync(path: string, options?: fs.RmOptions): void {
  files.remove(path, options);
}

export function createReadStream(path: string, { start = 0, highWaterMark = 65_536 } = {}): Readable {
  return Readable.from(chunksOf(path, start, highWaterMark));
}

async function* chunksOf(path: string, start: number, size: number): AsyncGenerator<Buffer> {
  const bytes = fs.readFileSync(path);
  for (let at = start; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
