export { isAddressCell, networkOf, recognizeAddress } from "./address.ts";
export { DEFAULT_FILE_LIMITS, type FileLimits } from "./file-limits.ts";
export { fileHoldsKey } from "./key-in-file.ts";
export { fileChunks, sha256Of } from "./open-file.ts";
export { openSentFile } from "./open-sent-file.ts";
