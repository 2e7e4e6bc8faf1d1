/** Single values that a sandbox keeps over a restart: that its seed is planted, and how far its clock was moved. */
import type { SandboxDatabase } from "./database.ts";

export interface Meta {
  get(name: "seeded" | "clock-offset-ms"): string | undefined;
  set(name: "seeded" | "clock-offset-ms", value: string): void;
}

export function metaIn(database: SandboxDatabase): Meta {
  const select = database.prepare<[string], string>("SELECT value FROM meta WHERE name = ?").pluck();
  const upsert = database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
  return {
    get: (name) => select.get(name),
    set: (name, value) => {
      upsert.run(name, value);
    },
  };
}
