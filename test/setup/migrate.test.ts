/** A database that moves from a file to a server: nothing is lost on the way, and only the server's is paid from. */
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openWorkplace, stderrLog } from "../../src/index.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { paydrop, type Variables } from "../cli/program.ts";
import { newDatabase, query, testWithFile } from "../postgres.ts";
import { payToTheEnd } from "../processes/judge.ts";
import { approvedPayroll, ROWS } from "../processes/payroll.ts";
import { startService } from "../processes/service.ts";
import { MOMENT, signalAt } from "../processes/signalled.ts";

async function moving(folder: string, variables: Variables, to = "postgresql", from = "paydrop.sqlite") {
  const args = ["--json", "migrate", "--from", `sqlite:${from}`, "--to", to];
  const { exitCode, stdout } = await paydropInTurn(folder, args, variables);
  const { problems = [], ...answer } = JSON.parse(stdout);
  return { exitCode, message: problems[0]?.message, answer };
}

testWithFile(
  "a database moves in mid-batch: the server's pays the rest once, and the file, even restored, pays nothing",
  async () => {
    const service = await startService();
    const folder = await approvedPayroll(service.variables);
    const killed = await paydrop(folder, ["--json", "pay"], {
      ...service.variables,
      ...signalAt(MOMENT.afterWrite, 7, "SIGKILL"),
    });
    expect(killed.exitCode).toBeNull();
    await paydropInTurn(folder, ["backup", "before.sqlite"], service.variables);
    const DATABASE_URL = await newDatabase();
    const there = { ...service.variables, DATABASE_URL };
    const { exitCode, message, answer } = await moving(folder, there);
    expect(message).toBeUndefined();
    expect(exitCode).toBe(0);
    const [{ count = 0 } = {}] = await query(DATABASE_URL, "select count(*) as count from paydrop.audit");
    expect(answer).toMatchObject({
      payments: [{ currency: "BTC", count: ROWS.length }],
      record: { entries: Number(count) - 1 },
    });

    const arrived = service.arrived();
    const moved = `paydrop.sqlite moved to ${answer.place}`;
    for (const args of [["pay"], ["submit", "payroll.csv"], ["serve"], ["status"]]) {
      const ended = await paydropInTurn(folder, args, service.variables);
      expect(ended.exitCode, args[0]).not.toBe(0);
      expect(`${ended.stdout}${ended.stderr}`, args[0]).toContain(moved);
    }
    for (const ending of ["", "-wal", "-shm"])
      rmSync(join(folder, `paydrop.sqlite${ending}`), { force: true });
    copyFileSync(join(folder, "before.sqlite"), join(folder, "paydrop.sqlite"));
    expect((await paydropInTurn(folder, ["pay"], service.variables)).stderr).toContain(moved);
    expect(service.arrived()).toBe(arrived);

    const onServer = { ...there, PAYDROP_DATABASE: "postgresql" };
    await payToTheEnd(folder, service, onServer, [killed]);
    await service.close();
  },
);

testWithFile("what cannot be moved is refused in one sentence, and everything stays as it was", async () => {
  const service = await startService();
  const folder = await approvedPayroll(service.variables);
  const DATABASE_URL = await newDatabase();
  const there = { ...service.variables, DATABASE_URL };
  const refused = async (variables: Variables, to?: string, from?: string) => {
    const { exitCode, message } = await moving(folder, variables, to, from);
    expect(exitCode, message).toBe(2);
    return message;
  };
  expect(await refused(service.variables)).toContain("DATABASE_URL");
  expect(await refused(there, "mysql://db/paydrop")).toBe("--to mysql names no PostgreSQL server");
  expect(await refused(there, "postgresql://pay:drop@db/paydrop")).toContain("can read the password");
  expect(await refused(there, "postgresql", "other.sqlite")).toContain(
    "is not the database of this configuration",
  );
  const other = openWorkplace(join(folder, "paydrop.yaml"), service.variables, stderrLog("silent"));
  expect(await refused(there)).toContain("another process has it open");
  await other.close();
  const filled = await newDatabase();
  const withRows = { ...service.variables, DATABASE_URL: filled };
  expect(
    await paydropInTurn(folder, ["stop", "--reason", "filled"], {
      ...withRows,
      PAYDROP_DATABASE: "postgresql",
    }),
  ).toMatchObject({ exitCode: 0 });
  expect(await refused(withRows)).toContain("is not empty: its table audit has rows");
  expect(await payToTheEnd(folder, service, service.variables)).toEqual([]);
  await service.close();
});
