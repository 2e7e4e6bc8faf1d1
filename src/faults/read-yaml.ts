/** Parses YAML (and so JSON) strictly: the parser's warnings are errors too, and nothing is printed. */
import { parseDocument } from "yaml";
import { fault } from "./problem.ts";

export type YamlReading =
  | { readonly value: unknown }
  /** `line` counts from 1; absent if the parser does not report it. */
  | { readonly reason: string; readonly line?: number };

export function readYaml(text: string): YamlReading {
  const document = parseDocument(text);
  const [first] = [...document.errors, ...document.warnings];
  if (first !== undefined) {
    const { code, message, linePos } = first;
    const reason =
      code === "MULTIPLE_DOCS" ? "it holds several documents, divided by ---" : sentenceOf(message);
    return linePos === undefined ? { reason } : { reason, line: linePos[0].line };
  }
  try {
    return { value: document.toJS() };
  } catch (error) {
    // The package throws a ReferenceError for an alias without an anchor, and for one that expands without end.
    if (error instanceof ReferenceError) return { reason: error.message };
    throw error;
  }
}

/** Parses a configuration file. Throws CONFIG_NOT_YAML with the line. */
export function yamlOf(text: string, file: string): unknown {
  const read = readYaml(text);
  if ("value" in read) return read.value;
  const { reason, ...where } = read;
  throw fault("CONFIG_NOT_YAML", { reason }, { file, ...where });
}

/** The parser's first sentence, without the place that it appends. */
function sentenceOf(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
}
