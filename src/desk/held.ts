/** Keeps things between two requests of one browser: in memory, for minutes. Each can be taken once. */
import { hash } from "node:crypto";
import type { Context } from "../context/context.ts";

export type Held = ReturnType<typeof heldIn>;

const HELD_MS = 5 * 60_000;
const HELD_MAX = 1_000;

export function heldIn({ clock, random }: Context) {
  const things = new Map<string, { readonly thing: unknown; readonly until: number }>();
  return {
    /** Stores a thing and returns an unguessable name for it. */
    put(thing: unknown, keptMs = HELD_MS): string {
      const name = unguessable(random);
      const [oldest] = things.keys();
      if (things.size >= HELD_MAX && oldest !== undefined) things.delete(oldest);
      things.set(name, { thing, until: clock.monotonicMs() + keptMs });
      return name;
    },
    /** Undefined if nothing has this name, or if it has expired or was already taken. */
    take(name: string): unknown {
      const found = things.get(name);
      things.delete(name);
      return found !== undefined && found.until > clock.monotonicMs() ? found.thing : undefined;
    },
  };
}

/** A text of 256 unguessable bits. */
export function unguessable(random: Context["random"]): string {
  return hash("sha256", Array.from({ length: 4 }, () => random.uuid()).join(), "base64url");
}
