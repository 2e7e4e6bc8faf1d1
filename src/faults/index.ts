export {
  type CatalogueCode,
  catalogue,
  catalogueAreas,
  SECRET_CODES,
  UNREPEATED_CODES,
} from "./catalogue.ts";
export type { KeyFlaw, SignatureFlaw } from "./credential-flaws.ts";
export type { CatalogueEntry, Next } from "./entry.ts";
export { type ExplainedFault, explainedFault, similarCodes } from "./explained.ts";
export {
  Fault,
  fault,
  invariant,
  isOfService,
  isProblem,
  orProblem,
  type Problem,
  problem,
  type Reason,
  type Where,
} from "./problem.ts";
export { readFailure } from "./read-failure.ts";
export { readYaml, yamlOf } from "./read-yaml.ts";
