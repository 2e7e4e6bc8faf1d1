/** Falsifies an answer. The stored state stays correct, so the next answer is true again. */
import { parseJson, writeJson } from "../wire/index.ts";
import type { SandboxAnswer } from "./core.ts";
import type { FaultEffect } from "./fault-scripts.ts";

type ShownInstead = Omit<Extract<FaultEffect, { kind: "wrong-echo" }>, "kind">;

/** The answer to a search with a field of its elements replaced; any other answer comes back unchanged. */
export function showInstead(answer: SandboxAnswer, { field, value, reference }: ShownInstead): SandboxAnswer {
  return altered(answer, (envelope) => {
    const content = envelope.results.content.map((element) =>
      reference === undefined || element["reference"] === reference
        ? { ...element, [field]: value }
        : element,
    );
    return { ...envelope, results: { ...envelope.results, content } };
  });
}

export function echoOtherFilters(answer: SandboxAnswer): SandboxAnswer {
  return altered(answer, (envelope) => ({
    ...envelope,
    filters: { queryDate: "1970-01-01T00:00:00.000Z", references: ["ANOTHER"] },
  }));
}

interface Found {
  readonly results: { readonly content: readonly Readonly<Record<string, unknown>>[] };
}

function altered(answer: SandboxAnswer, change: (envelope: Found) => unknown): SandboxAnswer {
  const body: unknown = answer.body === "" ? undefined : parseJson(answer.body);
  return isFound(body) ? { ...answer, body: writeJson(change(body)) } : answer;
}

function isFound(body: unknown): body is Found {
  return typeof body === "object" && body !== null && "results" in body;
}
