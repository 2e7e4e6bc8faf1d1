import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Locked {
  readonly version: string;
  readonly integrity: string;
  readonly dev?: true;
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
}

/** "name@version sha512-..." */
function lines(entries: Iterable<readonly [name: string, version: string, integrity: string]>): string[] {
  return [
    ...new Set([...entries].map(([name, version, integrity]) => `${name}@${version} ${integrity}`)),
  ].sort();
}

test("the bill of materials names exactly what a release carries, each with the hash that `npm ci` verifies", () => {
  const document = JSON.parse(execFileSync("node", ["release/sbom.ts"], { encoding: "utf8" }));
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const { component } = document.metadata;
  expect([document.bomFormat, component.name, component.version]).toEqual(["CycloneDX", "paydrop", version]);

  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const carried = Object.entries<Locked>(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const expected = lines(carried.map(([path, locked]) => [nameOf(path), locked.version, locked.integrity]));
  const sha512 = ({ hashes }: Component) => {
    const { content = "" } = hashes.find(({ alg }) => alg === "SHA-512") ?? {};
    return `sha512-${Buffer.from(content, "hex").toString("base64")}`;
  };
  const components: readonly Component[] = document.components;
  expect(lines(components.map((each) => [each.name, each.version, sha512(each)]))).toEqual(expected);
});
