/**
 * The steps of the Dockerfile as a shell script, for machines without Docker: each stage is a root of its own over the
 * machine's programs, in which the clone cannot be seen. Knows only the instructions that our Dockerfile uses.
 */
import { readFileSync } from "node:fs";

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

export interface Image {
  /** Shell commands that build each stage below `$stages`; the last one is `$stages/image`. */
  readonly build: string;
  readonly environment: readonly string[];
  readonly folder: string;
  /** "uid:gid" */
  readonly user: string;
  readonly healthCheck: readonly string[];
  readonly command: readonly string[];
}

export function imageOf(path: string, ignoreFile: string): Image {
  const build: string[] = [];
  const environment: string[] = [];
  const settings = { folder: "/", user: "0:0", healthCheck: "[]", entryPoint: "[]", command: "[]" };
  let stage = "";
  for (const { name, rest } of instructionsOf(readFileSync(path, "utf8"))) {
    if (name === "FROM") {
      stage = / AS (\w+)$/.exec(rest)?.[1] ?? "image";
      settings.folder = "/";
      environment.length = 0;
      build.push(`stage ${stage}`);
    } else if (name === "WORKDIR") {
      settings.folder = rest;
      build.push(`mkdir -p "$stages/${stage}${rest}"`);
    } else if (name === "RUN")
      build.push(`inside ${stage} sh -c ${quoted(`cd ${settings.folder} && ${rest}`)}`);
    else if (name === "COPY") build.push(copy(rest, stage, settings.folder, ignoreFile));
    else if (name === "ENV") environment.push(...rest.split(" "));
    else if (name === "USER") settings.user = rest;
    else if (name === "HEALTHCHECK") settings.healthCheck = rest.replace(/^.*?CMD /, "");
    else if (name === "ENTRYPOINT") settings.entryPoint = rest;
    else if (name === "CMD") settings.command = rest;
    else throw new Error(`this script does not know the instruction ${name}`);
  }
  const { folder, user, healthCheck, entryPoint, command } = settings;
  return {
    build: build.join("\n"),
    environment,
    folder,
    user,
    healthCheck: JSON.parse(healthCheck),
    command: [...JSON.parse(entryPoint), ...JSON.parse(command)],
  };
}

function instructionsOf(text: string): Instruction[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  return lines.flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [{ name, rest }];
  });
}

function copy(rest: string, stage: string, folder: string, ignoreFile: string): string {
  const [, from, source, target] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest) ?? [];
  if (from !== undefined)
    return `mkdir -p "$stages/${stage}${target}" && cp -a "$stages/${from}${source}/." "$stages/${stage}${target}/"`;
  // The ignore file leaves out everything but what it names.
  const [all, ...kept] = readFileSync(ignoreFile, "utf8")
    .split("\n")
    .filter((line) => line !== "" && line[0] !== "#");
  if (rest !== ". ." || all !== "*" || kept.some((line) => !line.startsWith("!")))
    throw new Error(`this script does not know COPY ${rest} with this ${ignoreFile}`);
  return `cp -a ${kept.map((line) => line.slice(1)).join(" ")} "$stages/${stage}${folder}/"`;
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
