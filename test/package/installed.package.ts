import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { freePort } from "../desk/trial.ts";
import { install, type Packed, pack, paydrop, start } from "./packed.ts";

let packed: Packed;
let folder: string;

beforeAll(async () => {
  packed = await pack();
  folder = await install(packed.file);
});

function ours(): readonly string[] {
  return packed.contents.filter((path) => !path.startsWith("node_modules/"));
}

/** The package.json of a package as it was installed. */
function installed(name: string) {
  const path = join(folder, "node_modules", "paydrop", "node_modules", name, "package.json");
  return JSON.parse(readFileSync(path, "utf8"));
}

test("the package has what runs and what its README links to: no sources, no tests, no other pictures", () => {
  const links = [...readFileSync("README.md", "utf8").matchAll(/\]\(([^)#:]+)/g)].map(
    ([, path = ""]) => path,
  );
  expect(links.length).toBeGreaterThan(15);
  for (const link of links)
    expect(
      ours().some((path) => path === link || path.startsWith(`${link}/`)),
      link,
    ).toBe(true);
  const pictures = ours().filter((path) => path.endsWith(".png"));
  expect(pictures.filter((path) => !links.includes(path))).toEqual([]);
  const folders = new Set(ours().map((path) => (path.includes("/") ? path.split("/")[0] : "")));
  expect([...folders].sort()).toEqual(["", "deploy", "dist", "docs", "samples"]);
  expect(ours().filter((path) => path.endsWith(".map") || /(?<!\.d)\.ts$/.test(path))).toEqual([]);
});

test("every declaration has its source, and every packed piece its user: nothing of an earlier build is packed", () => {
  const declarations = ours().filter((path) => path.endsWith(".d.ts"));
  expect(declarations.length).toBeGreaterThan(300);
  const isLeft = (path: string) => !existsSync(path.replace(/^dist\//, "").replace(/\.d\.ts$/, ".ts"));
  expect(declarations.filter(isLeft)).toEqual([]);
  const built = ours().filter((path) => /^dist\/.*\.js$/.test(path) && !path.includes("/assets/"));
  const texts = built.map((path) => readFileSync(path, "utf8"));
  const pieces = built.filter((path) => path.startsWith("dist/chunks/"));
  expect(pieces.length).toBeGreaterThan(30);
  expect(pieces.filter((path) => !texts.some((text) => text.includes(`/${basename(path)}"`)))).toEqual([]);
});

test("installed without a registry it has every package at the version that the tests ran with", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const needed = Object.entries<{ version: string; dev?: true; optional?: true }>(packages).filter(
    ([path, { dev, optional }]) => path !== "" && dev !== true && optional !== true,
  );
  expect(needed.length).toBeGreaterThan(150);
  for (const [path, { version }] of needed)
    expect([path, installed(path.replace("node_modules/", "")).version]).toEqual([path, version]);
  expect(installed("unzipper").version).toBe(
    JSON.parse(readFileSync("package.json", "utf8")).overrides.exceljs.unzipper,
  );
  expect(
    readdirSync(join(folder, "node_modules", "paydrop", "node_modules", "better-sqlite3")),
  ).not.toContain("build");
});

test("the installed `paydrop demo` goes the whole way", async () => {
  expect(await paydrop(folder, "demo")).toMatch(/All \d+ expectations held\.\n$/);
});

test("the installed `paydrop init`, `sandbox`, `serve` and `desk` run in that folder", async () => {
  await paydrop(folder, "init", "--sandbox");
  const [first = ""] = readFileSync(join(folder, "paydrop.yaml"), "utf8").split("\n");
  const [, schema = ""] = /\$schema=(\S+)/.exec(first) ?? [];
  expect(existsSync(resolve(folder, schema)), first).toBe(true);

  const port = await freePort();
  const sandbox = await start(folder, ["sandbox", "--port", "0"], /http:\/\/127\.0\.0\.1:\d+/);
  const variables = {
    PAYDROP_SERVICE_BASE_URL: sandbox.found[0],
    PAYDROP_KEY: "demo-key",
    PAYDROP_SIGNING_SECRET: "demo-signing-secret-0001",
    PAYDROP_OTP_SECRET: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
    PAYDROP_DESK_LISTEN: `127.0.0.1:${port}`,
    PAYDROP_DESK_ORIGIN: `http://localhost:${port}`,
  };
  for (const command of ["serve", "desk"]) {
    const daemon = await start(folder, [command], /desk/i, variables);
    const answer = await fetch(`http://localhost:${port}/`);
    expect([command, answer.status]).toEqual([command, 200]);
    expect(await answer.text()).toContain("Sign in");
    expect([command, await daemon.stop()]).toEqual([command, 143]);
  }
  expect(await sandbox.stop()).toBe(143);
});

test("a program that imports the package compiles with Node's types, the one peer that it names", () => {
  const { peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(Object.keys(peerDependencies)).toEqual(["@types/node"]);
  mkdirSync(join(folder, "node_modules", "@types"));
  for (const name of ["@types/node", "undici-types"])
    symlinkSync(resolve("node_modules", name), join(folder, "node_modules", name));
  const text = `import { openWorkplace } from "paydrop";\nimport { startSandbox } from "paydrop/sandbox";\n`;
  writeFileSync(
    join(folder, "use.mts"),
    `${text}export const used = [openWorkplace, startSandbox] as const;\n`,
  );
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--types", "node"];
  const lib = ["--lib", "es2024,esnext.array,esnext.iterator"];
  execFileSync(resolve("node_modules/.bin/tsc"), [...options, ...lib, "use.mts"], { cwd: folder });
});
