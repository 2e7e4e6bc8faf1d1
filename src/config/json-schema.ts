/**
 * The JSON Schema of paydrop.yaml, for completion and checks in editors. Rules that a schema cannot express (cron
 * expressions, time zones, rules between keys) are checked when the configuration is loaded.
 */
import { z } from "zod";
import { configSchema } from "./schema.ts";

/** Draft 7, which the YAML language server supports. */
export function configJsonSchema(): object {
  const { $schema, ...rules } = z.toJSONSchema(configSchema, { io: "input", target: "draft-7" });
  return {
    $schema,
    title: "paydrop.yaml",
    description: "The configuration of Paydrop; docs/reference/configuration.md lists every key.",
    ...rules,
  };
}
