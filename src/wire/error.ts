/** Error object: failure bodies are an array of them (interface document, sections Resources and Errors). */
import { z } from "zod";
import { maybe, text } from "./primitives.ts";

export const errorObject = z.looseObject({ error: maybe(text), code: maybe(text), timestamp: maybe(text) });

export const errorArray = z.array(errorObject).min(1);

export type ErrorObject = z.output<typeof errorObject>;
