/** `npm run config-schema`: writes docs/paydrop.schema.json. The formatter runs after it. */
import { writeFileSync } from "node:fs";
import { configJsonSchema } from "./json-schema.ts";

writeFileSync("docs/paydrop.schema.json", `${JSON.stringify(configJsonSchema())}\n`);
