/** `npm run openapi`: writes docs/openapi.json as a sandbox with default options serves it. */
import { writeFileSync } from "node:fs";
import { servedOperations } from "../operations/operations.ts";
import { routesSchema } from "../operations/routes.ts";
import { openapiDocument } from "./document.ts";

writeFileSync("docs/openapi.json", `${openapiDocument(servedOperations(routesSchema.parse({})))}\n`);
