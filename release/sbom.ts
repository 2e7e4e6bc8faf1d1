/**
 * `npm run --silent sbom`: prints the bill of materials of a release as CycloneDX, made by `npm sbom` from package-lock.json.
 * npm gets copies without the bundle, since it takes the overridden versions of bundled packages for mistakes, and without
 * what only development needs: its own `--omit dev` also leaves out what both need.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const parent = mkdtempSync(join(tmpdir(), "sbom-"));
// npm names the release after its folder.
const folder = join(parent, "paydrop");
try {
  mkdirSync(folder);
  copyReleased("package.json");
  copyReleased("package-lock.json");
  const options = ["--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"];
  execFileSync("npm", ["sbom", ...options], { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
} finally {
  rmSync(parent, { recursive: true });
}

function copyReleased(name: string): void {
  const isLeftOut = (key: string, value: unknown) =>
    ["bundleDependencies", "inBundle", "devDependencies"].includes(key) || isOfDevelopment(value);
  const text = readFileSync(name, "utf8");
  const document = JSON.parse(text, (key, value) => (isLeftOut(key, value) ? undefined : value));
  writeFileSync(join(folder, name), JSON.stringify(document));
}

function isOfDevelopment(entry: unknown): boolean {
  return typeof entry === "object" && entry !== null && "dev" in entry && entry.dev === true;
}
