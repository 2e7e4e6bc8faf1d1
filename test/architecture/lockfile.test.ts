/**
 * An installation needs no compiler. npm builds each package that has a `binding.gyp` and no install script, unless
 * it says `gypfile: false`; `npm ci` reads that in the lockfile, where npm does not write it.
 */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface LockedPackage {
  gypfile?: boolean;
}

test("`npm ci` compiles nothing: a package with its binaries inside has `gypfile: false` in package-lock.json, put back by hand after `npm install`", () => {
  const lockfile: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync("package-lock.json", "utf8"),
  );
  const withSources = Object.entries(lockfile.packages).filter(([folder]) =>
    existsSync(`${folder}/binding.gyp`),
  );
  expect(withSources.map(([folder]) => folder)).toContain("node_modules/better-sqlite3");
  const compiled = withSources.filter(([, entry]) => entry.gypfile !== false).map(([folder]) => folder);
  expect(compiled).toEqual([]);
});

test("the package carries every dependency, at the version that is tested: npm puts new ones into no bundle", () => {
  const { dependencies, bundleDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(bundleDependencies).toEqual(Object.keys(dependencies));
});

test("there is one client of Prometheus, the one that is kept up: a second would count in a registry of its own", () => {
  const lockfile: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync("package-lock.json", "utf8"),
  );
  const clients = Object.keys(lockfile.packages).filter((folder) => /prom.*client$/.test(folder));
  expect(clients).toEqual(["node_modules/@prometheus-io/client"]);
});
