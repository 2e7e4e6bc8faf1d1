/** Machines that share a PostgreSQL database, a folder each, and a payroll that was taken in and approved. */
import { cp } from "node:fs/promises";
import type { ServerOptions } from "../../src/sandbox/index.ts";
import { emptyFolder, type Variables } from "../cli/program.ts";
import { newDatabase, query } from "../postgres.ts";
import { submitAndApprove } from "./payroll.ts";
import { type CountingService, startService } from "./service.ts";

export interface Machines {
  readonly service: CountingService;
  readonly variables: Variables;
  readonly folders: readonly string[];
  /** As if the holder of the lane had been silent for so long that its requests have ended. */
  letTimePass(): Promise<unknown>;
}

export async function machines(
  count: number,
  changes: Variables = {},
  options: ServerOptions = {},
): Promise<Machines> {
  const service = await startService(options);
  const url = await newDatabase();
  const variables = { ...service.variables, PAYDROP_DATABASE: "postgresql", DATABASE_URL: url, ...changes };
  const first = await submitAndApprove(variables);
  const others = Array.from({ length: count - 1 }, async () => {
    const folder = await emptyFolder();
    await cp(first, folder, { recursive: true });
    return folder;
  });
  return {
    service,
    variables,
    folders: [first, ...(await Promise.all(others))],
    letTimePass: () => query(url, "update paydrop.lease set until_ms = 0, free_ms = 0"),
  };
}
