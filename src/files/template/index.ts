export {
  meaningOf,
  payoutTemplate,
  type TemplateColumn,
  type TemplateKnowledge,
  writeTemplateCsv,
} from "./template.ts";
export { writeTemplateXlsx } from "./template-xlsx.ts";
