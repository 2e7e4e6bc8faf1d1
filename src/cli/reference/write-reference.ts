/** `npm run reference`: writes docs/reference. */
import { writeFileSync } from "node:fs";
import { referencePages } from "./pages.ts";

for (const [name, text] of Object.entries(referencePages())) writeFileSync(`docs/reference/${name}`, text);
