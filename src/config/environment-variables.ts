/** The process's environment as a value, so that nobody but the command line reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;
