/** Who else can read secrets and payments: files of secrets, and the connection to a database on a network. */
import { statSync } from "node:fs";
import { type Environment, namesSecret, readDatabaseUrl } from "../../config/index.ts";
import { fault, problem } from "../../faults/index.ts";
import { unverifiedHost } from "../../store/engines/postgres-client.ts";
import { type Check, checked, good, wrong } from "./check.ts";

/** Undefined if no secret comes from a file. */
export function checkSecretFiles(environment: Environment): Check | undefined {
  const files = Object.entries(environment).flatMap(([name, path = ""]) =>
    path !== "" && name.endsWith("_FILE") && namesSecret(name) ? [{ name, path }] : [],
  );
  if (files.length === 0) return undefined;
  // systemd restricts access by an access control list, which the mode shows as the group's rights.
  const guarded = environment["CREDENTIALS_DIRECTORY"];
  const open = files.filter(({ path }) => !path.startsWith(`${guarded}/`) && isReadByOthers(path));
  const problems = open.map(({ name, path }) =>
    problem(
      "OPEN_TO_OTHERS",
      { files: path, harm: `the secret ${name} is in it`, mode: "go=" },
      { key: name },
    ),
  );
  const what = "files of secrets";
  return open.length === 0 ? good(what, "only their owner may read them") : wrong(what, ...problems);
}

/** Another check reports a missing file; Windows has no such modes. */
function isReadByOthers(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform !== "win32" && (mode & 0o044) !== 0;
}

export function checkDatabaseTls(environment: Environment): Promise<Check> {
  return checked("way to the database", async () => {
    const host = await unverifiedHost(readDatabaseUrl(environment));
    if (host === undefined) return "on this machine, or encrypted and verified";
    const reason = "nothing is encrypted, or the server's certificate is not checked";
    throw fault("DATABASE_TLS", { path: `at ${host}`, reason }, { key: "DATABASE_URL" });
  });
}
