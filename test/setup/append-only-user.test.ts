/** Paydrop as the user of deploy/append-only-user.sql, who can only append to the record and to what people signed. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { newDatabase, query, testWithFile } from "../postgres.ts";
import { payToTheEnd } from "../processes/judge.ts";
import { submitAndApprove } from "../processes/payroll.ts";
import { startService } from "../processes/service.ts";

const GRANTS = readFileSync(new URL("../../deploy/append-only-user.sql", import.meta.url), "utf8");

testWithFile("pays, and can neither change nor remove an entry of the record", async () => {
  const service = await startService();
  const url = await newDatabase();
  const role = `run_${process.pid}`;
  const asOwner = { ...service.variables, PAYDROP_DATABASE: "postgresql", DATABASE_URL: url };
  const folder = await submitAndApprove(asOwner);
  await query(url, GRANTS.replaceAll("paydrop_run", role));
  const DATABASE_URL = url.replace("//paydrop@", `//${role}@`);
  const asUser = { ...asOwner, DATABASE_URL };
  const { stdout } = await paydropInTurn(folder, ["--json", "doctor"], asUser);
  const { checks } = JSON.parse(stdout) as { checks: { what: string; problems: { message: string }[] }[] };
  expect(checks.find(({ what }) => what === "database")?.problems).toEqual([]);

  for (const table of ["audit", "statement"])
    for (const change of [
      `update paydrop.${table} set person = 'eve'`,
      `delete from paydrop.${table}`,
      `truncate paydrop.${table}`,
    ])
      await expect(query(DATABASE_URL, change), change).rejects.toThrow("permission denied");
  const before = await query(url, "select count(*) as count from paydrop.audit");
  expect((await paydropInTurn(folder, ["stop", "--reason", "try"], asUser)).exitCode).toBe(0);
  expect((await paydropInTurn(folder, ["go", "--reason", "tried", "--by", "bob"], asUser)).exitCode).toBe(0);
  expect(await payToTheEnd(folder, service, asUser)).toEqual([]);
  expect((await paydropInTurn(folder, ["audit", "verify"], asUser)).exitCode).toBe(0);
  const after = await query(url, "select count(*) as count from paydrop.audit");
  expect(Number(after[0]?.["count"])).toBeGreaterThan(Number(before[0]?.["count"]) + 2);
  await service.close();
});
