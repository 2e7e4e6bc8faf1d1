/** Checks on this machine: secrets, configured files, folders, database, disk. Changes nothing. */
import { constants, existsSync, type StatsFs } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { idleKeys, openChart, refuseClosedAhead } from "../../books/index.ts";
import { type Config, type Environment, readDatabaseUrl, readSecrets } from "../../config/index.ts";
import type { Clock } from "../../context/clock.ts";
import { Fault, fault, readFailure } from "../../faults/index.ts";
import { misplacedInbox, type Source, sourcesOf } from "../../files/intake/inbox.ts";
import { allowListOf } from "../../files/screening/screening.ts";
import { oneTimeCodes } from "../../gateway/index.ts";
import { applying } from "../../model/applying.ts";
import { stopOrder } from "../../payments/run/stop-order.ts";
import { checkIdentity } from "../../payments/sending/index.ts";
import { anchorOf, checkAnchor } from "../../store/anchor.ts";
import { verifyAudit } from "../../store/audit.ts";
import { checkRights } from "../../store/engines/postgres-session.ts";
import { openToAnybody, whyUnwritable } from "../../store/engines/private-file.ts";
import type { Store } from "../../store/store.ts";
import { listInDoubt } from "../../store/submissions.ts";
import { learntDues } from "../../views/files-not-come.ts";
import { differs, disagreements, refuseSharedKey } from "../../workplace/agreement.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { type Check, checked } from "./check.ts";

/** A disk with less free space fills up soon, and a full disk sends nothing. */
const DISK_BYTES_MIN = 100_000_000;
/** SQLite creates files beside the database, and a disk may have space but no free file entries. */
const DISK_FILES_MIN = 1_000;

export function checkSecrets(
  config: Config,
  environment: Environment,
  clock: Clock,
  keyName: string | undefined,
): Promise<Check> {
  const what = keyName === undefined ? "secrets" : `secrets of the key ${keyName}`;
  return checked(what, async () => {
    const { otpSecret } = readSecrets(environment, config, keyName);
    if (config.otp.source !== "totp" || otpSecret === undefined)
      return `set; one-time codes come from \`otp.source: ${config.otp.source}\`, which was not tried`;
    await oneTimeCodes(clock, { source: "totp", secret: otpSecret }, false).next();
    return "set, and one-time codes can be made";
  });
}

export async function checkFiles(config: Config, clock: Clock): Promise<Check[]> {
  const { allowList } = config.destinations;
  return applying(
    await checked("chart of accounts", async () => {
      const { rows } = await openChart(config.ledger.chart);
      const idle = idleKeys(rows, config.custodyAccounts);
      if (idle.length === 0) return config.ledger.chart;
      return (
        `${config.ledger.chart}; no custody account or currency is called ${idle.join(", ")}: lines for ` +
        `it never apply`
      );
    }),
    await checked("closed periods", () => {
      refuseClosedAhead(config.ledger, clock.now());
      const { closedThrough } = config.ledger;
      return closedThrough === undefined ? "none" : `up to and including ${closedThrough}`;
    }),
    allowList !== undefined &&
      (await checked("list of destinations", async () => {
        const { names } = (await allowListOf(allowList)) ?? { names: new Map() };
        const { allow } = config.destinations;
        if (allow === "listed" && names.size === 0)
          throw fault("ALLOW_LIST_INVALID", { reason: LISTS_NOBODY }, { key: "destinations.allowList" });
        return `${allowList}: ${names.size} destinations; with \`allow: ${allow}\` ${PAID_BY_POLICY[allow]}`;
      })),
  );
}

const LISTS_NOBODY = "it is empty, and with `destinations.allow: listed` nobody can be paid";

/** The recipients that each policy of `destinations` allows besides the list. */
const PAID_BY_POLICY = {
  any: "all other destinations are paid too",
  known: "destinations that were paid before are paid too",
  listed: "no other destination is paid",
};

export async function checkFolders(config: Config): Promise<Check[]> {
  const sources = sourcesOf(config);
  const { inbox: _, ...others } = config.folders;
  const places = [
    ...sources.map(({ key, inbox }) => [key, inbox] as const),
    ...Object.entries(others).map(([name, path]) => [`folders.${name}`, path] as const),
  ];
  const checks = await Array.fromAsync(places, ([key, path]) => checked(key, () => writable(path, key)));
  const claiming = checked("claiming", async () => {
    for (const source of sources) await checkClaiming(config, source);
    return sources.length === 1
      ? "inbox and work are on one disk"
      : "the inbox, the senders' folders and work are on one disk";
  });
  return [...checks, await claiming];
}

async function checkClaiming(config: Config, source: Source): Promise<void> {
  const misplaced = await misplacedInbox(config, source);
  if (misplaced !== undefined) throw new Fault(misplaced);
  const [inbox, work] = await Promise.all([source.inbox, source.work].map(nearestThere).map(deviceOf));
  if (inbox === work) return;
  const reason = `it is on another disk than ${source.key}, so that a claimed file could not be renamed into it`;
  throw fault("OUTPUT_UNWRITABLE", { path: source.work, reason }, { key: "folders.work" });
}

/** Separate from the database check, because a full disk prevents opening the database. */
export function checkDisk({ databasePath }: Config): Promise<Check> {
  return checked("disk", async () => {
    const { left, isEnough } = roomOn(await statfs(nearestThere(dirname(databasePath))));
    if (isEnough) return `${left} left`;
    throw fault("DISK_NEARLY_FULL", { path: dirname(databasePath), free: left });
  });
}

/**
 * The free space and free file entries of a file system, in words. Some have no limit of file entries, and report 0
 * for both.
 */
export function roomOn({ bavail, bsize, files, ffree }: Room): { left: string; isEnough: boolean } {
  const bytes = bavail * bsize;
  if (files > 0 && ffree < DISK_FILES_MIN) return { left: `room for ${ffree} more files`, isEnough: false };
  return { left: `${Math.floor(bytes / 1_000_000)} MB`, isEnough: bytes >= DISK_BYTES_MIN };
}

type Room = Pick<StatsFs, "bavail" | "bsize" | "files" | "ffree">;

export async function checkDatabase(
  config: Config,
  environment: Environment,
  store: Store,
): Promise<Check[]> {
  const { databasePath } = config;
  return applying(
    await checked("database", async () => {
      const isShared = config.databaseEngine === "postgresql";
      if (!isShared && !existsSync(databasePath)) {
        await writable(dirname(databasePath), "database");
        return `${databasePath}: not there yet; the first submitted file creates it`;
      }
      const closed = isShared ? undefined : whyUnwritable(databasePath);
      if (closed !== undefined) throw fault("DATABASE_UNUSABLE", { path: databasePath, reason: closed });
      // Comes before the store opens its own connection, because the database may not allow a second one.
      const where = isShared ? await checkRights(readDatabaseUrl(environment)) : databasePath;
      await verifyAudit(store);
      const anchor = anchorOf(config);
      await store.read(checkAnchor(anchor));
      const age = anchor.isThere
        ? "it is the newest one"
        : "without an anchor, an older copy would go unnoticed";
      return `${where}: its record is intact, and ${age}`;
    }),
    config.databaseEngine === "sqlite" && existsSync(databasePath) && (await checkPrivacy(databasePath)),
    await checked("stop order", async () => {
      const order = await stopOrder({ config, store });
      if (order === undefined) return "none is in force";
      throw fault("SENDING_STOPPED", { reason: order.reason });
    }),
  );
}

/** New files are private; files of an earlier version, and copied files, may not be. */
function checkPrivacy(path: string): Promise<Check> {
  return checked("privacy", () => {
    const files = openToAnybody(path);
    const harm = "anybody who can read a file of the database can lock it and stop all sending";
    if (files.length > 0) throw fault("OPEN_TO_OTHERS", { files: files.join(", "), harm, mode: "o=" });
    return "only the owner and the group of the database may open it";
  });
}

/** A sender without a rhythm is no defect, but a person reads that none of its files is missed. */
export function checkLearnt({ config, store, context }: Workplace): Promise<Check> {
  return checked("files that are due", async () => {
    const learnt = await store.read(() => learntDues(config, context.clock.now()));
    return learnt.map(({ sender, text }) => `${sender}: ${text}`).join("; ");
  });
}

export function checkClientKeys(workplace: Workplace): Promise<Check> {
  return checked("client keys", () => {
    refuseSharedKey(workplace);
    return `${workplace.underKeys.length} different ones`;
  });
}

/**
 * Whether payments in doubt can still be looked up under the address and key with which they were sent; otherwise
 * no run sends anything.
 */
export function checkInDoubt(store: Store, views: readonly Workplace[]): Promise<Check> {
  return checked("what is in doubt", async () => {
    const inDoubt = await store.read(() => listInDoubt());
    const keyIds = views.map((view) => view.service().keyId);
    for (const baseUrl of new Set(views.map((view) => view.service().tools.gateway.baseUrl)))
      checkIdentity({ baseUrl, keyIds }, inDoubt);
    return inDoubt.length === 0 ? "nothing" : `${inDoubt.length}, sent as it would be now`;
  });
}

/** Compares the settings with those of other machines, and the client keys that are set here. */
export function checkMachines(workplace: Workplace): Promise<Check> {
  return checked("other machines", async () => {
    const { binding, advisory } = await disagreements(workplace);
    if (binding !== undefined) throw differs(binding);
    return advisory === undefined
      ? "none that sends differently from this one"
      : `payments are sent alike; different from ${advisory.machine} (${advisory.when}): ${advisory.what}`;
  });
}

/** A missing folder is created when it is needed, so its parent must be writable. */
async function writable(path: string, key: string): Promise<string> {
  const there = nearestThere(path);
  try {
    if (!(await stat(there)).isDirectory())
      throw fault("OUTPUT_UNWRITABLE", { path: there, reason: "it is not a folder" }, { key });
    await access(there, constants.W_OK | constants.X_OK);
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw fault("OUTPUT_UNWRITABLE", { path: there, reason: readFailure(cause) }, { key }, { cause });
  }
  return there === path ? path : `${path}: created when it is needed`;
}

function nearestThere(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestThere(dirname(path));
}

async function deviceOf(path: string): Promise<number> {
  return (await stat(path)).dev;
}
