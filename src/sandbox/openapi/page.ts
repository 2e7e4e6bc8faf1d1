/** The HTML page that documents the operations: plain HTML without a script, linking to the OpenAPI document. */
import type { z } from "zod";
import { parseJson, writeJson } from "../../wire/index.ts";
import type { ServedOperation } from "../operations/route-table.ts";
import { jsonSchemas } from "./json-schema.ts";
import { sampleRequest } from "./sample-request.ts";
import { notesOf } from "./samples.ts";

export function browsablePage(served: readonly ServedOperation[]): string {
  const { schemas, nameOf } = jsonSchemas(served.map(({ operation }) => operation));
  const schemaText = (table: z.ZodType) => JSON.stringify(schemas[nameOf(table)] ?? {}, null, 2);
  const withPath = served.filter(({ operation }) => operation.path !== undefined);
  const pathless = served.filter(({ operation }) => operation.path === undefined);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Paydrop sandbox</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff }
  h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem } h3 { font-size: 1rem; margin-bottom: 0 }
  details { border: 1px solid #ccc; border-radius: 4px; margin: .4rem 0; padding: .4rem .8rem }
  summary { cursor: pointer } code, pre { font: 13px/1.4 ui-monospace, monospace }
  pre { background: #f4f4f4; padding: .6rem; overflow-x: auto }
  .route { font-weight: 600 }
</style>
</head>
<body>
<h1>Paydrop sandbox</h1>
<p>The Payment Execution Service for trials. Every operation takes the headers <code>key</code> and <code>signature</code>:
lower-case hex of HMAC-SHA-256, with the key's secret, over method, line feed, path with query, line feed, body. A GET or DELETE
carries its parameters in the query, every other method in a JSON body.
The same as a document: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p>
<h2>Operations with a path</h2>
${withPath.map((operation) => section(operation, schemaText)).join("\n")}
<h2>Operations without a path, under the sandbox's own</h2>
${pathless.map((operation) => section(operation, schemaText)).join("\n")}
</body>
</html>
`;
}

function section(served: ServedOperation, schemaText: (table: z.ZodType) => string): string {
  const { method, path, operation } = served;
  const { name, successCode, request } = operation;
  const notes = notesOf(name);
  const failures = notes.failures === undefined ? "" : `; failures listed: ${notes.failures.join(", ")}`;
  const answer = notes.answer === undefined ? "<p>The answer has no body.</p>" : sample(notes.answer);
  return `<details>
<summary><span class="route">${escaped(`${method} ${path}`)}</span> ${escaped(notes.summary)}</summary>
<p><code>${name}</code>, success ${successCode}${failures}</p>
<h3>Request</h3>${requestSample(served, notes.request)}
<h3>Answer</h3>${answer}
<h3>Table of the request</h3><pre>${escaped(schemaText(request))}</pre>
</details>`;
}

function requestSample(served: ServedOperation, json: string): string {
  const { address, body } = sampleRequest(served, json);
  const line = address === served.path ? "" : `<pre>${escaped(`${served.method} ${address}`)}</pre>`;
  return body === undefined ? line : `${line}${sample(body)}`;
}

function sample(json: string): string {
  return `<pre>${escaped(writeJson(parseJson(json), 2))}</pre>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
