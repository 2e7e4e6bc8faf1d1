/** Error object: failure bodies are an array of them (interface document, sections Resources and Errors). */
import { z } from "zod";
import { bounded, maybe, text } from "./primitives.ts";

/** A blank text counts as absent, so that it proves no refusal. */
const words = text.transform((written) => (written.trim() === "" ? undefined : written));

export const errorObject = z.looseObject({ error: maybe(words), code: maybe(words), timestamp: maybe(text) });

export const errorArray = bounded(errorObject, z.array(errorObject).min(1));

export type ErrorObject = z.output<typeof errorObject>;
