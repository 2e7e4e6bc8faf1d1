/**
 * Packs the program into a few files instead of seven hundred modules, because finding and linking modules takes
 * half of a short command's time. It takes in the packages that short commands load; the others stay in their
 * folders, with the native code and files that they read.
 */
import { type OutputOptions, type RolldownOutput, rolldown } from "rolldown";

/** Packages, or the scopes of several; the last is what the packing itself adds. */
const TAKEN_IN = new Set([
  ...["zod", "yaml", "commander", "otplib", "@otplib", "node-cron", "p-limit", "yocto-queue", "picocolors"],
  ...["string-width", "strip-ansi", "ansi-regex", "emoji-regex", "is-fullwidth-code-point"],
  ...["@noble", "@scure", "micro-packed", "@oxc-project"],
]);

/**
 * `input`: modules by the names of their files. `urlOf`: the expression that stands for a module's
 * `import.meta.url`, so that it finds the files beside it as if it had not been packed.
 */
export async function pack(
  input: Readonly<Record<string, string>>,
  urlOf: (path: string) => string,
  output: OutputOptions,
): Promise<RolldownOutput> {
  const bundle = await rolldown({
    input,
    platform: "node",
    external: (id) => /^[@a-z]/.test(id) && !TAKEN_IN.has(id.replace(/\/.*/s, "")),
    plugins: [
      {
        name: "places",
        transform: {
          filter: { id: /\.ts$/, code: "import.meta.url" },
          handler: (code, path) => code.replaceAll("import.meta.url", urlOf(path)),
        },
      },
    ],
  });
  const written = await bundle.write(output);
  await bundle.close();
  return written;
}
