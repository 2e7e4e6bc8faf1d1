/** The process's environment as a value, so that only the command line accesses the real one. */
export type Environment = Readonly<Record<string, string | undefined>>;
