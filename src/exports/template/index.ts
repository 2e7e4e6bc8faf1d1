export { noteOf, payoutTemplate, type TemplateColumn, type TemplateKnowledge } from "./template.ts";
export { writeTemplateCsv } from "./template-csv.ts";
export { writeTemplateXlsx } from "./template-xlsx.ts";
