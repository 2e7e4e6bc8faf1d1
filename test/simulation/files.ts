/**
 * The files of the simulation: real ones in a folder of the seed, below the doors counted-fs.ts and counted-fs-promises.ts that take
 * the place of node:fs for src. Every change is a step at which the process may die; what was not flushed can be undone, as a machine
 * that stops undoes it in the worst case.
 */
import fs from "node:fs";
import { dirname } from "node:path";

/** Whose changes they are. */
export interface FileUser {
  readonly isAlive: boolean;
  /** A change is about to be made; the process may die of it. */
  onStep(what: string): void;
}

/** Thrown through code that a dead process was in the midst of; it comes to nobody's eyes. */
export class Died extends Error {}

interface NameChange {
  readonly path: string;
  /** Flushing it makes the change durable. */
  readonly folder: string;
  undo(): void;
}

class Files {
  /** Undefined: nobody's changes are counted. */
  user: FileUser | undefined;
  private readonly durable = new Map<string, Buffer>();
  private nameChanges: NameChange[] = [];

  /** Throws `Died` where the process ends before the change. */
  step(what: string): void {
    if (this.user?.isAlive === true) this.user.onStep(what);
    if (this.user?.isAlive === false) throw new Died(what);
  }

  /** Before it is opened to be written anew. */
  create(path: string): void {
    this.step("create a file");
    if (!fs.existsSync(path)) this.noteName(path, () => fs.rmSync(path, { force: true }));
    this.noteContent(path);
  }

  /** In two halves, so that a process can die between them. */
  write(path: string, bytes: Buffer): void {
    this.create(path);
    fs.writeFileSync(path, bytes.subarray(0, bytes.length >> 1));
    this.step("write the rest of a file");
    fs.writeFileSync(path, bytes);
  }

  /** At the end of a file that is open, in two halves as well. */
  append(path: string, descriptor: number, bytes: Uint8Array): void {
    const half = bytes.length >> 1;
    this.writeInto(path, () => fs.writeSync(descriptor, bytes.subarray(0, half)));
    this.writeInto(path, () => fs.writeSync(descriptor, bytes.subarray(half)));
  }

  /** Into a file that is open, from a position on. */
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

  /** The machine stops: contents and names that were not flushed are as they were. */
  cutPower(): void {
    for (const [path, bytes] of this.durable) if (fs.existsSync(path)) fs.writeFileSync(path, bytes);
    for (const { undo } of this.nameChanges.toReversed()) undo();
    this.forget();
  }

  /** This file is kept whatever happens, though nobody has asked for it. */
  keep(path: string): void {
    this.durable.delete(path);
    this.nameChanges = this.nameChanges.filter((change) => change.path !== path);
  }

  /** Everything that was written is durable from here on. */
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

/** How to bring a file back as it is now; undefined where there is none. */
function kept(path: string): (() => void) | undefined {
  if (!fs.existsSync(path) || !fs.statSync(path).isFile()) return undefined;
  const bytes = fs.readFileSync(path);
  const { mtime } = fs.statSync(path);
  return () => {
    fs.writeFileSync(path, bytes);
    fs.utimesSync(path, mtime, mtime);
  };
}
