/**
 * The files of the simulation: real ones in a folder of the seed, accessed through counted-fs.ts and
 * counted-fs-promises.ts, which replace node:fs for src. Every change is a step at which the process may die. What was
 * not flushed can be undone, the worst case of a machine that stops.
 */
import fs from "node:fs";
import { dirname } from "node:path";

/** The process that makes the changes. */
export interface FileUser {
  readonly isAlive: boolean;
  /** Called before each change; the process may die there. */
  onStep(what: string): void;
}

/** Thrown through the code of a dead process; nobody sees it. */
export class Died extends Error {}

interface NameChange {
  readonly path: string;
  /** Flushing it makes the change durable. */
  readonly folder: string;
  undo(): void;
}

class Files {
  /** Undefined: no changes are counted. */
  user: FileUser | undefined;
  private readonly durable = new Map<string, Buffer>();
  private nameChanges: NameChange[] = [];

  /** Throws `Died` if the process ends before the change. */
  step(what: string): void {
    if (this.user?.isAlive === true) this.user.onStep(what);
    if (this.user?.isAlive === false) throw new Died(what);
  }

  /** Call it before a file is opened to be rewritten. */
  create(path: string): void {
    this.step("create a file");
    if (!fs.existsSync(path)) this.noteName(path, () => fs.rmSync(path, { force: true }));
    this.noteContent(path);
  }

  /** Writes in two halves, so that a process can die between them. */
  write(path: string, bytes: Buffer): void {
    this.create(path);
    fs.writeFileSync(path, bytes.subarray(0, bytes.length >> 1));
    this.step("write the rest of a file");
    fs.writeFileSync(path, bytes);
  }

  /** Appends to an open file, also in two halves. */
  append(path: string, descriptor: number, bytes: Uint8Array): void {
    const half = bytes.length >> 1;
    this.writeInto(path, () => fs.writeSync(descriptor, bytes.subarray(0, half)));
    this.writeInto(path, () => fs.writeSync(descriptor, bytes.subarray(half)));
  }

  /** Appends to a file that may not exist yet, also in two halves. */
  appendTo(path: string, bytes: Buffer): void {
    if (!fs.existsSync(path)) this.create(path);
    const half = bytes.length >> 1;
    for (const part of [bytes.subarray(0, half), bytes.subarray(half)])
      this.writeInto(path, () => fs.appendFileSync(path, part));
  }

  /** Writes into an open file at a position. */
  writeInto(path: string, write: () => void): void {
    this.step("write into a file");
    this.noteContent(path);
    write();
  }

  rename(from: string, to: string): void {
    this.step("rename");
    const replaced = kept(to);
    fs.renameSync(from, to);
    this.moveContent(from, to);
    this.noteName(to, () => {
      fs.renameSync(to, from);
      replaced?.();
    });
  }

  link(from: string, to: string): void {
    this.step("link");
    fs.linkSync(from, to);
    this.noteName(to, () => fs.rmSync(to));
  }

  remove(path: string, options: fs.RmOptions = {}): void {
    this.step("remove");
    const removed = kept(path);
    fs.rmSync(path, options);
    this.durable.delete(path);
    if (removed !== undefined) this.noteName(path, removed);
  }

  flush(path: string): void {
    this.step("flush");
    this.durable.delete(path);
    this.nameChanges = this.nameChanges.filter(({ folder }) => folder !== path);
  }

  /** The machine stops: unflushed contents and names are as before. */
  cutPower(): void {
    for (const [path, bytes] of this.durable) if (fs.existsSync(path)) fs.writeFileSync(path, bytes);
    for (const { undo } of this.nameChanges.toReversed()) undo();
    this.forget();
  }

  /** Makes this file durable although nobody has flushed it. */
  keep(path: string): void {
    this.durable.delete(path);
    this.nameChanges = this.nameChanges.filter((change) => change.path !== path);
  }

  /** Makes everything written so far durable. */
  forget(): void {
    this.durable.clear();
    this.nameChanges = [];
  }

  private noteContent(path: string): void {
    if (this.durable.has(path)) return;
    this.durable.set(path, fs.existsSync(path) ? fs.readFileSync(path) : Buffer.alloc(0));
  }

  private moveContent(from: string, to: string): void {
    const bytes = this.durable.get(from);
    this.durable.delete(from);
    this.durable.delete(to);
    if (bytes !== undefined) this.durable.set(to, bytes);
  }

  private noteName(path: string, undo: () => void): void {
    if (this.user !== undefined) this.nameChanges.push({ path, folder: dirname(path), undo });
  }
}

export const files = new Files();

/** Returns a function that restores the file as it is now; undefined if there is none. */
function kept(path: string): (() => void) | undefined {
  if (!fs.existsSync(path) || !fs.statSync(path).isFile()) return undefined;
  const bytes = fs.readFileSync(path);
  const { mtime } = fs.statSync(path);
  return () => {
    fs.writeFileSync(path, bytes);
    fs.utimesSync(path, mtime, mtime);
  };
}
