/**
 * The JSON Schema of paydrop.yaml, for editors that complete and check it while it is written. What a schema cannot say (cron
 * expressions, time zones, rules between keys) is checked when the configuration is loaded.
 */
import { z } from "zod";
import { configSchema } from "./schema.ts";

/** Draft 7, which the editors' YAML language server knows. */
export function configJsonSchema(): object {
  const { $schema, ...rules } = z.toJSONSchema(configSchema, { io: "input", target: "draft-7" });
  return {
    $schema,
    title: "paydrop.yaml",
    description: "The configuration of Paydrop; samples/paydrop.yaml says what each key means.",
    ...rules,
  };
}
