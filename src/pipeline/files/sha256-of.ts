/** SHA-256 of a file, by which it is recognised whatever its name. */
import { createHash } from "node:crypto";
import { fileChunks } from "../../intake/index.ts";

/** Throws FILE_NOT_FOUND, FILE_IS_FOLDER or FILE_UNREADABLE. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of fileChunks(path)) hash.update(chunk);
  return hash.digest("hex");
}
