/** The style sheet and the scripts: our own files, and those of two packages. Nothing comes from another host. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const OWN = fileURLToPath(new URL("assets", import.meta.url));
const CSS = "text/css; charset=utf-8";
const WEBAUTHN = join("..", "dist", "bundle", "index.umd.min.js");
const SCRIPT = "text/javascript; charset=utf-8";

const FILES = {
  "desk.css": { type: CSS, path: () => join(OWN, "desk.css") },
  "passkey.js": { type: SCRIPT, path: () => join(OWN, "passkey.js") },
  "htmx.js": { type: SCRIPT, path: () => join(packageOf("htmx.org"), "htmx.min.js") },
  "webauthn.js": { type: SCRIPT, path: () => join(packageOf("@simplewebauthn/browser"), WEBAUTHN) },
} as const;

export type AssetName = keyof typeof FILES;

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** With its hash, so that browsers may keep it for good: "/assets/desk.css?1f2e3d4c". */
  readonly url: string;
}

const loaded = new Map<string, Asset>();

/** Undefined if there is none with this name. */
export function asset(name: string): Asset | undefined {
  if (!isAsset(name)) return undefined;
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const { type, path } = FILES[name];
  const bytes = readFileSync(path());
  const found = { type, bytes, url: `/assets/${name}?${hash("sha256", bytes).slice(0, 8)}` };
  loaded.set(name, found);
  return found;
}

export function assetUrl(name: AssetName): string {
  return asset(name)?.url ?? "";
}

function isAsset(name: string): name is AssetName {
  return Object.hasOwn(FILES, name);
}

/** The folder of a package's main file. */
function packageOf(name: string): string {
  return dirname(require.resolve(name));
}
